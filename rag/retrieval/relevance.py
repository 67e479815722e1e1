"""The evidence test: does anything in the library speak about what is asked?

No absolute score can tell: an embedder's cosines crowd together, and the best of many passages always
looks good. So several things are weighed together in a logistic model.
"""

from __future__ import annotations

from dataclasses import dataclass

_ALL_BUT_SAID = 0.7
"""A keyword hit that holds that much of the question (a code, a name) is evidence whatever its meaning."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What the test looks at.

    nearness: cosine of the nearest passage, above what is usual here for questions about anything else.
    standing: best score of the dense leg, in standard deviations above the mean of the library's passages.
    meant, said: share of the question, by rarity of its words, that one of the best passages of the dense
        leg and of the keyword leg holds (0 to 1).
    same_language: most of the best dense passages are in the question's.
    """

    nearness: float
    standing: float
    meant: float
    said: float
    same_language: bool


def is_evidence(signals: Signals) -> bool:
    if signals.said >= _ALL_BUT_SAID:
        return True
    return signals.nearness + 0.1 * signals.meant > 0.035
