"""The evidence test: does anything in the library speak about what is asked?

No absolute score can tell: an embedder's cosines crowd together, and the best of many passages always
looks good. So two things are weighed together: how far the best passage stands out from what the library
gives any question, and how much of the question, by the rarity of its words, the best passages hold.

Calibrated with multilingual-e5-small on real questions asked of their own and of foreign libraries.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

_COVERAGE = 9.0
"""Standard deviations that the whole question, found in one passage, is worth."""
_AT_ONE_PASSAGE = 1.6
_PER_TENFOLD = 1.9
"""What the sum must reach, for a library of one passage and for every tenfold of passages: the best of
more passages stands out farther by chance."""
_OTHER_LANGUAGE = 0.75
"""Standard deviations by which the best passage may stay below the expected best of N normal draws,
√(2 ln N), when words cannot tell because passage and question are in different languages."""
_ALL_BUT_SAID = 0.7
"""A keyword hit that holds that much of the question (a code, a name) is evidence whatever its meaning."""
_SMALL_COVERAGE = 0.3
"""Needed in a library too small for its passages to show how they spread."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What the test looks at.

    standing: best score of the dense leg, in standard deviations above the mean of the library's passages;
        None in a library too small to tell.
    meant, said: share of the question, by rarity of its words, that one of the best passages of the dense
        leg and of the keyword leg holds (0 to 1).
    passages: how many were searched. same_language: most of the best dense passages are in the question's.
    """

    standing: float | None
    meant: float
    said: float
    passages: int
    same_language: bool


def is_evidence(signals: Signals) -> bool:
    if signals.said >= _ALL_BUT_SAID:
        return True
    if signals.standing is None:
        return not signals.same_language or signals.meant >= _SMALL_COVERAGE
    passages = max(signals.passages, 1)
    if not signals.same_language:
        return signals.standing >= math.sqrt(2 * math.log(passages)) - _OTHER_LANGUAGE
    needed = _AT_ONE_PASSAGE + _PER_TENFOLD * math.log10(passages)
    return signals.standing + _COVERAGE * signals.meant >= needed
