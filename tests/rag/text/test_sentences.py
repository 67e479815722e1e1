from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.text.sentences import sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Smith paid $3.5 million. He left.", ["Dr. Smith paid $3.5 million.", "He left."]),
        (
            "The crane is inspected by Messrs. Hoist. It is new.",
            ["The crane is inspected by Messrs. Hoist.", "It is new."],
        ),
        ("Sold to Acme Inc. The deal closed.", ["Sold to Acme Inc.", "The deal closed."]),
        ("Acme Inc. Chairman Lee spoke.", ["Acme Inc. Chairman Lee spoke."]),
        ("The U.S. Congress met.", ["The U.S. Congress met."]),
        (
            "J. K. Rowling wrote it.[3] Then more.¹ Next.",
            ["J. K. Rowling wrote it.[3]", "Then more.¹", "Next."],
        ),
        ("See Fig. 3 and No. 5. It works.", ["See Fig. 3 and No. 5.", "It works."]),
        ("The answer is no. We stop.", ["The answer is no.", "We stop."]),
        ("Yahoo! is old. e.g. this", ["Yahoo! is old. e.g. this"]),
        ('He said "Go." Then "Stay."', ['He said "Go."', 'Then "Stay."']),
        ("Wait... what? And then... Nothing.", ["Wait... what?", "And then...", "Nothing."]),
        ("今天很好。明天呢？不知道！", ["今天很好。", "明天呢？", "不知道！"]),
        ("他说：“好。”然后走了。", ["他说：“好。”", "然后走了。"]),
        ("他走了……后来呢？！没有。", ["他走了……后来呢？！", "没有。"]),
        ("增长3.5%，共1,000.50元。完", ["增长3.5%，共1,000.50元。", "完"]),
        ("A line that is\nwrapped here. Next", ["A line that is\nwrapped here.", "Next"]),
        ("Grew by\n3.5 million", ["Grew by\n3.5 million"]),
        ("Head\n\nBody", ["Head", "Body"]),
        ("# Head\nBody\n- one\n- two\n1. three", ["# Head", "Body", "- one", "- two", "1. three"]),
        ("规定\n一、甲\n（二）乙\n第三条 丙", ["规定", "一、甲", "（二）乙", "第三条 丙"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |\nAfter", ["| a | b |", "|---|---|", "| 1 | 2 |", "After"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_splits(text: str, expected: list[str]) -> None:
    assert split(text) == expected


def test_a_long_run_without_an_end_is_cut_at_its_lines() -> None:
    rows = [f"row {n} with some values {n * 7} and {n * 11}" for n in range(40)]
    assert split("\n".join(rows)) == rows


@given(st.text(alphabet=st.sampled_from(list('aB1.!?。？… \n"”)|#-、一第条Dr'))))
def test_nothing_is_lost_and_nothing_overlaps(text: str) -> None:
    spans = sentences(text)
    place = 0
    for start, end in spans:
        assert start >= place
        assert not text[place:start].strip()
        assert text[start:end].strip() == text[start:end] != ""
        place = end
    assert not text[place:].strip()


@pytest.mark.parametrize(
    "unit", ["a. ", "e.g. ", "1. ", "。", "|\n", "#\n", "....", "a.\n", " ", "\n ", "| "]
)
@pytest.mark.timeout(20)
def test_time_grows_with_the_length_only(unit: str) -> None:
    began = time.process_time()
    sentences(unit * (300_000 // len(unit)))
    assert time.process_time() - began < 5


@pytest.mark.parametrize("size", [250, 9_000, 1_000_000])
def test_what_is_no_word_is_no_part_of_a_sentence(size: int) -> None:
    fact = "the launch window for rocket Petrel opens at 04:12"
    text = f"{'a' * size} {fact} {'b' * (size + 400)} and 会议的时间 {'c=' * size} 是四点"
    found = [text[first:last] for first, last in sentences(text)]
    assert found[1] == fact
    assert found[3] == "and 会议的时间"
    assert "".join("".join(found).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "entries",
    [
        ["2023-02-11 06:15:09 WARN door open", "2023-02-11 06:15:31 INFO door closed"],
        ["[2023-02-11T06:15:09] 门已开", "[2023-02-11T06:15:31] 门已关"],
        ["Feb 11 06:15:09 gate sshd: open", "Feb 11 06:15:31 gate sshd: closed"],
        ["2023年2月11日 6:15 门已开", "2023年2月11日 6:16 门已关"],
        ["06:15:09.120 open", "06:15:31.500 closed"],
    ],
)
def test_an_entry_of_a_log_is_a_sentence(entries: list[str]) -> None:
    text = "\n".join(entries)
    assert [text[first:last] for first, last in sentences(text)] == entries


def test_a_date_or_an_hour_alone_begins_none() -> None:
    text = "The paper was signed on\n2023-02-11 by both, and the gate opens at\n6:30 each day"
    assert sentences(text) == [(0, len(text))]
