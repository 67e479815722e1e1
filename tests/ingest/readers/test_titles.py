"""Titles: what metadata call one, and what a file's name says."""

from __future__ import annotations

import pytest

from ingest.readers.titles import plausible_title, title_from_name


@pytest.mark.parametrize(
    ("title", "kept"),
    [
        ("Annual report", "Annual report"),
        ("  Annual\n report ", "Annual report"),
        ("untitled", None),
        ("Microsoft Word - report.doc", None),
        ("report_final.docx", None),
        ("0000764478-23-000041", None),
        ("", None),
        (None, None),
    ],
)
def test_titles_of_converters_are_none(title: str | None, kept: str | None) -> None:
    assert plausible_title(title) == kept


def test_what_a_library_calls_a_document_without_a_title() -> None:
    assert plausible_title("(anonymous)") is None
    assert plausible_title("Anonymous letters") == "Anonymous letters"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("租赁合同 2023.docx", "租赁合同 2023"),
        ("Annual_report_2023.pdf", "Annual report 2023"),
        ("a4f3ced0696009fec3179f493e4f28c4.pdf", None),
        ("IMG_2043.pdf", None),
        ("20230504.txt", None),
        ("README.md", None),
    ],
)
def test_titles_from_names(name: str, title: str | None) -> None:
    assert title_from_name(name) == title


def test_a_title_is_a_line_and_no_text() -> None:
    assert plausible_title("T" * 300) == "T" * 300
    assert plausible_title("T" * 301) is None
    assert title_from_name("N" * 200 + ".pdf") == "N" * 200
    assert title_from_name("N" * 201 + ".pdf") is None
    assert plausible_title("T 1") is None
