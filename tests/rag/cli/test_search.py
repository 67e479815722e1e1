"""`rag search` as it is called: JSON by the contract, the budget, a batch, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rag.cli import main
from rag.embedding.protocol import Embedder
from rag.library import writing
from rag.records import Chunk
from rag.settings import Settings
from tests.rag.cli.commanding import LEAVE, NOWHERE, told
from tests.rag.library.samples import document, put

pytestmark = pytest.mark.usefixtures("papers")


def test_search_by_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = told(capsys, "search", LEAVE, "--limit", "2")
    assert code == 0
    # Other names are told where there are any.
    assert set(found) - {"also_searched_for"} == {"question", "passages", "tokens", "seconds"}
    assert found["question"] == LEAVE
    assert len(found["passages"]) == 2
    first = found["passages"][0]
    assert set(first) == {
        *("rank", "document", "collection", "page", "pages", "heading"),
        *("score", "scores", "text", "copies"),
    }
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
    assert all(set(copy) == {"document", "collection", "page", "pages"} for copy in shown["copies"])
    main(["search", "When is the gate of the north yard locked?"])
    other = shown["copies"][0]
    assert f"[also in: {other['document']}, page {other['page']}]" in capsys.readouterr().out


@pytest.mark.usefixtures("warm")
def test_the_page_is_the_one_that_says_it(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    embedder: Embedder,
) -> None:
    monkeypatch.setenv("RAG_HOME", str(tmp_path))
    pages = ("The crane was oiled.", "The chief executive officer opened the quay.", "Lunch was served.")
    whole = document(*pages)
    chunk = Chunk(whole.sha256, 0, 0, len(whole.text), whole.text, pages=(1, 2, 3), tokens=30)
    with writing(Settings(home=tmp_path)) as writer:
        put(writer, embedder, "report.pdf", whole, chunks=[chunk])
        writer.publish()
    for room in ((), ("--budget", "200")):
        code, found = told(capsys, "search", "Did the CEO open the quay?", *room)
        assert code == 0
        assert [(row["page"], row["pages"]) for row in found["passages"]] == [(2, [1, 2, 3])]
        assert found["also_searched_for"] == {"CEO": ["chief executive officer"]}
    main(["search", "Did the CEO open the quay?"])
    assert "CEO: searched for chief executive officer, too." in capsys.readouterr().err


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
