"""Markers in every shape become [n]; what points nowhere is never shown, however the stream is cut."""

from __future__ import annotations

import re
import time
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rag.citations.markers import MARKER, MarkerFilter, clean

SHAPES = {
    "Leave is 25 days².": "Leave is 25 days[2].",
    "Leave is 25 days.³": "Leave is 25 days.[3]",
    "年假为二十五天¹。": "年假为二十五天[1]。",
    "Leave is 25 days [1].": "Leave is 25 days [1].",
    "Leave is 25 days.[1]": "Leave is 25 days.[1]",
    "Leave is 25 days [1,2].": "Leave is 25 days [1][2].",
    "Leave is 25 days [1, 2, 3].": "Leave is 25 days [1][2][3].",
    "Leave is 25 days [1-3].": "Leave is 25 days [1][2][3].",
    "Leave is 25 days [1–3].": "Leave is 25 days [1][2][3].",
    "Leave is 25 days [1][2].": "Leave is 25 days [1][2].",
    "Leave is 25 days [1] [1].": "Leave is 25 days [1].",
    "Leave is 25 days [[2]].": "Leave is 25 days [2].",
    "Leave is 25 days [^2].": "Leave is 25 days [2].",
    "Leave is 25 days [#2].": "Leave is 25 days [2].",
    "Leave is 25 days [ 2 ].": "Leave is 25 days [2].",
    "Leave is 25 days [02].": "Leave is 25 days [2].",
    "Leave is 25 days [doc 1].": "Leave is 25 days [1].",
    "Leave is 25 days [Doc. 1].": "Leave is 25 days [1].",
    "Leave is 25 days [document 1, document 3].": "Leave is 25 days [1][3].",
    "Leave is 25 days [Source: 2].": "Leave is 25 days [2].",
    "Leave is 25 days [Sources 1 and 3].": "Leave is 25 days [1][3].",
    "Leave is 25 days [source 1: handbook.pdf, page 3].": "Leave is 25 days [1].",
    "Leave is 25 days [1 | handbook.pdf].": "Leave is 25 days [1].",
    "Leave is 25 days [1, p. 3].": "Leave is 25 days [1].",
    "Leave is 25 days [1†L4-L9].": "Leave is 25 days [1].",
    "Leave is 25 days [citation:2].": "Leave is 25 days [2].",
    "Leave is 25 days [ref 2].": "Leave is 25 days [2].",
    "Leave is 25 days 【1】.": "Leave is 25 days [1].",
    "Leave is 25 days 【1†source】.": "Leave is 25 days [1].",
    "年假为25天［１］。": "年假为25天[1]。",
    "年假为25天【１，２】。": "年假为25天[1][2]。",
    "年假为25天〔2〕。": "年假为25天[2]。",
    "年假为25天[来源1]。": "年假为25天[1]。",
    "年假为25天【来源：1、3】。": "年假为25天[1][3]。",
    "年假为25天（来源：2）。": "年假为25天[2]。",
    "年假为25天（见资料2）。": "年假为25天[2]。",
    "年假为25天[文档1]和[文档3]。": "年假为25天[1]和[3]。",
    "年假为25天（1）。": "年假为25天[1]。",
    "年假为25天[1至3]。": "年假为25天[1][2][3]。",
    "Leave is 25 days (source 1).": "Leave is 25 days [1].",
    "Leave is 25 days (Documents 1 and 2).": "Leave is 25 days [1][2].",
    "Leave is 25 days (see [1] and [2]).": "Leave is 25 days [1][2].",
    "Leave is 25 days ([1], [2]).": "Leave is 25 days [1][2].",
    "Leave is 25 days (1).": "Leave is 25 days [1].",
    "Leave is 25 days (1, 3).": "Leave is 25 days [1][3].",
    "Leave is 25 days `[1]`.": "Leave is 25 days [1].",
    "Leave is 25 days **[1]**.": "Leave is 25 days **[1]**.",
    "Leave is 25 days [1](handbook.pdf#page=3).": "Leave is 25 days [1].",
    "Leave is 25 days [1](https://example.org/?q=1).": "Leave is 25 days [1].",
    "年假为25天①。": "年假为25天[1]。",
    "年假为25天。①": "年假为25天。[1]",
    "年假为25天①③。": "年假为25天[1][3]。",
    "年假为25天⑨。": "年假为25天。",
    "年假为25天【①】。": "年假为25天[1]。",
    "年假为25天[②、③]。": "年假为25天[2][3]。",
    "Leave is 25 days ②.": "Leave is 25 days [2].",
    "年假为25天（１）。": "年假为25天[1]。",
    "年假为25天【1-2】【9】。": "年假为25天[1][2]。",
    "Leave is 25 days (２).": "Leave is 25 days [2].",
    "Leave is 25 days [１－３].": "Leave is 25 days [1][2][3].",
    "Leave is “25 days [1]”.": "Leave is “25 days [1]”.",
    'He says: "25 days【2】" [9].': 'He says: "25 days[2]".',
    "“年假为25天【9】”。": "“年假为25天”。",
    "| Leave | 25 days [doc 1] |\n| Sick | none [9] |": "| Leave | 25 days [1] |\n| Sick | none |",
    "> Leave is 25 days [source 3]\n> and more [77]": "> Leave is 25 days [3]\n> and more",
    "Leave is 25 days [1] (2023).": "Leave is 25 days [1] (2023).",
    # numbers that no evidence has
    "Leave is 25 days [9].": "Leave is 25 days.",
    "Leave is 25 days [0].": "Leave is 25 days.",
    "Leave is 25 days [1,9].": "Leave is 25 days [1].",
    "Leave is 25 days [8-12].": "Leave is 25 days.",
    "Leave is 25 days [2-9].": "Leave is 25 days [2][3].",
    "Leave is 25 days [99999].": "Leave is 25 days.",
    "Leave is 25 days (see [8]).": "Leave is 25 days.",
    "Leave is 25 days 【7】 in all.": "Leave is 25 days in all.",
    "Leave is 25 days (5).": "Leave is 25 days.",
    "Leave is 25 days [[9]].": "Leave is 25 days.",
    "年假为25天【9】。": "年假为25天。",
    "- one [7]\n- two [2]\n": "- one\n- two [2]\n",
    # the end of the text cuts a marker
    "Leave is 25 days [1": "Leave is 25 days [1]",
    "Leave is 25 days [1, ": "Leave is 25 days [1]",
    "Leave is 25 days [": "Leave is 25 days",
    "Leave is 25 days 【来": "Leave is 25 days",
    "Leave is 25 days [9": "Leave is 25 days",
}

