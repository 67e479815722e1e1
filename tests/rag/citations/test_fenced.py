"""Which blocks between fences are code and stay, and which are sentences and become text."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rag.citations.fenced import HELD, is_prose
from rag.citations.markers import MARKER, MarkerFilter, clean

SENTENCES = {
    "```\nLeave is 25 days [1].\n```\nMore follows [9].": "Leave is 25 days [1].\nMore follows.",
    "```text\nLeave is 25 days a year 【2】\n```": "Leave is 25 days a year [2]\n",
    "Answer:\n\n~~~markdown\n员工每年享有十天年假【9】。\n~~~\n": "Answer:\n\n员工每年享有十天年假。\n",
    "```\nThis block never ends, and it cites [9] and (see [1]).": (
        "This block never ends, and it cites and [1]."
    ),
    "```\n- The first thing is paid [1].\n- The second thing is not [9].\n```": (
        "- The first thing is paid [1].\n- The second thing is not.\n"
    ),
}
CODE_WITH_TEXT = {
    "Run this: ```\nmake run\n```\nThat is all [1].": "Run this: \n```\nmake run\n```\nThat is all [1].",
    "So it says: ```\nThe ninth row is empty [9].\n``` Indeed.": (
        "So it says: \nThe ninth row is empty.\nIndeed."
    ),
    "The three signs ``` stand in a line [1].": "The three signs ``` stand in a line [1].",
    "```python\nrows[9]\n``` So it is the ninth row [1] of [9].": (
        "```python\nrows[9]\n```\nSo it is the ninth row [1] of."
    ),
    "```\nThe block is closed here [1].\n``` And here it goes on [9].": (
        "The block is closed here [1].\nAnd here it goes on."
    ),
}
CODE = [
    "```\nreturn [1], [9]\n```",
    "```python\n# The list has nine rows [9].\nrows[9]\n```",
    "```\nmake run GPU=1\n```",
    '```json\n{"answer": "The pump is closed [9]."}\n```',
    "```\n2026-03-01 12:00 ERROR The disk of host nine is full [9].\n```",
    "```\nThe first line is a sentence [1].\nx = [9]\n```",
    "```\n```",
    "```\n" + "The block is too long to be waited for [9].\n" * (HELD // 40) + "```",
]


@pytest.mark.parametrize(("raw", "shown"), [*SENTENCES.items(), *CODE_WITH_TEXT.items()])
def test_sentences_leave_their_fence_and_their_markers_are_read(raw: str, shown: str) -> None:
    assert clean(raw, 3) == shown
    assert clean(shown, 3) == shown


@pytest.mark.parametrize("raw", CODE)
def test_code_stays_as_it_is(raw: str) -> None:
    assert clean(raw, 3) == raw


SENTENCE_LINES = st.sampled_from(["Leave is 25 days [9].", "年假有十天【1】。", "Who pays [2, 9]?", "", " "])
CODE_LINES = st.sampled_from(["```python", "x = [9]", "~~~", "````", "```text"])


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.one_of(st.just("```"), SENTENCE_LINES, CODE_LINES), max_size=12),
    st.lists(st.integers(0, 300), max_size=12),
    st.booleans(),
)
@example(["```", "Leave is 25 days [9].", "```"], [3, 4, 20], True)
def test_cutting_changes_nothing(lines: list[str], cuts: list[int], ends: bool) -> None:
    text = "\n".join(lines) + ("\n" if ends else "")
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    markers = MarkerFilter(3)
    pieces = [markers.feed(text[first:last]) for first, last in pairwise(places)]
    whole = clean(text, 3)
    assert "".join(pieces) + markers.finish() == whole


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(["```", "```text"]), SENTENCE_LINES), max_size=12))
def test_no_number_in_a_sentence_lacks_evidence_whatever_is_fenced(lines: list[str]) -> None:
    assert all(1 <= int(n) <= 3 for n in MARKER.findall(clean("\n".join(lines), 3)))


@pytest.mark.parametrize("line", ["(" * 3900, "(" * 1900 + "a" * 1900, "[1] " * 900 + "x" * 100, " " * 3900])
def test_hopeless_lines_take_no_time(line: str) -> None:
    started = time.process_time()
    is_prose(line)
    assert time.process_time() - started < 2
