"""Answers in a model's own words: streamed, then checked claim by claim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from rag.answering.asked import Asked
from rag.answering.events import Delta, Event, Finished, Retrieved, Waiting
from rag.answering.generation import Generation
from rag.answering.retrieving import Found
from rag.answering.silence import declines, not_found_text
from rag.answering.unwrap import looks_wrapped, unwrapped
from rag.citations import Cited, MarkerFilter, cite, clean
from rag.citations.claims import claims, is_silence
from rag.errors import EngineError, PromptTooLong, RagError
from rag.prompting import Plan, build
from rag.records import Evidence, Message

_ASKS_FOR_JSON = re.compile(r"\bjson\b", re.IGNORECASE)
_NAMED = 3


def from_model(asked: Asked, plan: Plan, found: Found) -> Iterator[Event]:
    """The answer of a model that is trusted with words. Raises EngineError if it says nothing at all."""
    evidence, messages = _fitting(asked, plan, found.evidence)
    left_out = found.left_out + len(found.evidence) - len(evidence)
    yield Retrieved(tuple(evidence), left_out)
    generation = Generation(asked.engine, messages, plan.answer_tokens)
    try:
        yield from _streamed(asked, generation, len(evidence))
    except RagError:
        if asked.shown.strip():
            checked = _cited(asked, evidence)
            yield Finished(
                asked.answer(
                    evidence,
                    citations=checked.citations,
                    unsupported=checked.unsupported,
                    left_out=left_out,
                    stopped=True,
                    generation=generation,
                )
            )
        raise
    if not asked.shown.strip():
        raise EngineError("The model ended without an answer.", fix="Ask again, or in other words.")
    checked = _cited(asked, evidence)
    if declines(asked.shown, asked.phrases.not_found) or _only_memory(checked):
        nearest = list(dict.fromkeys(item.path for item in evidence))[:_NAMED]
        yield asked.replace(not_found_text(asked.language, nearest))
        yield Finished(asked.answer(evidence, left_out=left_out, found=False, generation=generation))
        return
    if checked.text != asked.shown:
        yield asked.replace(checked.text)
    yield Finished(
        asked.answer(
            evidence,
            citations=checked.citations,
            unsupported=checked.unsupported,
            left_out=left_out,
            generation=generation,
        )
    )


def _only_memory(checked: Cited) -> bool:
    """Whether an answer says that the documents are silent, and all that it adds comes from elsewhere."""
    silent = any(is_silence(claim.text) for claim in claims(checked.text))
    return silent and bool(checked.unsupported) and not any(c.verified for c in checked.citations)


def _cited(asked: Asked, evidence: Sequence[Evidence]) -> Cited:
    return cite(asked.shown, evidence, page_of=asked.pages.page_of, embed=asked.embedder.embed_queries)


def _fitting(
    asked: Asked, plan: Plan, evidence: Sequence[Evidence]
) -> tuple[Sequence[Evidence], list[Message]]:
    """The evidence that really fits, counted as the engine will read it, and the prompt with it.

    The packing has counted already; a template that adds tokens around long messages is all that can
    make a difference, so nearly always nothing is dropped here.
    """
    context = asked.engine.info().context
    make = partial(build, asked.phrases, asked.question, history=plan.history, examples=plan.examples)
    for kept in range(len(evidence), 0, -1):
        messages = make(evidence[:kept])
        if asked.engine.count_messages(messages) + plan.answer_tokens <= context:
            return evidence[:kept], messages
    raise PromptTooLong(
        f"Not even one passage fits into the context of {context} tokens.",
        fix="Ask a shorter question, or raise engine.context.",
    )


def _streamed(asked: Asked, generation: Generation, count: int) -> Iterator[Event]:
    """The text as it comes, its markers cleaned; an answer wrapped in JSON is shown when it is complete."""
    markers = MarkerFilter(count)
    wrapped = False if _ASKS_FOR_JSON.search(asked.question) else None
    for piece in generation:
        if isinstance(piece, Waiting):
            yield piece
            continue
        if wrapped is None and piece:
            wrapped = looks_wrapped(generation.text)
            piece = generation.text if wrapped is False else ""
        yield asked.show(markers.feed(piece)) if wrapped is False else Delta("")
    if wrapped is False:
        yield asked.show(markers.finish())
    else:
        yield asked.show(clean(unwrapped(generation.text), count))
