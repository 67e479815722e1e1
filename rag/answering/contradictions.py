"""Documents that say different things about the same: both are shown, each with its date.

Found by comparing text with text: two sentences of different documents that share nearly all their words and
state other numbers. Sentences about different years, or about two things (`rag.answering.subjects`), do not
differ: "the north gate closes at six" and "the south gate closes at ten" are both right.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from rag.answering.asked import Asked
from rag.answering.events import Event, Finished
from rag.answering.subjects import Side, codes, said_words, two_subjects
from rag.citations import numbers
from rag.citations.references import dropped
from rag.errors import LibraryError
from rag.records import Answer, Citation, Evidence
from rag.text.language import Language, language
from rag.text.sentences import sentences

_SAME = 0.75
_FEWEST = {"en": 3, "zh": 5}
_MOST = 2
_LONGEST = 220
_HEAD = 1500
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = re.compile(
    rf"\b\d{{1,2}}\.?\s+{_MONTH}\s+(?:19|20)\d\d\b|\b{_MONTH}\s+\d{{1,2}},\s+(?:19|20)\d\d\b"
    r"|(?<!\d)(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)|(?:19|20)\d\d\s*年\s*\d{1,2}\s*月(?:\s*\d{1,2}\s*日)?"
)
_IN_FORCE = re.compile(
    r"(?:in force|effective|valid|applies|version|issued|dated|as of|生效|施行|执行|发布|版本|编制日期|自)"
    r"[^\n]{0,40}$",
    re.IGNORECASE,
)
_LIST_SIGN = re.compile(r"^(?:[-*•]\s+|\(?\d{1,2}[.)、]\s*)")


HeadOf = Callable[[Evidence], str]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two spans, each of evidence n's text, that say different things."""

    one: tuple[int, int, int]
    other: tuple[int, int, int]


def with_differences(asked: Asked, events: Iterator[Event]) -> Iterator[Event]:
    """The events of an answer; where its evidence differs, that is said at the end of it."""
    with closing(events) as events:  # type: ignore[type-var]
        for event in events:
            if isinstance(event, Finished) and event.answer.found and not event.answer.stopped:
                found = differences(event.answer, lambda item: _head(asked, item))
                if found:
                    answer = _told(asked, event.answer, found)
                    yield asked.replace(answer.text)
                    event = Finished(answer)
            yield event


def contested(asked: Asked, said: str, answer: Answer) -> bool:
    """Whether a sentence states one of two values that the answer's evidence states of the same thing: it
    would be told as the only one. said: the sentence; answer: the quotations that it is made of."""
    by_number = {item.n: item for item in answer.evidence}
    stated = numbers.values(said)
    for each in differences(answer, lambda item: _head(asked, item)):
        sides = [numbers.values(by_number[n].text[start:end]) for n, start, end in (each.one, each.other)]
        if stated & (sides[0] ^ sides[1]) and not stated >= sides[0] | sides[1]:
            return True
    return False


def differences(answer: Answer, head_of: HeadOf | None = None) -> list[Difference]:
    """Where cited words and other evidence differ, at most two. head_of: the beginning of a document's text;
    None: as far as the evidence holds it."""
    head_of = head_of or _of_evidence
    if answer.coverage.get("mode") == "every":
        return []  # each document speaks for itself there
    asked = said_words(answer.question)
    found: list[Difference] = []
    by_number = {item.n: item for item in answer.evidence}
    seen: set[frozenset[tuple[int, int, int]]] = set()
    for citation in answer.citations:
        if not citation.verified or citation.start is None or citation.end is None:
            continue
        item = by_number[citation.n]
        for start, end in sentences(citation.quote):
            one = (item.n, citation.start - item.start + start, citation.start - item.start + end)
            for other in _contrary(item.text[one[1] : one[2]], one[1], item, answer.evidence, asked, head_of):
                pair = frozenset([one, other])
                if pair not in seen:
                    seen.add(pair)
                    found.append(Difference(one, other))
    return found[:_MOST]


