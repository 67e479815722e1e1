"""An answer as the runs of one to three sentences that a fact may be stated in."""

from __future__ import annotations

from collections.abc import Sequence

from rag.citations.claims import claims, is_silence
from rag.citations.markers import MARKER

LONGEST = 3


def statements(answer: str) -> list[str]:
    """The sentences that state something, without markers; "the documents do not say" states nothing."""
    found = [claim.text for claim in claims(answer) if claim.text and not is_silence(claim.text)]
    if found or is_silence(answer):
        return found
    plain = MARKER.sub("", answer).strip()
    return [plain] if plain else []


def windows(sentences: Sequence[str], longest: int = LONGEST) -> list[str]:
    """Every run of up to `longest` neighbours, shorter runs first."""
    return [
        " ".join(sentences[start : start + length])
        for length in range(1, min(longest, len(sentences)) + 1)
        for start in range(len(sentences) - length + 1)
    ]
