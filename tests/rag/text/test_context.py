from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rag.records import Chunk
from rag.text.context import columns, context_line, embedding_text, shortened


def chunk(text: str, *heading: str) -> Chunk:
    return Chunk("0" * 64, 0, 0, len(text), text, heading=heading)


def test_title_and_headings_stand_before_the_text() -> None:
    text = embedding_text(chunk("The fee is 30 euros.", "Fees", "Late return"), "Library rules")
    assert text == "Library rules › Fees › Late return\nThe fee is 30 euros."


def test_what_just_fits_is_kept() -> None:
    assert shortened("abcdef", 6) == "abcdef"
    assert shortened("abcdefg", 6) == "abcde…"
    assert shortened("年假年假", 5) == "年假…"


def test_nothing_is_said_twice() -> None:
    assert embedding_text(chunk("Fees\n\nThe fee is 30 euros.", "Rules", "Fees"), "Rules") == (
        "Rules\nFees\n\nThe fee is 30 euros."
    )
    assert embedding_text(chunk("# Fees\n\n30 euros.", "Fees"), None) == "# Fees\n\n30 euros."
    assert embedding_text(chunk("30 euros."), None) == "30 euros."
    assert context_line("Rules", ("rules", "  ", "Fees")) == "Rules › Fees"


def test_long_paths_lose_their_outer_headings_first() -> None:
    line = context_line("Title", [f"heading number {number} with some more words" for number in range(9)])
    assert line.startswith("Title › ")
    assert line.endswith("heading number 8 with some more words")
    assert columns(line) <= 150


def test_wide_characters_count_twice() -> None:
    assert columns("仓库 a") == 6
    assert shortened("仓库仓库", 8) == "仓库仓库"
    assert shortened("仓库仓库仓", 8) == "仓库仓…"


@given(st.text(max_size=300) | st.none(), st.lists(st.text(max_size=200), max_size=8), st.text(max_size=50))
def test_the_line_is_one_line_and_bounded(title: str | None, heading: list[str], text: str) -> None:
    line = context_line(title, heading, text)
    assert columns(line) <= 150
    assert "\n" not in line
    made = embedding_text(chunk(text, *heading), title)
    assert made.endswith(text)
