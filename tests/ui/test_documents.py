"""The table says of each file what became of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rag.library import CollectionInfo, FileInfo
from tests.ui.samples import EVIL
from ui.language import texts
from ui.render.documents import ago, collection_choices, documents_html, ranges

EN, ZH = texts("en"), texts("zh")


def file(path: str, **changes: object) -> FileInfo:
    values: dict[str, object] = {
        "collection": "default",
        "root": "/data",
        "size": 10,
        "state": "live",
        "kind": "pdf",
        "pages": 3,
    }
    values |= {"absolute": Path("/data") / path, "chunks": 12, "sha256": path, "updated": 1000.0}
    return FileInfo(path=path, **{**values, **changes})  # type: ignore[arg-type]


def test_states_reasons_and_pages_without_text() -> None:
    html = documents_html(
        [
            file("a.pdf", pages_without_text=(1, 2, 3, 7)),
            file("b.pdf", state="skipped", reason="locked: a password is needed", sha256=None),
            file("c.pdf", state="failed", reason="truncated", sha256=None),
            file("d.pdf", state="seen", sha256=None),
        ],
        EN,
        now=1010.0,
    )
    assert "No text on page 1–3, 7" in html
    assert "locked: a password is needed" in html
    assert "1 document ready · 12 passages · 1 skipped · 1 failed" in html
    assert re.findall(r'class="row (\w+)"', html).count("live") == 1


def test_what_lies_in_a_file_cannot_be_deleted_by_itself() -> None:
    html = documents_html(
        [
            file("b.zip", kind="folder", chunks=0, members=1, reason="it holds no text itself but 1 file"),
            file("b.zip/a.pdf", container="b.zip"),
        ],
        EN,
    )
    assert "1 document ready · 12 passages" in html
    assert html.count("data-key") == 1
    assert "it holds no text itself" in html


def test_names_are_text_everywhere() -> None:
    html = documents_html([file(EVIL, title=EVIL, reason=EVIL, kind=EVIL)], EN, wanted="img", several=True)
    assert "<img" not in html
    assert 'data-name="&lt;img src=x onerror=alert(1)&gt;.txt"' in html


def test_brackets_of_a_name_are_kept() -> None:
    html = documents_html([file("【报告】(终稿)#1.pdf")], ZH)
    assert "【报告】(终稿)#1.pdf" in html.replace("<wbr>", "")


def test_filter_and_limit() -> None:
    files = [file(f"report-{n}.pdf") for n in range(250)]
    html = documents_html(files, EN, wanted="REPORT", limit=100)
    assert html.count('role="row"') == 101
    assert "Show 100 more" in html
    assert "No document matches" in documents_html(files, EN, wanted="<x>")
    assert "&lt;x&gt;" in documents_html(files, EN, wanted="<x>")


def test_an_empty_library_says_what_to_do() -> None:
    assert "python -m ingest" in documents_html([], EN)


def test_uploaded_files_are_told_from_files_of_folders() -> None:
    html = documents_html([file("a.pdf"), file("b.pdf")], EN, own=lambda path: path.name == "a.pdf")
    assert sorted(re.findall(r'data-name="(.)\.pdf" data-own="(\d)"', html)) == [("a", "1"), ("b", "0")]


@pytest.mark.parametrize(
    ("seconds", "line"),
    [(5, "just now"), (61, "1 min ago"), (7300, "2 h ago"), (90000, "yesterday"), (86400 * 5, "5 days ago")],
)
def test_ago(seconds: float, line: str) -> None:
    assert ago(seconds, EN) == line


def test_ranges() -> None:
    assert ranges([3, 1, 2, 9]) == "1–3, 9"
    assert ranges([]) == ""


def test_collections_are_named_with_their_size() -> None:
    assert collection_choices([CollectionInfo("default", None, 3, 1, 9)], EN) == [
        ("default (1 document)", "default")
    ]


def test_a_title_made_of_the_files_name_is_not_told_again() -> None:
    files = [
        file("季度报告_终稿_all-annexes.v2.txt", title="季度报告 终稿 all annexes v2"),
        file("a/b.pdf", title="Maintenance plan"),
    ]
    html = documents_html(files, EN, now=1010.0, several=False, own=lambda _: False)
    assert html.count("季度报告 终稿") == 0
    assert "Maintenance plan" in html


def test_the_day_that_a_search_by_date_goes_by_is_told() -> None:
    html = documents_html(
        [file("a.pdf", modified=1552000000.0), file("b.pdf")],
        ZH,
        now=1010.0,
        several=False,
        own=lambda _: False,
    )
    assert html.count("文件日期：2019-03-0") == 1
