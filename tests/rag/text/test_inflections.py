from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.text.holding import held
from rag.text.inflections import inflections


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("sent", "send"),
        ("send", "sent"),
        ("bought", "buying"),
        ("written", "write"),
        ("approve", "approved"),
        ("approved", "approves"),
        ("approval", "approved"),
        ("signed", "signing"),
        ("carried", "carries"),
        ("carry", "carried"),
        ("planned", "planning"),
        ("plan", "planned"),
        ("paid", "pay"),
        ("payment", "payments"),
        ("deployment", "deploy"),
        ("installation", "install"),
        ("inspector", "inspected"),
        ("managed", "manager"),
    ],
)
def test_one_word_in_two_forms(asked: str, said: str) -> None:
    assert said in inflections(asked) or f"{said}s" in inflections(asked)
    assert held([asked], f"What was {said} stands here.", inflected=True) == {asked}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("number", "numb"),
        ("thing", "th"),
        ("bed", "b"),
        ("red", "r"),
        ("red", "reding"),
        ("bring", "br"),
        ("table", "stable"),
        ("contract", "contrary"),
        ("signal", "sign"),
        ("general", "generation"),
        ("违约", "违"),
        ("err4031", "err"),
    ],
)
def test_another_word_is_none(asked: str, said: str) -> None:
    assert held([asked], said, inflected=True) == set()


def test_only_where_it_is_asked_for() -> None:
    assert held(["sent"], "Please send it.") == set()
    assert held(["sent"], "Please send it.", inflected=True) == {"sent"}


@given(st.text("abdeginrst", min_size=1, max_size=12))
def test_a_word_is_a_form_of_itself_and_none_is_empty(word: str) -> None:
    assert word in inflections(word)
    assert "" not in inflections(word)


@pytest.mark.parametrize("word", ["b2bs", "fêted", "тексты", "年假", "2024s"])
def test_what_is_no_english_word_has_only_one_form(word: str) -> None:
    assert inflections(word) == {word}
