"""The dense leg with real Chroma: always right, whatever state the published index is in."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from rag.embedding.protocol import Vectors
from rag.errors import LibraryError
from rag.library import Hit, Library, LibraryWriter
from rag.library.vectors import publish as publishing
from rag.library.vectors import search
from rag.library.vectors.chroma import ChromaFolder
from rag.library.vectors.published import Published, published
from rag.library.verify import verify
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder, document, put

QUESTION = "holiday allowance of the engineers"


@pytest.fixture(autouse=True)
def chroma_for_small_collections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "EXACT_UP_TO", 0)


def question(embedder: WordEmbedder) -> Vectors:
    return embedder.embed_queries([QUESTION])[0]


def exact(library: Library, embedder: WordEmbedder, limit: int) -> list[Hit]:
    """The right answer, from the manifest alone."""
    with closing(Library(library._settings)) as cold:
        return cold.dense(["default"], question(embedder), limit)


def fill(writer: LibraryWriter, embedder: WordEmbedder, first: int, last: int) -> None:
    for number in range(first, last):
        lines = "\n".join(
            f"holiday number {number} line {line} allowance {line * number}" for line in range(5)
        )
        put(writer, embedder, f"{number}.txt", document(lines))


def folder(writer: LibraryWriter, settings: Settings) -> Path:
    index = published(writer.database.connection())
    assert index is not None
    return index.path(settings.home)


def chroma_ids(writer: LibraryWriter, settings: Settings) -> set[int]:
    with closing(ChromaFolder(folder(writer, settings))) as chroma:
        return set().union(*(chroma.ids(number) for number in chroma.collections()))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The collections that Chroma was asked about, so that a test can tell which way an answer came."""
    calls: list[int] = []
    nearest = ChromaFolder.nearest

    def noting(self: ChromaFolder, collection: int, vector: Vectors, limit: int) -> list[tuple[int, float]]:
        calls.append(collection)
        return nearest(self, collection, vector, limit)

    monkeypatch.setattr(ChromaFolder, "nearest", noting)
    return calls


def close(first: list[Hit], second: list[Hit]) -> bool:
    return [hit.chunk_id for hit in first] == [hit.chunk_id for hit in second] and bool(
        np.allclose([hit.score for hit in first], [hit.score for hit in second], atol=1e-5)
    )


def test_chroma_finds_what_exact_comparison_finds(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder, settings: Settings, asked: list[int]
) -> None:
    fill(writer, embedder, 0, 30)
    writer.publish()
    assert library.warm() == ""
    hits = library.dense(["default"], question(embedder), 10)
    assert asked == [1]
    assert close(hits, exact(library, embedder, 10))
    assert len(chroma_ids(writer, settings)) == 150
    assert verify(settings.home, writer.database) == []


def test_an_open_reader_sees_later_commits_at_once(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder, asked: list[int]
) -> None:
    fill(writer, embedder, 0, 20)
    writer.publish()
    library.warm()
    put(writer, embedder, "new.txt", document(QUESTION))
    best = library.dense(["default"], question(embedder), 5)
    assert asked
    assert library.chunks([best[0].chunk_id])[best[0].chunk_id].text == QUESTION
    assert best[0].score > 0.9
    writer.remove("default", ["/docs/new.txt"])
    assert close(library.dense(["default"], question(embedder), 5), exact(library, embedder, 5))


def test_removed_chunks_are_never_returned_and_others_take_their_place(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder, asked: list[int]
) -> None:
    fill(writer, embedder, 0, 20)
    writer.publish()
    library.warm()
    writer.remove("default", [f"/docs/{number}.txt" for number in range(15)])
    hits = library.dense(["default"], question(embedder), 20)
    assert asked
    assert len(hits) == 20
    assert library.chunks(hit.chunk_id for hit in hits).keys() == {hit.chunk_id for hit in hits}
    assert close(hits, exact(library, embedder, 20))


def test_publishing_again_adjusts_a_copy(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder, settings: Settings
) -> None:
    fill(writer, embedder, 0, 20)
    writer.publish()
    first = folder(writer, settings)
    before = chroma_ids(writer, settings)
    writer.publish()
    assert folder(writer, settings) == first
    put(writer, embedder, "0.txt", document("changed"))
    writer.publish()
    second = folder(writer, settings)
    assert second != first
    assert first.is_dir()  # readers may have it open
    now = chroma_ids(writer, settings)
    assert len(before - now) == 5
    assert len(now - before) == 1
    library.warm()
    assert close(library.dense(["default"], question(embedder), 10), exact(library, embedder, 10))
    put(writer, embedder, "1.txt", document("changed too"))
    writer.publish()
    assert not first.exists()
    assert verify(settings.home, writer.database) == []


def test_after_many_deletions_nothing_of_them_is_left(
    writer: LibraryWriter, embedder: WordEmbedder, settings: Settings
) -> None:
    fill(writer, embedder, 0, 20)
    writer.publish()
    writer.remove("default", [f"/docs/{number}.txt" for number in range(20)])
    writer.publish()
    assert chroma_ids(writer, settings) == set()
    assert verify(settings.home, writer.database) == []


def test_collections_with_chinese_names_have_their_own_index(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder, settings: Settings, asked: list[int]
) -> None:
    writer.create_collection("人事 档案")
    fill(writer, embedder, 0, 5)
    put(writer, embedder, "secret.txt", document(QUESTION), collection="人事 档案")
    writer.publish()
    library.warm()
    only = library.dense(["人事 档案"], question(embedder), 10)
    assert len(only) == 1
    assert only[0].chunk_id not in {
        hit.chunk_id for hit in library.dense(["default"], question(embedder), 99)
    }
    assert len(library.dense(["default", "人事 档案"], question(embedder), 99)) == 26
    assert asked == [2, 1, 1, 2]
    writer.remove_collection("人事 档案")
    writer.publish()
    with closing(ChromaFolder(folder(writer, settings))) as chroma:
        assert chroma.collections() == {1}


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
