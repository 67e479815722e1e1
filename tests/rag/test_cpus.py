"""How many processors there are to use."""

from __future__ import annotations

from rag.cpus import usable_cpus


def test_at_least_one_processor_is_usable() -> None:
    assert usable_cpus() >= 1
