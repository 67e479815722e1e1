"""`rag search` and `rag ask` as they are called: JSON by the contract, exit codes, batches, a terminal."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
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
from rag.cli import main
from rag.cli.ask import as_json
from rag.cli.spoken import sources, speak
from rag.embedding.protocol import Embedder
from rag.engine.local import LocalEngine
from rag.errors import EngineDied
from rag.library import writing
from rag.records import Answer, Citation, Copy, Evidence, Timing, Usage
from rag.settings import Settings
from tests.rag.library.samples import document, put

LEAVE = "How many days of annual leave do employees receive?"
NOWHERE = "What is the colour charge of a gluon in quantum chromodynamics?"


class Kept:
    """A model of the whole test session, which the end of one command must not close."""

    def __init__(self, model: object) -> None:
        self._model = model

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def papers(monkeypatch: pytest.MonkeyPatch, papers_home: Path) -> None:
    monkeypatch.setenv("RAG_HOME", str(papers_home))


@pytest.fixture
def warm(monkeypatch: pytest.MonkeyPatch, embedder: Embedder, engine: LocalEngine) -> None:
    """Spares the time of loading the models again; what loads them is tried without this."""
    monkeypatch.setattr("rag.embedding.load", lambda settings: Kept(embedder))
    monkeypatch.setattr("rag.engine.load", lambda settings: Kept(engine))


def told(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, dict[str, Any]]:
    code = main([*argv, "--json"])
    value = json.loads(capsys.readouterr().out)
    assert isinstance(value, dict)
    return code, value


def test_search_by_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = told(capsys, "search", LEAVE, "--limit", "2")
    assert code == 0
    assert set(found) == {"question", "passages", "tokens", "seconds"}
    assert found["question"] == LEAVE
    assert len(found["passages"]) == 2
    first = found["passages"][0]
    assert set(first) == {"rank", "document", "page", "pages", "heading", "score", "scores", "text", "copies"}
    assert (first["rank"], first["document"], first["page"]) == (1, "hr/leave.pdf", 1)
    assert "25 days" in first["text"]
    assert found["tokens"] > 0
    assert found["seconds"] > 0


@pytest.mark.usefixtures("warm")
def test_where_else_a_passage_stands(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    embedder: Embedder,
) -> None:
    monkeypatch.setenv("RAG_HOME", str(tmp_path))
    words = "The gate of the north yard is locked at eight in the evening."
    with writing(Settings(home=tmp_path)) as writer:
        for path in ("rules.pdf", "minutes/may.pdf"):
            put(writer, embedder, path, document(f"{path}\n\n{words}" if "may" in path else words, salt=path))
        writer.publish()
    code, found = told(capsys, "search", "When is the gate of the north yard locked?")
    assert code == 0
    shown = found["passages"][0]
    assert {shown["document"], *(copy["document"] for copy in shown["copies"])} == {
        "rules.pdf",
        "minutes/may.pdf",
    }
    assert all(set(copy) == {"document", "page", "pages"} for copy in shown["copies"])
    main(["search", "When is the gate of the north yard locked?"])
    other = shown["copies"][0]
    assert f"[also in: {other['document']}, page {other['page']}]" in capsys.readouterr().out


@pytest.mark.usefixtures("warm")
def test_search_with_a_budget_shows_the_packed_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = told(capsys, "search", "年假可以结转吗？", "--budget", "200")
    assert code == 0
    assert 0 < found["tokens"] <= 200
    assert [row["rank"] for row in found["passages"]] == list(range(1, len(found["passages"]) + 1))
    assert found["passages"][0]["document"] == "hr/年假规定.md"
    assert {"excerpts", "left_out"} < set(found)


@pytest.mark.usefixtures("warm")
def test_a_tight_budget_tells_what_it_shortens(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = told(capsys, "search", LEAVE, "--budget", "60")
    assert code == 0
    assert found["tokens"] <= 60
    assert [row.get("excerpt", False) for row in found["passages"]] == [True]
    assert found["excerpts"] == 1
    main(["search", LEAVE, "--budget", "60"])
    shown = capsys.readouterr()
    assert "[excerpt]" in shown.out
    assert "1 passage was shortened" in shown.err


@pytest.mark.usefixtures("warm")
def test_nothing_relevant(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = told(capsys, "search", NOWHERE)
    assert (code, found["passages"], found["tokens"]) == (4, [], 0)
    assert main(["search", NOWHERE]) == 4
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "relevant" in shown.err


@pytest.mark.usefixtures("warm")
def test_search_text_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", LEAVE, "--limit", "1"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("1. hr/leave.pdf, page 1")
    assert "25 days" in shown.out
    assert "1 passage, " in shown.err


@pytest.mark.usefixtures("warm")
def test_search_in_a_batch(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = [
        {"id": "a", "question": LEAVE},
        {"id": 7, "question": NOWHERE},
        {"id": "c", "question": "and in writing?", "history": [{"question": LEAVE, "answer": "25 [1]."}]},
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text("\n\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    assert main(["search", "--batch", str(file), "--limit", "3"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["id"], row["question"]) for row in found] == [(row["id"], row["question"]) for row in lines]
    assert found[0]["passages"][0]["document"] == "hr/leave.pdf"
    assert found[1]["passages"] == []
    assert found[2]["passages"]


def test_ask_by_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = told(capsys, "ask", LEAVE, "--budget", "300")
    assert code == 0
    assert set(answer) == {
        *("question", "answer", "citations", "unsupported", "found", "coverage", "usage", "timing"),
    }
    assert answer["found"] is True
    assert "25 days" in answer["answer"]
    assert answer["citations"]
    for citation in answer["citations"]:
        assert set(citation) == {"n", "document", "page", "quote", "verified"}
    assert set(answer["usage"]) == {"prompt_tokens", "cached_tokens", "answer_tokens"}
    assert set(answer["timing"]) == {"retrieve_s", "first_token_s", "total_s", "tokens_per_s"}


@pytest.mark.usefixtures("warm")
def test_a_batch_goes_on_after_a_bad_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(
        f'{{"id": 1, "question": "{NOWHERE}"}}\nnot json\n{{"id": 3}}\n{{"id": 4, "question": " "}}\n'
        f'{{"id": 5, "question": "x", "history": 3}}\n{{"id": 6, "question": "{NOWHERE}"}}\n',
        encoding="utf-8",
    )
    assert main(["ask", "--batch", str(file)]) == 3
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["id"] for row in answers] == [1, None, None, 4, 5, 6]
    assert [("error" in row, row.get("found")) for row in answers] == [
        (False, False), *[(True, None)] * 4, (False, False),
    ]  # fmt: skip
    assert "Line 2 is not JSON" in answers[1]["error"]
    assert all(row["fix"] for row in answers if "error" in row)


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("command", ["search", "ask"])
@pytest.mark.parametrize(
    ("argv", "code", "complaint"),
    [
        ([], 2, "either a QUESTION or --batch"),
        (["x", "--batch", "y"], 2, "either a QUESTION or --batch"),
        (["  "], 2, "empty"),
        (["x", "--budget", "0"], 2, "udget"),
        (["x", "--budget", "many"], 2, "--budget"),
        (["x", "--collection", "nowhere"], 2, "no collection 'nowhere'"),
        (["--batch", "/no/such/file"], 4, "cannot be read"),
        (["x", "--config", "/no/such/rag.toml"], 2, "no settings file"),
    ],
)
def test_wrong_usage(
    capsys: pytest.CaptureFixture[str], command: str, argv: list[str], code: int, complaint: str
) -> None:
    got, answer = told(capsys, command, *argv)
    assert got == code
    assert complaint in answer["error"]
    assert answer["fix"]


def test_a_mode_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "ask", "x", "--mode", "thorough")[0] == 2


@pytest.mark.usefixtures("warm")
def test_a_strange_question_is_bounded(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = told(capsys, "ask", "why " * 5000)
    assert code == 2
    assert "19,999 characters" in answer["error"]
    assert "4,000" in answer["fix"]


@pytest.mark.usefixtures("warm")
def test_modes_and_filters(capsys: pytest.CaptureFixture[str]) -> None:
    question = "How long is the notice period, and who is in charge of backups?"
    code, answer = told(capsys, "ask", question, "--mode", "complete")
    assert code == 0
    assert (answer["coverage"]["answered"], answer["coverage"]["of"]) == (2, 2)
    assert {each["document"] for each in answer["citations"]} >= {"legal/supply.pdf", "it/backup.txt"}
    code, answer = told(capsys, "ask", LEAVE, "--mode", "every", "--document", "hr")
    assert code == 0
    assert answer["coverage"]["documents"] == answer["coverage"]["of"] == 2
    assert main(["ask", question, "--mode", "complete"]) == 0
    assert "(2 of 2 parts answered)" in capsys.readouterr().err
    assert told(capsys, "ask", LEAVE, "--document", "nowhere.pdf")[0] == 2


def test_a_missing_model_is_named_once_not_per_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAG_ENGINE_MODEL", "/no/such/model.gguf")
    file = tmp_path / "questions.jsonl"
    file.write_text(json.dumps({"id": 1, "question": LEAVE}) + "\n" * 3, encoding="utf-8")
    assert main(["ask", "--batch", str(file)]) == 1
    assert "/no/such/model.gguf" in json.loads(capsys.readouterr().out)["error"]


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
