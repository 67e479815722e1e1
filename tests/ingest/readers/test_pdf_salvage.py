"""PDF files that break off: what is whole is read, page numbers stay, and what is lost is named."""

from __future__ import annotations

import io
import re

import pypdf
import pytest

from ingest.errors import Unreadable
from ingest.quality import pages_without_text
from ingest.readers import read_bytes
from ingest.readers.pdf_salvage import breaks_off, salvaged
from rag.records import Document
from tests.ingest.readers.files import pdf, tree_first

PAGES = [[f"Shelf {page} holds cable {page * 1000 + line}." for line in range(30)] for page in range(1, 9)]


def read(data: bytes) -> Document:
    return read_bytes(data, "file.pdf")


def test_pages_before_the_break_are_read_and_the_others_named() -> None:
    whole = tree_first(pdf(PAGES))
    complete = read(pdf(PAGES))
    seen = set()
    first = whole.index(b"endstream")
    for tenth in range(1, 10):
        cut = whole[: first + 20 + (len(whole) - first - 20) * tenth // 10]
        document = read(cut)
        assert len(document.pages) == len(PAGES)
        lost = pages_without_text(document)
        assert lost == list(range(len(PAGES) - len(lost) + 1, len(PAGES) + 1))
        for page, meant in zip(document.pages, complete.pages, strict=True):
            assert page.text in ("", meant.text)
        seen.add(len(lost))
    assert len(seen) >= 3


def test_a_file_without_its_list_of_objects_is_read_whole() -> None:
    whole = tree_first(pdf(PAGES))
    document = read(whole[: whole.rindex(b"trailer")])
    assert document.text == read(pdf(PAGES)).text


def test_without_the_page_tree_no_page_number_is_invented() -> None:
    whole = tree_first(pdf(PAGES))
    without = re.sub(rb"/Type\s*/Pages\b", b"/Tpye /Sagep", whole[: whole.rindex(b"trailer")])
    assert salvaged(without) is None
    with pytest.raises(Unreadable, match="damaged PDF"):
        read(without)


def test_a_page_whose_font_is_lost_is_not_guessed() -> None:
    whole = tree_first(pdf([["仓库第七号货架存放备用电缆。"]], font="STSong-Light"))
    assert read(whole[: whole.rindex(b"trailer")]).text == "仓库第七号货架存放备用电缆。"
    font = re.search(rb"(\d+) 0 obj[^>]*/DescendantFonts", whole)
    assert font
    assert salvaged(whole.replace(b"\n%s 0 obj" % font[1], b"\n%s 0 ojb" % font[1])) is None


def test_encrypted_files_are_left_alone() -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(PAGES)))
    writer.encrypt("", "owner")
    buffer = io.BytesIO()
    writer.write(buffer)
    assert salvaged(buffer.getvalue()) is None


def test_a_file_that_ends_with_its_mark_does_not_break_off() -> None:
    data = pdf(PAGES)
    assert not breaks_off(data)
    assert not breaks_off(data + b"\0" * 500)
    assert breaks_off(data[:-200])


def test_a_page_without_contents_is_an_empty_one() -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(PAGES[:2])))
    writer.insert_blank_page(595, 842, 1)
    buffer = io.BytesIO()
    writer.write(buffer)
    rest = salvaged(buffer.getvalue())
    assert rest is not None
    assert rest.lost == 0


def test_fonts_that_all_pages_have_from_their_tree_are_found() -> None:
    whole = tree_first(pdf(PAGES))
    own = re.search(rb"(?s)/Resources <<.*?>>", whole)
    assert own
    shared = whole.replace(own[0], b"").replace(b"/Type /Pages", own[0] + b"\n/Type /Pages")
    assert shared.count(b"/Resources") == 1
    document = read(shared[: shared.rindex(b"trailer")])
    assert document.text == read(pdf(PAGES)).text
    assert salvaged(shared.replace(own[0], b"")) is None
