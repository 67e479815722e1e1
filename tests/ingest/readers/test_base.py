"""The bytes of a file as text: decoded once, within the limit."""

from __future__ import annotations

import pytest

from ingest.encoding import Decoded
from ingest.errors import Unreadable
from ingest.readers import read_bytes
from ingest.readers.base import Limits, Source


def test_what_has_been_decoded_is_not_decoded_again() -> None:
    assert Source(b"ab", "a.txt").text() == "ab"
    assert Source(b"ab", "a.txt", decoded=Decoded("cd", "utf-16")).text() == "cd"


def test_a_text_longer_than_the_limit_is_named() -> None:
    limits = Limits(text_chars=4)
    assert Source(b"abcd", "a.txt", limits=limits).text() == "abcd"
    with pytest.raises(Unreadable, match="characters of text"):
        Source(b"abcde", "a.txt", limits=limits).text()


def test_characters_that_show_nothing_do_not_cut_words() -> None:
    hidden = "rein\u00adforce\u00adment of the \u2060pump\ufeff: 水\u200b泵"
    shown = "reinforcement of the pump: 水泵"
    assert read_bytes(f"\ufeff{hidden}\n".encode(), "a.txt").text.strip() == shown
    page = (
        f"<h1>{hidden}</h1><table><tr><th>{hidden}</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
    )
    document = read_bytes(f"<html><body>{page}</body></html>".encode(), "a.html")
    assert document.text == f"{shown}\n\n{shown} | b\n1 | 2"
    (heading,), (table,) = document.headings, document.tables
    assert heading.title == shown
    assert document.text[table.start : table.header_end] == f"{shown} | b"
