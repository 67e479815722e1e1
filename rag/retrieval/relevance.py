"""The evidence test: does anything in the library speak about what is asked?

No absolute score can tell: an embedder's cosines crowd together, and the best of many passages always
looks good. So a question is compared with questions about anything else (`rag.retrieval.strangers`): by
how much its passages are nearer to it than they are to those. Some passages are near to whatever is asked;
such a comparison, passage by passage, does not take that for an answer. It is weighed together with how far
the nearest passage stands out among the library's, and with how much of the question the best ones say:

    83 nearness + 0.57 standing + 3.5 meant - 1.5 unnamed >= needed

`unnamed` is 1 where an English question gives a name of which none of its best passages has any word. Of the
questions of two English data sets that holds for 2 of 157 asked of their own library, and for 61 of 157
asked of the other's. With it some .01 to .03 more of the foreign ones get no evidence (.92 and .97 of whole
libraries, .98 of small ones) and none less of a library's own.

`needed` depends on the question's language, since the embedder sees Chinese questions about other things
further away, the more so in a library without other languages, and falls with the number of passages, since
the nearest of many is nearer by chance.

In a library without passages in the question's language words cannot tell and the embedder sees less. There
a second line without words decides, and leniently: what silenced nine of ten foreign questions would also
silence half of those that have their answer here. A wrong refusal hides an answer; a passage too many costs
the reading of it.

The weights are those of a logistic regression with multilingual-e5-small over the answerable questions of
four data sets (English, Chinese, Chinese web pages, PDF; plain ones and such in other words or in the other
language), each asked of its own library and of the others', of whole libraries and of small ones; every
group of questions counts with the square root of its size. The needed sums were then set so that nine of
ten foreign questions get no evidence in the worst pair of data sets. Fitted on either half of the questions
the weights come out as 77, 0.8, 2.6 and 66, 0.6, 3.4. `python -m eval silence` shows both halves.

Where a capable model reads what is found, one less is needed: it says itself that a passage does not
answer, and a wrong refusal hides an answer from it. That halves what is refused of the questions in other
words (English 6 to 3 of 18, Chinese 4 to 2 of 19), and instead of nine some eight and a half of ten foreign
questions are silenced without asking the model.

In a library of two languages words stand against passages in the other one, which cannot say the question's.
There a passage in the other language that is nearer than what is usual for questions about anything is for
a model to judge, whatever the words. In a library of an English and a Chinese data set, 28 instead of 13 of
43 questions get evidence whose answer is in the other language, and 15 instead of 4 of 56 foreign ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag.text.language import Language

_NEARNESS, _STANDING, _MEANT = 83.0, 0.57, 3.5
_UNNAMED = 1.5
_NEEDED: dict[Language, float] = {"en": 5.35, "zh": 4.2}
"""Of a library of `_LARGE` passages and more."""
_ALONE: dict[Language, float] = {"en": 0.0, "zh": 0.6}
"""How much less of one with hardly any passages in other languages; of a tenth of `_LARGE` no less."""
_LARGE = 1000
_EASIER = 0.6
"""How much less is needed for each factor of ten that a library is smaller."""

_DOUBTFUL = 1.0
"""How much less is needed where a capable model reads what is found."""
_ABROAD = 0.01
"""`Signals.abroad` from which on it is shown passages in another language than the question."""

_NEARNESS_ACROSS, _STANDING_ACROSS = 46.0, 0.33
_NEEDED_ACROSS = 0.3

_ALL_BUT_SAID = 0.85
"""A keyword hit that holds that much of the question (a code, a name) is evidence whatever its meaning."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What the test looks at.

    nearness: the most by which a passage's cosine to the question exceeds its mean cosine to questions
        about anything else; less what is usual here for such questions.
    standing: cosine of the nearest passage, in standard deviations above the mean of the library's.
    meant, said: share of the question, by rarity of its words, that one of the best passages of the dense
        leg and of the keyword leg holds (0 to 1).
    unnamed: the question gives a name of which none of those passages has any word.
    language: the question's. spoken: the library has passages in it; alone: and hardly any in another one.
    passages: how many it has at least.
    abroad: nearness of the passages in other languages alone; None without such, and where nobody asks.
    """

    nearness: float
    standing: float
    meant: float
    said: float
    language: Language
    spoken: bool
    passages: int
    abroad: float | None = None
    alone: bool = False
    unnamed: bool = False


def is_evidence(signals: Signals, *, doubtful: bool = False) -> bool:
    """doubtful: a capable model will read what is found and judge it, so that less is needed."""
    if signals.said >= _ALL_BUT_SAID:
        return True
    if not signals.spoken:
        across = _NEARNESS_ACROSS * signals.nearness + _STANDING_ACROSS * signals.standing
        return across >= _NEEDED_ACROSS
    if doubtful and signals.abroad is not None and signals.abroad >= _ABROAD:
        return True
    near = _NEARNESS * signals.nearness + _STANDING * signals.standing + _MEANT * signals.meant
    near -= _UNNAMED * signals.unnamed
    return near >= needed(signals.language, signals.passages, alone=signals.alone) - (
        _DOUBTFUL if doubtful else 0.0
    )


def needed(asked_in: Language, passages: int, *, alone: bool = False) -> float:
    """What the weighed sum of the signals must reach in a library of so many passages; alone: all of them
    in the question's language."""
    smaller = math.log10(_LARGE / min(max(passages, 1), _LARGE))
    less = _ALONE[asked_in] * max(0.0, 1.0 - smaller) if alone else 0.0
    return _NEEDED[asked_in] - _EASIER * smaller - less
