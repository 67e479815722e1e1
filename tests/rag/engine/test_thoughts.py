"""What is thought and what is answer, however the text is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.engine.thoughts import Thoughts, opens_thought


def split(text: str, cuts: list[int], *, inside: bool, unseen: bool = False) -> tuple[str, str]:
    thoughts, thought, answer, at = Thoughts(inside=inside, unseen=unseen), "", "", 0
    for cut in [*sorted({min(cut, len(text)) for cut in cuts}), len(text)]:
        found = thoughts.add(text[at:cut])
        if found.was_thought:
            thought, answer = thought + answer, ""
        thought, answer, at = thought + found.thought, answer + found.answer, cut
    found = thoughts.rest()
    return thought + found.thought, answer + found.answer


@pytest.mark.parametrize(
    ("text", "inside", "thought", "answer"),
    [
        ("Paris.", False, "", "Paris."),
        ("<think>\nHm.\n</think>\n\nParis.", False, "Hm.", "Paris."),
        ("\n<think>Hm.</think>Paris.", False, "Hm.", "Paris."),
        ("Hm.\n</think>\n\nParis.", True, "Hm.", "Paris."),
        ("never closed", True, "never closed", ""),
        ("<think>never closed", False, "never closed", ""),
        ("The tag <think> opens it.", False, "", "The tag <think> opens it."),
        ("<thin", False, "", "<thin"),
        ("a </think>b</think> c", True, "a", "b</think> c"),
        ("", True, "", ""),
        ("Paris.\n</think>\nOslo.", False, "", "Paris.\n</think>\nOslo."),
    ],
)
def test_both_ways_of_opening(text: str, inside: bool, thought: str, answer: str) -> None:
    assert split(text, [], inside=inside) == (thought, answer)
    assert split(text, list(range(len(text))), inside=inside) == (thought, answer)


@pytest.mark.parametrize(
    ("text", "thought", "answer"),
    [
        ("Hm.\nSo.\n</think>\n\nParis.", "Hm.\nSo.", "Paris."),
        ("</think>\n\nParis.", "", "Paris."),
        ("<think>Hm.</think>Paris.\n</think>", "Hm.", "Paris.\n</think>"),
        ("It ends with </think>, they say.", "", "It ends with </think>, they say."),
        ("Hm.\n</think>\nParis.\n</think>", "Hm.", "Paris.\n</think>"),
        ("Paris.", "", "Paris."),
    ],
)
def test_a_thought_that_a_servers_template_opened_is_known_by_its_end(
    text: str, thought: str, answer: str
) -> None:
    for cuts in ([], list(range(len(text)))):
        found = split(text, cuts, inside=False, unseen=True)
        assert (found[0].strip(), found[1]) == (thought, answer)


@given(
    st.lists(st.sampled_from(["<think>", "</think>", "<", "think", ">", " ", "\n", "a", "思"]), max_size=8),
    st.lists(st.integers(0, 40), max_size=8),
    st.booleans(),
    st.booleans(),
)
def test_where_the_text_is_cut_makes_no_difference(
    parts: list[str], cuts: list[int], inside: bool, unseen: bool
) -> None:
    text = "".join(parts)
    whole = split(text, [], inside=inside, unseen=unseen)
    found = split(text, cuts, inside=inside, unseen=unseen)
    assert (found[0].split(), found[1]) == (whole[0].split(), whole[1])


def test_what_the_template_opened() -> None:
    assert opens_thought("<|im_start|>assistant\n<think>\n")
    assert not opens_thought("<|im_start|>assistant\n<think>\n\n</think>\n\n")
    assert not opens_thought("")


def test_after_a_thought_that_was_known_a_closing_tag_is_a_word() -> None:
    text = "Hm.</think>Paris.\n</think>\nOslo."
    for unseen in (False, True):
        assert split(text, [], inside=True, unseen=unseen) == ("Hm.", "Paris.\n</think>\nOslo.")
