"""The keyword leg against SQLite's own ranking and against BM25 written out, while a library changes."""

from __future__ import annotations

import math
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from rag.library import Library, LibraryWriter, bm25, keywords, writing
from rag.library.migrations import migrate, recreate_keywords
from rag.library.postings import KeywordReader
from rag.library.storing import next_generation
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder, document, put

ALPHABET = ["a", "b", "c", "d'", "e-f", "年假", "假期", '"', "lease", "x1"]
CHUNK = st.lists(st.sampled_from(ALPHABET), max_size=9)
CHANGE = st.one_of(
    st.tuples(st.just("add"), st.lists(CHUNK, min_size=1, max_size=4)),
    st.tuples(st.just("remove"), st.integers(0, 9)),
    st.tuples(st.just("make anew"), st.just(0)),
)
LIMIT = 5


class Small:
    """A library in memory with one chunk a document; those with an even number are in `default` alone,
    the others in `other` too or alone."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        migrate(self.connection)
        self.connection.execute("INSERT INTO collections (name, created) VALUES ('other', 0)")
        self.texts: dict[int, list[str]] = {}
        self._next = 0

    def add(self, texts: Sequence[list[str]]) -> None:
        for text in texts:
            self._next += 1
            number = self._next
            self.connection.execute(
                "INSERT INTO documents (id, sha256, kind, headings, pages_without_text, recipe, page_count, "
                "chunk_count) VALUES (?, ?, 'text', '[]', '[]', '', 0, 1)",
                (number, str(number)),
            )
            for collection in self.collections_of(number):
                self.connection.execute("INSERT INTO members VALUES (?, ?, 1)", (collection, number))
            self.connection.execute(
                "INSERT INTO chunks (id, document, ordinal, start, end, tokens, pages, heading, digest, text)"
                " VALUES (?, ?, 0, 0, 0, 0, '[]', '[]', x'', '')",
                (number, number),
            )
            keywords.add(self.connection, [(number, " ".join(text))])
            self.texts[number] = text
        next_generation(self.connection)

    def remove(self, place: int) -> None:
        if place < len(self.texts):
            number = list(self.texts)[place]
            keywords.remove(self.connection, [number])
            self.connection.execute("DELETE FROM members WHERE document = ?", (number,))
            self.connection.execute("DELETE FROM chunks WHERE id = ?", (number,))
            del self.texts[number]
            next_generation(self.connection)

    def make_anew(self) -> None:
        """With other words for the same numbers, as a new way of indexing has."""
        recreate_keywords(self.connection)
        keywords.note_made(self.connection)
        self.texts = {number: [*text, "a"] for number, text in self.texts.items()}
        keywords.add(self.connection, [(number, " ".join(text)) for number, text in self.texts.items()])

    def collections_of(self, number: int) -> list[int]:
        return {0: [1], 1: [1, 2], 2: [1], 3: [2]}[number % 4]

    def expected(self, words: Sequence[str], numbers: set[int]) -> list[tuple[int, float]]:
        """BM25 written out; all chunks count, only those of `numbers` are given."""
        total = len(self.texts)
        mean = sum(map(len, self.texts.values())) / total if total else 0
        scores = {}
        for number, text in self.texts.items():
            score = 0.0
            for word in dict.fromkeys(words):
                count = text.count(word)
                holding = sum(word in other for other in self.texts.values())
                idf = max(math.log((total - holding + 0.5) / (holding + 0.5)), 1e-6)
                if count:
                    score += idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len(text) / mean))
            if score and number in numbers:
                scores[number] = score
        return sorted(scores.items(), key=lambda item: (-round(item[1], 9), item[0]))


def same(found: Sequence[tuple[int, float]], expected: Sequence[tuple[int, float]]) -> bool:
    """The same scores in the same order, and each chunk's its own; equal ones may change places."""
    exact = dict(expected)
    best = [score for _, score in expected[: len(found)]]
    return [score for _, score in found] == pytest.approx(best) and all(
        exact[number] == pytest.approx(score) for number, score in found
    )


@trials(max_examples=50)
@given(st.lists(CHANGE, min_size=1, max_size=6), st.lists(st.sampled_from(ALPHABET), min_size=1, max_size=4))
def test_it_ranks_as_sqlite_and_as_the_formula_whatever_changed(
    changes: list[tuple[str, object]], words: list[str]
) -> None:
    small, reader = Small(), KeywordReader()
    with closing(small.connection) as connection:
        for kind, value in changes:
            if kind == "add":
                small.add(value)  # type: ignore[arg-type]
            elif kind == "remove":
                small.remove(value)  # type: ignore[arg-type]
            else:
                small.make_anew()
            for names, numbers, documents in (
                (["default", "other"], set(small.texts), None),
                (["other"], {n for n in small.texts if 2 in small.collections_of(n)}, None),
                (["default"], {n for n in small.texts if n in (1, 2, 4, 5) and n % 4 != 3}, [1, 2, 3, 4, 5]),
            ):
                hits = keywords.search(connection, reader, names, words, LIMIT, documents)
                expected = small.expected(words, numbers)
                assert len(hits) == min(LIMIT, len(expected))
                assert same([(hit.chunk_id, hit.score) for hit in hits], expected)
            query = " OR ".join('"' + word.replace('"', '""') + '"' for word in dict.fromkeys(words))
            ranked = connection.execute(
                "SELECT rowid, -rank FROM keywords WHERE keywords MATCH ? ORDER BY rank, rowid", (query,)
            ).fetchall()
            assert same(ranked, small.expected(words, set(small.texts)))
            statistics = keywords.statistics(connection, reader, words)
            assert statistics.chunks == len(small.texts)
            assert statistics.document_frequency == {
                word: sum(word in text for text in small.texts.values()) for word in words
            }


