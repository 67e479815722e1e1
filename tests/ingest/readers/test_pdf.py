from __future__ import annotations

import pytest

from ingest.errors import Skipped, Unreadable
from ingest.quality import pages_without_text
from ingest.readers import Limits, read_bytes
from ingest.readers.pdf_furniture import without_furniture
from rag.records import Document
from tests.ingest.readers.files import pdf


def read(data: bytes, *passwords: str, limits: Limits | None = None) -> Document:
    return read_bytes(data, "file.pdf", password=passwords, limits=limits)


def test_pages_are_physical_and_text_is_in_order() -> None:
    document = read(pdf([["First page."], ["Second page.", "It has two lines."], ["Third page."]]))
    assert document.kind == "pdf"
    assert [(page.number, page.text) for page in document.pages] == [
        (1, "First page."),
        (2, "Second page.\nIt has two lines."),
        (3, "Third page."),
    ]
    assert all(page.quality == 1.0 for page in document.pages)


def test_chinese() -> None:
    document = read(
        pdf([["仓库第七号货架存放备用电缆四百二十米，", "验收人是陆明远。"]], font="STSong-Light")
    )
    assert document.text.replace("\n", "") == "仓库第七号货架存放备用电缆四百二十米，验收人是陆明远。"


def test_outline_entries_stand_at_their_lines() -> None:
    pages = [
        ["Contents", "Rules", "Fees"],
        ["1 Rules", "Bring it back."],
        ["and so on", "Fees", "Thirty euros."],
    ]
    outline = [("Rules", 0, 1), ("Fees", 1, 2), ("Not on the page", 0, 2)]
    document = read(pdf(pages, outline=outline, title="House rules"))
    assert document.title == "House rules"
    assert [(h.level, h.title, document.text[h.start :].split("\n")[0]) for h in document.headings] == [
        (1, "Rules", "1 Rules"),
        (2, "Fees", "Fees"),
    ]


def test_a_page_without_text_is_reported_and_the_others_are_read() -> None:
    document = read(pdf([["Text."], [], ["More text."]]))
    assert [page.quality for page in document.pages] == [1.0, 0.0, 1.0]
    assert pages_without_text(document) == [2]


def test_nothing_but_empty_pages_is_skipped() -> None:
    with pytest.raises(Skipped, match="no text layer: its 2 pages"):
        read(pdf([[], []]))
    with pytest.raises(Skipped, match="no text layer: its only page"):
        read(pdf([[]]))


def test_passwords() -> None:
    locked = pdf([["Secret text."]], password="right", owner="boss")
    with pytest.raises(Skipped, match=r"locked: it needs a password\. Give it with --password\."):
        read(locked)
    with pytest.raises(Skipped, match="locked"):
        read(locked, "wrong", "")
    assert read(locked, "wrong", "right").text == "Secret text."
    assert read(pdf([["Anybody may read this."]], owner="boss")).text == "Anybody may read this."


@pytest.mark.parametrize("keep", [0.05, 0.3, 0.6])
def test_truncated_files_are_unreadable(keep: float) -> None:
    data = pdf([["Text on the first page."], ["Text on the second."]])
    with pytest.raises((Unreadable, Skipped)) as error:
        read(data[: int(len(data) * keep)])
    assert error.value.reason


def test_noise_behind_a_header_is_unreadable() -> None:
    with pytest.raises(Unreadable, match="damaged PDF"):
        read(b"%PDF-1.7\n" + bytes(range(256)) * 40)


def test_limits() -> None:
    data = pdf([["Text."]] * 3)
    with pytest.raises(Unreadable, match="3 pages; the limit is 2"):
        read(data, limits=Limits(pages=2))
    with pytest.raises(Unreadable, match="characters"):
        read(data, limits=Limits(text_chars=8))


def test_running_lines_are_kept_once_and_page_numbers_go() -> None:
    pages = [
        ["Annual report of Lane & Co. 2020", f"Body of page {n} {'x' * n}.", f"{n}"] for n in range(1, 7)
    ]
    document = read(pdf(pages))
    assert document.text.count("Annual report") == 1
    assert [page.text.split("\n")[-1] for page in document.pages] == [
        f"Body of page {n} {'x' * n}." for n in range(1, 7)
    ]
    assert document.pages[0].text.startswith("Annual report of Lane & Co. 2020\n")


def test_lines_with_facts_at_the_edge_stay() -> None:
    pages = [f"Total {n * 37} euros\ntext of page {n}\nsum {n * n}" for n in range(1, 9)]
    assert without_furniture(pages) == pages


def test_pages_of_nothing_but_the_same_line_stay() -> None:
    pages = [f"Marker on page {n}" for n in range(1, 9)]
    assert without_furniture(pages) == pages


def test_two_pages_show_no_repetition() -> None:
    assert without_furniture(["Head\na", "Head\nb"]) == ["Head\na", "Head\nb"]


def test_short_documents_lose_what_stands_in_their_margins() -> None:
    pages = [f"Depot rules\nBody of page {n}.\nwith {'x' * n}\n{n}" for n in (1, 2)]
    heights = [{"Depot rules": 0.95, f"{n}": 0.04, f"Body of page {n}.": 0.9} for n in (1, 2)]
    assert without_furniture(pages, heights) == [
        "Depot rules\nBody of page 1.\nwith x",
        "Body of page 2.\nwith xx",
    ]
    # The same line elsewhere on the page, or not at the same height, is no running line.
    inside = [{"Depot rules": 0.7} for _ in (1, 2)]
    assert without_furniture(pages, inside) == pages
    moved = [{"Depot rules": 0.95}, {"Depot rules": 0.92}]
    assert without_furniture(pages, moved) == pages
    document = read(pdf([["Depot rules", f"Body of page {n}."] for n in (1, 2)]))
    assert document.text.count("Depot rules") == 1


def test_a_first_page_without_the_header_of_the_others() -> None:
    pages = ["A title page", "Depot rules\nSecond page.", "Depot rules\nThird page."]
    heights = [{}, {"Depot rules": 0.95}, {"Depot rules": 0.952}]
    assert without_furniture(pages, heights) == ["A title page", "Depot rules\nSecond page.", "Third page."]


def test_titles_that_go_on_in_long_documents_stay() -> None:
    pages = [f"{'Balance sheet' if n in (4, 5) else f'Text {n * n}'}\nBody {'x' * n}" for n in range(20)]
    heights = [{page.split("\n")[0]: 0.95} for page in pages]
    assert without_furniture(pages, heights) == pages


def test_roman_page_numbers_go() -> None:
    pages = [f"Preface part {'x' * n}\n{number}" for n, number in enumerate(["v", "vi", "vii", "viii"])]
    assert without_furniture(pages) == [page.split("\n")[0] for page in pages]
