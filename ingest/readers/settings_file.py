"""YAML, TOML and INI: the file as it was written, with its sections or upper keys as headings.

A list of records in YAML becomes a table, as one in JSON does (`ingest.readers.yaml_records`).
"""

from __future__ import annotations

import re

from ingest.readers.base import Content, Source
from ingest.readers.yaml_records import with_tables
from rag.records import Heading, Page

_SECTION = re.compile(r"^[ \t]{0,40}\[\[?([^\[\]\n]{1,200})\]\]?[ \t]{0,40}(?:[#;].*)?$", re.M)
_KEY = re.compile(
    r"^( *)(?:- +)?([\"']?)([^\s#:{}\[\],&*!|>\"'%@`-][^#:\n]{0,80}?)\2:[ \t]*(?:[|>&!][^\n]*)?(?:#.*)?$",
    re.M,
)
_DEEPEST = 4
_ESCAPED = re.compile(r"(?<!\\)(?:\\u[0-9a-fA-F]{4})+")


def read(source: Source) -> Content:
    text = source.text()
    if source.name.lower().endswith(".properties"):
        text = _ESCAPED.sub(_letters, text)
    found = _sections(text)
    if found:
        return Content((Page(None, text),), found)
    text, tables = with_tables(text)
    return Content((Page(None, text),), _keys(text), tables=tables)


def _letters(match: re.Match[str]) -> str:
    """Java wrote its files of messages in ASCII: \\u4e2d for every letter beyond it, two for an emoji."""
    codes = bytes.fromhex(match.group().replace("\\u", ""))
    return codes.decode("utf-16-be", "replace")


def _sections(text: str) -> tuple[Heading, ...]:
    """[tool.ruff.lint] is the third level."""
    return tuple(
        Heading(match.start(), min(_DEEPEST, 1 + match.group(1).count(".")), match.group(1).strip())
        for match in _SECTION.finditer(text)
    )


def _keys(text: str) -> tuple[Heading, ...]:
    """Keys of YAML that have other keys below them, not what stands in one line with its value."""
    found: list[Heading] = []
    open_at: list[int] = []
    for match in _KEY.finditer(text):
        indent = len(match.group(1))
        while open_at and open_at[-1] >= indent:
            open_at.pop()
        open_at.append(indent)
        if len(open_at) <= _DEEPEST:
            found.append(Heading(match.start(), len(open_at), match.group(3).strip()))
    return tuple(found)
