"""Do tokens drawn from the device's candidates follow the distribution over the whole vocabulary?

Run in a process of its own: it loads the native library, as the worker does.
"""

from __future__ import annotations

import ctypes
import math
import random
from collections import Counter
from dataclasses import replace
from typing import Any

from rag.engine import wire
from rag.engine.chain import Candidates, Chain, candidates_of
from rag.engine.context import Part
from rag.engine.loading import Loaded
from rag.engine.protocol import Sampling

SEEDS = 1_000
"""So many draws are compared one by one with those from the whole vocabulary."""


def measure(
    model: str, draws: int, sampling: Sampling, *, gpu_layers: int, length: int = 48
) -> dict[str, Any]:
    """Pearson's chi-square of `draws` first tokens against the exact probabilities, and equal seeds compared.

    The probabilities are those that the chain gives to the whole vocabulary, from the logits of the same
    device. Candidates expected fewer than five times are counted together.
    """
    load = wire.Load(model, 512, 512, 128, "q8_0", True, gpu_layers, 1, device_sampling="on")
    loaded = Loaded(load)
    context, llama, size = loaded.context, loaded.model.llama, loaded.model.vocabulary_size
    tokens = [(7919 * n + length) % min(40_000, size) for n in range(1, length + 1)]
    seeds = random.Random(length)
    chosen = [seeds.getrandbits(31) for _ in range(draws)]

    def evaluate() -> int:
        context.clear_all()
        return context.decode([Part(0, 0, tokens, True)])[0]

    def draw(row: int, seed: int) -> int:
        chain = Chain(llama, replace(sampling, seed=seed), size)
        token = context.sample(chain.handle, row)
        chain.close()
        return token

    row = evaluate()
    finite = all(math.isfinite(context.logits(row)[n]) for n in range(size))
    whole = Chain(llama, sampling, size)
    expected = _candidates(llama, whole, context.logits(row), size)
    whole.close()
    on_host = [draw(row, seed) for seed in chosen[:SEEDS]]
    candidates = Candidates(llama, context, on_device=True)
    candidates.prepare(0, sampling)
    row = evaluate()
    on_device = [draw(row, seed) for seed in chosen]
    counts = Counter(on_device)
    chi, freedom = _chi_square(counts, expected, draws)
    return {
        "length": length, "finite": finite, "candidates": candidates_of(sampling), "left": len(expected),
        "draws": draws, "chi_square": round(chi, 2), "freedom": freedom,
        "p": round(_survival(chi, freedom), 4),
        "outside": sum(n for token, n in counts.items() if token not in expected),
        "equal_for_equal_seeds": sum(a == b for a, b in zip(on_host, on_device, strict=False)) / len(on_host),
    }  # fmt: skip


def _candidates(llama: Any, chain: Chain, logits: Any, size: int) -> dict[int, float]:
    """Token → probability, after the whole chain."""
    data = (llama.llama_token_data * size)()
    for token in range(size):
        data[token].id, data[token].logit = token, logits[token]
    array = llama.llama_token_data_array(data=data, size=size, selected=-1, sorted=False)
    llama.llama_sampler_apply(chain.handle, ctypes.byref(array))
    return {array.data[n].id: array.data[n].p for n in range(array.size)}


def _chi_square(counts: Counter[int], expected: dict[int, float], draws: int) -> tuple[float, int]:
    total, cells, rare_seen, rare_expected = 0.0, 0, 0, 0.0
    for token, probability in expected.items():
        if probability * draws < 5:
            rare_seen, rare_expected = rare_seen + counts[token], rare_expected + probability * draws
            continue
        total += (counts[token] - probability * draws) ** 2 / (probability * draws)
        cells += 1
    if rare_expected >= 5:
        total += (rare_seen - rare_expected) ** 2 / rare_expected
        cells += 1
    return total, max(1, cells - 1)


def _survival(chi: float, freedom: int) -> float:
    """P(X ≥ chi), by Wilson and Hilferty's approximation."""
    z = ((chi / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))
    return 0.5 * math.erfc(z / math.sqrt(2))
