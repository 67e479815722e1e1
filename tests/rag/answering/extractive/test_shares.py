"""How much of a question's words a unit holds by itself, beside its neighbours and under its titles."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.answering.extractive.layout import layout
from rag.answering.extractive.shares import Lending, Share, Shares
from rag.answering.extractive.units import Unit, units
from rag.records import Document, Evidence, Page
from tests.rag.answering.extractive.quoting import even, evidence

WORDS = ["pump", "hose", "valve", "filter"]


def shares(
    items: Sequence[Evidence],
    *,
    abroad: Collection[int] = (),
    said: Lending = frozenset,
    cut: Sequence[Unit] | None = None,
) -> Shares:
    return Shares(cut or units(items), items, even, abroad, said)


def test_a_neighbour_lends_what_a_unit_does_not_say() -> None:
    pump, both, none, far = shares(
        evidence("The pump runs. The pump has a hose. It is loud. Nothing else.")
    ).of("pump hose")
    assert (pump.own, pump.lent) == (0.5, 0.5)
    assert (both.own, both.lent) == (1.0, 0.0)
    assert (none.own, none.lent, none.apart) == (0.0, 1.0, True)
    assert (far.own, far.lent, far.around) == (0.0, 0.0, 1.0)


def test_nothing_is_lent_from_other_evidence() -> None:
    first, second = shares(evidence("The pump runs.", "The hose leaks.")).of("pump hose")
    assert (first.own, first.lent, first.around) == (0.5, 0.0, 0.5)
    assert (second.own, second.lent, second.around) == (0.5, 0.0, 0.5)


def test_what_stands_above_adds_only_to_what_says_something() -> None:
    items = [replace(evidence("The pump runs. It is loud.")[0], heading=("Hoses",))]
    says, silent = shares(items).of("pump hoses")
    assert (says.context, silent.context) == (0.5, 0.5)
    assert says.lexical == says.own + says.context == 1.0
    assert silent.lexical == pytest.approx(0.15 * silent.lent)
    assert silent.in_place > silent.lexical + silent.context


def test_the_first_line_of_a_document_stands_above_all_of_it() -> None:
    text = "Pump\nIt is loud and heavy.\n\nIt stands in the cellar."
    beginning = [replace(evidence(text)[0], start=0, end=len(text))]
    assert [share.context for share in shares(beginning).of("pump")] == [0.0, 1.0, 1.0]
    assert [share.context for share in shares(evidence(text)).of("pump")] == [0.0, 0.0, 0.0]


def test_a_unit_abroad_is_lent_nothing_but_what_its_document_is_called() -> None:
    items = [replace(evidence("Sie ist laut. The pump runs.")[0], path="pump.pdf")]
    here = shares(items).of("pump")
    there = shares(items, abroad=[0]).of("pump")
    assert (here[0].lent, here[0].apart, here[0].lexical) == (1.0, True, 0.15)
    assert (there[0].lent, there[0].apart, there[0].lexical) == (0.0, False, 1.0)
    assert [share.around for share in here] == [1.0, 1.0]
    assert [share.around for share in there] == [0.0, 0.0]


@pytest.mark.parametrize(("question", "own"), [("stock of the pump", 0.8), ("how many stock pump", 1.0)])
def test_titles_of_columns_count_less_unless_a_number_is_asked_for(question: str, own: float) -> None:
    text = "| Part | Stock |\n|---|---|\n| pump | 12 |\n| hose | 30 |"
    items = [replace(evidence(text)[0], start=0, end=len(text), pages=())]
    known = layout(Document("d", "markdown", (Page(None, text),)))
    cut = units(items, lambda _: known)
    rows = [index for index, unit in enumerate(cut) if unit.row]
    assert shares(items, cut=cut).of(question)[rows[0]].own == pytest.approx(own)


def test_a_slip_of_the_pen_is_heard_as_it_is_meant() -> None:
    (one,) = shares(evidence("The filter is cleaned.")).of("fitler")
    assert one.own == 1.0


def test_other_names_are_heard() -> None:
    (one,) = shares(evidence("The hose leaks."), said=lambda words: frozenset([*words, "pipe"])).of("pipe")
    assert one.own == 1.0


def test_units_hold_together_what_neither_holds_alone() -> None:
    of = shares(evidence("The pump runs. The hose leaks. It rains."))
    assert of.together("pump hose", [0, 1]) == 1.0
    assert of.together("pump hose", [0, 2]) == 0.5
    assert of.together("pump hose", [2]) == 0.0


def test_a_text_without_words_is_held_by_nothing() -> None:
    of = shares(evidence("The pump runs."))
    assert of.of("") == [Share(0.0, 0.0, 0.0, 0.0, True)]
    assert of.together("", [0]) == 0.0


@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), min_size=1, max_size=8),
    st.lists(st.sampled_from(WORDS), max_size=4),
)
def test_shares_are_shares(sentences: list[list[str]], asked: list[str]) -> None:
    text = " ".join(f"It has {' and '.join(words)}." for words in sentences)
    of = shares(evidence(text))
    question = " ".join(asked)
    for share in of.of(question):
        assert 0 <= share.own <= share.around <= 1.0001
        assert share.own + share.lent <= 1.0001
        assert share.lexical <= share.in_place
        assert share.apart == (share.own == 0)
    assert of.together(question, range(len(of.of(question)))) <= 1.0001
