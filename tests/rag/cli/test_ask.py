"""`rag ask` as it is called: JSON by the contract, modes, batches, wrong usage of both commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rag.cli import main
from tests.rag.cli.commanding import LEAVE, NOWHERE, told

pytestmark = pytest.mark.usefixtures("papers")


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
