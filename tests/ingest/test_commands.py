"""`python -m ingest` as a person or a program calls it: output, JSON, exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ingest.__main__ import main
from rag.library import Library, LibraryWriter, manifest, writing
from rag.library.vectors.publish import publish
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder

PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)


@pytest.fixture(autouse=True)
def word_embedder(monkeypatch: pytest.MonkeyPatch) -> list[WordEmbedder]:
    """The deterministic embedder for every command; a test may put in another one."""
    chosen = [WordEmbedder()]
    monkeypatch.setattr("rag.embedding.load", lambda settings: chosen[0])
    return chosen


@pytest.fixture(autouse=True)
def publish_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, where Chroma is imported once; the end-to-end test uses the child."""
    monkeypatch.setattr("rag.library.writer.publish_apart", publish)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.txt").write_text("The allowance is thirty days.")
    (folder / "制度.md").write_text("# 年假\n\n员工每年享有三十天年假。", encoding="utf-8")
    (folder / "picture.txt").write_bytes(PNG)
    return folder


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, dict[str, object]]:
    capsys.readouterr()
    code = main([*map(str, arguments), "--json"])
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    return code, json.loads(out)


def test_ingest_says_what_it_did(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, report = as_json(capsys, docs)
    assert code == 0
    assert report["added"] == ["a.txt", "制度.md"]
    assert [entry["path"] for entry in report["skipped"]] == ["picture.txt"]  # type: ignore[attr-defined, index]
    assert set(report) == {
        "added", "updated", "unchanged", "removed", "skipped", "failed", "pages_without_text",
        "documents", "chunks", "seconds",
    }  # fmt: skip
    code, report = as_json(capsys, docs)
    assert (code, report["unchanged"], report["added"]) == (0, 2, [])


def test_for_a_person_every_left_out_file_is_named(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (docs / "evil\x1b[2J.txt").write_bytes(PNG)
    assert main([str(docs)]) == 0
    out = capsys.readouterr().out
    assert "2 added, 2 skipped" in out
    assert "picture.txt: " in out
    assert "\x1b" not in out
    assert "evil\\x1b[2J.txt" in out


def test_failed_files_give_exit_code_3(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (docs / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing that a reader could use")
    code, report = as_json(capsys, docs)
    assert code == 3
    assert [entry["path"] for entry in report["failed"]] == ["broken.pdf"]  # type: ignore[attr-defined, index]


def test_nothing_there_gives_exit_code_4(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, error = as_json(capsys, tmp_path / "no such folder")
    assert code == 4
    assert "no such folder" in str(error["error"])
    (tmp_path / "empty").mkdir()
    code, report = as_json(capsys, tmp_path / "empty")
    assert (code, report["documents"]) == (4, 0)


@pytest.mark.parametrize(
    "arguments",
    [[], ["--status", "x"], ["--verify", "--rebuild"], ["--nonsense"], ["x", "--text", "--status"]],
    ids=" ".join,
)
def test_wrong_usage_gives_exit_code_2(arguments: list[str]) -> None:
    assert main(arguments) == 2


def test_status_lists_collections_and_what_is_not_live(
    docs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--status"]) == 4  # no library yet
    main([str(docs), "--collection", "人事"])
    capsys.readouterr()
    assert main(["--status"]) == 0
    out = capsys.readouterr().out
    assert "人事: 2 documents, " in out
    assert "skipped: picture.txt: " in out
    code, status = as_json(capsys, "--status", "--collection", "人事")
    assert code == 0
    assert [entry["name"] for entry in status["collections"]] == ["人事"]  # type: ignore[attr-defined, index]
    assert len(status["files"]) == 3  # type: ignore[arg-type]
    assert main(["--status", "--collection", "none"]) == 2


def test_remove_takes_one_collection_out_and_leaves_its_files(
    docs: Path, capsys: pytest.CaptureFixture[str], settings: Settings
) -> None:
    assert main(["--remove"]) == 2
    assert main(["--remove", "--collection", "人事"]) == 4  # no library yet
    main([str(docs), "--collection", "人事"])
    (docs / "kept.txt").write_text("The boat is blue.")
    main([str(docs / "kept.txt")])
    assert main(["--remove", "--collection", "none"]) == 2
    assert "人事" in capsys.readouterr().err
    code, told = as_json(capsys, "--remove", "--collection", "人事")
    assert (code, told) == (0, {"collection": "人事", "removed": 2})
    assert sorted(path.name for path in docs.iterdir()) == ["a.txt", "kept.txt", "picture.txt", "制度.md"]
    library = Library.open(settings)
    assert [info.name for info in library.collections()] == ["default"]
    assert library.keyword(["default"], ["allowance"], 9) == []
    assert len(library.keyword(["default"], ["boat"], 9)) == 1
    library.close()
    assert main(["--verify"]) == 0
    assert main(["--remove", "--collection", "人事"]) == 2


def test_a_collection_without_a_name_is_refused(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(docs), "--collection", ""]) == 2
    assert "name of a collection" in capsys.readouterr().err


def test_verify_and_rebuild(docs: Path, capsys: pytest.CaptureFixture[str], settings: Settings) -> None:
    assert main(["--verify"]) == 4
    main([str(docs)])
    code, verdict = as_json(capsys, "--verify")
    assert (code, verdict["ok"], verdict["disagreements"]) == (0, True, [])
    with writing(settings) as writer:
        writer.database.connection().execute("DELETE FROM keywords WHERE rowid = 1")
    code, verdict = as_json(capsys, "--verify")
    assert (code, verdict["ok"]) == (3, False)
    (disagreement,) = verdict["disagreements"]  # type: ignore[misc]
    assert disagreement["where"] == "keywords"
    assert disagreement["chunks"] == [1]
    assert main(["--verify"]) == 3
    assert "--rebuild" in capsys.readouterr().out
    code, rebuilt = as_json(capsys, "--rebuild")
    assert (code, rebuilt["chunks"], rebuilt["embedded"]) == (0, 2, 0)
    assert main(["--verify"]) == 0


def test_a_changed_embedder_is_named_and_rebuild_embeds_anew(
    docs: Path, capsys: pytest.CaptureFixture[str], settings: Settings, word_embedder: list[WordEmbedder]
) -> None:
    main([str(docs)])
    new = word_embedder[0] = WordEmbedder(48, name="new")
    (docs / "b.txt").write_text("one more")
    code, error = as_json(capsys, docs)
    assert code == 1
    assert "--rebuild" in str(error["fix"])
    code, rebuilt = as_json(capsys, "--rebuild")
    assert (code, rebuilt["embedded"], rebuilt["embedder"]) == (0, 2, new.id)
    assert as_json(capsys, docs)[1]["added"] == ["b.txt"]
    library = Library.open(settings)
    assert len(library.dense(["default"], new.embed_queries(["days"])[0], 9)) == 3
    library.close()
    assert main(["--verify"]) == 0


def test_text_shows_what_would_be_indexed(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--text", str(docs / "a.txt")]) == 0
    assert main(["--text", str(docs / "picture.txt")]) == 3


def run(*arguments: str | Path, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ingest", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "RAG_HOME": str(home), "LANG": "C", "PYTHONPATH": str(Path.cwd())},
        timeout=240,
    )


def test_end_to_end_with_the_packaged_embedder(docs: Path, tmp_path: Path) -> None:
    """In a process of its own, from a locale that knows no Chinese, as the first run of a newcomer is."""
    home = tmp_path / "home"
    first = run(docs, "--json", home=home)
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout)["documents"] == 2
    second = run(docs, home=home)
    assert second.returncode == 0
    assert "2 unchanged" in second.stdout
    checked = run("--verify", home=home)
    assert checked.returncode == 0, checked.stdout
    status = json.loads(run("--status", "--json", home=home).stdout)
    assert "e5-small" in status["embedder"]


def test_help_and_status_import_nothing_heavy(docs: Path, tmp_path: Path) -> None:
    main([str(docs)])
    script = """
import sys
from ingest.__main__ import main
assert main(sys.argv[1:]) == 0
heavy = {"chromadb", "onnxruntime", "torch", "numpy", "sentence_transformers", "gradio", "rich", "pypdf"}
sys.exit(", ".join(sorted(heavy & set(sys.modules))) or None)
"""
    for arguments in (["--status"], ["--status", "--json"]):
        done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def readers_of(settings: Settings, collection: str) -> tuple[str, ...] | None:
    with closing(Library.open(settings)) as library:
        return next(each.readers for each in library.collections() if each.name == collection)


def test_who_may_read_a_collection_is_set_as_a_whole(
    docs: Path, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    main([str(docs), "--collection", "legal"])
    assert readers_of(settings, "legal") is None
    code, told = as_json(capsys, "--collection", "legal", "--readers", "bo", " 安娜 ", "bo")
    assert code == 0
    assert told == {"collection": "legal", "readers": ["bo", "安娜"], "before": None}
    assert readers_of(settings, "legal") == ("bo", "安娜")
    assert main(["--collection", "legal", "--readers", "nobody"]) == 0
    assert "read by nobody (before: bo, 安娜)" in capsys.readouterr().out
    assert readers_of(settings, "legal") == ()
    main(["--status"])
    assert "read by nobody" in capsys.readouterr().out
    # An ingest that says nothing of readers leaves the list alone.
    main([str(docs), "--collection", "legal"])
    assert readers_of(settings, "legal") == ()
    code, told = as_json(capsys, "--collection", "legal", "--readers", "everyone")
    assert (told["readers"], told["before"]) == (None, [])
    assert readers_of(settings, "legal") is None


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--readers", "bo"], 2),
        (["--collection", "default", "--readers", "bo", "everyone"], 2),
        (["--collection", "default", "--readers", "bo", "{docs}"], 2),
        (["--collection", "default", "--readers", ""], 2),
        (["--collection", "default", "--readers", "a\nb"], 2),
        (["--collection", "default", "--readers"], 2),
        (["--collection", "default", "--readers", "bo", "--status"], 2),
        (["--collection", "default", "--readers", "bo", "--watch"], 2),
        (["--collection", "nowhere", "--readers", "bo"], 2),
        (["{docs}/missing", "--collection", "new", "--readers", "bo"], 4),
    ],
)
def test_a_list_of_readers_that_cannot_be_set_changes_nothing(
    docs: Path, settings: Settings, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int
) -> None:
    main([str(docs)])
    returned, told = as_json(capsys, *(each.format(docs=docs) for each in arguments))
    assert returned == code
    assert told["error"]
    assert told["fix"]
    assert readers_of(settings, "default") is None
    with closing(Library.open(settings)) as library:
        assert [each.name for each in library.collections()] == ["default"]


def test_a_new_collection_is_closed_before_its_first_file_is_in(
    docs: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists: list[tuple[str, ...] | None] = []
    put = LibraryWriter.put

    def watched(self: LibraryWriter, collection: str, *args: Any, **more: Any) -> None:
        lists.append(readers_of(settings, collection))
        put(self, collection, *args, **more)

    monkeypatch.setattr(LibraryWriter, "put", watched)
    made: list[tuple[Any, ...]] = []
    create = LibraryWriter.create_collection

    def created(self: LibraryWriter, name: str, readers: Any = None) -> None:
        create(self, name, readers)
        made.append(next(each.readers for each in manifest.collections(self.database.connection())[1:]))

    monkeypatch.setattr(LibraryWriter, "create_collection", created)
    assert main([str(docs), "--collection", "legal", "--readers", "bo"]) == 0
    assert made[0] == ("bo",)
    assert len(lists) >= 2
    assert set(lists) == {("bo",)}