def test_more_frequent_words_count_once_and_rarer_ones_as_often_as_they_stand() -> None:
    small, reader = Small(), KeywordReader()
    with closing(small.connection) as connection:
        small.add(
            [["rare", "rare", "often"], ["rare", "often", "often"], *[["often", "x1"]] * 3, *[["x1"]] * 9]
        )
        with reader.reading(connection) as state:
            exact = bm25.scores(state, connection, ["often", "rare"])
            once = bm25.scores(state, connection, ["often", "rare"], counted=2)
            neither = bm25.scores(state, connection, ["often", "rare"], counted=0)
        assert once[0] == pytest.approx(exact[0])
        assert once[1] < exact[1]
        assert neither[0] == pytest.approx(neither[1])
        assert np.all((once > 0) == (exact > 0))


def test_postings_are_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rag.library.postings._KEPT", 6)
    small, reader = Small(), KeywordReader()
    with closing(small.connection) as connection:
        small.add([["a", "b", "c"]] * 4)
        with reader.reading(connection) as state:
            for word in ("a", "b", "c", "a"):
                assert len(state.counted(connection, word).rows) == 4
                assert state.kept <= 6


def test_lengths_of_removed_chunks_do_not_pile_up() -> None:
    small, reader = Small(), KeywordReader()
    with closing(small.connection) as connection:
        for _ in range(20):
            small.add([["a", "lease"]] * 5)
            with reader.reading(connection) as state:
                assert len(state.ids) < 2 * len(small.texts) + 5
            for _ in range(4):
                small.remove(0)


def test_a_fifth_of_new_chunks_merges_the_index_into_one_part() -> None:
    def parts() -> int:
        (count,) = connection.execute("SELECT count(DISTINCT segid) FROM keywords_idx").fetchone()
        return int(count)

    small, reader = Small(), KeywordReader()
    with closing(small.connection) as connection:
        assert not keywords.tidy(connection)
        small.add([["lease", str(number)] for number in range(20)])
        assert keywords.tidy(connection)
        for number in range(3):
            small.add([["lease", f"more{number}"]])
        assert not keywords.tidy(connection)
        assert parts() > 1
        before = keywords.search(connection, reader, ["default", "other"], ["lease", "more1"], 30)
        for number in range(3):
            small.add([["other", f"rest{number}"]])
        assert keywords.tidy(connection)
        assert parts() == 1
        after = keywords.search(connection, reader, ["default", "other"], ["lease", "more1"], 30)
        assert [hit.chunk_id for hit in after] == [hit.chunk_id for hit in before]
        assert not keywords.tidy(connection)


_WRITE = """
import sys
from pathlib import Path
from rag.library import writing
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder, document, put
with writing(Settings(home=Path(sys.argv[1]))) as writer:
    put(writer, WordEmbedder(), "b.txt", document("annual leave of others", "leave again and again leave"))
    writer.remove("default", ["/docs/a.txt"])
"""


def test_what_another_process_changes_is_seen_by_the_next_search(
    settings: Settings, library: Library
) -> None:
    with writing(settings) as writer:
        put(writer, WordEmbedder(), "a.txt", document("annual leave is twenty days"))
        put(writer, WordEmbedder(), "c.txt", document("nothing of the kind", "nor here"))
    (hit,) = library.keyword(["default"], ["leave", "annual"], 9)
    assert library.keyword_statistics(["leave"]).document_frequency == {"leave": 1}
    subprocess.run([sys.executable, "-c", _WRITE, str(settings.home)], check=True)
    found = [hit.chunk_id for hit in library.keyword(["default"], ["leave", "annual"], 9)]
    texts = [library.chunks([number])[number].text for number in found]
    assert texts == ["annual leave of others", "leave again and again leave"]
    assert hit.chunk_id not in found
    statistics = library.keyword_statistics(["leave", "annual"])
    assert (statistics.chunks, statistics.document_frequency) == (4, {"leave": 2, "annual": 1})


def test_a_writer_without_a_search_in_between_changes_nothing_for_an_open_one(
    writer: LibraryWriter, library: Library, embedder: WordEmbedder
) -> None:
    """A search that began before a commit goes on in the state in which it began."""
    put(writer, embedder, "a.txt", document("annual leave"))
    reader = KeywordReader()
    connection = sqlite3.connect(writer.database.path, isolation_level=None)
    with closing(connection), reader.reading(connection) as before:
        put(writer, embedder, "b.txt", document("annual report"))
        assert len(before.holding(connection, "annual").rows) == 1
        assert len(library.keyword(["default"], ["annual"], 5)) == 2
