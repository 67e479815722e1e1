"""Exit codes and JSON keys of every command, as the README gives them: done, wrong usage, nothing, some
failed, interrupted."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eval.__main__ import main as evaluate
from ingest.__main__ import main as ingest
from rag.cli import main as rag
from tests.rag.cli.commanding import LEAVE, NOWHERE
from ui.__main__ import main as ui

DONE, USAGE, SOME_FAILED, NOTHING, INTERRUPTED = 0, 2, 3, 4, 130
ERROR = {"error", "fix"}
SEARCH = {"question", "passages", "tokens", "seconds"}
ASK = {"question", "answer", "citations", "unsupported", "found", "coverage", "usage", "timing"}
CHECK = {"file", "ok", "problems", "sha256"}
PLAN = {
    *("weights_mib", "kv_mib", "recurrent_mib", "compute_mib", "overhead_mib", "total_mib"),
    *("fits", "largest_context"),
}
INGEST = {
    *("added", "updated", "unchanged", "removed", "skipped", "failed", "pages_without_text"),
    *("documents", "chunks", "seconds"),
}

Program = Callable[[list[str]], int]

CASES: list[tuple[Program, str, int, set[str]]] = [
    (rag, "dance", USAGE, ERROR),
    (rag, "", USAGE, ERROR),
    (rag, f"search|{LEAVE}", DONE, SEARCH),
    (rag, f"search|{LEAVE}|--budget|300", DONE, SEARCH),
    (rag, f"search|{NOWHERE}", NOTHING, SEARCH),
    (rag, "search", USAGE, ERROR),
    (rag, "search| ", USAGE, ERROR),
    (rag, "search|x|--limit|0", USAGE, ERROR),
    (rag, "search|x|--since|tomorrow", USAGE, ERROR),
    (rag, "search|x|--since|2026-02-01|--until|2026-01-31", USAGE, ERROR),
    (rag, "search|x|--collection|nowhere", USAGE, ERROR),
    (rag, "search|--batch|{tmp}/empty.jsonl", NOTHING, ERROR),
    (rag, "search|--batch|{tmp}", NOTHING, ERROR),
    (rag, f"ask|{LEAVE}|--mode|quick", DONE, ASK),
    (rag, f"ask|{NOWHERE}", DONE, ASK),
    (rag, "ask", USAGE, ERROR),
    (rag, "ask| ", USAGE, ERROR),
    (rag, "ask|x|--budget|0", USAGE, ERROR),
    (rag, "ask|x|--mode|deep", USAGE, ERROR),
    (rag, "ask|--batch|/no/such/file", NOTHING, ERROR),
    (rag, "ask|x|--config|/no/such/rag.toml", USAGE, ERROR),
    (rag, "model", USAGE, ERROR),
    (rag, "model|list", DONE, {"models"}),
    (rag, "model|check|smollm2-135m", DONE, CHECK),
    (rag, "model|check|/no/such/file", SOME_FAILED, CHECK),
    (rag, "model|check|bonsai-27b", SOME_FAILED, CHECK),
    (rag, "model|check|{tmp}/empty.jsonl", SOME_FAILED, CHECK),
    (rag, "model|check|smollm2-135m|--sha256|0", USAGE, ERROR),
    (rag, "model|pull|nothing", USAGE, ERROR),
    (rag, "model|pull|smollm2-135m", DONE, {"name", "path", "size", "sha256", "downloaded"}),
    (rag, "model|plan|bonsai-27b|--context|32768|--memory|24GiB", DONE, PLAN),
    (rag, "model|plan|bonsai-27b|--memory|6GiB", DONE, PLAN),
    (rag, "model|plan|--memory|much", USAGE, ERROR),
    (rag, "model|plan|--context|0", USAGE, ERROR),
    (rag, "doctor|--nonsense", USAGE, ERROR),
    (ingest, "", USAGE, ERROR),
    (ingest, "/no/such/folder", NOTHING, ERROR),
    (ingest, "{tmp}/nothing", NOTHING, INGEST),
    (ingest, "x|--status", USAGE, ERROR),
    (ingest, "--status|--verify", USAGE, ERROR),
    (ingest, "--status", DONE, {"home", "embedder", "collections", "files"}),
    (ingest, "--status|--collection|nowhere", USAGE, ERROR),
    (ingest, "--verify", DONE, {"ok", "disagreements"}),
    (ingest, "--verify|--collection|nowhere", USAGE, ERROR),
    (ingest, "--rebuild|--collection|nowhere", USAGE, ERROR),
    (ingest, "--remove|--collection|nowhere", USAGE, ERROR),
    (ingest, "--readers|ann", USAGE, ERROR),
    (ingest, "--readers|ann|--collection|nowhere", USAGE, ERROR),
    (ingest, "--readers|everyone|--collection|default", DONE, {"collection", "readers", "before"}),
    (ui, "--port|x", USAGE, ERROR),
    (ui, "--port|99999", USAGE, ERROR),
    (evaluate, "", USAGE, ERROR),
    (evaluate, "retrieval|/no/such/set", NOTHING, ERROR),
    (evaluate, "answers|/no/such/set", NOTHING, ERROR),
    (evaluate, "validate|/no/such/set", NOTHING, ERROR),
    (evaluate, "compare|/no/such/a|/no/such/b", NOTHING, ERROR),
    (evaluate, "compare|{tmp}/empty.jsonl|{tmp}/empty.jsonl", USAGE, ERROR),
    (evaluate, "report|/no/such/run|-o|{tmp}/r.html", NOTHING, ERROR),
    (evaluate, "import|/no/such/table.csv|-o|{tmp}/set", NOTHING, ERROR),
]


@pytest.mark.usefixtures("papers", "warm")
@pytest.mark.parametrize(("program", "words", "code", "keys"), CASES)
def test_exit_code_and_keys(
    program: Program,
    words: str,
    code: int,
    keys: set[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "nothing").mkdir()
    argv = [word.format(tmp=tmp_path) if "{tmp}" in word else word for word in words.split("|") if word]
    got = program([*argv, "--json"])
    told = capsys.readouterr()
    value = json.loads(told.out)
    assert got == code, told.err
    assert keys <= set(value)
    assert ("error" in value) == (keys is ERROR)
    assert "Traceback" not in told.err
    if keys is ERROR:
        assert value["fix"], value


@pytest.mark.parametrize("command", ["search", "ask"])
def test_without_documents_there_is_nothing_to_work_on(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RAG_HOME", str(tmp_path))
    assert rag([command, LEAVE, "--json"]) == NOTHING
    told = json.loads(capsys.readouterr().out)
    assert "no documents" in told["error"]
    assert "python -m ingest" in told["fix"]


@pytest.mark.parametrize(("program", "argv"), [(rag, ["search", "x"]), (ingest, ["."])])
def test_a_data_folder_that_cannot_be_made_is_a_wrong_setting(
    program: Program,
    argv: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("RAG_HOME", str(tmp_path / "file"))
    assert program([*argv, "--json"]) == USAGE
    assert "RAG_HOME" in json.loads(capsys.readouterr().out)["fix"]


@pytest.mark.usefixtures("papers", "warm")
@pytest.mark.parametrize(
    "argv",
    [
        [LEAVE, "--collection", "default", "other"],
        [LEAVE, "--collection", "default", "--collection", "other"],
        ["--collection", "default", "other", LEAVE],
        ["--collection", "default", LEAVE],
    ],
)
def test_collections_may_stand_before_and_behind_the_question(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = rag(["search", *argv, "--json"])
    told = json.loads(capsys.readouterr().out)
    if "other" in argv:
        assert code == USAGE
        assert "no collection 'other'" in told["error"]
    else:
        assert code == DONE
        assert told["question"] == LEAVE


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_command_says_so(sent: signal.Signals, papers_home: Path) -> None:
    """It is stopped while it waits for the second line of a batch."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rag", "search", "--batch", "-"],
        env={**os.environ, "RAG_HOME": str(papers_home)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps({"id": 1, "question": LEAVE}) + "\n")
        process.stdin.flush()
        line: dict[str, Any] = json.loads(process.stdout.readline())
        assert line["id"] == 1
        process.send_signal(sent)
        assert process.stdout.read() == ""
        assert process.stderr.read().strip().endswith("Interrupted.")
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        assert process.wait() == INTERRUPTED


def test_an_interrupted_command_with_json_gives_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    from rag.cli import frame

    def before() -> int:
        raise KeyboardInterrupt

    def after() -> int:
        frame.write_json({"url": "here"})
        raise KeyboardInterrupt

    assert frame.execute(before, as_json=True) == INTERRUPTED
    assert set(json.loads(capsys.readouterr().out)) == ERROR
    assert frame.execute(after, as_json=True) == INTERRUPTED
    assert json.loads(capsys.readouterr().out) == {"url": "here"}
