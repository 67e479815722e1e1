"""Characters that a font gives no Unicode for: pdfium then passes its codes on, which may be any numbering.

Often the codes are those of ASCII all the same. So the page is believed if it reads like a language.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from ingest.quality import common_pairs

DOUBTED = 0.4
"""The most that a page can be worth of which nobody knows whether its letters are the right ones."""

_LOOKED_AT = 64
"""Characters of a page that are asked for."""
_TOO_MANY = 0.3
_FEWEST_LETTERS = 40
_LIKE_A_LANGUAGE = 0.25
"""Share of common pairs of letters; shuffled letters have about .05."""
_COMMON_SHARE = 0.15
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]+")
_FEW_NAMES = 0.03
_UNKNOWN_NAME = re.compile(r"/[A-Za-z]")
_CJK = re.compile(r"[\u3400-\u9fff\u3041-\u30ff]")
_COMMON = frozenset(
    "的一是不了人在有我他这中大来上个国和地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
    "用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想"
    "實日者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文"
    "體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提"
    "のにはをたがでとしれさいるもなすありことらまよう号期本单合同条款项元价量品期货"
)


def unmapped_share(raw: Any, textpage: Any) -> float:
    """The part of a page's characters whose font does not tell what they are."""
    count = textpage.count_chars()
    if not count:
        return 0.0
    places = range(0, count, max(1, count // _LOOKED_AT))
    unknown = sum(bool(raw.FPDFText_HasUnicodeMapError(textpage, place) == 1) for place in places)
    return unknown / len(places)


def is_doubtful(share: float, text: str) -> bool:
    """Whether a page may be letters exchanged for others: many are not known, and it reads like nothing."""
    return share >= _TOO_MANY and not _like_a_language(text)


def is_named(other: str, text: str) -> bool:
    """Whether pypdf knew by the names of the glyphs what pdfium could only guess: other letters, and hardly
    any of the names that mean nothing to it, which it passes on."""
    letters = "".join(other.split())
    unknown = len(_UNKNOWN_NAME.findall(letters))
    return letters != "".join(text.split()) and unknown <= _FEW_NAMES * len(letters)


def _like_a_language(text: str) -> bool:
    ideographs = _CJK.findall(text)
    words = _LATIN.findall(text)
    letters = sum(map(len, words))
    if len(ideographs) > letters:
        counts = Counter(ideographs)
        return sum(counts[sign] for sign in _COMMON) >= _COMMON_SHARE * len(ideographs)
    return letters >= _FEWEST_LETTERS and common_pairs(words) >= _LIKE_A_LANGUAGE
