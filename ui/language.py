"""The page's words, in English and Chinese, and which of the two a browser wants.

The catalogs are `locale/en.json` and `locale/zh.json`: flat, with the same keys (a test compares them).
A key that ends in ".one" is used instead of the key without it when the field `n` is 1.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Literal, get_args

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


@cache
def catalog(language: Language) -> dict[str, str]:
    path = Path(__file__).parent / "locale" / f"{language}.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))


class Texts:
    """`texts("queue.ahead", n=2)` is that sentence in one language. A missing key or field is a KeyError."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._catalog = catalog(language)

    def __call__(self, key: str, **fields: object) -> str:
        if fields.get("n") == 1 and f"{key}.one" in self._catalog:
            key = f"{key}.one"
        return self._catalog[key].format_map(fields)

    def has(self, key: str) -> bool:
        return key in self._catalog


@cache
def texts(language: Language) -> Texts:
    return Texts(language)


def language_of(accept_language: str | None) -> Language:
    """The first of our languages in an Accept-Language header, by its weights; English if there is none.

    >>> language_of("zh-CN,zh;q=0.9,en;q=0.8"), language_of("de, zh;q=0.2, en;q=0.7"), language_of(None)
    ('zh', 'en', 'en')
    """
    weighted: list[tuple[float, int, Language]] = []
    for place, item in enumerate((accept_language or "").split(",")):
        tag, _, parameters = item.strip().partition(";")
        weight = 1.0
        if parameters.strip().startswith("q="):
            try:
                weight = float(parameters.strip()[2:])
            except ValueError:
                continue
        for language in LANGUAGES:
            if weight > 0 and tag.strip().lower().split("-")[0] == language:
                weighted.append((-weight, place, language))
    return min(weighted)[2] if weighted else "en"
