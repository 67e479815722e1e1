"""A second question about the same evidence, another conversation in between, many conversations."""

from __future__ import annotations

from typing import Any

from benchmarks.engine.asking import ask, messages, running, text_of


def measure(model: str, tokens: int, *, kv: str, ubatch: int, answer: int) -> dict[str, Any]:
    """Seconds to the first token; text (of one seed) equal with and without what was kept."""
    context = tokens + 1024
    with running(model, context=context, kv=kv, ubatch=ubatch, cache_mib=8192) as engine:
        one, other = (text_of(engine, tokens, seed=seed) for seed in (1, 2))
        tails = [text_of(engine, 64, seed=50 + n) for n in range(6)]
        ask(engine, messages("", text_of(engine, 600, seed=99)), 4)
        cold = ask(engine, messages(one, tails[0]), answer)
        warm = [ask(engine, messages(one, tail), answer) for tail in tails[1:4]]
        away = ask(engine, messages(other, tails[4]), answer)
        back = ask(engine, messages(one, tails[1]), answer)
        again = ask(engine, messages(one, tails[1]), answer)
        kept = engine.info().cache_mib
    with running(model, context=context, kv=kv, ubatch=ubatch, cache_mib=0) as engine:
        fresh = ask(engine, messages(one, tails[1]), answer)
    first = [times.first for times in warm]
    return {
        "prompt_tokens": cold.usage.prompt_tokens,
        "cached_tokens": warm[0].usage.cached_tokens,
        "cold_s": round(cold.first, 3),
        "warm_s": [round(each, 4) for each in first],
        "warm_percent": round(100 * sorted(first)[len(first) // 2] / cold.first, 2),
        "other_conversation_s": round(away.first, 3),
        "back_s": round(back.first, 3),
        "back_percent": round(100 * back.first / cold.first, 2),
        "back_cached": back.usage.cached_tokens,
        "again_s": round(again.first, 4),
        "cache_mib": round(kept, 1),
        "same_text": fresh.text == warm[0].text == back.text == again.text,
        "text": fresh.text[:80],
    }
