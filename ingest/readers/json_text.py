"""JSON and JSON Lines as lines that can be read: one value a line behind the path of its keys.

A list of records becomes a table, so that its rows can be counted and each says which column it fills.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ingest.readers.base import Content, Source
from ingest.readers.blocks import Blocks, one_line
from ingest.readers.notebook import is_notebook, write_notebook
from rag.records import Page

_MOST_COLUMNS = 60
_LONGEST_CELL = 400
_TITLE_KEYS = ("title", "name", "标题", "名称")


def read(source: Source) -> Content:
    text = source.text()
    try:
        values: Any = _loaded(text)
    except RecursionError:
        return Content((Page(None, text),))
    except ValueError:
        records = _lines(text)
        if records is None:
            # Comments, trailing commas, cut off: still a text.
            return Content((Page(None, text),))
        values = records
    blocks = Blocks(source.limits)
    if is_notebook(values):
        return write_notebook(values, blocks)
    _Writer(blocks).value("", values)
    return blocks.content(_title(values))


def _loaded(text: str) -> Any:
    """Numbers stay as they are written: 3.50 is a price, and no digit of a long one gets lost."""
    return json.loads(
        text, parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=_every_value
    )


def _every_value(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key that stands there twice keeps both values, as a list."""
    values = dict(pairs)
    if len(values) == len(pairs):
        return values
    collected: dict[str, list[Any]] = {}
    for key, value in pairs:
        collected.setdefault(key, []).append(value)
    return {key: found if len(found) > 1 else found[0] for key, found in collected.items()}


def _lines(text: str) -> list[Any] | None:
    """The values of JSON Lines; a damaged line stays as it is. None if hardly any line is JSON."""
    values: list[Any] = []
    damaged = 0
    for line in text.split("\n"):
        if not line.strip():
            continue
        try:
            values.append(_loaded(line))
        except (ValueError, RecursionError):
            damaged += 1
            values.append(line)
    return values if values and damaged * 2 < len(values) else None


class _Writer:
    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks

    def value(self, path: str, value: Any) -> None:
        """Written without recursion: what is nested deeper waits on a stack."""
        waiting: list[tuple[str, Any]] = [(path, value)]
        while waiting:
            path, value = waiting.pop()
            if isinstance(value, dict):
                waiting.extend(reversed(self._mapping(path, value)))
            elif isinstance(value, list):
                waiting.extend(reversed(self._sequence(path, value)))
            else:
                self._blocks.paragraph(_line(path, value))

    def _mapping(self, path: str, mapping: dict[str, Any]) -> list[tuple[str, Any]]:
        """Writes the plain values as one paragraph; gives back the others."""
        deeper: list[tuple[str, Any]] = []
        lines: list[str] = []
        for key, value in mapping.items():
            inner = f"{path}.{key}" if path else str(key)
            flat = _flat(value)
            if flat is None:
                deeper.append((inner, value))
            elif flat:
                lines.append(_line(inner, flat))
        if lines:
            self._blocks.paragraph("\n".join(lines))
        return deeper

    def _sequence(self, path: str, values: list[Any]) -> list[tuple[str, Any]]:
        columns = _columns(values)
        if columns:
            if path:
                self._blocks.paragraph(f"{path}:")
            rows = [[_flat(record.get(column)) or "" for column in columns] for record in values]
            self._blocks.table([columns, *rows], 1)
            return []
        if len(values) > 1 and all(isinstance(value, list) for value in values):
            cells = [[_flat(cell) for cell in value] for value in values]
            if all(cell is not None for row in cells for cell in row):
                if path:
                    self._blocks.paragraph(f"{path}:")
                self._blocks.table([[cell or "" for cell in row] for row in cells])
                return []
        # The records of the file itself are told apart by the blank line between them.
        return [(f"{path}[{number}]" if path else "", value) for number, value in enumerate(values, start=1)]


def _columns(values: Sequence[Any]) -> list[str]:
    """The keys of records that are alike and hold plain values; [] if these are no such records."""
    if len(values) < 2 or not all(isinstance(value, dict) for value in values):
        return []
    columns: dict[str, int] = {}
    for record in values:
        for key, value in record.items():
            columns[key] = columns.get(key, 0) + 1
            flat = _flat(value)
            if flat is None or len(flat) > _LONGEST_CELL:
                return []
    alike = sum(columns.values()) >= 0.5 * len(columns) * len(values)
    return list(columns) if columns and alike and len(columns) <= _MOST_COLUMNS else []


def _flat(value: Any) -> str | None:
    """A value on one line; None if it is a structure of its own."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, list) and len(value) <= 30:
        inner = [_flat(item) for item in value if not isinstance(item, dict | list)]
        if len(inner) == len(value):
            return ", ".join(item for item in inner if item)
        return None
    if isinstance(value, dict):
        return None if value else ""
    return None if isinstance(value, list) else str(value)


def _line(path: str, value: Any) -> str:
    text = str(_flat(value) or "")
    if not path:
        return text
    return f"{path}: {text}" if "\n" not in text.strip() else f"{path}:\n{text}"


def _title(values: Any) -> str | None:
    if isinstance(values, dict):
        for key in _TITLE_KEYS:
            if isinstance(values.get(key), str) and 0 < len(values[key]) <= 200:
                return one_line(values[key]) or None
    return None
