"""Headings of PDFs: by size and weight, from the outline."""

from __future__ import annotations

from ingest.readers import read_bytes
from ingest.readers.pdf_headings import (
    OutlineEntry,
    StyledLine,
    headings_from_look,
    headings_from_outline,
    with_blanks,
)
from tests.ingest.readers.files import pdf


def looks(*lines: tuple[str, float, bool]) -> list[tuple[int, str]]:
    page = "\n".join(text for text, _, _ in lines)
    styled = [StyledLine(0, text, size, bold) for text, size, bold in lines]
    headings = headings_from_look(styled, [page])
    assert all(page[heading.start :].startswith(heading.title) for heading in headings)
    return [(heading.level, heading.title) for heading in headings]


PROSE = [(f"This is line {n} of the running text, which goes on,", 10.0, False) for n in range(30)]


def test_headings_by_size_and_weight() -> None:
    lines = [("House rules", 20.0, True), *PROSE, ("1. Fees", 14.0, False), *PROSE]
    lines += [("Late return", 10.0, True), *PROSE, ("Large, with 3 figures of 4,000 in it", 14.0, False)]
    lines += [*PROSE, ("A large sentence ends here.", 14.0, False)]
    assert looks(*lines) == [(1, "House rules"), (2, "1. Fees"), (3, "Late return")]


def test_bold_rows_of_a_table_are_no_headings() -> None:
    rows = [("Name of the firm", 10.0, True), ("Kind", 10.0, True), ("Year", 10.0, True)]
    assert looks(*PROSE, *rows, *PROSE) == []
    numbered = [("I. General", 10.0, True), ("A. Scope", 10.0, True), ("1. Terms", 10.0, True)]
    assert len(looks(*PROSE, *numbered, *PROSE)) == 3


def test_much_large_or_bold_text_is_no_sign() -> None:
    bold = [(f"Bold line number {n}", 10.0, True) for n in range(20)]
    assert looks(*PROSE, *bold) == []
    assert looks(*[(f"Slide line {n}", 10.0 + n % 2 * 10, False) for n in range(40)]) == []
    assert looks() == []


def test_headings_of_a_file_without_an_outline() -> None:
    document = read_bytes(pdf([["Fees", *(line for line, _, _ in PROSE)]], bold=["Fees"]), "file.pdf")
    assert [(heading.start, heading.title) for heading in document.headings] == [(0, "Fees")]


def test_outline_titles_get_the_blanks_that_a_browser_lost() -> None:
    entries = [OutlineEntry(1, "1 Rules of thehouse", 0), OutlineEntry(2, "Smallcaps", 0)]
    headings = headings_from_outline(entries, ["1 Rules of the\nhouse\nSmall caps\nText."])
    assert [heading.title for heading in headings] == ["1 Rules of the house", "Smallcaps"]
    assert with_blanks("数据库系统", "数据库\n系统") == "数据库系统"
    assert with_blanks("long-term plan", "long-\nterm plan") == "long-term plan"
