"""Lists of records in YAML as tables: which port belongs to which service stands in one line then.

Only what is surely a list of flat records is rewritten: two or more in a row, each of plain values on lines
of their own or in braces, with keys that are largely the same. All else of the file stays as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag.records import Table

_FIRST = re.compile(r"(?P<indent>[ ]*)-(?P<gap>[ ]+)(?=\S)(?P<pair>.*)")
_PAIR = re.compile(
    r"(?P<quote>[\"']?)(?P<key>[^\s\"'#:{}\[\],&*!|>%@`-][^\"'#:{}\[\]\n]{0,60}?)(?P=quote):"
    r"(?:[ ]+(?P<value>.*))?"
)
_QUOTED = re.compile(r"(?:\"(?P<double>(?:[^\"\\]|\\[\"\\/])*)\"|'(?P<single>(?:[^']|'')*)')[ ]*(?:[ ]#.*)?")
_REMARK = re.compile(r"(?:^|[ ]+)#.*$")
_FLOW = re.compile(r"\{[ ]*(?P<pairs>[^{}\[\]\"'#]*)\}[ ]*(?:[ ]#.*)?")
_LONGEST = 400
_MOST_COLUMNS = 60
_ALIKE = 0.5

Record = dict[str, str]


def with_tables(text: str) -> tuple[str, tuple[Table, ...]]:
    """The text with a table, header line first, in place of each list of flat records, and where those are.

    >>> with_tables("hosts:\\n  - name: a\\n    port: 1\\n  - name: b\\n    port: 2\\n")[0]
    'hosts:\\nname | port\\na | 1\\nb | 2\\n'
    """
    lines = text.split("\n")
    written: list[str] = []
    tables: list[Table] = []
    length = at = 0
    while at < len(lines):
        records, end = _run(lines, at)
        columns = _columns(records)
        if columns:
            rows = [" | ".join(columns)]
            rows += [" | ".join(record.get(key, "") for key in columns).rstrip() for record in records]
            tables.append(Table(length, length + len("\n".join(rows)), length + len(rows[0])))
        else:
            rows = lines[at:end]
        written += rows
        length += sum(len(row) + 1 for row in rows)
        at = end
    return "\n".join(written), tuple(tables)


def _columns(records: list[Record]) -> list[str]:
    """The keys of records that are alike, else []."""
    columns = list(dict.fromkeys(key for record in records for key in record))
    alike = sum(map(len, records)) >= _ALIKE * len(columns) * len(records)
    several = len(records) > 1 and 1 < len(columns) <= _MOST_COLUMNS
    return columns if several and alike else []


def _run(lines: list[str], at: int) -> tuple[list[Record], int]:
    """The flat records that follow each other from a line on, and the line behind what was read; none where
    the list goes on with something else, so that no list begins as a table."""
    first = _FIRST.fullmatch(lines[at].rstrip())
    if first is None:
        return [], at + 1
    records: list[Record] = []
    while at < len(lines) and (found := _FIRST.fullmatch(lines[at].rstrip())):
        if found["indent"] != first["indent"]:
            break
        record, behind = _record(lines, at, found)
        if record is None:
            return [], behind
        records.append(record)
        at = behind
    deeper = at < len(lines) and lines[at].startswith(f"{first['indent']} ")
    return ([], at) if deeper else (records, at)


def _record(lines: list[str], at: int, first: re.Match[str]) -> tuple[Record | None, int]:
    flow = _FLOW.fullmatch(first["pair"])
    if flow is not None:
        return _of_pairs(pair.strip() for pair in flow["pairs"].split(",")), at + 1
    inner = " " * (len(first["indent"]) + 1 + len(first["gap"]))
    pairs = [first["pair"]]
    at += 1
    while at < len(lines) and lines[at].startswith(inner) and lines[at][len(inner) :].strip():
        pairs.append(lines[at][len(inner) :].rstrip())
        at += 1
    return _of_pairs(pairs), at


def _of_pairs(pairs: Iterator[str] | list[str]) -> Record | None:
    record: Record = {}
    for pair in pairs:
        match = _PAIR.fullmatch(pair)
        value = _plain(match["value"] or "") if match else None
        if match is None or value is None or match["key"] in record:
            return None
        record[match["key"].strip()] = value
    return record


def _plain(value: str) -> str | None:
    """A value on one line as it reads; None if it is none, or would not fit into a cell."""
    quoted = _QUOTED.fullmatch(value.strip())
    if quoted is not None:
        double = quoted["double"]
        said = re.sub(r"\\(.)", r"\1", double) if double is not None else quoted["single"].replace("''", "'")
    elif value[:1] and value[0] in "\"'&*!|>%@`{":
        return None
    else:
        said = _REMARK.sub("", value).strip()
    return None if "|" in said or len(said) > _LONGEST else said
