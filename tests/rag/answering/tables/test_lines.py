"""Counts of the lines of a log."""

from __future__ import annotations

import pytest

from rag.answering.tables.lines import counted_lines, told
from rag.records import Document, Page

PATH = "logs/gate_2025-02-03.log"
LOG = "\n".join(
    [
        "2025-02-03 07:00:01 INFO gate open",
        "2025-02-03 07:10:44 ERROR reader R-7 offline",
        "2025-02-03 07:12:00 WARN badge 118 unknown, no error of the reader",
        "2025-02-03 08:00:09 ERROR reader R-9 offline",
        "2025-02-04 06:59:59 ERROR door jammed",
        "2025-02-04 07:30:00 INFO gate closed",
    ]
)
PROSE = "\n".join(f"The gate had ERROR {n} again, and somebody mended it." for n in range(9))


def count(question: str, text: str = LOG) -> int | None:
    found = counted_lines(question, Document("0", "text", (Page(None, text),)), PATH)
    return None if found is None else len(found.spans)


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("How many ERROR lines are in the gate log?", 3),
        ("How many ERROR lines are in the gate log of 3 February 2025?", 2),
        ("How many ERROR lines are in the gate log of Feb 4, 2025?", 1),
        ("How many lines of the gate log mention a reader?", 3),
        ('How many lines of gate_2025-02-03.log contain "R-9 offline"?', 1),
        ("How many lines are in the gate log?", 6),
        ("gate日志里有多少条ERROR？", 3),
        ("2025年2月4日的gate日志有多少行包含“gate”？", 1),
        ("gate日志里有几条记录含有“offline”？", 2),
    ],
)
def test_lines_are_counted(question: str, lines: int) -> None:
    assert count(question) == lines


@pytest.mark.parametrize(
    "question",
    [
        "How many ERROR lines are in the pump log?",  # another log
        "How many ERROR lines are in the gate log of 5 February 2025?",  # no line of that day
        "How many FATAL lines are in the gate log?",  # nothing to show for it
        "How many visitors came through the gate?",
        "How many records does the gate log have?",  # of something that is not said
        "Which ERROR lines are in the gate log?",
        "How many ERROR lines of badge 118 are in the gate log after 7:30?",
    ],
)
def test_what_is_left_alone(question: str) -> None:
    assert count(question) is None


def test_a_text_without_stamps_is_no_log() -> None:
    assert count("How many ERROR lines are in the gate log?", PROSE) is None


def test_what_was_counted_is_said() -> None:
    found = counted_lines(
        "How many ERROR lines are in the gate log of 3 February 2025?",
        Document("0", "text", (Page(None, LOG),)),
        PATH,
    )
    assert found is not None
    assert [LOG[start:end][:24] for start, end in found.spans] == [
        "2025-02-03 07:10:44 ERRO",
        "2025-02-03 08:00:09 ERRO",
    ]
    said = told(found, "gate.log", "en", "[1]")
    assert "**2** of the 6 lines of gate.log (3 February 2025) hold “ERROR” [1]." in said
    assert "**2** 行[1]" in told(found, "gate.log", "zh", "[1]")
