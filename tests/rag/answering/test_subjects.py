"""Two things of which different numbers are right, and one thing of which only one can be."""

from __future__ import annotations

import pytest

from rag.answering.differing import differences
from rag.answering.subjects import Side, two_subjects
from rag.records import Answer, Citation, Evidence
from rag.text.sentences import sentences
from tests.rag.answering.pairs import CONTRARY, CONTRARY_HELD_BACK, TWO_THINGS, TWO_THINGS_HELD_BACK, Pair


def answer(pair: Pair) -> Answer:
    """One that cites the last sentence of both documents."""
    question, *papers = pair
    evidence = []
    for n, (path, text) in enumerate(papers, start=1):
        heading = (text.partition("\n")[0].lstrip("# "),) if text.startswith("#") else ()
        evidence.append(
            Evidence(
                n=n,
                document=f"d{n}",
                path=path,
                collection="c",
                text=text,
                start=0,
                end=len(text),
                pages=(),
                heading=heading,
                score=1.0,
                tokens=50,
            )
        )
    citations = [
        Citation(item.n, item.path, None, item.text[start:end], True, start, end)
        for item in evidence
        for start, end in sentences(item.text)[-1:]
    ]
    return Answer(question, "", tuple(evidence), tuple(citations))


@pytest.mark.parametrize("pair", [*TWO_THINGS, *TWO_THINGS_HELD_BACK], ids=lambda pair: pair[1][0])
def test_two_things_do_not_contradict_each_other(pair: Pair) -> None:
    assert differences(answer(pair)) == []


@pytest.mark.parametrize("pair", [*CONTRARY, *CONTRARY_HELD_BACK], ids=lambda pair: pair[1][0])
def test_what_two_documents_say_of_one_thing_does(pair: Pair) -> None:
    (found,) = differences(answer(pair))
    assert {found.one[0], found.other[0]} == {1, 2}


def test_the_subject_may_stand_in_a_field_at_the_head() -> None:
    def side(supplier: str) -> Side:
        return Side("Delivery takes 6 weeks.", "a.txt", (), f"Offer\n**Supplier:** {supplier}\n", "")

    assert two_subjects(side("Northline Ltd"), side("Castor & Sons"), set())
    assert not two_subjects(side("Northline Ltd"), side("northline Ltd."), set())
