"""The evidence test: does anything in the library speak about what is asked?

No absolute score can tell: an embedder's cosines crowd together, and the best of many passages always
looks good. So the library is compared with itself: how much nearer it comes to this question than to
questions about anything else (`rag.retrieval.strangers`), and how much of the question its best passages
say. Two logistic models weigh that, one for questions and passages of one language, one for questions of
which some of the best passages are in another, where words cannot tell and the embedder sees less.

The constants were fitted with multilingual-e5-small to half of the answerable questions of four data sets
(English, Chinese, Chinese web pages, PDF; plain ones and such in other words or in the other language), each
asked of its own library and of the others', of the whole libraries and of some cut down to one to twelve
documents.

The thresholds are a choice: in the library's language nine of ten foreign questions and more find nothing,
and of a library's own hardly one in fifty. Across languages the embedder sees too little for that: what
silenced nine of ten foreign questions would also silence most that have their answer here. So about a third
of them is silenced, and the others are left to the model.
`python -m eval silence` shows both halves.
"""

from __future__ import annotations

from dataclasses import dataclass

_NEARNESS, _STANDING, _MEANT = 63.8, 1.32, 3.5
_NEEDED = 3.3
_NEARNESS_ACROSS, _STANDING_ACROSS = 15.5, 1.1
_NEEDED_ACROSS = -0.5

_ALL_BUT_SAID = 0.85
"""A keyword hit that holds that much of the question (a code, a name) is evidence whatever its meaning."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What the test looks at.

    nearness: cosine of the nearest passage, above what is usual here for questions about anything else.
    standing: best score of the dense leg, in standard deviations of the library's passages, above what is
        usual here.
    meant, said: share of the question, by rarity of its words, that one of the best passages of the dense
        leg and of the keyword leg holds (0 to 1).
    same_language: all of the best dense passages are in the question's.
    """

    nearness: float
    standing: float
    meant: float
    said: float
    same_language: bool


def is_evidence(signals: Signals) -> bool:
    if signals.said >= _ALL_BUT_SAID:
        return True
    near = _NEARNESS * signals.nearness + _STANDING * signals.standing + _MEANT * signals.meant
    if near >= _NEEDED:
        return True
    across = _NEARNESS_ACROSS * signals.nearness + _STANDING_ACROSS * signals.standing
    return not signals.same_language and across >= _NEEDED_ACROSS
