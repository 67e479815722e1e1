from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.readers.drawn_order import Box, reading_order

Named = dict[str, Box]


def box(left: float, top: float, width: float, height: float) -> Box:
    return left, top, left + width, top + height


def grid(names: str, columns: int, *, across: float, down: float, width: float, height: float) -> Named:
    """Boxes named by the letters, row by row."""
    return {
        name: box(across * (number % columns), down * (number // columns), width, height)
        for number, name in enumerate(names)
    }


HEADS_AND_TEXTS = {
    **grid("AC", 2, across=50, down=0, width=45, height=6),
    **{name: box(left, 6, 45, 40) for name, left in (("B", 0), ("D", 50))},
}
CARDS = grid("ABCDEF", 3, across=31, down=26, width=28, height=23)
CARDS_WITH_HEADS = {
    name: place
    for row in range(2)
    for column in range(3)
    for name, place in (
        ("ACEGIK"[3 * row + column], box(31 * column, 28 * row, 28, 5)),
        ("BDFHJL"[3 * row + column], box(31 * column, 28 * row + 5, 28, 16)),
    )
}
NAMES_AND_VALUES = grid("ABCDEF", 2, across=30, down=6, width=28, height=5)
COLUMNS = {
    "A": box(0, 0, 40, 10),
    "B": box(0, 12, 40, 25),
    "C": box(0, 39, 40, 10),
    "D": box(45, 0, 40, 22),
    "E": box(45, 24, 40, 25),
}
FRAMED = {"A": box(0, 0, 90, 8), "B": box(0, 10, 42, 40), "C": box(48, 10, 42, 40), "D": box(0, 55, 90, 5)}
INSIDE = {"A": box(0, 0, 90, 60), "B": box(5, 10, 30, 20), "C": box(50, 10, 30, 20), "D": box(0, 70, 90, 5)}
STAIRS = {"A": box(0, 40, 20, 10), "B": box(22, 25, 20, 10), "C": box(44, 10, 20, 10)}
TOUCHING = {"A": box(0, 0, 60, 10.5), "B": box(0, 10, 60, 10.5), "C": box(0, 20, 60, 10.5)}
PINWHEEL = {
    "A": box(0, 0, 60, 20),
    "B": box(70, 0, 20, 60),
    "C": box(0, 30, 20, 60),
    "D": box(30, 70, 60, 20),
    "E": box(30, 30, 30, 30),
}


@pytest.mark.parametrize(
    "slide",
    [HEADS_AND_TEXTS, CARDS, CARDS_WITH_HEADS, NAMES_AND_VALUES, COLUMNS, FRAMED, INSIDE, STAIRS, TOUCHING],
)
def test_boxes_drawn_in_a_wrong_order_are_read_by_their_places(slide: Named) -> None:
    chance = random.Random(3)
    for _ in range(20):
        names = list(slide)
        chance.shuffle(names)
        order = reading_order([slide[name] for name in names])
        found = "".join(names[number] for number in order)
        # An order that contradicts no place is the author's own.
        assert found == "".join(sorted(slide)) or found == "".join(names)


def test_an_order_that_fits_the_places_is_kept() -> None:
    """By rows or by columns: both are read so."""
    for order in ("ABCD", "ACBD"):
        assert reading_order([HEADS_AND_TEXTS[name] for name in order]) == [0, 1, 2, 3]
    assert reading_order([CARDS[name] for name in "ADBECF"]) == [0, 1, 2, 3, 4, 5]


def test_boxes_without_a_straight_cut_between_them() -> None:
    names = "EDCBA"
    order = reading_order([PINWHEEL[name] for name in names])
    assert "".join(names[number] for number in order) == "ACEBD"


def test_columns_are_read_from_the_right() -> None:
    boxes = [COLUMNS[name] for name in "ABCDE"]
    assert reading_order(boxes, from_right=True) == [3, 4, 0, 1, 2]


def test_what_has_no_place_stays_behind_the_one_before_it() -> None:
    assert reading_order([None, box(0, 20, 50, 10), None, box(0, 0, 50, 10)]) == [0, 3, 1, 2]


def test_an_empty_frame_holds_its_card_together() -> None:
    frame, head, text = box(0, 0, 30, 50), box(2, 2, 26, 5), box(2, 20, 26, 20)
    far_frame, far_head, far_text = box(32, 0, 30, 50), box(34, 2, 26, 5), box(34, 20, 26, 20)
    boxes = [far_text, far_head, text, head, frame, far_frame]
    assert reading_order(boxes, blank=[4, 5]) == [3, 2, 1, 0]
    # One that covers only half of another is a decoration.
    assert reading_order([text, head, box(0, 4, 30, 20)], blank=[2]) == [1, 0]


_SIDES = st.integers(0, 60)
_BOXES = st.lists(
    st.none() | st.builds(box, st.integers(0, 90), st.integers(0, 90), _SIDES, _SIDES), max_size=12
)


@given(_BOXES, st.sets(st.integers(0, 11)), st.booleans())
def test_every_box_that_says_something_is_read_once(
    boxes: list[Box | None], blank: set[int], from_right: bool
) -> None:
    empty = [number for number in sorted(blank) if number < len(boxes) and boxes[number] is not None]
    order = reading_order(boxes, empty, from_right=from_right)
    assert sorted(order) == [number for number in range(len(boxes)) if number not in empty]
