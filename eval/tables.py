"""A table of questions that a person made (CSV or XLSX) → the questions of a data set.

Columns are known by their headings, in English or Chinese, in any order; only the question is needed. Facts
in one cell are parted by line ends, ";" or "；".
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from eval.presence import must_exist
from rag.errors import NothingToWorkOn, UsageError
from rag.text.language import language

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "no", "nr", "number", "编号", "序号"),
    "question": ("question", "questions", "query", "prompt", "问题", "提问"),
    "answer": ("answer", "answers", "expected answer", "reference", "答案", "回答", "参考答案"),
    "facts": ("facts", "fact", "nuggets", "key points", "key facts", "vital", "要点", "关键点", "关键事实"),
    "extras": ("extras", "optional facts", "okay", "nice to have", "补充", "可选要点"),
    "doc": ("doc", "document", "file", "source", "文档", "文件", "来源"),
    "page": ("page", "页", "页码"),
    "quote": ("quote", "evidence", "引文", "原文", "证据"),
    "lang": ("lang", "language", "语言"),
    "kind": ("kind", "type", "category", "类型", "类别"),
    "answerable": ("answerable", "可回答", "能否回答"),
}
_NO = frozenset({"no", "n", "false", "0", "否", "不", "不可", "不能"})
_YES = frozenset({"", "yes", "y", "true", "1", "是", "可", "可以", "能"})
_PARTS = re.compile(r"\s*(?:\n|;|；)\s*")
_ENCODINGS = ("utf-8-sig", "gb18030")


def rows_of(path: Path) -> list[list[str]]:
    """The cells of a CSV file (UTF-8 or GB 18030; comma, semicolon or tab) or of an XLSX file's first sheet.

    Raises UsageError if it cannot be read, NothingToWorkOn if there is none.
    """
    must_exist(path)
    if path.suffix.lower() in (".xlsx", ".xls", ".ods"):
        return _workbook(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error}.", fix="Name a CSV or XLSX file.") from error
    for encoding in _ENCODINGS:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        first = text.split("\n", 1)[0]
        delimiter = max(",;\t", key=first.count)
        try:
            return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
        except csv.Error as error:
            raise UsageError(
                f"{path} is not CSV: {error}.", fix="Put cells with quotation marks or line ends into quotes."
            ) from error
    raise UsageError(
        f"{path} is neither UTF-8 nor GB 18030 text.", fix="Save it as CSV in UTF-8, or as XLSX."
    )


def questions_of(rows: Sequence[Sequence[str]], place: str) -> list[dict[str, Any]]:
    """The rows as lines of questions.jsonl. Raises UsageError naming row (from 1, the heading) and column."""
    numbered = [
        (number, row) for number, row in enumerate(rows, start=1) if any(cell.strip() for cell in row)
    ]
    if not numbered:
        raise NothingToWorkOn(f"{place} is empty.", fix="Write a heading and a question a row.")
    heads = _heads(numbered[0][1], place)
    found = [
        _question({name: row[at].strip() for at, name in heads.items() if at < len(row)}, number, place)
        for number, row in numbered[1:]
    ]
    if not found:
        raise NothingToWorkOn(f"{place} has a heading but no question.", fix="Write a question a row.")
    seen: dict[str, int] = {}
    for (number, _), question in zip(numbered[1:], found, strict=True):
        if question["id"] in seen:
            raise _wrong(place, number, "id", f"{question['id']!r} stands in row {seen[question['id']]} too")
        seen[question["id"]] = number
    return found


def _heads(cells: Sequence[str], place: str) -> dict[int, str]:
    known = {alias: name for name, aliases in COLUMNS.items() for alias in aliases}
    heads: dict[int, str] = {}
    for at, cell in enumerate(cells):
        name = known.get(cell.strip().lower().replace("_", " "))
        if name is not None:
            if name in heads.values():
                raise _wrong(place, 1, cell, "stands there twice")
            heads[at] = name
    if "question" not in heads.values():
        raise UsageError(
            f"{place}: no column is called question; there are: {', '.join(filter(None, cells))}.",
            fix="Write headings into the first row: question, answer (and facts, document, page, quote).",
        )
    return heads


def _question(cells: Mapping[str, str], number: int, place: str) -> dict[str, Any]:
    text = cells.get("question", "")
    if not text:
        raise _wrong(place, number, "question", "is empty")
    answerable = cells.get("answerable", "").lower()
    if answerable not in _NO | _YES:
        raise _wrong(place, number, "answerable", f"expected yes or no, found {answerable!r}")
    nuggets = [*_facts(cells.get("facts", ""), vital=True), *_facts(cells.get("extras", ""), vital=False)]
    answers = [cells["answer"]] if cells.get("answer") else []
    if answerable not in _NO and not nuggets and not answers:
        raise _wrong(
            place,
            number,
            "answer",
            "is empty, and so are the facts: write no into a column answerable if the "
            "documents hold no answer",
        )
    return {
        "id": cells.get("id") or f"q{number - 1}",
        "question": text,
        "answers": answers,
        "nuggets": nuggets,
        "evidence": _evidence(cells, number, place),
        "lang": cells.get("lang") or language(text),
        "kind": cells.get("kind") or "own",
        "answerable": answerable not in _NO,
    }


def _facts(cell: str, *, vital: bool) -> Iterator[dict[str, Any]]:
    for part in _PARTS.split(cell):
        if part:
            yield {"text": part, "vital": vital}


def _evidence(cells: Mapping[str, str], number: int, place: str) -> list[dict[str, Any]]:
    if not cells.get("doc"):
        return []
    page = cells.get("page", "").removesuffix(".0")
    if page and (not page.isdecimal() or int(page) < 1):
        raise _wrong(place, number, "page", f"expected a page number from 1, found {page!r}")
    gold: dict[str, Any] = {"doc": cells["doc"]}
    if page:
        gold["page"] = int(page)
    if cells.get("quote"):
        gold["quote"] = cells["quote"]
    return [gold]


def _workbook(path: Path) -> list[list[str]]:
    import python_calamine

    try:
        book = python_calamine.CalamineWorkbook.from_path(str(path))
        rows = book.get_sheet_by_index(0).to_python()
    except Exception as error:
        raise UsageError(f"{path} cannot be read: {error}.", fix="Save it again, or as CSV.") from error
    return [[_cell(cell) for cell in row] for row in rows]


def _cell(cell: object) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _wrong(place: str, row: int, column: str, problem: str) -> UsageError:
    return UsageError(f"{place}, row {row}, column {column}: {problem}.", fix="Correct that row.")
