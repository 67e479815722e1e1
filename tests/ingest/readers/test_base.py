"""The bytes of a file as text: decoded once, within the limit."""

from __future__ import annotations

import pytest

from ingest.encoding import Decoded
from ingest.errors import Unreadable
from ingest.readers.base import Limits, Source


def test_what_has_been_decoded_is_not_decoded_again() -> None:
    assert Source(b"ab", "a.txt").text() == "ab"
    assert Source(b"ab", "a.txt", decoded=Decoded("cd", "utf-16")).text() == "cd"


def test_a_text_longer_than_the_limit_is_named() -> None:
    limits = Limits(text_chars=4)
    assert Source(b"abcd", "a.txt", limits=limits).text() == "abcd"
    with pytest.raises(Unreadable, match="characters of text"):
        Source(b"abcde", "a.txt", limits=limits).text()
