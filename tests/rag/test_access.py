"""The one predicate of who may read what."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.access import ANYONE, OWNER, Asker, may_read, person, readable, readers_named, readers_said
from rag.errors import AccessDenied, UsageError


@dataclass(frozen=True)
class Shelf:
    name: str
    readers: tuple[str, ...] | None


OPEN, ANN, NOBODY = Shelf("open", None), Shelf("board", ("ann", "bo")), Shelf("sealed", ())


def test_who_reads_what() -> None:
    assert readable(ANYONE, [OPEN, ANN, NOBODY]) == ["open"]
    assert readable(Asker("ann"), [OPEN, ANN, NOBODY]) == ["open", "board"]
    assert readable(Asker("eve"), [OPEN, ANN, NOBODY]) == ["open"]
    assert readable(OWNER, [OPEN, ANN, NOBODY]) == ["open", "board", "sealed"]


def test_the_order_is_that_of_the_library_and_names_come_once() -> None:
    assert readable(OWNER, [OPEN, ANN], ["board", "open", "board"]) == ["open", "board"]


def test_a_forbidden_and_an_unknown_collection_cannot_be_told_apart() -> None:
    def refusal(name: str) -> str:
        with pytest.raises(AccessDenied) as caught:
            readable(Asker("eve"), [OPEN, ANN], [name])
        return str(caught.value).replace(name, "X")

    assert refusal("board") == refusal("hoard")


@given(
    st.none() | st.text(max_size=3),
    st.lists(st.tuples(st.text(max_size=3), st.none() | st.lists(st.text(max_size=3)))),
)
def test_only_listed_names_pass(name: str | None, shelves: list[tuple[str, list[str] | None]]) -> None:
    asker = Asker(name)
    for title, readers in shelves:
        shelf = Shelf(title, None if readers is None else tuple(readers))
        assert may_read(asker, shelf) == (readers is None or (name is not None and name in readers))


@pytest.mark.parametrize(
    ("words", "readers"),
    [
        (["everyone"], None),
        (["Everyone"], None),
        (["nobody"], ()),
        (["ann"], ("ann",)),
        ([" ann ", "bo", "ann"], ("ann", "bo")),
        (["Rene\u0301"], ("Ren\u00e9",)),
        (["Ann", "ann"], ("Ann", "ann")),
    ],
)
def test_a_list_of_readers_as_it_is_given(words: list[str], readers: tuple[str, ...] | None) -> None:
    assert readers_named(words) == readers
    assert readers_named(readers_said(readers).split(", ")) == readers


@pytest.mark.parametrize(
    "words",
    [
        ["everyone", "ann"],
        ["ann", "nobody"],
        ["everyone", "nobody"],
        [""],
        ["a\tb"],
        ["x" * 201],
        ["a\u202eb"],
    ],
)
def test_what_is_no_list_of_readers(words: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        readers_named(words)
    assert caught.value.fix


@given(st.text(max_size=12))
def test_a_name_once_kept_stays_the_same(text: str) -> None:
    try:
        kept = person(text)
    except UsageError:
        return
    assert person(kept) == kept
    assert may_read(Asker(kept), Shelf("x", readers_named([text])))
