"""A model's own words, checked: when they are taken for an answer."""

from __future__ import annotations

import pytest

from rag.answering.drafting import Draft
from rag.citations.cite import Cited
from rag.records import Citation


def draft(verified: int, unverified: int, unsupported: int, *, silent: bool = False) -> Draft:
    marks = [True] * verified + [False] * unverified
    citations = tuple(Citation(1, "a.txt", None, "words", each) for each in marks)
    return Draft(Cited("Words [1].", citations, ("Other words.",) * unsupported), silent)


@pytest.mark.parametrize(
    ("found", "holds"),
    [
        (draft(1, 0, 0), True),
        (draft(2, 0, 2), True),
        (draft(2, 0, 3), False),
        (draft(0, 2, 0), False),
        (draft(0, 0, 0), False),
        (draft(2, 0, 0, silent=True), False),
    ],
)
def test_an_answer_holds_if_most_of_it_is_backed(found: Draft, holds: bool) -> None:
    assert found.holds is holds
