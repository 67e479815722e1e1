"""Jupyter notebooks: the cells in their order, as text and code, with what the code printed."""

from __future__ import annotations

import re
from typing import Any

from ingest.readers.base import Content
from ingest.readers.blocks import Blocks
from ingest.readers.markdown_headings import heading_lines

_MOST_PRINTED = 4000


def is_notebook(value: Any) -> bool:
    return isinstance(value, dict) and "nbformat" in value and _cells(value) is not None


def _cells(notebook: dict[str, Any]) -> list[Any] | None:
    """The cells in their order; those of the third format lie in worksheets."""
    if isinstance(notebook.get("cells"), list):
        return list(notebook["cells"])
    sheets = notebook.get("worksheets")
    if not isinstance(sheets, list):
        return None
    return [
        cell
        for sheet in sheets
        if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)
        for cell in sheet["cells"]
    ]


def write_notebook(notebook: dict[str, Any], blocks: Blocks) -> Content:
    title = None
    for cell in _cells(notebook) or ():
        if not isinstance(cell, dict):
            continue
        text = _joined(cell.get("source") or cell.get("input"))
        if cell.get("cell_type") == "heading":
            title = title or text
            depth = str(cell.get("level"))
            blocks.heading(text, int(depth) if depth in "123456" else 1)
            continue
        if cell.get("cell_type") == "markdown":
            for level, part in heading_lines(text):
                if level:
                    title = title or part
                    blocks.heading(part, level)
                else:
                    blocks.verbatim(part)
            continue
        blocks.verbatim(text)
        for output in cell.get("outputs") or ():
            if isinstance(output, dict):
                blocks.verbatim(_printed(output)[:_MOST_PRINTED])
    return blocks.content(title)


def _printed(output: dict[str, Any]) -> str:
    if output.get("output_type") == "stream":
        return _joined(output.get("text"))
    data = output.get("data")
    if isinstance(data, dict):
        return _joined(data.get("text/markdown") or data.get("text/plain"))
    if output.get("text"):
        return _joined(output["text"])
    if output.get("output_type") in ("error", "pyerr"):
        return f"{output.get('ename', '')}: {output.get('evalue', '')}"
    return ""


def _joined(source: Any) -> str:
    text = "".join(map(str, source)) if isinstance(source, list) else str(source or "")
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
