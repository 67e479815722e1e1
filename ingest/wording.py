"""How numbers are written for a person at a terminal."""

from __future__ import annotations

from collections.abc import Sequence


def ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers as "1, 4–6, 9"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in runs)


def pages(numbers: Sequence[int]) -> str:
    """Ascending page numbers as "page 1" or "pages 4–6, 9"."""
    return f"page{'s' if len(numbers) > 1 else ''} {ranges(numbers)}"
