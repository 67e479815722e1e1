"""A Sampling as a native sampler chain, and the part of it that the device does. Worker process only."""

from __future__ import annotations

import secrets
from typing import Any

from rag.engine.context import NativeContext
from rag.engine.protocol import Sampling

PENALTY_WINDOW = 64
"""Generated tokens that the repeat penalty looks back on. The prompt is never penalised: an answer has to
repeat the words of its evidence."""

SEED_BITS = 31


class Chain:
    """Penalties, top-k, top-p, min-p, temperature, draw; or penalties and the most likely token.

    Raises ValueError if the library refuses a value. Free it with `close`.
    """

    def __init__(self, llama: Any, sampling: Sampling, vocabulary_size: int) -> None:
        self._llama = llama
        self._made = _chain(llama, _samplers(llama, sampling, vocabulary_size))

    @property
    def handle(self) -> Any:
        return self._made

    def close(self) -> None:
        if self._made is not None:
            self._llama.llama_sampler_free(self._made)
            self._made = None


class Candidates:
    """Lets the device pick the most likely tokens of each sequence, so that a chain need not look at all.

    Only these travel to the host, where the whole chain is applied to them. The result is that of the chain
    over the whole vocabulary, draw by draw: a repeat penalty of 1 or more only makes tokens less likely, and
    at most PENALTY_WINDOW of them, so the k most likely after it are among the k + PENALTY_WINDOW before.
    (The whole chain can run on the device, too, but its many small steps cost 0.35 ms a token; measured on
    an H200.)
    """

    def __init__(self, llama: Any, context: NativeContext, *, on_device: bool) -> None:
        self._llama = llama
        self._context = context
        # Another library may be older than this call.
        self._on_device = on_device and hasattr(llama, "llama_set_sampler")
        self._attached: dict[int, tuple[int, Any]] = {}

    def prepare(self, sequence: int, sampling: Sampling, *, all_logits: bool = False) -> None:
        """For the next answer of the sequence. all_logits: a grammar has to see every token."""
        count = candidates_of(sampling)
        if not self._on_device or all_logits or count is None:
            self._detach(sequence)
            return
        known = self._attached.get(sequence)
        if known is not None and known[0] == count:
            return  # another one would make the library plan its graph anew
        made = _chain(self._llama, [self._llama.llama_sampler_init_top_k(count)])
        if not self._context.attach(sequence, made):
            self._llama.llama_sampler_free(made)
            self._detach(sequence)
            return
        if known is not None:
            self._llama.llama_sampler_free(known[1])
        self._attached[sequence] = (count, made)

    def _detach(self, sequence: int) -> None:
        known = self._attached.pop(sequence, None)
        if known is not None:
            self._context.attach(sequence, None)
            self._llama.llama_sampler_free(known[1])


def candidates_of(sampling: Sampling) -> int | None:
    """How many of the most likely tokens decide the draw; None if it may depend on any token."""
    if sampling.repeat_penalty < 1:
        return None
    wanted = 1 if sampling.temperature <= 0 else sampling.top_k
    if wanted <= 0:
        return None
    return wanted + (PENALTY_WINDOW if sampling.repeat_penalty > 1 else 0)


def _samplers(llama: Any, sampling: Sampling, vocabulary_size: int) -> list[Any]:
    found = []
    if sampling.repeat_penalty != 1.0:
        found.append(
            llama.llama_sampler_init_penalties(
                vocabulary_size, PENALTY_WINDOW, sampling.repeat_penalty, 0.0, 0.0
            )
        )
    if sampling.temperature <= 0:
        return [*found, llama.llama_sampler_init_greedy()]
    if sampling.top_k > 0:
        found.append(llama.llama_sampler_init_top_k(sampling.top_k))
    if sampling.top_p < 1:
        found.append(llama.llama_sampler_init_top_p(sampling.top_p, 1))
    if sampling.min_p > 0:
        found.append(llama.llama_sampler_init_min_p(sampling.min_p, 1))
    seed = secrets.randbits(SEED_BITS) if sampling.seed is None else sampling.seed
    return [
        *found,
        llama.llama_sampler_init_temp(sampling.temperature),
        llama.llama_sampler_init_dist(seed % (1 << SEED_BITS)),
    ]


def _chain(llama: Any, samplers: list[Any]) -> Any:
    made = llama.llama_sampler_chain_init(llama.llama_sampler_chain_default_params())
    if not all(samplers):
        llama.llama_sampler_free(made)
        raise ValueError("The native library refused a sampling value.")
    for sampler in samplers:
        llama.llama_sampler_chain_add(made, sampler)  # the chain owns it from here
    return made
