"""Fitting a question's vector to the library that it is asked of.

All passages of a library have much in common (their language, their kind of text), and so has every
score: a cosine says first of all that a passage is written in the question's language. `Background`
holds how the passages of a library are spread; `adapt` weighs down the directions in which they spread
most. What remains tells one passage from another, also across languages: of the quotes that questions in
the other language need, a mixed library gave 6 of 100 in the first 8 passages before and 27 after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rag.embedding.protocol import Vectors

SAMPLE = 1024
"""Passages that the background of a large library is made of: more of them cost a search its time (at 100,000
chunks half as much again with 4,096)."""
WHOLE = 4096
"""A library of at most so many passages gives them all. Of one of 2,043, two draws of 1,024 found .50 and .68
of the quotes that reworded questions need in the first 8 passages; all of them, .69."""

_SHRINK = 3.0
_SHRINK_SMALL = 300.0
_LEAST = 8
"""Fewer passages say nothing about how passages spread."""
_OWN_LANGUAGE = 0.5
"""How much a passage's standing among those of its own language counts, against that among all. From the
questions in the other language of a mixed library, where 0.3 to 1 found more than 0."""
_LEAST_SPREAD = 0.02
"""Of cosines: less is chance."""
_SPOKEN = 0.05
"""Share of the passages from which on a library counts as one in that language, too."""


@dataclass(frozen=True)
class Background:
    """Spread of a library's passages. passages: unit rows, shape (n, d). inverse: of their shrunken
    covariance, shape (d, d), None for too small a library. languages: of each passage, () if unknown."""

    passages: Vectors
    mean: NDArray[np.float64]
    inverse: NDArray[np.float64] | None
    languages: tuple[str, ...] = ()

    @classmethod
    def of(cls, passages: Vectors, languages: Sequence[str] = ()) -> Background:
        """The covariance C is shrunk to C + λ tr(C)/d · 1 with λ = 3 + 300/n, so that the directions that
        n passages cannot tell stay as they are."""
        n, dimension = passages.shape
        rows = passages.astype(np.float64)
        if n < _LEAST:
            return cls(passages, rows.mean(axis=0) if n else np.zeros(dimension), None, tuple(languages))
        mean = rows.mean(axis=0)
        covariance = np.cov(rows, rowvar=False)
        scale = float(np.trace(covariance)) / dimension
        if scale <= 1e-12:  # the same text over and over
            return cls(passages, mean, None, tuple(languages))
        shrink = (_SHRINK + _SHRINK_SMALL / n) * scale
        inverse = np.linalg.inv(covariance + shrink * np.eye(dimension))
        return cls(passages, mean, cast("NDArray[np.float64]", inverse), tuple(languages))

    def speaks(self, name: str) -> bool:
        """Whether enough passages are in that language; True if their languages are unknown."""
        return not self.languages or self.languages.count(name) >= _SPOKEN * len(self.languages)

    def speaks_only(self, name: str) -> bool:
        """Whether hardly any passage is in another language; False if their languages are unknown."""
        return bool(self.languages) and self.languages.count(name) > (1 - _SPOKEN) * len(self.languages)

    def adapt(self, question: Vectors) -> Vectors:
        """A unit vector whose cosine ranks passages by the sum of two standardised scores.

        One is the plain cosine, the other q' · p with q' = C⁻¹ (q − mean), Fisher's direction from an
        average passage to the question. Each is divided by its standard deviation over the background.
        """
        if self.inverse is None:
            return question
        plain = question.astype(np.float64)
        turned = self.inverse @ (plain - self.mean)
        adapted = _per_deviation(self.passages, plain) + _per_deviation(self.passages, turned)
        length = float(np.linalg.norm(adapted))
        return cast("Vectors", (adapted / length).astype(np.float32)) if length > 0 else question

    def standardised(self, direction: Vectors, scores: Sequence[float]) -> list[float]:
        """Passages' scores = direction · passage, as standard deviations above the mean of all passages.

        In a library too small to show how its passages spread, a spread of `_LEAST_SPREAD` is assumed.
        """
        if not len(self.passages):
            return [0.0] * len(scores)
        mean, spread = self._spread(self.passages @ direction)
        return [(score - mean) / spread for score in scores]

    def among_their_own(
        self, direction: Vectors, scores: Sequence[float], languages: Sequence[str]
    ) -> list[float]:
        """As `standardised`, but for the greater part above the mean of the passages in their own language.

        In a library of two languages even an unfit passage in the question's comes before a fit one in the
        other; compared with its own kind the fit one stands out. languages: of each of the scores.
        """
        plain = self.standardised(direction, scores)
        usual = self.passages @ direction
        spoken = np.array(self.languages)
        own: dict[str, tuple[float, float]] = {}
        for name in set(languages):
            rows = usual[spoken == name] if len(spoken) else usual[:0]
            if len(rows) >= _LEAST:
                own[name] = self._spread(rows)
        result = []
        for score, name, standard in zip(scores, languages, plain, strict=True):
            mean, spread = own.get(name, (0.0, 0.0))
            among = (score - mean) / spread if spread else standard
            result.append((1 - _OWN_LANGUAGE) * standard + _OWN_LANGUAGE * among)
        return result

    def _spread(self, usual: NDArray[np.float32]) -> tuple[float, float]:
        """Mean and standard deviation, this one never 0."""
        spread = float(usual.std())
        if self.inverse is None:
            spread = max(spread, _LEAST_SPREAD)
        return float(usual.mean()), max(spread, 1e-9)


def _per_deviation(passages: Vectors, direction: NDArray[np.float64]) -> NDArray[Any]:
    spread = float((passages @ direction.astype(np.float32)).std())
    return direction / spread if spread > 1e-9 else np.zeros_like(direction)
