"""The report's words in one language, and how numbers are written."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from eval.measures import Measure

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


@cache
def table(language: Language) -> dict[str, Any]:
    text = (files("eval.report") / "words.toml").read_text(encoding="utf-8")
    found: dict[str, Any] = tomllib.loads(text)[language]
    return found


class Words:
    """`words("wins", n=3)`; a missing key or field is a KeyError."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._table = table(language)

    def __call__(self, key: str, **fields: object) -> str:
        return str(self._table[key]).format_map(fields)

    def measure(self, key: str) -> str:
        """The name of a measure; those of retrieval runs ("fused@8") are their own names."""
        return str(self._table["measure_names"].get(key, key))


def number(value: float, measure: Measure, *, signed: bool = False) -> str:
    """As it is read: shares in percent, tokens and counts with one digit, seconds with two."""
    sign = "+" if signed and value > 0 else ""
    if measure.unit == "share":
        return f"{sign}{100 * value:.1f} %".replace("-", "−")
    digits = 2 if measure.unit == "seconds" else 1 if abs(value) < 100 else 0
    return f"{sign}{value:,.{digits}f}".replace("-", "−")


def points(value: float, measure: Measure, *, signed: bool = True) -> str:
    """A difference: of shares in percentage points."""
    if measure.unit == "share":
        sign = "+" if signed and value > 0 else ""
        return f"{sign}{100 * value:.1f}".replace("-", "−")
    return number(value, measure, signed=signed)


def p_text(value: float) -> str:
    """With its sign: "= 0.012", "< 0.001"."""
    return "<\u00a00.001" if value < 0.001 else f"=\u00a0{value:.3f}"
