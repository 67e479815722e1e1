"""DrawingML, which slides, sheets and charts share: the paragraphs of a shape, tables, charts, SmartArt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ingest.readers.blocks import one_line
from ingest.readers.docx_text import children, local
from ingest.readers.symbols import readable

_ESCAPED_END = re.compile("\x0b|_x000[ABD]_")


@dataclass(frozen=True, slots=True)
class Line:
    """One paragraph of a shape. level: of its list, from 0. bullet: None where the shape's style decides."""

    text: str
    level: int
    bullet: bool | None


def lines_of(body: Any) -> list[Line]:
    """The paragraphs of a text body that say something; line breaks inside them stay."""
    found = []
    for paragraph in children(body, "p"):
        text = _text(paragraph).strip()
        if not text:
            continue
        level, bullet = 0, None
        for properties in children(paragraph, "pPr"):
            given = properties.get("lvl", "0")
            level = int(given) if given.isdigit() and len(given) < 3 else 0
            marks = {local(mark) for mark in properties}
            if marks & {"buChar", "buAutoNum", "buBlip"}:
                bullet = True
            elif "buNone" in marks:
                bullet = False
        found.append(Line(text, level, bullet))
    return found


def text_of(element: Any) -> str:
    """All text under an element on one line."""
    parts = [_text(paragraph) for paragraph in element.iter() if local(paragraph) == "p"]
    return one_line(" ".join(parts))


def table_of(table: Any) -> tuple[list[list[str]], int | None]:
    """Rows of cells (a cell merged downwards is repeated), and 1 if the first is marked as a header."""
    rows: list[list[str]] = []
    above: dict[int, str] = {}
    for row in children(table, "tr"):
        cells: list[str] = []
        for column, cell in enumerate(children(row, "tc")):
            if cell.get("hMerge") in ("1", "true"):
                continue
            text = one_line(
                " ".join(line.text for body in children(cell, "txBody") for line in lines_of(body))
            )
            if cell.get("vMerge") in ("1", "true"):
                text = above.get(column, text)
            above[column] = text
            cells.append(text)
        rows.append(cells)
    marked = any(properties.get("firstRow") in ("1", "true") for properties in children(table, "tblPr"))
    return rows, 1 if marked else None


def chart_of(root: Any) -> tuple[list[str], list[list[str]]]:
    """The titles of a chart (its own, then those of its axes) and its figures: categories down, series
    across."""
    titles = [text_of(title) for title in root.iter() if local(title) == "title"]
    series = [element for element in root.iter() if local(element) == "ser"]
    names: list[str] = []
    categories: dict[str, str] = {}
    values: list[dict[str, str]] = []
    for element in series:
        names.append(next((point for part in children(element, "tx") for _, point in _points(part)), ""))
        for part in element:
            if local(part) in ("cat", "xVal"):
                for place, point in _points(part):
                    categories.setdefault(place, point)
        values.append(
            {
                place: point
                for part in element
                if local(part) in ("val", "yVal")
                for place, point in _points(part)
            }
        )
    places = list(dict.fromkeys([*categories, *(place for column in values for place in column)]))
    rows = [
        [categories.get(place, ""), *(_number(column.get(place, "")) for column in values)]
        for place in places
    ]
    if not rows:
        # Charts since 2016 keep their figures in another way.
        rows = [[point.text or "" for point in level if local(point) == "pt"] for level in root.iter()
                if local(level) == "lvl"]  # fmt: skip
        return [title for title in titles if title], rows
    return [title for title in titles if title], [["", *names], *rows]


def diagram_of(root: Any) -> list[str]:
    """The texts of a SmartArt drawing."""
    texts: list[str] = []
    for points in children(root, "ptLst"):
        for point in children(points, "pt"):
            texts.extend(text_of(body) for body in children(point, "t"))
    return [text for text in texts if text]


def _points(part: Any) -> Iterator[tuple[str, str]]:
    """(place, text) of each cached value; the innermost level where categories are grouped."""
    seen: dict[str, list[str]] = {}
    for point in part.iter():
        if local(point) == "pt":
            place = point.get("idx", str(len(seen)))
            seen.setdefault(place, []).extend((value.text or "").strip() for value in children(point, "v"))
        elif local(point) == "v" and local(point.getparent()) not in ("pt",):
            seen.setdefault("0", []).append((point.text or "").strip())
    for place, texts in seen.items():
        yield place, " / ".join(text for text in reversed(texts) if text)


def _number(text: str) -> str:
    """Without the noise of binary fractions: 8.1999999999999993 is 8.2."""
    try:
        return f"{float(text):.10g}" if text and "e" not in text.lower() else text
    except ValueError:
        return text


def _text(paragraph: Any) -> str:
    parts: list[str] = []
    waiting = [paragraph]
    while waiting:
        element = waiting.pop()
        name = local(element)
        if name == "Fallback":
            # What programs show that cannot show the choice before it.
            continue
        if name == "t":
            parts.append(element.text or "")
        elif name == "br":
            parts.append("\n")
        waiting.extend(reversed(element))
    return readable(_ESCAPED_END.sub("\n", "".join(parts)))
