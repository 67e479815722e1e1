"""`python -m eval silence` over a small data set, and what it makes of the answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval import __main__ as command
from eval import runs, silence
from eval.datasets import Question

LEAVE = "Every employee has twenty-five days of paid leave a year; unused days expire at the end of March."
PUMP = "冷却水泵每运行五百小时须检修一次，检修时同时更换滤芯并记录油位。"


def line(id: str, text: str, lang: str, doc: str | None = None) -> str:
    evidence = [{"doc": doc}] if doc else []
    return json.dumps(
        {
            "id": id,
            "question": text,
            "answers": [],
            "nuggets": [],
            "evidence": evidence,
            "lang": lang,
            "kind": "fact",
            "answerable": doc is not None,
        }
    )


@pytest.fixture
def sets(tmp_path: Path) -> tuple[Path, Path]:
    own, other = tmp_path / "own", tmp_path / "other"
    (own / "docs").mkdir(parents=True)
    (own / "docs" / "leave.md").write_text(f"# Leave\n\n{LEAVE}\n", encoding="utf-8")
    (own / "docs" / "水泵.txt").write_text(f"{PUMP}\n", encoding="utf-8")
    (own / "questions.jsonl").write_text(
        "\n".join(
            [
                line("leave", "How many days of paid leave does an employee have?", "en", "leave.md"),
                line("pump", "冷却水泵多久检修一次？", "zh", "水泵.txt"),
                line("near", "How much does the canteen cost?", "en"),
            ]
        ),
        encoding="utf-8",
    )
    other.mkdir()
    (other / "questions.jsonl").write_text(
        "\n".join(
            [
                line("opera", "Who wrote the opera about the barber of Seville?", "en", "opera.txt"),
                line("none", "Who sang the first part in it?", "en"),
            ]
        ),
        encoding="utf-8",
    )
    return own, other


def test_own_questions_are_heard_and_foreign_ones_are_not(
    sets: tuple[Path, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RAG_HOME", str(tmp_path / "home"))
    own, other = map(str, sets)
    run = tmp_path / "run.jsonl"
    argv = ["silence", own, "--foreign", other, "--small", "2", "-o", str(run), "--json"]
    assert command.main(argv) == 0
    found = json.loads(capsys.readouterr().out)["rows"]
    by_origin = {(row["library"], row["whose"], row["lang"]): row for row in found}
    assert by_origin["own", "own", "en"]["with_evidence"] == 1
    assert by_origin["own", "own", "zh"]["with_evidence"] == 1
    assert by_origin["own", "other", "en"] | {"n": 1, "with_evidence": 0} == by_origin["own", "other", "en"]
    assert by_origin["own", "near miss", "en"]["n"] == 1
    assert sum(row["n"] for row in found if row["library"] == "one document" and row["whose"] == "own") == 1
    head, lines = runs.read(run)
    assert head["command"] == "silence"
    assert {entry["id"] for entry in lines} == {"leave", "pump", "near", "opera"}
    assert all(entry["signals"] for entry in lines)


def heard(whose: str, half: str, evidence: bool) -> silence.Heard:
    return silence.Heard("lib", whose, "questions.jsonl", "en", half, "x", evidence, {})


def test_shares_of_all_and_of_each_half() -> None:
    (own, foreign) = silence.rows(
        [
            heard("own", "a", True),
            heard("own", "a", False),
            heard("own", "b", True),
            heard("set_x", "b", True),
        ]
    )
    assert (own["n"], own["n_a"], own["n_b"]) == (3, 2, 1)
    assert (own["with_evidence_a"], own["with_evidence_b"]) == (0.5, 1)
    assert (foreign["n_a"], foreign["with_evidence_a"]) == (0, None)
    shown = silence.table([own, foreign])
    assert "0.500" in shown
    assert "0.000" in shown  # a foreign question that found evidence


def test_a_half_is_a_questions_own() -> None:
    questions = [Question(str(n), "?", True, "en", "fact", (), (), ()) for n in range(200)]
    halves = [silence.half_of(question) for question in questions]
    assert halves == [silence.half_of(question) for question in questions]
    assert 60 < halves.count("a") < 140
