"""Repairs of a PDF page's text: words cut at line ends, radicals, letters drawn by their numbers."""

from __future__ import annotations

import pytest

from ingest.readers.pdf_second import letters_from_glyph_names
from ingest.readers.pdf_text import Hyphens, letters_from_glyph_numbers, reflowed, tidy


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
