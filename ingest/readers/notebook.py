"""Jupyter notebooks: the cells in their order, as text and code, with what the code printed."""

from __future__ import annotations

import re
from typing import Any

from ingest.readers.base import Content
from ingest.readers.blocks import Blocks
from ingest.readers.markdown_headings import heading_lines

_MOST_PRINTED = 4000


def is_notebook(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("cells"), list) and "nbformat" in value


def write_notebook(notebook: dict[str, Any], blocks: Blocks) -> Content:
    title = None
    for cell in notebook["cells"]:
        if not isinstance(cell, dict):
            continue
        text = _joined(cell.get("source"))
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
    if output.get("output_type") == "error":
        return f"{output.get('ename', '')}: {output.get('evalue', '')}"
    return ""


def _joined(source: Any) -> str:
    text = "".join(map(str, source)) if isinstance(source, list) else str(source or "")
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
