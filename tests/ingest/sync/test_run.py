"""The library mirrors the folder: whatever is done to the files, the next run makes it so, and says so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ingest import reading
from ingest.progress import Progress
from ingest.sync import Report, recipe, run
from rag.library import Library
from rag.settings import IngestSettings, Settings
from tests.ingest.sync.checks import PNG, found, in_step
from tests.ingest.sync.conftest import Folder, Ingest
from tests.rag.library.samples import WordEmbedder


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

    folder.write("a.txt", "Some words make a sentence. " * 60)
    first = ingest()
    smaller = settings.model_copy(update={"ingest": IngestSettings(chunk_tokens=32)})
    second = run(smaller, [folder.path], embedder=WordEmbedder())
    assert second.updated == ["a.txt"]
    assert second.chunks > first.chunks


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
