"""Numbers of things as a sentence says them."""

from __future__ import annotations


def amount(number: int, thing: str) -> str:
    """
    >>> amount(1, "document"), amount(1234, "chunk")
    ('1 document', '1,234 chunks')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
