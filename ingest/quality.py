"""Can this page's text be trusted? A figure from 0 (not text) to 1, from the characters alone.

It looks for what broken fonts and wrong encodings leave behind: private-use and unassigned characters,
glyph numbers in place of letters, letters of many unrelated scripts on one page, letters exchanged for
others, words run together, letters set apart. It does not judge sense, and a short page is not a bad page.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from itertools import pairwise

from rag.records import Document

POOR = 0.5
"""Below this a page's text is not to be indexed as if it were fine."""

_GLYPH_MARK = re.compile(r"\(cid:\d+\)|/(?:C|G|g|c|uni|glyph|cid)[0-9A-Fa-f]{1,4}(?![A-Za-z])")
_MOJIBAKE = re.compile(r"[ÂÃâÐÑØÙ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+")
_ODD_CATEGORIES = frozenset({"Co", "Cn", "Cc", "Cs"})
_LONGEST_WORD = 28
_FEWEST_LETTERS = 300
_PAIRS = frozenset(
    """th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de
    hi ri ro ic ne ea ra ce li ch ll be ma si om ur ge el la di da ie ei un ss ta ec us tr ns il no so ad em
    ac ol id lo ca ia am po pe pr ul ni wa ho im ke ig ir ot ee rs ts we mo su ly""".split()  # noqa: SIM905
)
"""Common pairs of letters. They are 33 to 73 % of all pairs in languages from Welsh to Indonesian."""

_FEWEST_PAIRS = 0.2
_JUDGED = 5000
"""Letters that are enough to tell."""
_FAMILIAR = (
    (0x0000, 0x024F),  # Latin
    (0x0300, 0x036F),  # combining accents
    (0x0370, 0x03FF),  # Greek
    (0x0400, 0x052F),  # Cyrillic
    (0x0590, 0x06FF),  # Hebrew, Arabic
    (0x1E00, 0x1FFF),  # Latin and Greek with accents
    (0x2000, 0x2BFF),  # punctuation, symbols
    (0x2E80, 0x9FFF),  # Chinese, Japanese
    (0xAC00, 0xD7AF),  # Korean
    (0xF900, 0xFAFF),  # compatibility ideographs
    (0xFB00, 0xFDFF),  # ligatures, Arabic forms
    (0xFE30, 0xFFEF),  # full and half width
    (0x1D400, 0x1D7FF),  # mathematical letters
    (0x1F000, 0x1FAFF),  # emoji
    (0x20000, 0x323AF),  # rare ideographs
)


def quality(text: str) -> float:
    """0 for nothing but blanks; 1 when nothing speaks against the text.

    Falls by twice the share of characters that cannot be right, since a quarter of wrong characters
    leaves hardly a word whole; then by words run together, letters set apart, and letters that are not in
    the order of any language.
    """
    marks = sum(len(match) for match in _GLYPH_MARK.findall(text))
    rest = _GLYPH_MARK.sub(" ", text) if marks else text
    counts = Counter(rest)
    for blank in [character for character in counts if character.isspace()]:
        del counts[blank]
    shown = counts.total() + marks
    if not shown:
        return 0.0
    wrong = marks + _impossible(counts)
    if not rest.isascii():
        wrong += _strange_scripts(counts) + 2 * len(_MOJIBAKE.findall(rest))
    score = max(0.0, 1.0 - 2.0 * wrong / shown)
    return score * _word_shape(rest, shown)


def pages_without_text(document: Document) -> list[int]:
    """Physical numbers of the pages that give no trustworthy text: scans, broken fonts, empty pages."""
    return [page.number for page in document.pages if page.number is not None and page.quality < POOR]


def _impossible(counts: Counter[str]) -> int:
    return sum(
        count
        for character, count in counts.items()
        if character == "\ufffd"
        or (character > "~" and unicodedata.category(character) in _ODD_CATEGORIES)
        or character < " "
    )


def _strange_scripts(counts: Counter[str]) -> int:
    """Letters of rare scripts, when several such scripts meet on one page: nobody writes that."""
    scripts: Counter[str] = Counter()
    for character, count in counts.items():
        code = ord(character)
        if code > 0x2AF and not any(low <= code <= high for low, high in _FAMILIAR):
            # "ETHIOPIC SYLLABLE HA": a script may be larger than a block of code points.
            scripts[unicodedata.name(character, "").split(" ")[0]] += count
    if len(scripts) < 3:
        return 0
    return scripts.total() - max(scripts.values())


def _word_shape(text: str, shown: int) -> float:
    words = _LATIN_WORD.findall(text)
    letters = sum(map(len, words))
    if letters < 100 or letters < shown / 2:
        return 1.0
    glued = sum(len(word) for word in words if len(word) > _LONGEST_WORD) / letters
    single = sum(len(word) == 1 for word in words) / len(words)
    score = (1.0 - glued if glued > 0.3 else 1.0) * (0.4 if single > 0.6 else 1.0)
    return score * (0.4 if letters >= _FEWEST_LETTERS and common_pairs(words) < _FEWEST_PAIRS else 1.0)


def common_pairs(words: list[str]) -> float:
    """The share of common pairs among all neighbouring letters of words in Latin letters."""
    text = " ".join(words)[:_JUDGED].lower()
    counts = Counter(map("".join, pairwise(text)))
    every = sum(count for pair, count in counts.items() if " " not in pair)
    return sum(counts[pair] for pair in _PAIRS) / every if every else 1.0
