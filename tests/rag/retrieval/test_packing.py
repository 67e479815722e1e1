from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.errors import UsageError
from rag.library import WordStatistics
from rag.records import Evidence, Table
from rag.retrieval.packing import Packed, pack, plain
from rag.text.words import words
from tests.rag.retrieval.shelf import Shelf


def words_of(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def rendered(packed: Packed) -> str:
    return "".join(map(plain, packed.evidence))


def run(shelf: Shelf, wanted: list[tuple[str, int]], budget: int, **more: Any) -> Packed:
    passages = [shelf.passage(name, ordinal, 1 / rank) for rank, (name, ordinal) in enumerate(wanted, 1)]
    return pack(shelf, passages, budget, words_of, **more)  # type: ignore[arg-type]


LONG = Shelf({"a": ["a0 x", "a1 x x", "a2 x", "a3 x"], "b": ["b0 x x x x x x x x", "b1 x"], "c": ["c0"]})


def test_neighbours_become_one_run_numbered_by_its_strongest() -> None:
    packed = run(LONG, [("b", 1), ("a", 2), ("c", 0), ("a", 1)], 100, reach=0)
    assert [(e.n, e.path, e.text) for e in packed.evidence] == [
        (1, "b.txt", "b1 x"),
        (2, "a.txt", "a1 x x a2 x"),
        (3, "c.txt", "c0"),
    ]
    assert packed.evidence[1].pages == (2, 3)
    assert packed.evidence[1].score == 1 / 2
    assert packed.left_out == 0


def test_room_that_is_left_goes_to_neighbours_of_the_strongest() -> None:
    packed = run(LONG, [("a", 1), ("c", 0)], 100)
    assert [e.text for e in packed.evidence] == ["a0 x a1 x x a2 x", "c0"]
    tight = run(LONG, [("a", 1), ("c", 0)], 15)
    assert tight.tokens <= 15
    assert [e.text for e in tight.evidence] == ["a1 x x a2 x", "c0"]


def test_what_finds_no_room_is_counted() -> None:
    packed = run(LONG, [("a", 0), ("b", 0), ("c", 0)], 11, reach=0)
    assert [e.path for e in packed.evidence] == ["a.txt", "c.txt"]
    assert packed.left_out == 1


def test_the_best_passage_is_cut_at_a_sentence_if_it_must_be() -> None:
    shelf = Shelf({"a": ["First one here. Second one here. Third."]})
    packed = run(shelf, [("a", 0)], 10)
    assert [e.text for e in packed.evidence] == ["First one here. Second one here."]
    assert packed.evidence[0].end == len("First one here. Second one here.")
    assert (packed.excerpts, packed.left_out) == (1, 0)
    assert run(shelf, [("a", 0)], 3) == Packed((), 0, 1)


def test_repeats_count_once() -> None:
    assert len(run(LONG, [("c", 0), ("c", 0)], 50).evidence) == 1


def test_no_passages_no_evidence() -> None:
    assert run(LONG, [], 50) == Packed((), 0, 0)


def test_a_budget_of_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="budget"):
        run(LONG, [("c", 0)], 0)


def test_the_callers_own_rendering_is_what_is_counted() -> None:
    def fenced(evidence: Evidence) -> str:
        return f"<<< source {evidence.n} of many >>> {evidence.text} <<< end >>> "

    packed = run(LONG, [("a", 0), ("c", 0)], 13, render=fenced, reach=0)
    assert [e.path for e in packed.evidence] == ["a.txt"]
    assert packed.tokens == 11


SENTENCE = st.lists(st.sampled_from(["alpha", "beta", "gamma.", "1,000"]), min_size=1, max_size=12).map(
    " ".join
)
TABLES = st.dictionaries(
    st.sampled_from("abc"),
    st.builds(
        lambda start, length: (Table(start, start + length, start),), st.integers(0, 90), st.integers(1, 90)
    ),
)
SHELVES = st.builds(
    Shelf,
    st.dictionaries(st.sampled_from("abc"), st.lists(SENTENCE, min_size=1, max_size=6), min_size=1),
    TABLES,
)


