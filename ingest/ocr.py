"""Text out of pictures: Tesseract, where the data of its languages is installed.

The recognition runs inside the process that reads the file, which is a child with limits of its own.
Nothing is installed or downloaded here: without language data there is no recognition, and the pages are
reported as pages without text.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rag.outside import NO_LANGUAGE, LanguageData, tesseract_data

_FIRST_LANGUAGES = ("eng", "chi_sim", "chi_tra", "jpn", "kor", "deu", "fra", "spa", "rus", "ara")
_MOST_LANGUAGES = 4
"""Languages that are tried on a page if none were named: each costs seconds."""

_ORIENTATION = "osd"
_SURE = 0.75
"""Mean confidence from which no other language is tried."""

_WIDE_LANGUAGES = ("chi", "jpn", "kor")
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_MOST_DOUBTED = 0.08
"""Share of words that a language is not sure of from which a page may hold another script, too."""
_DOUBT = 50
"""Confidence of such a word, of 100."""
_LATIN = re.compile(r"[A-Za-z]")
_MANY_LATIN = 0.1
"""Share of Latin letters that make a page in ideographs one of both scripts."""
_BLANK_BETWEEN_WIDE = re.compile(
    r"(?<=[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]) +"
    r"(?=[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f])"
)


@dataclass(frozen=True, slots=True)
class Recognised:
    """confidence: mean over the words, 0 to 1, as Tesseract judges itself. doubted: share of the words that
    it is not sure of. turned: the page's own direction was looked for."""

    text: str
    confidence: float
    language: str
    doubted: float = 0.0
    turned: bool = False


def languages_for(found: LanguageData, wanted: str = "") -> tuple[str, ...]:
    """The languages to try on a page, in this order.

    wanted: codes separated by blanks or commas ("eng chi_sim"; "deu+fra" tries both together); those that
    are not installed are left out. If empty: the commonest of those that are installed.
    """
    if wanted.strip():
        named = re.split(r"[\s,]+", wanted.strip())
        return tuple(name for name in named if set(name.split("+")) <= set(found.languages))
    others = [name for name in found.languages if name not in NO_LANGUAGE and "vert" not in name]
    rank = {name: place for place, name in enumerate(_FIRST_LANGUAGES)}
    return tuple(sorted(others, key=lambda name: rank.get(name, 99))[:_MOST_LANGUAGES])


def identity(mode: str, wanted: str = "") -> str:
    """What decides what recognition gives, as one line; it changes when languages are installed."""
    found = tesseract_data() if mode != "off" else None
    return f"{mode} {'+'.join(languages_for(found, wanted)) or 'none'}" if found else f"{mode} none"


class Tesseract:
    """Recognises pages of one document; what it learns of one page's language helps with the next.

    Each language stays loaded until `close`.
    """

    def __init__(self, found: LanguageData, languages: Sequence[str]) -> None:
        self._found = found
        self._languages = list(languages)
        self._loaded: dict[str, Any] = {}

    def recognise(self, image: Any, seconds: float) -> Recognised | None:
        """The text of a PIL image by the language that is surest; None if the time was too short for any.

        The image may lie on its side or upside down where the data for that ("osd") is installed.
        """
        deadline = time.monotonic() + seconds
        best: Recognised | None = None
        for language, turned in self._attempts():
            if best is not None and turned and best.confidence >= _SURE:
                break
            one = self._one(image, language, deadline, turned)
            if one is None:
                break
            if best is None or one.confidence > best.confidence:
                best = one
            if one.confidence >= _SURE and _fits(one):
                break
        if best is not None and (both := self._both(best)) is not None:
            one = self._one(image, both, deadline, best.turned)
            if one is not None and one.confidence > best.confidence:
                best = one
                self._languages.insert(0, both)
        if best is not None and best.confidence >= _SURE:
            self._languages.sort(key=lambda language: language != best.language)
        return best

    def _both(self, best: Recognised) -> str | None:
        """Two languages to try together on a page that seems to hold ideographs and Latin letters."""
        single = [language for language in self._languages if "+" not in language]
        if "+" in best.language or any("+" in language for language in self._languages):
            return None  # what was tried or named already
        if best.language.startswith(_WIDE_LANGUAGES):
            wide, latin = len(_WIDE.findall(best.text)), len(_LATIN.findall(best.text))
            if latin < _MANY_LATIN * (wide + latin):
                return None
            others = [language for language in single if not language.startswith(_WIDE_LANGUAGES)]
            return f"{others[0]}+{best.language}" if others else None
        if best.doubted < _MOST_DOUBTED:
            return None
        others = [language for language in single if language.startswith(_WIDE_LANGUAGES)]
        return f"{best.language}+{others[0]}" if others else None

    def close(self) -> None:
        for api in self._loaded.values():
            api.End()
        self._loaded.clear()

    def _attempts(self) -> Iterator[tuple[str, bool]]:
        yield from ((language, False) for language in list(self._languages))
        if _ORIENTATION in self._found.languages:
            yield from ((language, True) for language in list(self._languages))

    def _one(self, image: Any, language: str, deadline: float, turned: bool) -> Recognised | None:
        left = deadline - time.monotonic()
        if left <= 0:
            return None
        tesserocr = _library()
        if language not in self._loaded:
            # The library wants the folder with its last slash.
            self._loaded[language] = tesserocr.PyTessBaseAPI(path=f"{self._found.folder}/", lang=language)
        api = self._loaded[language]
        api.SetPageSegMode(tesserocr.PSM.AUTO_OSD if turned else tesserocr.PSM.AUTO)
        api.SetImage(image)
        try:
            if not api.Recognize(int(left * 1000)):
                return None
            if time.monotonic() > deadline:
                return None
            sure = api.AllWordConfidences()
            doubted = sum(word < _DOUBT for word in sure) / max(1, len(sure))
            return Recognised(tidied(api.GetUTF8Text()), api.MeanTextConf() / 100, language, doubted, turned)
        finally:
            api.Clear()


def tidied(text: str) -> str:
    """Without the blanks that stand for distances on the page or between ideographs."""
    text = re.sub(r"[ \t\f]+", " ", text)
    text = _BLANK_BETWEEN_WIDE.sub("", text)
    text = re.sub(r" ?\n ?", "\n", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _fits(one: Recognised) -> bool:
    """Whether the text is of the script that the language is for: a Chinese model reads English, badly."""
    if not one.language.startswith(_WIDE_LANGUAGES):
        return True
    shown = len("".join(one.text.split()))
    return len(_WIDE.findall(one.text)) >= 0.3 * shown


@lru_cache(maxsize=1)
def _library() -> Any:
    # Several threads on one page are slower than one, and every reader process is a thread already.
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")
    import tesserocr

    return tesserocr
