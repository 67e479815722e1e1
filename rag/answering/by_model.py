"""The quick answer in a model's own words: everything in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rag.answering.asked import Asked
from rag.answering.drafting import checked_text, drafted, fitting
from rag.answering.events import Event, Finished, Retrieved
from rag.answering.retrieving import Found
from rag.answering.silence import not_found_text
from rag.errors import RagError
from rag.prompting import Plan, plan
from rag.records import Evidence

NAMED = 3
"""Documents named where the answer is that they do not hold it."""


def shares_of(asked: Asked, then: Sequence[str] = (), *, times: int = 1) -> Plan:
    """How the context is shared out for this question. then: instructions that will stand behind it.
    times: the budget for evidence, as often."""
    return plan(
        asked.phrases,
        asked.question,
        asked.history,
        context=asked.engine.info().context,
        evidence_tokens=asked.budget * times,
        answer_tokens=asked.settings.engine.max_answer_tokens,
        count=asked.engine.count_messages,
        examples=asked.examples,
        steps=asked.steps,
        then=then,
    )


def from_model(asked: Asked, shares: Plan, found: Found) -> Iterator[Event]:
    """The answer of a model that is trusted with words. Raises EngineError if it says nothing at all."""
    evidence, messages = fitting(asked, shares, found.evidence)
    left_out = found.left_out + len(found.evidence) - len(evidence)
    yield Retrieved(tuple(evidence), left_out)
    try:
        draft = yield from drafted(asked, messages, shares.answer_tokens, evidence)
    except RagError:
        yield from stopped(asked, evidence, left_out)
        raise
    if not asked.shown.strip():
        raise asked.said_nothing()
    if draft.silent:
        yield from silent(asked, evidence, left_out)
        return
    yield Finished(
        asked.answer(
            evidence,
            citations=draft.cited.citations,
            unsupported=draft.cited.unsupported,
            left_out=left_out,
        )
    )


def silent(asked: Asked, evidence: Sequence[Evidence], left_out: int) -> Iterator[Event]:
    """The documents were read and do not hold the answer."""
    nearest = list(dict.fromkeys(item.path for item in evidence))[:NAMED]
    yield asked.replace(not_found_text(asked.language, nearest))
    yield Finished(asked.answer(evidence, left_out=left_out, found=False))


def stopped(asked: Asked, evidence: Sequence[Evidence], left_out: int) -> Iterator[Event]:
    """What was shown when the engine failed, checked as far as it goes; nothing if nothing was shown."""
    if not asked.shown.strip():
        return
    checked = checked_text(asked, asked.shown, evidence)
    yield Finished(
        asked.answer(
            evidence,
            citations=checked.citations,
            unsupported=checked.unsupported,
            left_out=left_out,
            stopped=True,
        )
    )
