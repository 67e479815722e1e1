"""Two answers at once against one alone."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from benchmarks.engine.asking import ask, messages, running, text_of

WRITE = 192


def measure(model: str, depth: int, *, kv: str, ubatch: int, parallel: int = 2) -> dict[str, Any]:
    """Tokens a second of all answers together, at that depth."""
    context = depth + 1024
    with running(model, context=context, kv=kv, ubatch=ubatch, parallel=parallel) as engine:
        texts = [text_of(engine, depth, seed=seed) for seed in range(parallel)]

        def together(number: int) -> tuple[float, float, int]:
            began = time.monotonic()
            times = ask(engine, messages(texts[number], f"go on {number}"), WRITE)
            return began + times.first, began + times.total, times.usage.answer_tokens

        alone = [ask(engine, messages(text, "begin"), WRITE) for text in texts][-1]
        alone = ask(engine, messages(texts[-1], "and"), WRITE)
        with ThreadPoolExecutor(parallel) as pool:
            list(pool.map(together, range(parallel)))
            ends = list(pool.map(together, range(parallel)))
    began = max(first for first, _, _ in ends)
    first_over = min(end for _, end, _ in ends)
    span = max(end for _, end, _ in ends) - min(first for first, _, _ in ends)
    total = sum(count for _, _, count in ends) / span
    return {
        "depth": depth, "parallel": parallel, "alone": round(alone.writing_speed, 1),
        "together": round(total, 1), "ratio": round(total / alone.writing_speed, 3),
        "overlap_s": round(first_over - began, 3),
    }  # fmt: skip
