"""How complete an answer is, as one line for a reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rag.text.language import Language


def coverage_line(coverage: Mapping[str, Any], of: Language) -> str:
    """What `Answer.coverage` says, in one language; "" where there is nothing worth saying.

    >>> coverage_line({"parts": [], "answered": 4, "of": 4}, "en")
    '4 of 4 parts answered'
    >>> coverage_line({"documents": 15, "of": 15, "silent": 2}, "zh")
    '已阅读 15 份文档中的 15 份，其中 2 份未说明'
    >>> coverage_line({"lines": {"lines": 220, "counted": 25}}, "en")
    'whole file read, 220 lines'
    """
    zh = of == "zh"
    said: list[str] = []
    if "chapters" in coverage:
        covered, all_ = coverage["covered"], coverage["chapters"]
        said.append(f"{all_} 个章节中已覆盖 {covered} 个" if zh else f"{covered} of {all_} chapters covered")
        partly = len(coverage.get("partly", ()))
        if partly:
            said.append(f"其中 {partly} 个只读了一部分" if zh else f"{partly} of them read in part")
    elif "documents" in coverage:
        read, silent = coverage["documents"], coverage["silent"]
        total = coverage.get("of", read)
        said.append(
            f"已阅读 {total} 份文档中的 {read} 份，其中 {silent} 份未说明"
            if zh
            else f"{read} of {total} documents read, {silent} silent"
        )
    elif "parts" in coverage and int(coverage["of"]) > 1:
        answered, parts = coverage["answered"], coverage["of"]
        said.append(
            f"已回答 {parts} 个部分中的 {answered} 个" if zh else f"{answered} of {parts} parts answered"
        )
    table = coverage.get("table")
    if table:
        rows = table["rows"]
        said.append(f"已读取整张表格，共 {rows} 行" if zh else f"whole table read, {rows} rows")
    lines = coverage.get("lines")
    if lines:
        count = lines["lines"]
        said.append(f"已读取整个文件，共 {count} 行" if zh else f"whole file read, {count} lines")
    return ("；" if zh else "; ").join(said)


def is_whole(coverage: Mapping[str, Any]) -> bool:
    """Whether nothing that was asked for is left open.

    >>> is_whole({"chapters": 12, "covered": 12, "partly": []}), is_whole({"answered": 3, "of": 4})
    (True, False)
    >>> is_whole({"documents": 18, "of": 18, "silent": 7}), is_whole({"documents": 3, "of": 18, "silent": 1})
    (True, False)
    """
    if "chapters" in coverage:
        return coverage["covered"] == coverage["chapters"] and not coverage.get("partly")
    if "documents" in coverage:
        return bool(coverage["documents"] == coverage.get("of", coverage["documents"]))
    return bool(coverage.get("answered") == coverage.get("of"))


def unanswered(coverage: Mapping[str, Any]) -> list[str]:
    """The parts of the question that the documents do not answer, if others are."""
    if not coverage.get("answered"):
        return []
    return [str(part["part"]) for part in coverage.get("parts", ()) if not part["answered"]]
