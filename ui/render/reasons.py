"""Why a file was not taken, in the reader's language. The rooms below give their reasons in English."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ui.language import Texts

_CHINESE = Path(__file__).parent.parent / "locale" / "reasons.zh.json"


def reason_text(reason: str, texts: Texts) -> str:
    """The reason in Chinese if that is wanted and known; else as it is.

    What a library said of a damaged file is left out: it is in English, and few readers know its words.
    """
    if texts.language == "zh":
        chinese = _chinese()
        for pattern, template in chinese.reasons:
            found = pattern.fullmatch(reason)
            if found:
                return template.format(*(chinese.words.get(part, part) for part in found.groups(""))).strip()
    return reason


@dataclass(frozen=True, slots=True)
class _Chinese:
    """reasons: the first pattern that fits a whole reason counts; its groups go into the template. words:
    of what a group may hold."""

    reasons: list[tuple[re.Pattern[str], str]]
    words: dict[str, str]


@cache
def _chinese() -> _Chinese:
    catalog = json.loads(_CHINESE.read_text(encoding="utf-8"))
    reasons = [(re.compile(pattern, re.DOTALL), template) for pattern, template in catalog["reasons"]]
    return _Chinese(reasons, catalog["words"])
