"""Scripts that are written without spaces between words."""

from __future__ import annotations

import re

_HAN = (("\u3400", "\u4dbf"), ("\u4e00", "\u9fff"), ("\uf900", "\ufaff"), ("\U00020000", "\U0003ffff"))
_UNSPACED = (
    ("々", "々"),
    ("〇", "〇"),
    ("\u3041", "\u309f"),  # hiragana
    ("\u30a1", "\u30fa"),  # katakana, without its middle dot
    ("\u30fc", "\u30ff"),
    ("\u31f0", "\u31ff"),
    *_HAN,
    ("\uac00", "\ud7a3"),  # Hangul has spaces, but glues its particles to the words
    ("\u0e00", "\u0eff"),  # Thai, Lao
    ("\u1000", "\u109f"),  # Burmese
    ("\u1780", "\u17ff"),  # Khmer
)

UNSPACED = "".join(f"{first}-{last}" for first, last in _UNSPACED)
"""Their characters, as the inside of a regular expression's character class."""


HAN = re.compile("[" + "".join(f"{first}-{last}" for first, last in _HAN) + "]")
"""A Chinese character, as `is_han`."""


def is_unspaced(char: str) -> bool:
    return char >= "\u0e00" and any(first <= char <= last for first, last in _UNSPACED)


def is_han(char: str) -> bool:
    return char >= "\u3400" and any(first <= char <= last for first, last in _HAN)
