"""What several searches found becomes one list, in which nothing is said twice."""

from __future__ import annotations

from rag.answering.retrieving import by_turns, unread
from rag.records import Chunk, Copy, Evidence, Passage


def passage(number: int, document: str, start: int, end: int, *copies: Copy) -> Passage:
    return Passage(
        Chunk(document, number, start, end, "t", id=number), f"{document}.txt", "default", 1.0, copies=copies
    )


def copy(document: str, start: int, end: int, *, whole: bool = True) -> Copy:
    return Copy(document, f"{document}.txt", "default", (), start, end, whole)


CLAUSE = passage(1, "contract", 10, 50, copy("minutes", 80, 300))
MINUTES = passage(2, "minutes", 80, 300, copy("contract", 10, 50, whole=False))
OTHER = passage(3, "contract", 60, 90)


def test_each_search_has_its_turn() -> None:
    assert by_turns([[CLAUSE, OTHER], [OTHER], []]) == [CLAUSE, OTHER]


def test_what_stands_in_the_minutes_word_for_word_is_not_shown_again_from_the_contract() -> None:
    assert by_turns([[MINUTES], [OTHER, CLAUSE]]) == [MINUTES, OTHER]
    # The minutes say more than the clause.
    assert by_turns([[CLAUSE], [MINUTES]]) == [CLAUSE, MINUTES]


def test_what_evidence_holds_in_another_document_has_been_read() -> None:
    evidence = Evidence(1, "minutes", "minutes.txt", "default", "t", 0, 400, (), (), 1.0, 9)
    assert unread([CLAUSE, MINUTES, OTHER], [evidence]) == [OTHER]
