"""Files that go, move, are equal, or come from several paths."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from ingest.sync import run
from rag.errors import NothingToWorkOn, UsageError
from rag.library import Library
from rag.settings import Settings
from tests.ingest.sync.checks import PNG, found, in_step
from tests.ingest.sync.conftest import Folder, Ingest
from tests.rag.library.samples import WordEmbedder


def test_vanished_files_are_removed_unless_they_are_to_be_kept(
    ingest: Ingest, folder: Folder, library: Library, settings: Settings
) -> None:
    folder.write("a.txt", "apple")
    folder.write("b.txt", "pear")
    ingest()
    (folder.path / "a.txt").unlink()
    kept = ingest(keep_missing=True)
    assert (kept.removed, kept.unchanged) == ([], 1)
    assert found(library, "apple")
    gone = ingest()
    assert gone.removed == ["a.txt"]
    assert not found(library, "apple")
    assert in_step(settings)
    (folder.path / "b.txt").unlink()
    assert ingest().removed == ["b.txt"]
    assert ingest().empty


def test_what_came_from_other_paths_stays(ingest: Ingest, tmp_path: Path, library: Library) -> None:
    one, two = Folder(tmp_path / "one"), Folder(tmp_path / "two")
    one.write("a.txt", "apple")
    two.write("a.txt", "pear")
    ingest(one.path)
    assert ingest(two.path).removed == []
    (one.path / "a.txt").unlink()
    one.write("b.txt", "plum")
    assert ingest(one.path).removed == ["a.txt"]
    assert found(library, "pear") == {"a.txt"}


def test_a_subfolder_and_its_parent_are_the_same_files(
    ingest: Ingest, folder: Folder, library: Library
) -> None:
    folder.write("sub/a.txt", "apple")
    folder.write("b.txt", "pear")
    ingest(folder.path / "sub")
    assert found(library, "apple") == {"a.txt"}
    whole = ingest()
    assert (whole.added, whole.unchanged) == (["b.txt"], 1)
    assert found(library, "apple") == {"sub/a.txt"}
    (folder.path / "sub/a.txt").unlink()
    assert ingest(folder.path / "sub", folder.path).removed == ["sub/a.txt"]
    single = ingest(folder.path / "b.txt")
    assert (single.unchanged, single.removed) == (1, [])


def test_a_moved_file_is_not_embedded_again(
    ingest: Ingest, folder: Folder, library: Library, embedder: WordEmbedder, settings: Settings
) -> None:
    folder.write("a.txt", "apple")
    ingest()
    chunks = set(library.chunks(range(99)))
    (folder.path / "new").mkdir()
    (folder.path / "a.txt").rename(folder.path / "new/b.txt")
    report = ingest()
    assert (report.added, report.removed, report.embedded) == (["new/b.txt"], ["a.txt"], 0)
    assert found(library, "apple") == {"new/b.txt"}
    assert set(library.chunks(range(99))) == chunks
    assert in_step(settings)


def test_equal_files_are_stored_once_and_listed_each(
    ingest: Ingest, folder: Folder, library: Library, settings: Settings
) -> None:
    for name in ("a.txt", "b.txt", "c/d.txt"):
        folder.write(name, "the same bytes")
    report = ingest()
    assert sorted(report.added) == ["a.txt", "b.txt", "c/d.txt"]
    assert (report.documents, report.embedded) == (1, 1)
    assert found(library, "bytes") == {"a.txt", "b.txt", "c/d.txt"}
    assert len(library.keyword(["default"], ["bytes"], 9)) == 1
    (folder.path / "a.txt").unlink()
    ingest()
    assert found(library, "bytes") == {"b.txt", "c/d.txt"}
    assert in_step(settings)


def test_equal_files_that_give_nothing_are_each_named(ingest: Ingest, folder: Folder) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        folder.write(name, PNG)
    report = ingest()
    assert sorted(path for path, _ in report.skipped) == ["a.txt", "b.txt", "c.txt"]


def test_files_that_swap_their_contents(ingest: Ingest, folder: Folder, library: Library) -> None:
    folder.write("a.txt", "apple")
    folder.write("b.txt", "pear")
    ingest()
    folder.write("a.txt", "pear")
    folder.write("b.txt", "apple")
    assert sorted(ingest().updated) == ["a.txt", "b.txt"]
    assert found(library, "apple") == {"b.txt"}
    assert found(library, "pear") == {"a.txt"}


def test_a_second_collection_shares_what_is_stored(
    ingest: Ingest, folder: Folder, library: Library, settings: Settings
) -> None:
    folder.write("a.txt", "apple")
    ingest()
    report = ingest(collection="人事")
    assert (report.added, report.embedded) == (["a.txt"], 0)
    assert found(library, "apple", "人事") == {"a.txt"}
    (folder.path / "a.txt").unlink()
    folder.write("b.txt", "pear")
    ingest()
    assert found(library, "apple") == set()
    assert found(library, "apple", "人事") == {"a.txt"}
    assert in_step(settings)


def test_a_folder_that_cannot_be_listed_loses_nothing(
    ingest: Ingest, folder: Folder, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("open/a.txt", "apple")
    folder.write("closed/b.txt", "pear")
    ingest()
    scandir = os.scandir

    def refusing(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)  # root may list everything
    report = ingest()
    assert report.removed == []
    assert [path for path, _ in report.skipped] == ["closed"]
    assert found(library, "pear")
    monkeypatch.undo()
    report = ingest()
    assert (report.unchanged, report.skipped, report.removed) == (2, [], [])


def test_a_path_that_does_not_exist_changes_nothing(ingest: Ingest, folder: Folder, library: Library) -> None:
    folder.write("a.txt", "apple")
    ingest()
    shutil.move(folder.path, folder.path.with_name("elsewhere"))
    with pytest.raises(NothingToWorkOn, match="no file or folder"):
        ingest()
    assert found(library, "apple")


def test_nothing_given_is_wrong_usage(settings: Settings) -> None:

    with pytest.raises(UsageError):
        run(settings, [])


def test_an_empty_folder_makes_no_collection(ingest: Ingest, library: Library) -> None:
    report = ingest(collection="new")
    assert report.empty
    assert [info.name for info in library.collections()] == ["default"]
