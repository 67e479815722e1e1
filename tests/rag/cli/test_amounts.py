"""One document, two documents."""

from __future__ import annotations

import pytest

from rag.cli.amounts import amount


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 pages"), (1, "1 page"), (2, "2 pages"), (12345, "12,345 pages")]
)
def test_the_word_goes_with_the_number(number: int, said: str) -> None:
    assert amount(number, "page") == said
