"""Two things of which different numbers are right, and one thing of which only one can be."""

from __future__ import annotations

import pytest

from rag.answering.contradictions import differences
from rag.answering.subjects import Side, two_subjects
from rag.records import Answer, Citation, Evidence
from rag.text.sentences import sentences
from tests.rag.answering.contrary_pairs import CONTRARY
from tests.rag.answering.pairs_of_two_things import TWO_THINGS, Pair


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


@pytest.mark.parametrize("pair", TWO_THINGS, ids=lambda pair: pair[1][0])
def test_two_things_do_not_contradict_each_other(pair: Pair) -> None:
    assert differences(answer(pair)) == []


@pytest.mark.parametrize("pair", CONTRARY, ids=lambda pair: pair[1][0])
def test_what_two_documents_say_of_one_thing_does(pair: Pair) -> None:
    (found,) = differences(answer(pair))
    assert {found.one[0], found.other[0]} == {1, 2}


def test_the_subject_may_stand_in_a_field_at_the_head() -> None:
    def side(supplier: str) -> Side:
        return Side("Delivery takes 6 weeks.", "a.txt", (), f"Offer\n**Supplier:** {supplier}\n", "")

    assert two_subjects(side("Northline Ltd"), side("Castor & Sons"), set())
    assert not two_subjects(side("Northline Ltd"), side("northline Ltd."), set())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The belt of press 3 is changed every 5 months by team 1.",
         "The belt of press 4 is changed every 7 months by team 2."),
        ("Press 3 is oiled every 5 days.", "Press 4 is oiled every 7 days."),
        ("The belt of press 3 is changed every year. The oil pressure is 6 bar.",
         "The belt of press 4 is changed every year. The oil pressure is 8 bar."),
        ("3号压机的皮带每5个月更换一次。", "4号压机的皮带每7个月更换一次。"),
    ],
)  # fmt: skip
def test_things_that_differ_by_their_number_are_two(one: str, other: str) -> None:
    assert differences(answer(("How often?", ("a.txt", one), ("b.txt", other)))) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The reception desk can be called at extension 214.",
         "The reception desk can be called at extension 230."),
        ("The belt of press 3 is changed every 5 months.", "The belt of press 3 is changed every 7 months."),
        ("3号压机的皮带每5个月更换一次。", "3号压机的皮带每7个月更换一次。"),
    ],
)  # fmt: skip
def test_a_number_that_is_what_is_told_of_a_thing_is_no_other_thing(one: str, other: str) -> None:
    assert len(differences(answer(("How often?", ("a.txt", one), ("b.txt", other))))) == 1
