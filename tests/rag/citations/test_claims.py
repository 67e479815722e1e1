"""What of an answer claims something."""

from __future__ import annotations

import pytest

from rag.citations.claims import claims, without_source_list

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


def test_only_what_stands_in_a_block_of_code_is_passed_over() -> None:
    answer = "Set the port [1].\n\n```\nport = 80. It is open.\n```\n\nStart the service [2]."
    assert [claim.text for claim in claims(answer)] == ["Set the port.", "Start the service."]


def test_a_list_of_sources_goes_unless_it_is_all_there_is() -> None:
    sources = "Sources:\n[1] lease.md\n[2] offer.md"
    assert without_source_list(f"The rent is 9 euros [1].\n\n{sources}") == "The rent is 9 euros [1]."
    assert without_source_list(sources) == sources
