"""The whole command over a small data set: real documents, the real embedder, the real search."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from eval import __main__ as command
from eval import runs, scratch
from eval.retrieval import remembering
from rag.embedding.onnx_cpu import OnnxEmbedder

LEAVE = "Every employee has twenty-five days of paid leave a year; unused days expire at the end of March."
PUMP = "冷却水泵每运行五百小时须检修一次，检修时同时更换滤芯并记录油位。"
FILLER = "The canteen serves lunch from noon. Bicycles are parked behind the building. " * 8
LEGS = ("dense", "keyword", "ranked", "fused")


def question(id: str, text: str, doc: str, quote: str | None, **more: Any) -> dict[str, Any]:
    return {
        "id": id,
        "question": text,
        "answers": [],
        "nuggets": [],
        "evidence": [{"doc": doc, "quote": quote}],
        "lang": "en",
        "kind": "short",
        "answerable": True,
        **more,
    }


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    docs = folder / "docs"
    (docs / "机器").mkdir(parents=True)
    (docs / "leave.md").write_text(f"# Handbook\n\n{FILLER}\n\n# Leave\n\n{LEAVE}\n", encoding="utf-8")
    (docs / "机器" / "水泵.txt").write_text(f"第一章 维护\n\n{PUMP}\n", encoding="utf-8")
    (docs / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    questions = [
        question("leave", "How many days of paid leave does an employee have?", "leave.md", LEAVE),
        question("pump", "水泵多久检修一次？", "机器/水泵.txt", PUMP, lang="zh", kind="number"),
        question("absent", "How many days of paid leave are there?", "leave.md", "thirty days of leave"),
        question("whole", "What does the handbook say?", "leave.md", None),
        question("none", "Who won the cup in 1998?", "leave.md", None, answerable=False, evidence=[]),
    ]
    hard = [question("pump-x", "How often is the cooling pump serviced?", "机器/水泵.txt", PUMP)]
    for name, items in (("questions.jsonl", questions), ("questions_hard.jsonl", hard)):
        lines = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)
        (folder / name).write_text(lines, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("work")


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, dict[str, Any], str]:
    code = command.main(["retrieval", *map(str, arguments), "--json"])
    captured = capsys.readouterr()
    return code, json.loads(captured.out), captured.err


def test_shares_silence_and_a_line_for_every_question(
    dataset: Path, work: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.jsonl"
    code, result, errors = run(
        capsys, dataset, "--work", work, "--limit", "3", "--budget", "256", "2048", "-o", path
    )
    assert code == 3  # the broken PDF
    assert [item["path"] for item in result["failed"] + result["skipped"]] == ["broken.pdf"]
    assert result["documents"] == 2
    normal, hard = result["files"]
    assert (normal["file"], hard["file"]) == ("questions.jsonl", "questions_hard.jsonl")
    assert (normal["questions"], normal["scored"], normal["without_quotes"]) == (5, 3, 1)
    assert normal["unanswerable"] == 1
    assert normal["documents"] == {"questions": 4, "share": 1.0}
    # Two quotes stand in the documents and are easy to find, the third does not.
    assert normal["overall"]["in chunks"] == pytest.approx(2 / 3, abs=1e-3)
    for leg in LEGS:
        assert normal["overall"][f"{leg}@8"] == pytest.approx(2 / 3, abs=1e-3)
        assert normal["overall"][f"{leg}@3"] <= normal["overall"][f"{leg}@8"]
    assert normal["overall"]["2048 tokens"] == pytest.approx(2 / 3, abs=1e-3)
    assert normal["overall"]["2048 embedder tokens"] == pytest.approx(2 / 3, abs=1e-3)
    zh = normal["by_lang"]["zh"]
    assert all(value == (0 if name.startswith("refused") else 1) for name, value in zh.items())
    assert set(normal["by_kind"]) == {"number", "short"}
    assert set(normal["milliseconds"]) >= {
        *("embed", "dense", "keyword", "search", "fuse"),
        *("pack 256 tokens", "pack 2048 tokens", "pack 256 embedder tokens"),
    }
    # Across languages there is no common word: only the vectors can find it.
    assert hard["overall"]["dense@8"] == 1.0
    assert hard["overall"]["keyword@8"] == 0.0
    for part in (normal, hard):
        overall = part["overall"]
        assert overall["refused@8"] == pytest.approx(overall["ranked@8"] - overall["fused@8"], abs=1e-3)
    assert "ingesting" in errors

    head, lines = runs.read(path)
    assert head["result"]["files"] == result["files"]
    assert set(head["hashes"]["questions"]) == {"questions.jsonl", "questions_hard.jsonl"}
    assert head["settings"]["ingest"]["chunk_tokens"] >= 16
    assert [line["id"] for line in lines] == ["leave", "pump", "absent", "whole", "none", "pump-x"]
    first = lines[0]
    assert first["quotes"][0]["ranks"]["fused@8"] == 1
    assert first["quotes"][0]["budgets"] == {
        f"{size} {unit}": True for unit in ("tokens", "embedder tokens") for size in (256, 2048)
    }
    assert first["passages"][0]["document"] == "leave.md"
    assert first["packed"]["256 tokens"]["tokens"] <= 256
    assert lines[2]["quotes"][0]["ranks"] == dict.fromkeys(
        ("dense", "keyword", "ranked@3", "fused@3", "ranked@8", "fused@8")
    )
    assert {line["id"] for line in lines if not line["evidence"]} <= {"none", "pump-x", "absent"}
    assert set(first["signals"]) >= {"meant", "said"}


def test_a_second_run_embeds_and_ingests_nothing(
    dataset: Path, work: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scratch, "code_hash", lambda: "as it is")
    run(capsys, dataset, "--work", work, "--budget")
    libraries = sorted((work / "libraries").iterdir())

    def refuse(*_: object) -> None:
        raise AssertionError("embedded again")

    monkeypatch.setattr(OnnxEmbedder, "_evaluate", refuse)
    code, result, errors = run(capsys, dataset, "--work", work, "--budget")
    assert code == 3
    assert "looking through" in errors
    assert "ingesting" not in errors
    assert result["tokenizer"] is None
    assert not any("tokens" in measure for measure in result["files"][0]["overall"])
    assert sorted((work / "libraries").iterdir()) == libraries


def test_the_embedders_tokens_alone_need_no_engine(
    dataset: Path, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, result, errors = run(capsys, dataset, "--work", work, "--budget", "512", "--tokenizer", "embedder")
    assert code == 3
    assert result["tokenizer"] is None
    assert "loading" not in errors
    overall = result["files"][0]["overall"]
    assert "512 embedder tokens" in overall
    assert "512 tokens" not in overall


def test_another_file_of_questions_alone(
    dataset: Path, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, result, _ = run(capsys, dataset, "--work", work, "--budget", "--questions", "questions_hard.jsonl")
    assert [file["file"] for file in result["files"]] == ["questions_hard.jsonl"]


def test_mistakes_end_with_their_exit_codes(
    dataset: Path, work: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, result, _ = run(capsys, tmp_path, "--work", work)
    assert code == 2
    assert "no folder docs" in result["error"]
    code, result, _ = run(capsys, dataset, "--limit", "0")
    assert code == 2
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "empty.txt").write_text("")
    asked = question("q", "What?", "empty.txt", None)
    (tmp_path / "questions.jsonl").write_text(json.dumps(asked), encoding="utf-8")
    code, result, _ = run(capsys, tmp_path, "--work", work, "--budget")
    assert code == 4
    assert "could be read" in result["error"]


def test_help_is_quick_and_names_only_what_exists() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "eval", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "retrieval" in done.stdout
    for name in command.COMMANDS:
        assert name in done.stdout
    assert not any(f" {name}\n" in done.stderr for name in ("numpy", "pydantic", "chromadb", "torch"))


def test_counts_are_asked_once_a_text() -> None:
    asked: list[str] = []

    def count(texts: Any) -> list[int]:
        asked.extend(texts)
        return [len(text) for text in texts]

    counted = remembering(count)
    assert counted(["aa", "b", "aa"]) == [2, 1, 2]
    assert counted(["b", "ccc"]) == [1, 3]
    assert asked == ["aa", "b", "ccc"]


def test_a_question_of_a_conversation_is_searched_for_with_what_it_leans_on(
    dataset: Path, work: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turns = [
        {"role": "user", "text": "Which days of paid leave does the handbook give?"},
        {"role": "assistant", "text": "Twenty-five a year."},
    ]
    line = question("expire", "When do they expire?", "leave.md", None, history=turns)
    asked, path = tmp_path / "turns.jsonl", tmp_path / "run.jsonl"
    asked.write_text(json.dumps(line), encoding="utf-8")
    _, result, _ = run(capsys, dataset, "--work", work, "--questions", asked, "--budget", "-o", path)
    (part,) = result["files"]
    assert part["documents"] == {"questions": 1, "share": 1.0}
    _, (written,) = runs.read(path)
    assert written["question"] == "When do they expire?"
    assert written["searched_for"] == "Which days of paid leave does the handbook give? When do they expire?"
    assert written["documents_found"] == 1.0
