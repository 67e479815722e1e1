from __future__ import annotations

import pytest

from ingest.errors import Skipped, Unreadable
from ingest.quality import pages_without_text
from ingest.readers import Limits, read_bytes
from ingest.readers.pdf_furniture import without_furniture
from ingest.readers.pdf_headings import (
    OutlineEntry,
    StyledLine,
    headings_from_look,
    headings_from_outline,
    with_blanks,
)
from ingest.readers.pdf_second import letters_from_glyph_names
from ingest.readers.pdf_text import Hyphens, letters_from_glyph_numbers, reflowed, tidy
from ingest.readers.titles import plausible_title, title_from_name
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


@pytest.mark.parametrize(
    ("page", "joined"),
    [
        ("the infor-\nmation is here", "the information is here"),
        ("a long-\nterm plan and a long-term one", "a long-term plan and a long-term one"),
        (
            "the first well-\nknown case; he is well and known",
            "the first well-known case; he is well and known",
        ),
        ("in 2019-\n2020 it fell", "in 2019-2020 it fell"),
        ("chain-of\x02thought and avail\x02able", "chain-of-thought and available"),
        ("the Mid-\nAtlantic states", "the Mid-Atlantic states"),
    ],
)
def test_words_cut_at_line_ends(page: str, joined: str) -> None:
    assert Hyphens([page]).joined(page) == joined


def test_lines_are_joined_in_the_middle_of_a_sentence_only() -> None:
    prose = (
        "The depot keeps four hundred and twenty metres of cable on the\nseventh shelf, next to the window."
    )
    assert reflowed(f"{prose}\nItem one\nItem two") == f"{prose.replace(chr(10), ' ')}\nItem one\nItem two"
    chinese = "仓库在每月第一个星期一进行盘点，盘点期间暂停发货，请各部\n门提前两天提交清单。\n谢谢"
    assert reflowed(chinese).split("\n") == [chinese.split("\n")[0] + chinese.split("\n")[1], "谢谢"]
    clauses = chinese.split("\n")[0] + "\n二、清单应写明数量和位置。"
    assert reflowed(f"{clauses}\n谢谢") == f"{clauses}\n谢谢"
    full = "仓库在每月第一个星期一进行盘点，盘点期间发货量不超过平时的20%\n。请各部门提前两天提交清单。\n谢谢"
    assert reflowed(full) == full.replace("\n", "", 1)
    rows = "Country and its population in millions and area and capital\nAustria 8.9 83,879 Vienna German"
    assert reflowed(f"{rows}\nBelgium 11.5 30,689") == f"{rows}\nBelgium 11.5 30,689"
    table = "Net income of the year 4,756 4,822 5,260\nrevenue of the same year 1,756 822 60\nsum 3 4 5"
    assert reflowed(table) == table


def test_radicals_and_ligatures_become_the_characters_they_stand_for() -> None:
    assert tidy("⼤模型前沿技术之⼀，冗⻓的上下⽂，ﬁnal oﬃce\u00ad\u00a0x\r\n\r\n\r\n\r\ny") == (
        "大模型前沿技术之一，冗长的上下文，final office x\n\ny"
    )


def test_glyphs_named_by_their_numbers() -> None:
    named = "".join(
        f"/C{ord(character)}" if character != " " else " " for character in "Detection Methods for Feeds"
    )
    assert letters_from_glyph_names(named) == "Detection Methods for Feeds"
    assert (
        letters_from_glyph_names("see /C1 and /C2 in the list of parts")
        == "see /C1 and /C2 in the list of parts"
    )


def test_glyph_numbers_instead_of_letters() -> None:
    text = "Thought: I need to find a pepper shaker\nnext to it, on the\nseventh shelf of all\nTouch"
    coded = "".join(character if character == "\n" else chr(ord(character) - 29) for character in text)
    ordinary_lines = "A line of ordinary text 2 x 3.\nTABLE OF ITEMS"
    assert letters_from_glyph_numbers(f"{coded}\n{ordinary_lines}") == f"{text}\n{ordinary_lines}"
    ordinary = "TABLE OF CONTENTS 123\nABC"
    assert letters_from_glyph_numbers(ordinary) == ordinary


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
    document = read(pdf([["Fees", *(line for line, _, _ in PROSE)]], bold=["Fees"]))
    assert [(heading.start, heading.title) for heading in document.headings] == [(0, "Fees")]


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


def test_outline_titles_get_the_blanks_that_a_browser_lost() -> None:
    entries = [OutlineEntry(1, "1 Rules of thehouse", 0), OutlineEntry(2, "Smallcaps", 0)]
    headings = headings_from_outline(entries, ["1 Rules of the\nhouse\nSmall caps\nText."])
    assert [heading.title for heading in headings] == ["1 Rules of the house", "Smallcaps"]
    assert with_blanks("数据库系统", "数据库\n系统") == "数据库系统"
    assert with_blanks("long-term plan", "long-\nterm plan") == "long-term plan"
