"""A model's own words on one question or one part of it: streamed, then checked claim by claim."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from rag.answering.asked import Asked
from rag.answering.events import Delta, Event, Thought, Waiting
from rag.answering.generation import Generation
from rag.answering.silence import declines
from rag.answering.unwrap import looks_wrapped, unwrapped, unwrapped_lines
from rag.citations import Cited, MarkerFilter, cite, clean
from rag.citations.claims import claims, is_silence
from rag.errors import PromptTooLong
from rag.prompting import Plan, build
from rag.records import Evidence, Message

_ASKS_FOR_JSON = re.compile(r"\bjson\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Draft:
    """cited: the checked text. silent: it says that the evidence does not hold the answer, or nothing."""

    cited: Cited
    silent: bool

    @property
    def proved(self) -> int:
        """How many places of the evidence were found that back it."""
        return sum(citation.verified for citation in self.cited.citations)

    @property
    def holds(self) -> bool:
        """Whether it answers, and most of what it says is backed."""
        return not self.silent and self.proved > 0 and len(self.cited.unsupported) <= self.proved


def drafted(
    asked: Asked, messages: Sequence[Message], answer_tokens: int, evidence: Sequence[Evidence]
) -> Generator[Event, None, Draft]:
    """Streams a generation behind what is shown, then puts its checked text in its place.

    evidence: all that the answer may cite; numbers beyond it are removed while they stream.
    """
    before = asked.shown
    generation = asked.generation(messages, answer_tokens, thinks=True)
    count = max((item.n for item in evidence), default=0)
    yield from _streamed(asked, generation, count)
    said = asked.shown[len(before) :]
    plain = said if _ASKS_FOR_JSON.search(asked.question) else clean(unwrapped_lines(said), count)
    checked = checked_text(asked, plain, evidence)
    silent = declines(said, asked.phrases.not_found) or _only_memory(checked)
    if checked.text != said:
        yield asked.replace(before + checked.text)
    return Draft(checked, silent)


def checked_text(asked: Asked, text: str, evidence: Sequence[Evidence]) -> Cited:
    return cite(text, evidence, page_of=asked.pages.page_of, embed=asked.embedder.embed_queries)


def fitting(
    asked: Asked, shares: Plan, evidence: Sequence[Evidence], then: str = ""
) -> tuple[list[Evidence], list[Message]]:
    """The evidence that really fits, counted as the engine will read it, and the prompt with it.

    The packing has counted already; a template that adds tokens around long messages is all that can
    make a difference, so nearly always nothing is dropped here.
    """
    context = asked.engine.info().context
    make = partial(
        build,
        asked.phrases,
        asked.question,
        history=shares.history,
        examples=shares.examples,
        steps=asked.steps,
        then=then,
    )
    for kept in range(len(evidence), 0, -1):
        messages = make(evidence[:kept])
        if asked.engine.count_messages(messages) + shares.answer_tokens <= context:
            return list(evidence[:kept]), messages
    raise PromptTooLong(
        f"Not even one passage fits into the context of {context} tokens.",
        fix="Ask a shorter question, or raise engine.context.",
    )


def _only_memory(checked: Cited) -> bool:
    """Whether an answer says that the documents are silent, and all that it adds comes from elsewhere."""
    silent = any(is_silence(claim.text) for claim in claims(checked.text))
    return silent and bool(checked.unsupported) and not any(c.verified for c in checked.citations)


def _streamed(asked: Asked, generation: Generation, count: int) -> Iterator[Event]:
    """The text as it comes, its markers cleaned; an answer wrapped in JSON is shown when it is complete."""
    before = asked.shown
    markers = MarkerFilter(count)
    unknown = False if _ASKS_FOR_JSON.search(asked.question) else None
    wrapped = unknown
    for piece in generation:
        if isinstance(piece, Waiting):
            yield piece
            continue
        if isinstance(piece, Thought):
            if asked.shown != before:  # it was thought, what looked like an answer
                markers, wrapped = MarkerFilter(count), unknown
                yield asked.replace(before)
                asked.first_at = None
            yield asked.think(piece)
            continue
        if wrapped is None and piece:
            wrapped = looks_wrapped(generation.text)
            piece = generation.text if wrapped is False else ""
        yield asked.show(markers.feed(piece)) if wrapped is False else Delta("")
    if wrapped is False:
        yield asked.show(markers.finish())
    else:
        yield asked.show(clean(unwrapped(generation.text), count))
