"""A data set looked through: everything that is wrong with it, with file, line and field."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from eval.datasets import FieldError, Question, file_of, parsed_line
from eval.matching import LENGTH, squeezed
from rag.errors import NothingToWorkOn, UsageError

if TYPE_CHECKING:
    from ingest.reading import Reader
    from rag.records import Document

Weight = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """weight: an error spoils figures or stops a run; a warning is worth a look. line from 1; id if known."""

    file: str
    line: int
    field: str
    weight: Weight
    problem: str
    id: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def look_through(path: Path, docs: Path | None, reader: Reader | None) -> tuple[int, list[Problem]]:
    """How many questions `path` has, and all that is wrong with them.

    docs: the folder of the documents, None if there is none beside the questions. reader: reads them, to see
    whether each quote stands where it should; None: quotes are not looked for. Raises UsageError if the file
    cannot be read, NothingToWorkOn if it holds no question.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.", fix="Name a UTF-8 file of questions.") from error
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    texts = _Texts(docs, reader)
    questions = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        questions += 1
        try:
            question, draft = parsed_line(line, docs)
        except FieldError as error:
            problems.append(Problem(path.name, number, error.field or "the line", "error", error.problem))
            continue
        found = list(_problems(question, draft, texts))
        if question.id in seen:
            found.append(("id", "error", f"{question.id!r} is also the id of line {seen[question.id]}"))
        seen.setdefault(question.id, number)
        problems += [Problem(path.name, number, *each, id=question.id) for each in found]
    if not questions:
        raise NothingToWorkOn(f"There is no question in {path}.")
    return questions, problems


def _problems(question: Question, draft: bool, texts: _Texts) -> Iterator[tuple[str, Weight, str]]:
    if draft:
        yield "draft", "warning", "drafted by a machine: correct it, then remove this field"
    if question.answerable and not question.nuggets and not question.answers:
        yield "nuggets", "error", "an answerable question needs nuggets or answers, or nothing can be judged"
    if question.answerable and question.nuggets and not any(n.vital for n in question.nuggets):
        yield "nuggets", "warning", "none is vital: the question does not count for the headline"
    if not question.answerable and (question.nuggets or question.answers):
        yield "answerable", "warning", "is false, so its nuggets and answers are not used"
    if question.answerable and not any(gold.quote for gold in question.evidence):
        yield "evidence", "warning", "has no quote: retrieval cannot be measured on this question"
    texts_seen = [nugget.text.strip() for nugget in question.nuggets]
    for place, text in enumerate(texts_seen):
        if text in texts_seen[:place]:
            yield f"nuggets[{place}].text", "warning", "stands there twice"
    for place, gold in enumerate(question.evidence):
        if gold.quote:
            problem = texts.problem(gold.doc, gold.page, gold.quote)
            if problem:
                yield f"evidence[{place}].quote", "error", problem


class _Texts:
    """The squeezed text of each document and page, read when it is first asked for."""

    def __init__(self, docs: Path | None, reader: Reader | None) -> None:
        self._docs = docs
        self._reader = reader
        self._known: dict[str, tuple[str, dict[int, str]] | str] = {}

    def problem(self, doc: str, page: int | None, quote: str) -> str:
        """What is wrong with this quote, "" if nothing is or it cannot be known."""
        if self._docs is None or self._reader is None:
            return ""
        if doc not in self._known:
            self._known[doc] = self._read(doc)
        found = self._known[doc]
        if isinstance(found, str):
            return found
        whole, pages = found
        beginning = squeezed(quote)[:LENGTH]
        if page is not None and pages and page not in pages:
            return f"{doc!r} has no page {page}"
        if beginning in (pages[page] if page in pages and page is not None else whole):
            return ""
        elsewhere = [number for number, text in pages.items() if beginning in text]
        if elsewhere:
            return f"stands on page {', '.join(map(str, elsewhere))} of {doc!r}, not on page {page}"
        return (
            f"does not stand in what is read of {doc!r} (its first {LENGTH} characters were looked for;"
            " python -m ingest --text shows what is read)"
        )

    def _read(self, doc: str) -> tuple[str, dict[int, str]] | str:
        assert self._docs is not None
        assert self._reader is not None
        file = file_of(self._docs, doc)
        if file is None:
            return f"there is no {doc!r}"
        reading = self._reader.read(file)
        inside = doc[len(str(file.relative_to(self._docs))) :].lstrip("/")
        if inside:
            document = next((part.document for part in reading.members if part.name == inside), None)
        else:
            document = reading.document
        if document is None:
            return f"{doc!r} could not be read: {reading.reason or 'it holds no such file'}"
        return _squeezed(document)


def _squeezed(document: Document) -> tuple[str, dict[int, str]]:
    pages = {page.number: squeezed(page.text) for page in document.pages if page.number is not None}
    return squeezed(document.text), pages


def as_lines(problems: Sequence[Problem]) -> str:
    """For a person: every error, and each warning once with the number of lines that have it."""
    alike: dict[tuple[str, str, str], list[Problem]] = {}
    for one in problems:
        key = (one.file, one.field, one.problem) if one.weight == "warning" else (one.file, "", repr(one))
        alike.setdefault(key, []).append(one)
    return "\n".join(_as_line(found[0], len(found) - 1) for found in alike.values())


def _as_line(one: Problem, more: int) -> str:
    place = f"{one.file}, line {one.line}{f' ({one.id})' if one.id else ''}, field {one.field}"
    weight = "" if one.weight == "error" else "warning: "
    return f"{place}: {weight}{one.problem}{f' (and {more} lines more)' if more else ''}"


def dumped(question: dict[str, Any]) -> str:
    """One line of a file of questions."""
    return json.dumps(question, ensure_ascii=False, allow_nan=False) + "\n"
