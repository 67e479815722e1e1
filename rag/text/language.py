"""In which of the two languages of this product a text is written."""

from __future__ import annotations

import re
from typing import Literal

from rag.text.scripts import HAN, is_han

Language = Literal["zh", "en"]

_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+")
_HAN_RUN = re.compile(f"{HAN.pattern}+")
_HAN_PER_WORD = 2
"""A Chinese word has about two characters."""


def language(text: str) -> Language:
    """ "zh" if more of the words are Chinese, else "en" (also for anything else, and for no text).

    A draw goes to the script of the first word.
    """
    if text.isascii():
        return "en"
    han = sum(map(len, _HAN_RUN.findall(text))) / _HAN_PER_WORD
    latin = len(_LATIN_WORD.findall(text))
    if han != latin:
        return "zh" if han > latin else "en"
    first = next((char for char in text if char.isalpha()), "")
    return "zh" if first and is_han(first) else "en"
