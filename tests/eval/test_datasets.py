"""Data sets are read whole or refused with the place of the mistake."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eval import datasets
from rag.errors import NothingToWorkOn, UsageError
from rag.records import Turn

GOOD: dict[str, Any] = {
    "id": "q1",
    "question": "How long is the notice period?",
    "answers": ["Three months."],
    "nuggets": [{"text": "three months", "vital": True}],
    "evidence": [
        {"doc": "contract.md", "page": None, "quote": "three months' notice"},
        {"doc": "contract.md"},
    ],
    "lang": "en",
    "kind": "short",
    "answerable": True,
    "source": "own",
}


def dataset(folder: Path, *questions: Any, name: str = "questions.jsonl") -> Path:
    (folder / "docs").mkdir(parents=True, exist_ok=True)
    (folder / "docs" / "contract.md").write_text("Either side may leave with three months' notice.")
    lines = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in questions]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_a_data_set_comes_out_with_both_files(tmp_path: Path) -> None:
    dataset(tmp_path, GOOD, "", {**GOOD, "id": "q2", "answerable": False, "evidence": []})
    dataset(tmp_path, {**GOOD, "id": "q1-x"}, name="questions_hard.jsonl")
    read = datasets.read(tmp_path)
    assert read.name == tmp_path.name
    assert [(file.name, len(file.questions)) for file in read.files] == [
        ("questions.jsonl", 2),
        ("questions_hard.jsonl", 1),
    ]
    first = read.files[0].questions[0]
    assert first.evidence[0] == datasets.Gold("contract.md", None, "three months' notice")
    assert first.nuggets == (datasets.Nugget("three months", True),)


def test_another_file_can_be_named_and_is_then_the_only_one(tmp_path: Path) -> None:
    dataset(tmp_path, GOOD)
    dataset(tmp_path, {**GOOD, "id": "other"}, name="mine.jsonl")
    read = datasets.read(tmp_path, [tmp_path / "mine.jsonl"])
    assert [question.id for file in read.files for question in file.questions] == ["other"]


TURNS = [
    {"role": "user", "text": "Who wrote the lease?"},
    {"role": "assistant", "text": "The landlord."},
    {"role": "user", "text": "Thanks."},
    {"role": "user", "text": "And who signed it?"},
    {"role": "assistant", "text": "Both sides."},
]


def test_a_question_of_a_conversation_comes_with_its_turns(tmp_path: Path) -> None:
    line = {key: value for key, value in GOOD.items() if key not in ("answerable", "nuggets")}
    line |= {"history": TURNS, "answerability": "UNDERSPECIFIED", "kind": ["How-To", "Factoid"]}
    (question,) = datasets.read(dataset(tmp_path, line)).files[0].questions
    assert question.history == (
        Turn("Who wrote the lease?", "The landlord."),
        Turn("Thanks.\nAnd who signed it?", "Both sides."),
    )
    assert question.answerable
    assert question.kind == "How-To; Factoid"
    assert question.nuggets == ()


WRONG: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda line: line.update(history=TURNS[1:]), "a conversation begins with a message of the user"),
    (lambda line: line.update(history=[{"role": "system", "text": "x"}]), "expected user or assistant"),
    (
        lambda line: line.pop("answerable") and line.update(answerability="MAYBE"),
        "expected one of ANSWERABLE",
    ),
    (lambda q: q.pop("id"), r"field id: expected a text"),
    (lambda q: q.update(question="  "), r"field question: expected a text"),
    (lambda q: q.update(answerable="yes"), r"field answerable: expected true or false, found 'yes'"),
    (lambda q: q.update(kind=7), r"field kind: expected a text"),
    (lambda q: q.update(kind=[7]), r"field kind: expected a list of texts"),
    (lambda q: q.update(answers="one"), r"field answers: expected a list of texts"),
    (lambda q: q.update(nuggets=None), r"field nuggets: expected a list"),
    (lambda q: q.update(nuggets=[{"text": "x"}]), r"field nuggets\[0\]\.vital: expected true or false"),
    (lambda q: q.update(evidence=["contract.md"]), r"evidence\[0\]: expected an object"),
    (lambda q: q["evidence"][1].update(doc="gone.md"), r"field evidence\[1\]\.doc: there is no 'gone\.md'"),
    (lambda q: q["evidence"][0].update(page=0), r"field evidence\[0\]\.page: expected a page number"),
    (lambda q: q["evidence"][0].update(page=True), r"field evidence\[0\]\.page: expected a page number"),
    (lambda q: q["evidence"][0].update(quote=7), r"field evidence\[0\]\.quote: expected a text"),
]


@pytest.mark.parametrize(("spoil", "message"), WRONG)
def test_a_mistake_is_named_with_line_and_field(
    tmp_path: Path, spoil: Callable[[dict[str, Any]], Any], message: str
) -> None:
    question = json.loads(json.dumps({**GOOD, "id": "q2"}))
    spoil(question)
    dataset(tmp_path, GOOD, question)
    with pytest.raises(UsageError, match=r"questions\.jsonl, line 2.*" + message):
        datasets.read(tmp_path)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(GOOD), encoding="utf-8-sig")
    assert [question.id for question in datasets.read_questions(path, None)] == ["q1"]


def test_ids_are_unique_and_lines_are_json(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"line 3, field id: 'q1' is also the id of line 1"):
        datasets.read(dataset(tmp_path, GOOD, "", GOOD))
    with pytest.raises(UsageError, match=r"line 2: not JSON"):
        datasets.read(dataset(tmp_path, GOOD, "{"))
    with pytest.raises(UsageError, match=r"line 1, the line: expected an object"):
        datasets.read(dataset(tmp_path, "[1]"))


def test_folders_and_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no folder docs"):
        datasets.read(tmp_path)
    (tmp_path / "docs").mkdir()
    with pytest.raises(UsageError, match=r"has no questions\.jsonl"):
        datasets.read(tmp_path)
    with pytest.raises(UsageError, match="cannot be read"):
        datasets.read(tmp_path, [tmp_path / "missing.jsonl"])
    with pytest.raises(NothingToWorkOn):
        datasets.read(dataset(tmp_path, ""))
