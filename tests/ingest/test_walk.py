from __future__ import annotations

import os
from pathlib import Path

import pytest

from ingest.walk import FoundFile, printable, walk
from rag.errors import NothingToWorkOn


def found(path: Path) -> dict[str, FoundFile]:
    return {file.relative: file for file in walk(path)}


def test_every_file_once_in_order_with_size_and_time(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.txt", "a/c/d.md", "B.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    files = list(walk(tmp_path))
    assert [file.relative for file in files] == ["B.txt", "b.txt", "a/z.txt", "a/c/d.md"]
    assert [file.relative for file in walk(tmp_path)] == [file.relative for file in files]
    first = files[0]
    assert (first.path, first.size, first.skip) == (tmp_path / "B.txt", 5, None)
    assert first.mtime_ns == (tmp_path / "B.txt").stat().st_mtime_ns


def test_a_file_as_path_is_itself(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("x")
    assert [(file.relative, file.skip) for file in walk(tmp_path / "one.txt")] == [("one.txt", None)]


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(NothingToWorkOn, match="no file or folder"):
        list(walk(tmp_path / "missing"))
    assert list(walk(tmp_path)) == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (".DS_Store", "macOS"),
        ("._report.docx", "macOS"),
        ("Thumbs.db", "Windows"),
        ("desktop.ini", "Windows"),
        ("~$report.docx", "lock file"),
        (".~lock.report.odt#", "lock file"),
        ("notes.txt~", "editor"),
        (".notes.txt.swp", "editor"),
        ("#notes.txt#", "editor"),
        ("film.mkv.part", "download"),
        ("report.pdf.crdownload", "download"),
    ],
)
def test_droppings_are_named_with_a_reason(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / name).write_text("x")
    assert reason in (found(tmp_path)[name].skip or "")


def test_hidden_files_are_read_and_hidden_folders_named(tmp_path: Path) -> None:
    (tmp_path / ".hidden.txt").write_text("x")
    (tmp_path / ".git" / "objects").mkdir(parents=True)
    (tmp_path / ".git" / "config").write_text("x")
    (tmp_path / ".git" / "objects" / "ab").write_text("x")
    files = found(tmp_path)
    assert files[".hidden.txt"].skip is None
    assert files[".git/config"].skip == files[".git/objects/ab"].skip == "in the hidden folder .git"


def test_a_hidden_folder_given_as_path_is_read(tmp_path: Path) -> None:
    (tmp_path / ".notes").mkdir()
    (tmp_path / ".notes" / "a.txt").write_text("x")
    assert found(tmp_path / ".notes")["a.txt"].skip is None


def test_empty_files_and_special_files(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    os.mkfifo(tmp_path / "pipe.txt")
    files = found(tmp_path)
    assert files["empty.txt"].skip == "empty"
    assert "not a regular file" in (files["pipe.txt"].skip or "")


def test_links_are_named_never_followed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "real.txt").write_text("x")
    (tmp_path / "outside.txt").write_text("secret")
    (root / "out.txt").symlink_to(tmp_path / "outside.txt")
    (root / "out-folder").symlink_to(tmp_path)
    (root / "in.txt").symlink_to("real.txt")
    (root / "gone.txt").symlink_to("missing")
    (root / "sub" / "loop").symlink_to("..")
    (root / "self").symlink_to("self")
    files = found(root)
    assert set(files) == {"real.txt", "out.txt", "out-folder", "in.txt", "gone.txt", "sub/loop", "self"}
    assert "leaves the folder" in (files["out.txt"].skip or "")
    assert "leaves the folder" in (files["out-folder"].skip or "")
    assert files["in.txt"].skip == "a link to real.txt, which is read where it is"
    assert "does not exist" in (files["gone.txt"].skip or "")
    assert "read where it is" in (files["sub/loop"].skip or "")
    assert files["self"].skip is not None
    assert files["real.txt"].skip is None


def test_a_link_into_a_hidden_folder_is_the_only_way_to_its_file(tmp_path: Path) -> None:
    (tmp_path / ".git" / "annex").mkdir(parents=True)
    (tmp_path / ".git" / "annex" / "key").write_text("content")
    (tmp_path / "paper.txt").symlink_to(".git/annex/key")
    paper = found(tmp_path)["paper.txt"]
    assert paper.skip is None
    assert paper.size == 7
    assert paper.path.read_text() == "content"


def test_a_linked_path_is_followed_when_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.txt").write_text("x")
    (tmp_path / "alias").symlink_to("real")
    assert found(tmp_path / "alias")["a.txt"].skip is None


@pytest.mark.parametrize(
    "name",
    [
        "【报告】(终稿)#1.txt",
        "a\nb.txt",
        "-rf.txt",
        "re\u0301sume\u0301.txt",
        "😀 & 'x' \"y\" <b>.txt",
        "trailing .txt",
        "..%2F..%2Fetc.txt",
        "a\\b.txt",
        "长" * 70 + ".txt",
    ],
)
def test_odd_names_stay_as_they_are(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("x")
    (file,) = walk(tmp_path)
    assert file.relative == name
    assert file.path.read_text() == "x"


def test_names_that_are_not_text_can_be_stored_and_still_open(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    with open(raw, "w") as file:
        file.write("x")
    (found_file,) = walk(tmp_path)
    assert found_file.relative == "caf\\xe9.txt"
    found_file.relative.encode("utf-8")
    assert found_file.path.read_text() == "x"


def test_two_names_that_print_alike_are_not_mixed_up(tmp_path: Path) -> None:
    for raw in (b"/caf\xe9.txt", b"/caf\\xe9.txt"):
        with open(os.fsencode(tmp_path) + raw, "w") as file:
            file.write("x")
    files = list(walk(tmp_path))
    assert len(files) == 2
    assert sum(file.skip is None for file in files) == 1


def test_printable_is_the_identity_for_text() -> None:
    assert printable("a\\b\n长.txt") == "a\\b\n长.txt"
    assert printable("a\\b\udce9") == "a\\\\b\\xe9"


def test_a_folder_named_like_a_file(tmp_path: Path) -> None:
    (tmp_path / "folder.pdf").mkdir()
    (tmp_path / "folder.pdf" / "inside.txt").write_text("x")
    assert list(found(tmp_path)) == ["folder.pdf/inside.txt"]
