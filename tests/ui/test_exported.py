"""A conversation as a file."""

from __future__ import annotations

import pytest

from rag.records import Answer, Citation
from ui.language import texts
from ui.render.conversation import ShownTurn, turns_html
from ui.render.exported import exported_md, file_name

EN, ZH = texts("en"), texts("zh")
ANSWER = Answer(
    "How long\nis it?",
    "It is **two** months [1]. Or more.",
    (),
    (
        Citation(1, "hr/手册.pdf", 3, "two\nmonths", True, 0, 9),
        Citation(1, "hr/手册.pdf", 3, "two\nmonths", True, 0, 9),
        Citation(2, "b.md", None, "", False),
    ),
    unsupported=("Or more.",),
)
TURN = ShownTurn("0", ANSWER.question, "finished", answer=ANSWER)


def test_questions_answers_and_sources_stand_in_the_file() -> None:
    text = exported_md("Probation", [TURN, ShownTurn("1", "And then?", "failed")], EN, "2026-01-02")
    assert text == (
        "# Probation\n\nSaved on 2026-01-02 from Bonsai RAG.\n\n## How long is it?\n\n"
        "It is **two** months [1]. Or more.\n\n**Sources**\n\n"
        "- [1] hr/手册.pdf, page 3: “two months” (quoted words found)\n"
        "- [2] b.md (quoted words not found)\n\n"
        "**Without support in the documents:**\n\n- Or more.\n\n## And then?\n"
    )
    assert "第 3 页" in exported_md("试用期", [TURN], ZH, "2026-01-02")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Who? <b>/..\\x", "Who b x 2026-01-02.md"),
        ("员工有多少天年假？", "员工有多少天年假 2026-01-02.md"),
        ("???", "2026-01-02.md"),
    ],
)
def test_its_name_is_one_that_any_system_takes(title: str, name: str) -> None:
    assert file_name(title, "2026-01-02") == name


def test_it_is_offered_for_kept_conversations_only() -> None:
    assert 'href="conversations/abc.md"' in turns_html([TURN], EN, "abc")
    assert "conversations/" not in turns_html([TURN], EN, None)
    assert "conversations/" not in turns_html([], EN, "abc")
