from __future__ import annotations

import json
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from benchmarks.hostile import holds, main
from tests.ingest.readers.files import zipped

HEAD = "file\texpected\tmust_contain\tmay_contain\tmust_not_contain\tnote\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAG_HOME", str(tmp_path / "home"))
    files = tmp_path / "files"
    files.mkdir()
    (files / "a.txt").write_text("The cable is on\nshelf ｓｅｖｅｎ.")
    (files / "empty.txt").write_text("")
    (files / "b.zip").write_bytes(zipped({"x/inner.txt": "inner words"}))
    with tarfile.open(files / "names-and-links.tar", "w") as archive:
        entry = tarfile.TarInfo("links/out")
        entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(entry)
        named = tarfile.TarInfo("names/-rf.txt")
        named.size = 5
        archive.addfile(named, BytesIO(b"words"))
    return files


def outcome(folder: Path, index: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    (folder / "index.tsv").write_text(HEAD + index)
    code = main([str(folder), "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_every_row_is_judged(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = outcome(
        folder,
        "a.txt\ttext\tcable is on shelf seven\tnothing\t\t\n"
        "empty.txt\tskip\t\t\t\t\n"
        "b.zip\tskip\tinner words\t\t\t\n"
        "links/\tskip\t\t\troot:x:0:0\t\n"
        "names/-rf.txt\ttext\twords\t\t\t\n",
        capsys,
    )
    assert code == 0, told
    rows = {row["file"]: row for row in told["rows"]}  # type: ignore[attr-defined]
    assert rows["a.txt"]["missing_welcome"] == ["nothing"]
    assert rows["b.zip"]["got"].endswith("inside: x/inner.txt (text)")
    assert "leaves the folder" in rows["links/"]["got"]


def test_what_is_wrong_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = outcome(
        folder,
        "a.txt\tskip\t\t\t\t\nempty.txt\ttext\twords\t\t\t\nmissing.txt\ttext\t\t\t\t\n"
        "names/-rf.txt\ttext\tother ‖ words\t\twor ds\t\n",
        capsys,
    )
    assert code == 1
    problems = [row["problems"] for row in told["rows"]]  # type: ignore[attr-defined]
    assert problems == [
        ["read, though it should have been left out"],
        ["no text", "lacks 'words'"],
        ["the walk does not name it"],
        ["lacks 'other'", "has 'wor ds'"],
    ]


def test_fragments_are_compared_without_white_space_after_nfkc() -> None:
    assert holds("ﬁve\n  cables", "five cables")
    assert not holds("five cable", "five cables")
