"""The evidence test: does anything in the library speak about what is asked?

No absolute score can tell: an embedder's cosines crowd together, and the best of many passages always
looks good. So the library is compared with itself: how much nearer it comes to this question than to
questions about anything else (`rag.retrieval.strangers`), and how much of the question its best passages
say. Two logistic models weigh that, one for questions whose best passages are in their own language, one
for the others, where words cannot tell and the embedder sees less.

The constants were fitted to the answerable questions of four data sets (English, Chinese, PDF, and
questions in other words or in the other language), asked of their own library and of the others', whole
and cut down to one to twelve documents, with multilingual-e5-small. The thresholds were then set so that
nine of ten foreign questions in the library's language find nothing; across languages, where more than
half of what is refused would have had an answer at that threshold, to half of them.
`python -m eval silence` shows what they do.
"""

from __future__ import annotations

from dataclasses import dataclass

_NEARNESS, _STANDING, _MEANT = 58.9, 0.81, 4.35
_NEEDED = 2.89
_NEARNESS_ACROSS, _STANDING_ACROSS = 14.2, 1.02
_NEEDED_ACROSS = -0.25

_ALL_BUT_SAID = 0.75
"""A keyword hit that holds that much of the question (a code, a name) is evidence whatever its meaning."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What the test looks at.

    nearness: cosine of the nearest passage, above what is usual here for questions about anything else.
    standing: best score of the dense leg, in standard deviations of the library's passages, above what is
        usual here.
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
    if signals.same_language:
        support = _NEARNESS * signals.nearness + _STANDING * signals.standing + _MEANT * signals.meant
        return support >= _NEEDED
    return _NEARNESS_ACROSS * signals.nearness + _STANDING_ACROSS * signals.standing >= _NEEDED_ACROSS
