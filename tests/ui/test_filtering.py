"""Which documents are searched if the reader names words and days."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pytest

from rag.library import FileInfo
from ui.filtering import NothingMatches, Wanted, filters, wanted
from ui.language import texts
from ui.render.problems import no_match


def file(path: str, changed: str, *, state: str = "live") -> FileInfo:
    """changed: the local time of its last change."""
    moment = datetime.fromisoformat(changed).timestamp()
    kind = path.rsplit(".", 1)[-1]
    return FileInfo("default", Path("/r") / path, "/r", path, 1, state, kind=kind, modified=moment)  # type: ignore[arg-type]


FILES = [
    file("plans/first.pdf", "2024-02-29T23:59:59"),
    file("plans/second.txt", "2024-03-01T00:00:00"),
    file("Verträge/third.pdf", "2024-03-02T12:00:00"),
    file("broken.pdf", "2020-01-01T00:00:00", state="failed"),
]


def found(words: str, days: str) -> list[str]:
    made = filters(wanted(words, days), FILES)
    return [each.path for each in FILES if each.state == "live" and (made is None or made.admit(each))]


@pytest.mark.parametrize(
    ("words", "days", "paths"),
    [
        ("", "", ["plans/first.pdf", "plans/second.txt", "Verträge/third.pdf"]),
        ("  ", "/", ["plans/first.pdf", "plans/second.txt", "Verträge/third.pdf"]),
        ("", "2024-03-01/", ["plans/second.txt", "Verträge/third.pdf"]),
        ("", "/2024-03-01", ["plans/first.pdf", "plans/second.txt"]),
        ("", "2024-03-01/2024-03-01", ["plans/second.txt"]),
        ("", "2024-02-29/2024-02-29", ["plans/first.pdf"]),
        ("pdf", "2024-03-01/", ["Verträge/third.pdf"]),
        ("VERTRA\u0308GE", "", ["Verträge/third.pdf"]),
        ("plans", "/2024-12-31", ["plans/first.pdf", "plans/second.txt"]),
    ],
)
def test_words_and_days_hold_together(words: str, days: str, paths: list[str]) -> None:
    assert found(words, days) == paths


@pytest.mark.parametrize(("words", "days"), [("", "2025-01-01/"), ("first", "2024-03-01/"), ("nowhere", "")])
def test_no_document_is_no_search(words: str, days: str) -> None:
    with pytest.raises(NothingMatches):
        filters(wanted(words, days), FILES)


def test_what_failed_matches_nothing() -> None:
    with pytest.raises(NothingMatches):
        filters(wanted("broken", "/2021-01-01"), FILES)


@pytest.mark.parametrize(
    "days", ["2024-13-01/", "yesterday/", "2024-03-02/2024-03-01", "/1", "2024-03-01/2/3"]
)
def test_days_that_are_none_are_refused(days: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        wanted("", days)


def test_each_reason_is_told_in_both_languages() -> None:
    day = date(2024, 3, 1)
    choices = [Wanted("<b>"), Wanted(since=day), Wanted("<b>", until=day)]
    told = [no_match(each, texts(language)) for each in choices for language in ("en", "zh")]
    assert len(set(told)) == 6
    assert ["<b>" in line for line in told] == [True, True, False, False, True, True]
