"""Lists of records in XML data: elements that are alike and hold plain values only."""

from __future__ import annotations

from typing import Any

_MOST_COLUMNS = 60
_LONGEST_CELL = 400
_NOT_SHOWN = frozenset({"id", "href", "src", "style", "lang", "space", "class", "schemaLocation", "nil"})


def local(element: Any) -> str:
    """The tag without its namespace; "" for comments and the like."""
    tag = element.tag if element is not None else None
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Any, name: str) -> str:
    """An attribute by its name without namespace; "" if there is none."""
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return str(value)
    return ""


def attributes_of(element: Any, also: str = "") -> list[tuple[str, str]]:
    """Those that say something to a reader. also: the name of one that usually does not."""
    pairs = [(key.rpartition("}")[2], " ".join(value.split())) for key, value in element.attrib.items()]
    return [(key, value) for key, value in pairs if value and (key == also or key not in _NOT_SHOWN)]


def record_rows(element: Any) -> list[list[str]]:
    """A header row and one row for each child, if the children are records of one sort; else []."""
    records = [child for child in element if isinstance(child.tag, str)]
    if len(records) < 2 or len({child.tag for child in records}) != 1:
        return []
    columns: dict[str, None] = {}
    rows: list[dict[str, str]] = []
    for record in records:
        cells = dict(attributes_of(record, also="id"))
        for field in record:
            if not isinstance(field.tag, str):
                continue
            name = local(field)
            text = " ".join((field.text or "").split()) if not len(field) else ""
            if len(field) or name in cells or len(text) > _LONGEST_CELL:
                return []
            cells[name] = text
            # A unit, a currency, a language: columns of their own behind the value they belong to.
            cells.update(
                {
                    f"{name} {key}": value
                    for key, value in attributes_of(field)
                    if f"{name} {key}" not in cells
                }
            )
        if (record.text or "").strip():
            cells[local(record)] = " ".join((record.text or "").split())
        columns.update(dict.fromkeys(cells))
        rows.append(cells)
    filled = sum(map(len, rows))
    if not 2 <= len(columns) <= _MOST_COLUMNS or filled < 0.5 * len(columns) * len(rows):
        return []
    return [list(columns), *([cells.get(column, "") for column in columns] for cells in rows)]