def characters(texts: Sequence[str]) -> list[int]:
    """A tokenizer under which a joined text may cost more than its parts together."""
    return [len(text) // 3 + (7 if len(text) > 60 else 0) for text in texts]


@settings(max_examples=300)
@given(st.data(), SHELVES, st.integers(1, 120), st.integers(0, 3), st.sampled_from([words_of, characters]))
def test_the_budget_holds_and_evidence_is_true(
    data: st.DataObject, shelf: Shelf, budget: int, reach: int, count: Any
) -> None:
    places = [(name, c.ordinal) for name, chunks in shelf.by_document.items() for c in chunks]
    wanted = data.draw(st.lists(st.sampled_from(places), unique=True, max_size=8))
    passages = [shelf.passage(*place, score=1 / rank) for rank, place in enumerate(wanted, 1)]
    packed = pack(shelf, passages, budget, count, reach=reach)  # type: ignore[arg-type]

    assert count([rendered(packed)])[0] == packed.tokens <= budget
    assert [e.n for e in packed.evidence] == list(range(1, len(packed.evidence) + 1))
    assert [e.score for e in packed.evidence] == sorted((e.score for e in packed.evidence), reverse=True)
    covered: dict[str, list[tuple[int, int]]] = {}
    for e in packed.evidence:
        assert shelf.document(e.document).text[e.start : e.end] == e.text != ""
        assert e.tokens == count([plain(e)])[0]
        for start, end in covered.setdefault(e.document, []):
            assert e.end + 1 < start or end + 1 < e.start  # apart, else they would be one run
        covered[e.document].append((e.start, e.end))
    held = [
        any(start < p.chunk.end and p.chunk.start < end for start, end in covered.get(p.chunk.document, []))
        for p in passages
    ]
    assert packed.left_out == held.count(False)
    wholly = [
        p
        for p in passages
        if any(
            start <= p.chunk.start and p.chunk.end <= end for start, end in covered.get(p.chunk.document, [])
        )
    ]
    # A sentence's end is its passage's: what is held in part is said to be.
    assert (packed.excerpts > 0) == (len(wholly) < held.count(True))
    # Nothing is left out that would have fitted beside what is there.
    for passage, inside in zip(passages, held, strict=True):
        if not inside and packed.evidence and count is words_of:
            one = pack(shelf, [passage], 10**6, count, reach=0).evidence[0]  # type: ignore[arg-type]
            assert packed.tokens + count([plain(one)])[0] > budget


def test_a_run_from_the_middle_of_a_table_carries_its_header_and_pays_for_it() -> None:
    shelf = Shelf({"t": ["Town People", "A 1", "B 2", "C 3"]})
    chunks = shelf.by_document["t"]
    chunks[1:] = [replace(chunk, table_header="Town People") for chunk in chunks[1:]]
    (middle,) = run(shelf, [("t", 2)], 100, reach=0).evidence
    assert (middle.table_header, middle.text) == ("Town People", "B 2")
    assert shelf.document("t").text[middle.start : middle.end] == middle.text
    assert middle.tokens == words_of(["[1] t.txt, p. 3\nTown People\n…\nB 2"])[0]
    # With the first rows the header is in the text itself.
    (whole,) = run(shelf, [("t", 1), ("t", 0)], 100, reach=0).evidence
    assert (whole.table_header, whole.text) == ("", "Town People A 1")


ROWS = ["Town People", "A 1", "B 2", "C 3", "D 4"]
WHOLE = Table(0, len(" ".join(ROWS)), len(ROWS[0]))


def test_the_strongest_passages_table_comes_whole_before_weaker_passages() -> None:
    shelf = Shelf({"t": ROWS, "b": ["b0 x x x x x x"]}, {"t": (WHOLE,)})
    packed = run(shelf, [("t", 2), ("b", 0)], 20, reach=0)
    assert [e.text for e in packed.evidence] == [" ".join(ROWS)]
    assert packed.left_out == 1
    both = run(shelf, [("t", 2), ("b", 0)], 30, reach=0)
    assert [e.text for e in both.evidence] == [" ".join(ROWS), "b0 x x x x x x"]
    assert both.left_out == 0


def test_a_table_over_half_of_the_budget_gives_way_to_other_passages() -> None:
    shelf = Shelf({"t": ROWS, "b": ["b0 x x x x x x"]}, {"t": (WHOLE,)})
    packed = run(shelf, [("t", 2), ("b", 0)], 17, reach=0)
    assert [e.path for e in packed.evidence] == ["t.txt", "b.txt"]
    assert packed.left_out == 0


def test_tables_of_weaker_passages_come_where_room_is_left() -> None:
    shelf = Shelf({"b": ["b0 x"], "t": ROWS}, {"t": (WHOLE,)})
    packed = run(shelf, [("b", 0), ("t", 3)], 100, reach=0)
    assert [e.text for e in packed.evidence] == ["b0 x", " ".join(ROWS)]


class Told(Shelf):
    """Counts words as the keyword index would."""

    def keyword_statistics(self, words: Sequence[str]) -> WordStatistics:
        held = [words_in(chunk.text) for chunks in self.by_document.values() for chunk in chunks]
        return WordStatistics(
            chunks=len(held), document_frequency={word: sum(word in one for one in held) for word in words}
        )


def words_in(text: str) -> set[str]:
    return set(words(text))


SECOND = "The hall is painted white. A permit costs forty crowns. Bicycles stay outside."


def in_part(shelf: Shelf, budget: int) -> Packed:
    passages = [shelf.passage("a", 0), shelf.passage("b", 0), shelf.passage("c", 0)]
    question = "What does a permit cost?"
    return pack(shelf, passages, budget, words_of, question=question, reach=0)  # type: ignore[arg-type]


def test_what_is_left_of_the_budget_holds_the_sentences_around_the_match() -> None:
    shelf = Told({"a": ["One two three."], "b": [SECOND], "c": ["Much more text that finds no room."]})
    packed = in_part(shelf, 16)
    assert [e.text for e in packed.evidence] == ["One two three.", "A permit costs forty crowns."]
    part = packed.evidence[1]
    assert shelf.document("b").text[part.start : part.end] == part.text
    assert [e.excerpt for e in packed.evidence] == [False, True]
    assert (packed.excerpts, packed.left_out) == (1, 1)
    assert packed.tokens == words_of([rendered(packed)])[0] <= 16
    assert in_part(shelf, 100).excerpts == 0


def test_a_run_that_holds_a_part_of_a_passage_is_an_excerpt() -> None:
    shelf = Told({"a": ["One two three.", "A permit costs forty crowns. Bicycles stay outside."]})
    passages = [shelf.passage("a", 0), shelf.passage("a", 1)]
    packed = pack(shelf, passages, 13, words_of, question="What does a permit cost?", reach=0)  # type: ignore[arg-type]
    (joined,) = packed.evidence
    assert joined.text == "One two three. A permit costs forty crowns."
    assert joined.excerpt


def test_white_space_at_the_end_is_no_loss() -> None:
    shelf = Told({"a": ["One two three."], "b": ["A permit costs forty crowns.  \n\n\n"]})

    def lines(texts: Sequence[str]) -> list[int]:
        return [len(text.split()) + text.count("\n") for text in texts]

    passages = [shelf.passage("a", 0), shelf.passage("b", 0)]
    packed = pack(shelf, passages, 23, lines, question="What does a permit cost?", reach=0)  # type: ignore[arg-type]
    assert packed.evidence[1].text == "A permit costs forty crowns."
    assert packed.excerpts == 0


def test_a_table_is_never_cut_beside_other_evidence() -> None:
    table = (Table(0, len(SECOND), 0),)
    shelf = Told({"a": ["One two three."], "b": [SECOND], "c": ["Much more text."]}, {"b": table})
    packed = in_part(shelf, 16)
    assert [e.path for e in packed.evidence] == ["a.txt", "c.txt"]
    assert (packed.excerpts, packed.left_out) == (0, 1)
