"""Bad files, other embedders, interruptions: nothing is lost, and the next run goes on."""

from __future__ import annotations

import os
import threading

import pytest

from ingest import reading
from ingest.progress import Progress
from ingest.sync import run
from rag.errors import EmbedderChanged, LibraryBusy, LibraryError
from rag.library import Library, writing
from rag.library.vectors.apart import publish_apart
from rag.settings import IngestSettings, Settings
from tests.ingest.sync.checks import PNG, found, in_step
from tests.ingest.sync.conftest import Folder, Ingest
from tests.rag.library.samples import WordEmbedder


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
    assert [path for path, _ in sorted(ingest().failed)] == ["bad.txt", "twin.txt"]
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
