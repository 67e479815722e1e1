"""Why a file was not taken, in the reader's language. The rooms below give their reasons in English."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from ui.language import Texts

_CHINESE = Path(__file__).parent.parent / "locale" / "reasons.zh.json"


def reason_text(reason: str, texts: Texts) -> str:
    """The reason in Chinese if that is wanted and known; else as it is."""
    if texts.language == "zh":
        for pattern, template in _chinese():
            found = pattern.fullmatch(reason)
            if found:
                return template.format(*found.groups(default=""))
    return reason


@cache
def _chinese() -> list[tuple[re.Pattern[str], str]]:
    """The first pattern that fits a whole reason counts."""
    pairs = json.loads(_CHINESE.read_text(encoding="utf-8"))
    return [(re.compile(pattern, re.DOTALL), template) for pattern, template in pairs]
