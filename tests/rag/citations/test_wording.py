"""Roots of words: forms of one word share theirs, and nothing else is cut."""

from __future__ import annotations

import pytest

from rag.citations.wording import root


@pytest.mark.parametrize(
    ("word", "cut"),
    [
        ("leases", "leas"),
        ("lease", "leas"),
        ("policies", "policy"),
        ("contract", "contract"),
        ("month", "month"),
        ("rate", "rate"),
        ("fee", "fee"),
        ("access", "access"),
        ("hk420", "hk420"),
        ("проверяются", "провер"),
    ],
)
def test_roots(word: str, cut: str) -> None:
    assert root(word) == cut
