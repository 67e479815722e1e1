"""The dense leg is right, whatever state the published index is in, and whoever else is at work."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rag.errors import LibraryError
from rag.library import Library, LibraryWriter
from rag.library.vectors import publish as publishing
from rag.library.vectors.published import Published, published
from rag.library.verify import verify
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder, document, put
from tests.rag.library.vectors.checks import QUESTION, close, exact, fill, folder, question


def damage_index(path: Path) -> None:
    (victim,) = path.rglob("data_level0.bin")
    data = bytearray(victim.read_bytes())
    data[100:2000] = b"\xff" * 1900
    victim.write_bytes(data)


def damage_database(path: Path) -> None:
    database = path / "chroma.sqlite3"
    database.write_bytes(b"garbage!" * 64 + database.read_bytes()[512:])


def cut_database(path: Path) -> None:
    database = path / "chroma.sqlite3"
    database.write_bytes(database.read_bytes()[:20_000])


def remove_index(path: Path) -> None:
    (victim,) = path.rglob("link_lists.bin")
    shutil.rmtree(victim.parent)


@pytest.mark.parametrize(
    "harm",
    [damage_index, damage_database, cut_database, remove_index, shutil.rmtree],
    ids=lambda harm: harm.__name__,
)
def test_a_damaged_index_costs_no_answer_and_is_built_anew(
    settings: Settings, library: Library, embedder: WordEmbedder, harm: object
) -> None:
    from rag.library import writing

    with writing(settings) as writer:
        fill(writer, embedder, 0, 20)
        writer.publish()
        harmed = folder(writer, settings)
        harm(harmed)  # type: ignore[operator]
        problems = verify(settings.home, writer.database)
        assert problems
        assert {problem.where for problem in problems} == {"vectors"}
    assert close(library.dense(["default"], question(embedder), 10), exact(library, embedder, 10))
    assert library.warm() == ""  # it noticed, built the index anew and opened that
    assert close(library.dense(["default"], question(embedder), 10), exact(library, embedder, 10))
    with writing(settings) as writer:
        assert folder(writer, settings) != harmed
        assert verify(settings.home, writer.database) == []


def test_a_writer_mends_a_damaged_index_too(
    writer: LibraryWriter, embedder: WordEmbedder, settings: Settings
) -> None:
    fill(writer, embedder, 0, 20)
    writer.publish()
    damage_index(folder(writer, settings))
    put(writer, embedder, "new.txt", document("one more"))
    writer.publish()
    assert verify(settings.home, writer.database) == []


def test_a_collection_of_one_passage_is_not_taken_for_damaged(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder, settings: Settings
) -> None:
    fill(writer, embedder, 0, 3)
    writer.create_collection("alone")
    put(writer, embedder, "alone.txt", document("alone: " + QUESTION), collection="alone")
    writer.publish()
    assert library.warm() == ""
    library.close()
    # Opening makes files for a collection whose index was never written; what they hold is chance.
    unwritten = [
        file
        for file in folder(writer, settings).rglob("*.bin")
        if not file.with_name("index_metadata.pickle").exists()
    ]
    assert unwritten
    for number, file in enumerate(unwritten):
        file.write_bytes(bytes([number + 1]) * file.stat().st_size)
    assert verify(settings.home, writer.database) == []
    assert library.warm() == ""
    (hit,) = library.dense(["alone"], question(embedder), 5)
    assert hit.score > 0.5


def test_a_full_disk_leaves_the_old_index_in_use(
    writer: LibraryWriter,
    library: Library,
    embedder: WordEmbedder,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fill(writer, embedder, 0, 20)
    writer.publish()
    before = folder(writer, settings)
    put(writer, embedder, "new.txt", document(QUESTION))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(publishing.shutil, "copytree", full)
        with pytest.raises(LibraryError, match="No space left"):
            writer.publish()
    assert folder(writer, settings) == before
    assert len(list((settings.home / "chroma").iterdir())) == 1
    library.warm()
    hits = library.dense(["default"], question(embedder), 1)
    assert library.chunks([hits[0].chunk_id])[hits[0].chunk_id].text == QUESTION
    writer.publish()
    assert verify(settings.home, writer.database) == []


def test_threads_search_while_the_library_changes(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    fill(writer, embedder, 0, 10)
    writer.publish()
    library.warm()
    stop = threading.Event()
    problems: list[BaseException] = []

    def ask() -> None:
        try:
            while not stop.is_set():
                hits = library.dense(["default"], question(embedder), 10)
                assert len(hits) == 10
                assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        except BaseException as error:  # noqa: BLE001 - handed to the main thread
            problems.append(error)
        finally:
            library._database.close()

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for round_ in range(6):
        fill(writer, embedder, 10 + round_, 11 + round_)
        if round_ % 2:
            writer.publish()
    stop.set()
    for thread in threads:
        thread.join()
    assert problems == []


def test_another_process_sees_the_commit(
    writer: LibraryWriter, embedder: WordEmbedder, settings: Settings
) -> None:
    """A reader that opened Chroma before the change, in a process of its own."""
    fill(writer, embedder, 0, 5)
    writer.publish()
    script = """
import sys
from pathlib import Path
from rag import settings
from rag.library import Library
from rag.library.vectors import search
from tests.rag.library.samples import WordEmbedder
search.EXACT_UP_TO = 0
library = Library.open(settings.load(home=Path(sys.argv[1])))
vector = WordEmbedder().embed_queries([sys.argv[2]])[0]
assert library.warm() == ""
for _ in sys.stdin:
    best = library.dense(["default"], vector, 1)[0]
    print(library.chunks([best.chunk_id])[best.chunk_id].text, flush=True)
library.close()
"""
    with subprocess.Popen(
        [sys.executable, "-c", script, str(settings.home), QUESTION],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout

        def ask() -> str:
            process.stdin.write("\n")  # type: ignore[union-attr]
            process.stdin.flush()  # type: ignore[union-attr]
            return process.stdout.readline().strip()  # type: ignore[union-attr]

        assert ask().startswith("holiday number")
        put(writer, embedder, "new.txt", document(QUESTION))
        assert ask() == QUESTION
        writer.publish()
        assert ask() == QUESTION
        writer.remove("default", ["/docs/new.txt"])
        assert ask().startswith("holiday number")
        process.stdin.close()
        assert process.wait() == 0


def test_what_is_published_is_named_whole_or_not_at_all(
    writer: LibraryWriter, embedder: WordEmbedder
) -> None:
    fill(writer, embedder, 0, 2)
    writer.publish()
    index = published(writer.database.connection())
    assert isinstance(index, Published)
    assert index.generation > 0
    assert any(name.endswith("data_level0.bin") for name in index.seal)