UNTOUCHED = [
    "The hall has 30 m².",
    "It grows as n³.",
    "Leave is 25 days⁷.",
    "One light-year² of them is far.",
    "The two steps are: (1) fill in the form; (2) send it.",
    "(1) Fill in the form.\n(2) Send it.",
    "步骤：（1）填表；（2）提交。",
    "It opened in spring (2019).",
    "Within seven (7) days.",
    "They had seven (7).",
    "Net income was (3).",
    "Article 3(1) applies, and f(2).",
    "See [the annex] for details (in particular part B).",
    "A list [a, b] and an empty one [].",
    "As in [Note 3] and [Table 2].",
    "[handbook](handbook.md) and ![plan](plan.png)",
    "`rows[0]` and `f(1)`.",
    "```python\nfirst = rows[9]\n```\nDone.",
    "~~~\n[9]\n~~~\n",
    "A tilde ~ and a lonely ` sign.",
    "5 < 6 [sic] [1.5] [x]",
    "He wrote “recieve [sic]” in the plan (2023).",
    "该规定（2023）自2024年起施行 [注]。",
    "步骤：①断电；②上锁；③验电。",
    "①先断电。②再上锁。",
    "按步骤②。",
    "选①。",
    "Source 1 of light and power source 2 are off.",
    "来源1和资料2的说法相同。",
    "Use `x = [1][2]` or\n```\nreturn [1], [9]\n```",
    "两个 [甲、乙] 和（丙）。",
]


@pytest.mark.parametrize(("raw", "shown"), SHAPES.items())
def test_every_shape(raw: str, shown: str) -> None:
    assert clean(raw, 3) == shown
    assert clean(shown, 3) == shown


@pytest.mark.parametrize("text", UNTOUCHED)
def test_what_is_no_marker_stays(text: str) -> None:
    assert clean(text, 3) == text


@pytest.mark.parametrize("raw", [*SHAPES, *UNTOUCHED])
def test_a_stream_of_single_characters_gives_the_same(raw: str) -> None:
    markers = MarkerFilter(3)
    assert "".join(markers.feed(char) for char in raw) + markers.finish() == clean(raw, 3)


def test_text_is_shown_without_waiting() -> None:
    markers = MarkerFilter(3)
    assert markers.feed("Leave is 25") == "Leave is 25"
    assert markers.feed(" days [") == " days"
    assert markers.feed("1") == ""
    assert markers.feed("]. Then") == " [1]. Then"
    assert markers.feed(" (see the annex") == " (see the annex"


@pytest.mark.parametrize(
    "text", ["[" * 5000, "[doc " * 2000, "(" * 5000, "`" * 5001, "(see [" * 2000, "[1" * 3000]
)
def test_hopeless_text_takes_no_time(text: str) -> None:
    started = time.process_time()
    clean(text, 3)
    assert time.process_time() - started < 2


PIECES = st.sampled_from(
    [
        *(
            "[",
            "]",
            "【",
            "】",
            "［",
            "］",
            "(",
            ")",
            "（",
            "）",
            "1",
            "2",
            "9",
            "12",
            "¹",
            "²³",
            "１",
            ",",
            "，",
            "-",
            "–",
        ),
        *(
            "①",
            "⑨",
            "２",
            "sic",
            "2023",
            "“",
            "”",
            "doc",
            "source",
            "来源",
            "and",
            "p. ",
            "†",
            ":",
            ".",
            "。",
            "^",
            "#",
            "`",
            "```",
            "~~~",
            "word",
            "字",
            "http://x",
        ),
        *("[1]", "【2】", "[9]", "(1)", "[1, 2]", "[doc 1]", "[1-", "(see [", "|", "*", "!", "\t", " ", "\n"),
    ]
)


def pieces_of(text: str, cuts: list[int]) -> list[str]:
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return [text[a:b] for a, b in pairwise(places)]


@settings(max_examples=600, deadline=None)
@given(
    st.lists(PIECES, max_size=30).map("".join), st.lists(st.integers(0, 500), max_size=20), st.integers(0, 12)
)
@example("(see [1] and [2]).", [3, 6, 9], 2)
def test_cutting_changes_nothing_and_no_number_lacks_evidence(text: str, cuts: list[int], count: int) -> None:
    whole = clean(text, count)
    markers = MarkerFilter(count)
    assert "".join(markers.feed(piece) for piece in pieces_of(text, cuts)) + markers.finish() == whole
    outside_code = re.sub(r"(?s)```.*?(```|\Z)|~~~.*?(~~~|\Z)|`[^`\n]*`", "", whole)
    if "`" not in text and "~" not in text:
        assert all(1 <= int(n) <= count for n in MARKER.findall(outside_code))
        assert not re.search(r"【\s*\d+\s*】|［\s*\d+\s*］", whole)
