"""One document's answer: in a model's words, or in its own."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from rag.answering.asked import Asked
from rag.answering.drafting import checked_text
from rag.answering.events import Event, Waiting
from rag.answering.every.abroad import NEARER, NEARER_UNNAMED, nearness
from rag.answering.every.alike import asks_over_documents
from rag.answering.every.documents import Paper
from rag.answering.every.said import Said
from rag.answering.every.values import tells
from rag.answering.extractive import Rarity, extract_best
from rag.answering.extractive.meaning import VectorsOf
from rag.answering.extractive.own_language import characters_held
from rag.answering.extractive.wanted import asks_quantity
from rag.answering.silence import declines
from rag.answering.tables.operations import without_calculation
from rag.answering.unwrap import unwrapped
from rag.citations import MARKER, clean
from rag.citations.numbers import says_number
from rag.embedding.any_length import beginning
from rag.embedding.protocol import Vectors
from rag.prompting import Plan, build
from rag.records import Citation, Evidence
from rag.retrieval.backgrounds import strangers_in
from rag.text.asking import without_asking
from rag.text.language import language

ANSWER_TOKENS = 128
_SILENT = re.compile(
    r"[\s\"'“*(]*(?:not (?:stated|mentioned|specified|given|available)|no information|none stated|n/?a\b"
    r"|未说明|没有说明|未提及|没有提到|未注明|无相关|不详)",
    re.IGNORECASE,
)
_LIST_SIGN = re.compile(r"(?m)^\s*(?:[-*•>]|\d{1,2}[.)、](?!\d))\s+|^```\w*$")
_EACH = re.compile(r"(?:各(?:个|家|份|自)?|该)(?=[一-龥])|的")
"""What stands between Chinese words in a question to each: with its neighbours it would make words that no
document has (各门店 → 各门), and those would weigh more than all that the documents share."""
_HOW = re.compile(
    r"\bhow (?:long|much|many|often|high|large|big|far|old|fast|soon|wide|deep|heavy)\b", re.IGNORECASE
)
_HELD = 0.3
"""Share of the question's words, by weight, that a quotation must hold to count as an answer."""
_CHARACTERS_HELD = 0.5
"""Share of the telling characters of a Chinese question: with that, nearness in meaning decides."""


def by_model(
    asked: Asked,
    paper: Paper,
    evidence: Sequence[Evidence],
    shares: Plan,
    after: int,
    *,
    then: str = "",
    lines: bool = False,
) -> Generator[Event | None, None, Said]:
    """Yields None as a sign of life. after: numbers already given in the answer as a whole. then: the
    instruction behind the question, by default that of a document among others. lines: keep line ends."""
    messages = build(
        asked.phrases,
        asked.question,
        evidence,
        history=shares.history,
        examples=shares.examples,
        then=then or instruction(asked),
    )
    generation = asked.generation(messages, shares.answer_tokens)
    for piece in generation:
        yield piece if isinstance(piece, Waiting) else None
    text = clean(unwrapped(generation.text), len(evidence))
    text = text.strip() if lines else _one_line(text)
    bare = MARKER.sub("", text).strip(" .。")
    if not bare or _SILENT.match(bare) or declines(text, asked.phrases.not_found):
        return Said(paper)
    checked = checked_text(asked, text, evidence)
    return renumbered(paper, checked.text, evidence, checked.citations, checked.unsupported, after)


def by_quotation(
    asked: Asked,
    paper: Paper,
    evidence: Sequence[Evidence],
    rarity: Rarity,
    question: Vectors,
    after: int,
) -> Said:
    """The sentence that answers best, if it speaks of what is asked at all. question: its vector."""
    wanted = without_calculation(asked.search)
    named = asked.named(wanted)
    compared: VectorsOf = {}
    by_value = asks_over_documents(asked.search)
    quotation, held = extract_best(
        wanted,
        evidence,
        rarity=rarity,
        embedder=asked.embedder,
        page_of=asked.pages.page_of,
        layout_of=asked.pages.layout_of,
        vectors=compared,
        named=named,
        told=_EACH.sub(" ", _HOW.sub(" ", without_asking(wanted))),
        fits=(lambda text: tells(text, asked.search)) if by_value else None,
    )
    words = quotation.citations[0].quote
    quoted = asked.embedder.embed_passages([beginning(words, asked.embedder)])[0]
    asked_in = language(asked.search)
    nearer = nearness(question, strangers_in(asked.embedder, asked_in), [quoted, *compared.values()])
    abroad = language(" ".join(item.text for item in evidence)) != asked_in
    # In Chinese the same is said in other words of the same characters: 付款 is 付清货款.
    alike = abroad or characters_held(without_asking(wanted), words) >= _CHARACTERS_HELD
    # Where the other language's name for it is known, a text without that name must come nearer.
    least = NEARER_UNNAMED if abroad and not held and named else NEARER
    # What tells the day or the number that is asked for may say all else in other words (到期: 至…止).
    valued = by_value and nearer >= NEARER_UNNAMED and tells(quotation.text, asked.search)
    speaks = held >= _HELD or (alike and nearer >= least) or valued
    if not speaks or (asks_quantity(asked.search) and not says_number(MARKER.sub("", quotation.text))):
        return Said(paper)
    said = renumbered(paper, _one_line(quotation.text), evidence, quotation.citations, (), after)
    return replace(said, held=held, likeness=float(quoted @ question), nearness=nearer, abroad=abroad)


def instruction(asked: Asked) -> str:
    return asked.phrases.document.format(not_stated=asked.phrases.not_stated)


def _one_line(text: str) -> str:
    return " ".join(_LIST_SIGN.sub("", text).replace("|", "/").split())


def renumbered(
    paper: Paper,
    text: str,
    evidence: Sequence[Evidence],
    citations: Sequence[Citation],
    unsupported: Sequence[str],
    after: int,
) -> Said:
    """What is said, with the evidence that is cited under the numbers behind `after`."""
    used = list(dict.fromkeys(int(n) for n in MARKER.findall(text)))
    numbers = {n: after + place for place, n in enumerate(used, start=1)}
    return Said(
        paper,
        MARKER.sub(lambda match: f"[{numbers[int(match[1])]}]", text),
        tuple(
            replace(item, n=numbers[item.n])
            for item in sorted(evidence, key=lambda e: numbers.get(e.n, 0))
            if item.n in numbers
        ),
        tuple(replace(citation, n=numbers[citation.n]) for citation in citations if citation.n in numbers),
        tuple(unsupported),
    )
