"""Answers in the documents' words, for models too weak to be trusted with their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rag.answering.asked import Asked
from rag.answering.contradictions import contested
from rag.answering.events import Delta, Event, Finished, Retrieved, Waiting
from rag.answering.extractive import Extract, extract, no_such_row_text
from rag.answering.own_words import MAX_TOKENS, SAMPLING, STOP, proved, to_be_read
from rag.answering.rarity import rarity_in
from rag.answering.retrieving import Found
from rag.answering.unmentioned import unmentioned_text
from rag.errors import RagError
from rag.prompting import build_short
from rag.records import Citation


def from_quotations(asked: Asked, found: Found) -> Iterator[Event]:
    """Quotations at once; then, if the model's own short answer is proved by them, that above them."""
    evidence = found.evidence
    named = asked.named(asked.search)
    yield Retrieved(evidence, found.left_out)
    quotations = extract(
        asked.search,
        evidence,
        rarity=rarity_in(asked.library, asked.search),
        embedder=asked.embedder,
        page_of=asked.pages.page_of,
        layout_of=asked.pages.layout_of,
        named=named,
        pages=asked.on_pages,
        earlier=asked.earlier,
    )
    missing = unmentioned_text(asked.search, evidence, asked.language, named)
    if quotations.no_row:
        missing = no_such_row_text(quotations.no_row, asked.language)
    yield asked.show("\n\n".join(filter(None, [missing, quotations.text])))
    yield from with_own_words(asked, found, quotations, wanted=not missing)


def with_own_words(asked: Asked, found: Found, quotations: Extract, *, wanted: bool) -> Iterator[Event]:
    """The end of an answer whose quotations are shown: the model's own words above them, where proved."""
    citations: Sequence[Citation] = quotations.citations
    try:
        prompt = build_short(asked.phrases, asked.search, to_be_read(quotations, asked.engine.count))
        generation = asked.generation(prompt, MAX_TOKENS, sampling=SAMPLING, stop=STOP)
        for piece in generation:
            yield piece if isinstance(piece, Waiting) else Delta("")
    except RagError:
        yield Finished(
            asked.answer(
                found.evidence, citations=citations, left_out=found.left_out, extractive=True, stopped=True
            )
        )
        raise
    own = proved(generation.text, asked.search, quotations) if wanted else None
    quoted = asked.answer(found.evidence, citations=citations)
    if own is not None and not contested(asked, own.text, quoted):
        citations = tuple(dict.fromkeys([*own.citations, *citations]))
        yield asked.replace(f"{own.text}\n\n{asked.shown}")
    yield Finished(
        asked.answer(found.evidence, citations=citations, left_out=found.left_out, extractive=True)
    )