def _contrary(
    sentence: str, at: int, of: Evidence, evidence: Sequence[Evidence], asked: set[str], head_of: HeadOf
) -> Iterator[tuple[int, int, int]]:
    told = said_words(sentence)
    stated = numbers.stated(sentence)
    if not stated or len(told) < _FEWEST[language(sentence)] or "|" in sentence:
        return
    for item in evidence:
        if item.document == of.document or language(item.text) != language(sentence):
            continue
        for start, end in sentences(item.text):
            other = item.text[start:end]
            if "|" in other or not _differ(sentence, told, other):
                continue
            if not two_subjects(_side(sentence, of, head_of, at), _side(other, item, head_of, start), asked):
                yield item.n, start, end


def _side(sentence: str, item: Evidence, head_of: HeadOf, start: int) -> Side:
    before = item.text[:start].rpartition("\n\n")[2]
    return Side(sentence, item.path, item.heading, head_of(item), item.text, before)


def _of_evidence(item: Evidence) -> str:
    """The beginning of a document as far as the evidence holds it."""
    return item.text if item.start == 0 else ""


def _differ(one: str, told: set[str], other: str) -> bool:
    words = said_words(other)
    if len(told & words) < _SAME * max(len(told), len(words)):
        return False
    if set(_YEAR.findall(one)) != set(_YEAR.findall(other)):
        return False
    if codes(one) != codes(other):
        return False
    # Each states a number that the other has not.
    return bool(
        numbers.stated(other)
        and numbers.missing(one, numbers.values(other))
        and numbers.missing(other, numbers.values(one))
    )


def _told(asked: Asked, answer: Answer, found: Sequence[Difference]) -> Answer:
    by_number = {item.n: item for item in answer.evidence}
    lines: list[str] = []
    citations = list(answer.citations)
    for each in found:
        sides = [(by_number[n], start, end) for n, start, end in (each.one, each.other)]
        lines.append(_line(asked, sides))
        citations += [
            Citation(
                n=item.n,
                path=item.path,
                page=asked.pages.page_of(item, item.start + start),
                quote=item.text[start:end],
                verified=True,
                start=item.start + start,
                end=item.start + end,
            )
            for item, start, end in sides
        ]
    text = "\n\n".join([answer.text.rstrip(), *dict.fromkeys(lines)])
    return replace(
        answer,
        text=text,
        citations=tuple(dict.fromkeys(citations)),
        coverage={**answer.coverage, "differing": len(lines)},
    )


def _line(asked: Asked, sides: Sequence[tuple[Evidence, int, int]]) -> str:
    zh = asked.language == "zh"
    said = []
    for item, start, end in sides:
        quote = _LIST_SIGN.sub("", " ".join(dropped(item.text[start:end]).split()))
        quote = quote if len(quote) <= _LONGEST else quote[: _LONGEST - 1] + "…"
        name = item.path.rsplit("/", 1)[-1]
        when = date_of(asked, item)
        place = f"{name}（{when}）" if zh else f"{name} ({when})"
        said.append(f"{place}：“{quote}”[{item.n}]" if zh else f"{place}: “{quote}” [{item.n}]")
    return f"文档的说法不一致：{'；'.join(said)}。" if zh else f"The documents differ: {'; '.join(said)}."


def _head(asked: Asked, evidence: Evidence) -> str:
    """The beginning of the document; "" if it went since the search."""
    try:
        return asked.library.document(evidence.document).text[:_HEAD]
    except LibraryError:
        return ""


def date_of(asked: Asked, evidence: Evidence) -> str:
    """The date that a document bears at its beginning, the one from which it is in force before others;
    else that of its file."""
    head = _head(asked, evidence)
    found = list(_DATE.finditer(head))
    for match in found:
        if _IN_FORCE.search(head[: match.start()]):
            return " ".join(match.group().split())
    if found:
        return " ".join(found[0].group().split())
    files = asked.library.files_of(evidence.document, asked.collections)
    modified = next((file.modified for file in files if file.path == evidence.path), 0.0)
    day = time.strftime("%Y-%m-%d", time.localtime(modified))
    return (
        _of_file(day, asked.language) if modified else ("日期不详" if asked.language == "zh" else "undated")
    )


def _of_file(day: str, of: Language) -> str:
    return f"文件日期 {day}" if of == "zh" else f"file of {day}"
