"""What of an answer claims something."""

from __future__ import annotations

import pytest

from rag.citations.claims import claims

TABLE = (
    "| Site | Opened | Staff |\n|------|:------:|------:|\n| Lyon | 2011 | 34 [1] |\n| Bern | 2014 | 12 [2] |"
)


@pytest.mark.parametrize("before", ["", "Two sites are open [1]:\n\n"])
def test_titles_of_columns_claim_nothing(before: str) -> None:
    stating = [claim.text for claim in claims(f"{before}{TABLE}\n") if claim.stating]
    assert stating == ["Lyon | 2011 | 34", "Bern | 2014 | 12"]


def test_a_line_with_a_bar_above_a_rule_that_is_none_stays_a_claim() -> None:
    (claim, *_) = claims("The switch has two marks, 0 | 1, and a lamp.\n\nThe lamp is red [1].")
    assert claim.stating
