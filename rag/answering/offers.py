"""What an answer offers to do next."""

from __future__ import annotations

import re

from rag.citations.markers import MARKER
from rag.text.sentences import sentences

_OFFER = re.compile(
    r".*?(?:\b(?:would you like|do you want)(?: me)?(?: to)?(?: know| hear| see| learn)?(?: more)?(?: about)?"
    r"|\b(?:shall|should|can|may) i(?: also)?|\bi can(?: also)?"
    r"|\blet me know if you (?:want|would like)(?: to)?"
    r"|(?:是否)?(?:需要|要不要|想)(?:我|让我)?(?:为您|为你|给您|给你|帮您)?(?:再|继续|进一步|详细)?|我(?:还)?可以(?:为您)?)"
    r"\s*(?:explain|describe|list|show|tell you|give you|look up|summari[sz]e)?"
    r"(?:说明|介绍|解释|列出|讲讲|了解|知道|查找)?"
    r"(?:一下)?\s*(?P<offer>.+?)\s*[?？.。吗呢]*\s*$",
    re.IGNORECASE | re.DOTALL,
)
"""The last sentence of an answer that offers to say more, and what it offers."""


def offered(answer: str) -> str:
    """
    >>> offered("25 days [1]. Would you like to know about sick leave?")
    'sick leave'
    """
    answer = MARKER.sub("", answer)
    spans = sentences(answer)
    match = _OFFER.fullmatch(answer[slice(*spans[-1])]) if spans else None
    return match["offer"].strip() if match else ""
