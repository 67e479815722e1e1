"""The library mirrors the folder: whatever is done to the files, the next run makes it so, and says so."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import pytest

from ingest import reading
from ingest.progress import Progress
from ingest.sync import Report, recipe, run
from rag.errors import EmbedderChanged, LibraryBusy, LibraryError, NothingToWorkOn, UsageError
from rag.library import Library, writing
from rag.library.vectors.apart import publish_apart
from rag.library.verify import verify
from rag.settings import IngestSettings, Settings
from rag.text.words import words
from tests.ingest.sync.conftest import Folder, Ingest
from tests.rag.library.samples import WordEmbedder

PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)


def found(library: Library, word: str, collection: str = "default") -> set[str]:
    """Paths of the documents that hold the word."""
    hits = library.keyword([collection], words(word), 99)
    places = library.paths((hit.chunk_id for hit in hits), [collection])
    return {path for every in places.values() for _, path in every}


def in_step(settings: Settings) -> bool:
    with writing(settings) as writer:
        return verify(settings.home, writer.database) == []


def test_a_folder_is_ingested_and_found(
    ingest: Ingest, folder: Folder, library: Library, settings: Settings
) -> None:
    folder.write("a.txt", "The allowance is thirty days.")
    folder.write("子目录/制度.md", "# 年假\n\n员工每年享有三十天年假。")
    folder.write("page.html", "<html><body><p>Travel is booked by Ann.</p></body></html>")
    report = ingest()
    assert sorted(report.added) == ["a.txt", "page.html", "子目录/制度.md"]
    assert (report.updated, report.removed, report.skipped, report.failed) == ([], [], [], [])
    assert (report.documents, report.unchanged) == (3, 0)
    assert found(library, "allowance") == {"a.txt"}
    assert found(library, "三十天") == {"子目录/制度.md"}
    assert report.chunks == library.collections()[0].chunks == report.embedded
    assert in_step(settings)


def test_nothing_is_read_or_embedded_twice(
    ingest: Ingest, folder: Folder, embedder: WordEmbedder, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        folder.write(f"{number}.txt", f"document number {number}")
    folder.write("picture.txt", PNG)
    first = ingest()
    generation, embedded = library.generation, embedder.embedded
    monkeypatch.setattr(reading, "WORKER", "no.such.worker")  # reading anything would fail
    second = ingest()
    assert (second.unchanged, second.added, second.updated, second.removed) == (5, [], [], [])
    assert second.skipped == first.skipped
    assert second.failed == []
    assert (library.generation, embedder.embedded) == (generation, embedded)


def test_every_file_is_in_exactly_one_list(ingest: Ingest, folder: Folder) -> None:
    folder.write("good.txt", "text")
    folder.write("picture.txt", PNG)
    folder.write("empty.txt", "")
    folder.write("damaged.pdf", b"%PDF-1.7\nnothing that a reader could use")
    (folder.path / "link").symlink_to("/etc/hostname")
    for _ in range(2):
        report = ingest()
        named = [
            *report.added,
            *report.updated,
            *(path for path, _ in report.skipped),
            *(path for path, _ in report.failed),
        ]
        assert len(named) == len(set(named)) == 5 - report.unchanged
        assert all(reason for _, reason in [*report.skipped, *report.failed])


def test_a_changed_file_is_replaced_and_only_its_changed_parts_are_embedded(
    ingest: Ingest, folder: Folder, library: Library, embedder: WordEmbedder, settings: Settings
) -> None:
    sections = [f"# Section {number}\n\n" + f"word{number} " * 250 for number in range(6)]
    folder.write("a.md", "\n\n".join(sections))
    first = ingest()
    sections[3] = "# Section 3\n\n" + "replacement " * 250
    folder.write("a.md", "\n\n".join(sections))
    second = ingest()
    assert second.updated == ["a.md"]
    assert 0 < second.embedded < first.embedded / 2
    assert found(library, "word3") == set()
    assert found(library, "replacement") == {"a.md"}
    assert in_step(settings)


def test_new_content_under_an_old_time_and_size_is_noticed(
    ingest: Ingest, folder: Folder, library: Library
) -> None:
    path = folder.write("a.txt", "limit 250")
    ingest()
    about = path.stat()
    path.write_text("limit 400")
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert ingest().updated == ["a.txt"]
    assert found(library, "400")
    assert not found(library, "250")


def test_a_touched_file_is_unchanged(ingest: Ingest, folder: Folder, library: Library) -> None:
    folder.write("a.txt", "same")
    ingest()
    generation = library.generation
    folder.write("a.txt", "same")
    report = ingest()
    assert (report.unchanged, report.updated, report.embedded) == (1, [], 0)
    assert library.generation == generation


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


def test_a_file_that_turns_bad_stops_answering_and_comes_back(
    ingest: Ingest, folder: Folder, library: Library
) -> None:
    folder.write("a.txt", "apple")
    ingest()
    folder.write("a.txt", PNG)
    report = ingest()
    assert [path for path, _ in report.skipped] == ["a.txt"]
    assert not found(library, "apple")
    folder.write("a.txt", "apple")
    assert ingest().added == ["a.txt"]
    assert found(library, "apple")


def test_a_new_reader_version_tries_again_and_reads_again(
    ingest: Ingest, folder: Folder, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("a.txt", "apple")
    folder.write("b.txt", PNG)
    ingest()
    monkeypatch.setattr(recipe, "READING", recipe.READING + 1)
    report = ingest()
    assert report.updated == ["a.txt"]
    assert report.embedded == 0  # its text is the same
    assert [path for path, _ in report.skipped] == ["b.txt"]
    assert ingest().unchanged == 1


def test_another_chunk_size_cuts_again(settings: Settings, ingest: Ingest, folder: Folder) -> None:
    from ingest.sync import run

    folder.write("a.txt", "Some words make a sentence. " * 60)
    first = ingest()
    smaller = settings.model_copy(update={"ingest": IngestSettings(chunk_tokens=32)})
    second = run(smaller, [folder.path], embedder=WordEmbedder())
    assert second.updated == ["a.txt"]
    assert second.chunks > first.chunks


def test_a_deadly_file_is_set_aside_after_three_tries(
    ingest: Ingest, folder: Folder, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "WORKER", "tests.ingest.deadly_worker")
    folder.write("bad.txt", "CRASH")
    folder.write("twin.txt", "CRASH")
    folder.write("shaky.txt", "CRASH-ONCE and then it is fine")
    for number in range(8):
        folder.write(f"{number}.txt", f"good {number}")
    report = ingest()
    assert len(report.added) == 9
    assert found(library, "shaky") or found(library, "fine") == {"shaky.txt"}
    assert [path for path, _ in sorted(report.failed)] == ["bad.txt", "twin.txt"]
    assert "set aside after 3 tries" in dict(report.failed)["bad.txt"]
    monkeypatch.setattr(reading, "WORKER", "no.such.worker")
    assert [path for path, _ in ingest().failed] == ["bad.txt", "twin.txt"]
    monkeypatch.setattr(reading, "WORKER", "tests.ingest.deadly_worker")
    folder.write("bad.txt", "healed")
    assert ingest().added == ["bad.txt"]


def test_a_file_that_is_stopped_gets_one_try_a_run(
    settings: Settings, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ingest.sync import run

    monkeypatch.setattr(reading, "WORKER", "tests.ingest.deadly_worker")
    hasty = settings.model_copy(update={"ingest": IngestSettings(file_timeout_s=0.6)})
    folder.write("slow.txt", "HANG")
    seen = []
    for _ in range(4):
        report = run(hasty, [folder.path], embedder=WordEmbedder())
        seen.append(dict(report.failed)["slow.txt"])
    assert "set aside" not in seen[1]
    assert "set aside after 3 tries" in seen[2]
    assert seen[3] == seen[2]


def test_locked_files_are_tried_again_with_a_password(ingest: Ingest, folder: Folder) -> None:
    from io import BytesIO

    from pypdf import PdfWriter
    from reportlab.pdfgen.canvas import Canvas

    plain = BytesIO()
    canvas = Canvas(plain)
    canvas.drawString(72, 720, "The secret allowance is forty days.")
    canvas.save()
    writer = PdfWriter(clone_from=BytesIO(plain.getvalue()))
    writer.encrypt("sesame", algorithm="AES-256")
    locked = BytesIO()
    writer.write(locked)
    folder.write("locked.pdf", locked.getvalue())
    assert [path for path, _ in ingest().skipped] == ["locked.pdf"]
    assert [path for path, _ in ingest(passwords=["wrong"]).skipped] == ["locked.pdf"]
    assert ingest(passwords=["wrong", "sesame"]).added == ["locked.pdf"]
    assert ingest().unchanged == 1


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
    from ingest.sync import run

    with pytest.raises(UsageError):
        run(settings, [])


def test_an_empty_folder_makes_no_collection(ingest: Ingest, library: Library) -> None:
    report = ingest(collection="new")
    assert report.empty
    assert [info.name for info in library.collections()] == ["default"]


def test_another_embedder_is_refused_with_the_way_out(ingest: Ingest, folder: Folder) -> None:
    folder.write("a.txt", "apple")
    ingest()
    folder.write("b.txt", "pear")
    with pytest.raises(EmbedderChanged, match="--rebuild"):
        ingest(embedder=WordEmbedder(16))
    assert ingest().added == ["b.txt"]


def test_an_empty_library_takes_any_embedder(ingest: Ingest, folder: Folder, settings: Settings) -> None:
    path = folder.write("a.txt", "apple")
    ingest()
    path.unlink()
    ingest()
    folder.write("a.txt", "apple")
    assert ingest(embedder=WordEmbedder(16)).added == ["a.txt"]
    assert in_step(settings)


def test_two_ingests_at_once_second_one_is_refused(
    ingest: Ingest, folder: Folder, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rag.library import writer

    monkeypatch.setattr(writer, "WAIT_S", 0.1)
    folder.write("a.txt", "apple")
    with writing(settings), pytest.raises(LibraryBusy, match=str(os.getpid())):
        ingest()
    assert ingest().added == ["a.txt"]


def test_cancelling_stops_and_the_next_run_goes_on(
    ingest: Ingest, folder: Folder, library: Library, settings: Settings
) -> None:
    files = 120  # more than the first two windows of the embedding take
    for number in range(files):
        folder.write(f"{number}.txt", f"document {number} " + f"word{number} " * 30)
    cancel = threading.Event()

    class CancelledInTheSecondWindow(WordEmbedder):
        windows = 0

        def embed_passages(self, texts, progress=None):  # type: ignore[no-untyped-def]
            self.windows += 1
            if self.windows == 2:
                cancel.set()
            return super().embed_passages(texts, progress)

    first = ingest(embedder=CancelledInTheSecondWindow(), cancel=cancel)
    assert first.interrupted
    assert 0 < len(first.added) < files
    states = {info.state for info in library.files()}
    assert states == {"live", "seen"}
    second = ingest()
    assert not second.interrupted
    assert len(second.added) == files - len(first.added)
    assert second.unchanged == len(first.added)
    assert in_step(settings)


@pytest.mark.parametrize("how", ["cancel", "ctrl-c"])
def test_the_last_step_can_be_stopped_too(
    settings: Settings, folder: Folder, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """While the vector index is written: the old one stays, searches are right, the next run writes it."""
    monkeypatch.setattr("rag.library.writer.publish_apart", publish_apart)
    folder.write("a.txt", "alpha")
    cancel = threading.Event()

    def stop(progress: Progress) -> None:
        if progress.phase == "indexing":
            if how == "ctrl-c":
                raise KeyboardInterrupt
            cancel.set()

    report = run(settings, [folder.path], embedder=WordEmbedder(), cancel=cancel, progress=stop)
    assert report.interrupted
    assert report.added == ["a.txt"]
    assert not [path for path in (settings.home / "chroma").glob("*") if path.is_dir()][1:]
    again = run(settings, [folder.path], embedder=WordEmbedder())
    assert (again.unchanged, again.interrupted) == (1, False)
    assert in_step(settings)


def test_an_error_of_the_embedder_ends_the_run_and_loses_nothing(
    ingest: Ingest, folder: Folder, settings: Settings
) -> None:
    class Failing(WordEmbedder):
        def embed_passages(self, texts, progress=None):  # type: ignore[no-untyped-def]
            if any("poison" in text for text in texts):
                raise LibraryError("the embedder broke")
            return super().embed_passages(texts, progress)

    for number in range(6):
        folder.write(f"{number}.txt", f"fine {number}")
    ingest(embedder=Failing())
    folder.write("bad.txt", "poison")
    with pytest.raises(LibraryError, match="broke"):
        ingest(embedder=Failing())
    assert ingest().added == ["bad.txt"]
    assert in_step(settings)


def test_progress_counts_up_to_the_end(ingest: Ingest, folder: Folder) -> None:
    for number in range(12):
        folder.write(f"{number}.txt", f"document {number}")
    seen: list[Progress] = []
    ingest(progress=seen.append)
    last = seen[-1]
    assert last.phase == "done"
    assert (last.files, last.files_done, last.pages, last.chunks) == (12, 12, 12, 12)
    assert last.share == 1
    assert [progress.files_done for progress in seen] == sorted(progress.files_done for progress in seen)


def test_pages_without_text_are_reported_again_and_again(ingest: Ingest, folder: Folder) -> None:
    from io import BytesIO

    from reportlab.pdfgen.canvas import Canvas

    made = BytesIO()
    canvas = Canvas(made)
    canvas.drawString(72, 720, "The first page has text on it, a whole sentence.")
    canvas.showPage()
    canvas.rect(72, 72, 200, 200, fill=1)
    canvas.showPage()
    canvas.drawString(72, 720, "The third page has text as well, another sentence.")
    canvas.save()
    folder.write("mixed.pdf", made.getvalue())
    for _ in range(2):
        assert ingest().pages_without_text == [("mixed.pdf", [2])]


def test_a_name_that_is_no_text_is_ingested(ingest: Ingest, folder: Folder, library: Library) -> None:
    name = os.fsdecode(os.fsencode(str(folder.path)) + b"/caf\xe9.txt")
    Path(name).write_text("espresso")
    report = ingest()
    assert len(report.added) == 1
    assert found(library, "espresso") == set(report.added)
    report.added[0].encode()
    assert str(library.files()[0].absolute) == name
    assert ingest().unchanged == 1


def test_the_report_has_the_words_of_the_contract() -> None:
    report = Report(
        added=["b", "a"], skipped=[("x", "why")], pages_without_text=[("a", [1, 2])], seconds=1.23456
    )
    assert report.as_json() == {
        "added": ["a", "b"],
        "updated": [],
        "unchanged": 0,
        "removed": [],
        "skipped": [{"path": "x", "reason": "why"}],
        "failed": [],
        "pages_without_text": [{"path": "a", "pages": [1, 2]}],
        "documents": 0,
        "chunks": 0,
        "seconds": 1.235,
    }
