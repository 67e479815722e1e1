"""How an answer is told to people: on a terminal, into a pipe, with its sources."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest

from rag.answering.events import (
    Delta,
    Event,
    Finished,
    Progress,
    Replaced,
    Retrieved,
    Thought,
    Waiting,
)
from rag.cli.ask import as_json
from rag.cli.below import notes, sources
from rag.cli.spoken import speak
from rag.errors import EngineDied
from rag.records import Answer, Citation, Copy, Evidence, Timing, Usage


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


ANSWER = Answer(
    question="q",
    text="It is 25 [1]. Or more.",
    evidence=(),
    citations=(
        Citation(1, "hr/leave.pdf", 2, "Employees receive\n25 days", verified=True, start=0, end=9),
        Citation(1, "hr/leave.pdf", 1, "Or 30", verified=True, start=9, end=14),
        Citation(1, "hr/leave.pdf", 2, "per year", verified=True, start=10, end=18),
        Citation(2, "b.md", None, "made up words", verified=False),
        Citation(3, "c.md", None, "", verified=False),
    ),
    unsupported=("Or more.",),
    coverage={"excerpts": 1, "left_out": 3, "cut_at_tokens": 16},
)


def test_the_sources_of_an_answer() -> None:
    assert sources(ANSWER) == (
        "[1] hr/leave.pdf, page 2\n    “Employees receive 25 days”\n    “per year”\n"
        "[1] hr/leave.pdf, page 1\n    “Or 30”\n[2] b.md\n"
        "    “made up words” (these words do not stand there)\n[3] c.md\n"
        "    (no words of this source were found that support the sentence)\n\n"
        "Not supported by the documents:\n  - Or more.\n"
    )


def test_a_source_tells_where_else_it_stands() -> None:
    copies = (
        Copy("c", "old/leave.pdf", "default", (4, 5), 0, 9),
        Copy("m", "m.md", "default", (), 0, 9, False),
    )
    item = Evidence(1, "d", "hr/leave.pdf", "default", "t", 0, 1, (1, 2), (), 1.0, 9, copies=copies)
    told = sources(replace(ANSWER, evidence=(item,), unsupported=()))
    assert told.startswith(
        "[1] hr/leave.pdf, page 2\n    “Employees receive 25 days”\n    “per year”\n"
        "    also in: old/leave.pdf, page 4, 5; m.md (a part of it)\n[1] hr/leave.pdf, page 1\n"
    )
    assert told.count("also in") == 1


def test_what_stands_below_is_in_the_questions_language() -> None:
    copies = (Copy("c", "old/leave.pdf", "default", (4, 5), 0, 9, False),)
    item = Evidence(1, "d", "hr/leave.pdf", "default", "t", 0, 1, (1, 2), (), 1.0, 9, copies=copies)
    told = sources(replace(ANSWER, question="年假有几天？", evidence=(item,)))
    assert "[1] hr/leave.pdf，第 2 页" in told
    assert "    另见：old/leave.pdf，第 4, 5 页（其中一部分）" in told
    assert "文档不支持的内容：\n  - Or more." in told
    coverage = {
        "parts": [{"part": "几天？", "answered": True}, {"part": "谁批准？", "answered": False}],
        "answered": 1,
        "of": 2,
        **ANSWER.coverage,
    }
    said = notes(replace(ANSWER, question="年假有几天？", coverage=coverage), demo=True, model="tiny")
    assert said[:2] == ["（已回答 2 个部分中的 1 个）", "（文档中没有：谁批准？）"]
    assert "16 个词元" in said[2]
    assert said[3] == "（有 1 段只保留了匹配处前后的句子；另有 3 段相关内容放不下：请调大 --budget。）"
    assert said[4].startswith("（tiny 是演示模型")
    assert len(said) == 5
    english = notes(replace(ANSWER, coverage=coverage), demo=True, model="tiny")
    assert english[:2] == ["(1 of 2 parts answered)", "(not in the documents: 谁批准？)"]


def test_the_lines_of_a_log_that_were_read_are_told() -> None:
    coverage = {"lines": {"document": "a.log", "lines": 220, "counted": 25}}
    assert notes(replace(ANSWER, coverage=coverage), demo=False, model="") == ["(whole file read, 220 lines)"]
    zh = replace(ANSWER, question="有几行？", coverage=coverage)
    assert notes(zh, demo=False, model="") == ["（已读取整个文件，共 220 行）"]


def test_a_pipe_gets_the_finished_text_only(capsys: pytest.CaptureFixture[str]) -> None:
    out = io.StringIO()
    events: list[Event] = [Delta("It is"), Delta(""), Replaced(ANSWER.text), Finished(ANSWER)]
    assert speak(iter(events), out, demo=True, model="tiny") is ANSWER
    assert out.getvalue() == f"{ANSWER.text}\n\n{sources(ANSWER)}"
    notes = capsys.readouterr().err
    assert "16 tokens" in notes
    assert "1 passage was shortened" in notes
    assert "3 more relevant passages did not fit: raise --budget" in notes
    assert "demonstration model" in notes


def test_a_terminal_streams_and_erases_what_is_replaced() -> None:
    out = Terminal()
    events: list[Event] = [Waiting(2), Retrieved(()), Delta("One\ntwo"), Replaced("Three"), Finished(ANSWER)]
    speak(iter(events), out, demo=False, model="m")
    shown = out.getvalue()
    assert "2 before this question" in shown
    assert (
        shown.index("One\ntwo")
        < shown.index("\x1b[1A\x1b[J")
        < shown.index("Three")
        < shown.index(ANSWER.text)
    )


def test_progress_stands_below_the_text_and_goes() -> None:
    out = Terminal()
    events: list[Event] = [
        Progress("document", 0, 2, "a.txt"), Delta("| a | 1 |\n"), Progress("document", 1, 2, "b.txt"),
        Delta("| b | 2 |"), Finished(ANSWER),
    ]  # fmt: skip
    speak(iter(events), out, demo=False, model="m")
    shown = out.getvalue()
    assert "document 1 of 2: a.txt" in shown
    assert shown.index("| a | 1 |") < shown.index("\n\r\x1b[Kdocument 2 of 2") < shown.index("| b | 2 |")
    # Erased, and the cursor back at the end of the text.
    assert "b.txt …\r\x1b[K\x1b[1A\x1b[1G| b | 2 |" in shown


def test_thoughts_are_a_status_on_a_terminal_and_a_key_of_their_own_in_json() -> None:
    out = Terminal()
    events: list[Event] = [Thought("Hm, 31?", begins=True), Delta(""), Delta("It is 25"), Finished(ANSWER)]
    speak(iter(events), out, demo=False, model="m")
    shown = out.getvalue()
    assert "thinking … 0 s" in shown
    assert "31" not in shown
    assert "thought" not in as_json(ANSWER)
    thinking = replace(ANSWER, thought="Hm, 31?", usage=Usage(thought_tokens=4), timing=Timing(thought_s=2.5))
    told = as_json(thinking)
    assert told["thought"] == {"text": "Hm, 31?", "tokens": 4, "seconds": 2.5}
    assert told["answer"] == ANSWER.text


def test_what_was_shown_stays_when_the_engine_dies() -> None:
    def dying() -> Any:
        yield Delta("It is 25")
        raise EngineDied("It died.", fix="Ask again.")

    out = io.StringIO()
    with pytest.raises(EngineDied):
        speak(dying(), out, demo=False, model="m")
    assert out.getvalue() == "It is 25\n"
