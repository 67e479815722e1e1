"""A passage knows where else it stands, as far as the asker may see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from rag.library import Library, writing
from rag.records import Chunk, Copy, Passage
from rag.retrieval import Filters, pack, search
from rag.retrieval.copies import MOST, copies, copies_of_run, put_aside, settled
from rag.retrieval.duplicates import Alike
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder, document, put

CLAUSE = "Late delivery costs one percent of the price per week, at most ten percent."
CONTRACT = document("Supply of two pumps.\nPayment is due in thirty days.", CLAUSE, "Notice is three months.")
MINUTES = document(f"The board looked at the contract.\n{CLAUSE}\nThe board takes note.", salt="m")


@pytest.fixture
def library(settings: Settings) -> Iterator[Library]:
    words = WordEmbedder()
    with writing(settings) as writer:
        writer.create_collection("board")
        put(writer, words, "minutes.md", MINUTES, collection="board")
        put(writer, words, "contracts/pumps.pdf", CONTRACT)
        put(writer, words, "old/pumps (2).pdf", CONTRACT)
        put(writer, words, "garden.txt", document("The garden opens at nine.", salt="g"))
        writer.publish()
    opened = Library.open(settings)
    yield opened
    opened.close()


def asked(
    library: Library,
    settings: Settings,
    collections: Sequence[str],
    where: Filters | None = None,
    question: str = "What does late delivery cost?",
    limit: int = 3,
) -> Passage:
    return search(
        library, WordEmbedder(), question, collections, limit=limit, settings=settings, where=where
    )[0]


def places(found: Sequence[Copy]) -> list[tuple[str, str, tuple[int, ...]]]:
    return [(copy.collection, copy.path, copy.pages) for copy in found]


def test_the_other_documents_that_say_it_are_told(library: Library, settings: Settings) -> None:
    found = asked(library, settings, ["default", "board"])
    everywhere = {
        ("default", "contracts/pumps.pdf", (2,)),
        ("default", "old/pumps (2).pdf", (2,)),
        ("board", "minutes.md", (1,)),
    }
    assert {(found.collection, found.path, found.chunk.pages), *places(found.copies)} == everywhere
    assert len(found.copies) == 2
    for copy in found.copies:
        assert copy.whole
        assert library.document(copy.document).text[copy.start : copy.end] == CLAUSE


def test_nothing_is_told_of_what_the_asker_may_not_read(library: Library, settings: Settings) -> None:
    assert places(asked(library, settings, ["board"]).copies) == []
    mine = asked(library, settings, ["default"])
    assert places(mine.copies) == [("default", "old/pumps (2).pdf", (2,))]


@pytest.mark.parametrize("path", ["contracts/pumps.pdf", "old/pumps (2).pdf"])
def test_filters_hold_for_copies_and_for_the_path_that_is_shown(
    library: Library, settings: Settings, path: str
) -> None:
    found = asked(library, settings, ["default", "board"], Filters(documents=(path,)))
    assert (found.path, found.copies) == (path, ())


def test_the_same_text_is_found_where_the_search_did_not_look(library: Library, settings: Settings) -> None:
    narrow = settings.model_copy(
        update={"retrieval": settings.retrieval.model_copy(update={"candidates": 1})}
    )
    found = asked(library, narrow, ["default", "board"], limit=1)
    assert len(found.copies) == 2


def test_the_document_with_more_to_say_is_shown_first(library: Library, settings: Settings) -> None:
    question = "Late delivery, payment and notice: what holds for the supply of pumps?"
    assert asked(library, settings, ["default", "board"], question=question).path == "contracts/pumps.pdf"
    named = "Minutes: what does late delivery cost per week, at most?"
    assert asked(library, settings, ["default", "board"], question=named).path == "minutes.md"


def test_evidence_keeps_them(library: Library, settings: Settings) -> None:
    found = search(library, WordEmbedder(), CLAUSE, ["default", "board"], limit=1, settings=settings)
    packed = pack(library, found, 400, lambda texts: [len(text.split()) for text in texts], reach=0)
    assert packed.evidence[0].copies == found[0].copies
    grown = pack(library, found, 400, lambda texts: [len(text.split()) for text in texts], reach=1)
    assert len(grown.evidence[0].text) > len(CLAUSE)
    assert not any(copy.whole for copy in grown.evidence[0].copies if copy.path == "minutes.md")


def chunk(number: int, document: str, *, heading: tuple[str, ...] = (), page: int = 1) -> Chunk:
    return Chunk(document, number, 10 * number, 10 * number + 9, "t", (page,), heading, id=number)


def shown(facts: dict[str, float], rarity: dict[str, float], *chunks: Chunk) -> list[int]:
    """Which of the chunks is shown if all are the same but the last, which stands for itself."""
    groups = [Alike(chunks[0].id, equal=[one.id for one in chunks[1:-1]]), Alike(chunks[-1].id)]
    by_id = {one.id: one for one in chunks}
    paths = {one.id: [("default", f"{one.document}.txt")] for one in chunks}
    return settled(groups, by_id, paths, rarity, facts)


def test_an_original_is_shown_rather_than_what_was_put_aside(library: Library, settings: Settings) -> None:
    found = asked(library, settings, ["default"])
    assert (found.path, places(found.copies)) == (
        "contracts/pumps.pdf",
        [("default", "old/pumps (2).pdf", (2,))],
    )
    one, two = chunk(1, "backup"), chunk(2, "rules")
    assert shown({"backup": 5.0}, {}, one, two, chunk(9, "backup")) == [2, 9]
    # Unless it is what is asked for.
    assert shown({}, {"backup": 1.0}, one, two, chunk(9, "other")) == [1, 9]


@pytest.mark.parametrize(
    ("path", "aside"),
    [
        ("archive/offer.pdf", True), ("offer (Copy).pdf", True), ("x/backups/y.txt", True),
        ("旧版/制度.md", True),
        ("golden rules.md", False), ("photocopier.txt", False), ("archives of law/bold.pdf", False),
    ],
)  # fmt: skip
def test_which_paths_say_that_something_was_put_aside(path: str, aside: bool) -> None:
    assert put_aside(path) is aside


def test_which_of_equal_ones_is_shown() -> None:
    other = chunk(9, "other")
    one, two = chunk(1, "first"), chunk(2, "new")
    assert shown({}, {}, one, two, other) == [1, 9]
    assert shown({"new": 2.0, "first": 1.0}, {}, one, two, other) == [2, 9]
    # One file is easier to read than two.
    assert shown({"new": 2.0, "first": 1.0}, {}, one, two, replace(other, document="first")) == [1, 9]
    # And what is asked for by its name is that.
    assert shown({}, {"2021": 3.0}, one, replace(two, heading=("Report 2021",)), other) == [2, 9]


def test_many_copies_are_not_all_told_and_whole_ones_come_first() -> None:
    chunks = {number: chunk(number, f"d{number}") for number in range(1, 60)}
    paths = {number: [("default", f"{number}.txt")] for number in chunks}
    found = copies(Alike(1, parts=[2], equal=list(range(3, 10))), [4, 11], chunks, paths)
    assert [copy.path for copy in found] == [*(f"{n}.txt" for n in range(3, 10)), "11.txt", "2.txt"]
    assert [copy.whole for copy in found] == [True] * 8 + [False]
    assert len(copies(Alike(1, equal=list(range(2, 60))), [], chunks, paths)) == MOST


def test_another_page_of_the_same_document_is_told_and_the_same_page_is_not() -> None:
    chunks = {1: chunk(1, "a", page=3), 2: chunk(2, "a", page=3), 3: chunk(3, "a", page=9)}
    paths = {number: [("default", "a.pdf")] for number in chunks}
    assert [copy.pages for copy in copies(Alike(1, equal=[2, 3]), [], chunks, paths)] == [(9,)]


def test_the_copies_of_neighbours_are_one_copy() -> None:
    def copy(start: int, end: int, page: int, path: str = "b.pdf") -> Copy:
        return Copy("b", path, "default", (page,), start, end)

    run = [chunk(1, "a"), chunk(2, "a")]
    passages = {
        1: Passage(run[0], "a.pdf", "default", 1.0, copies=(copy(100, 150, 4), copy(7, 9, 1, "c.pdf"))),
        2: Passage(run[1], "a.pdf", "default", 0.5, copies=(copy(152, 190, 5),)),
    }
    assert copies_of_run(run, passages) == (
        Copy("b", "b.pdf", "default", (4, 5), 100, 190),
        Copy("b", "c.pdf", "default", (1,), 7, 9, whole=False),
    )
    # Of a chunk that was added nothing is known.
    assert [one.whole for one in copies_of_run(run, {1: passages[1]})] == [False, False]
