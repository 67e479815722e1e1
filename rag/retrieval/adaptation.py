"""Fitting a question's vector to the library that it is asked of.

All passages of a library have much in common (their language, their kind of text), and so has every
score: a cosine says first of all that a passage is written in the question's language. `Background`
holds how the passages of a library are spread; `adapt` weighs down the directions in which they spread
most. What remains tells one passage from another, also across languages: of the quotes that questions in
the other language need, a mixed library gave 6 of 100 in the first 8 passages before and 27 after.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rag.embedding.protocol import Vectors

SAMPLE = 4096
"""Passages that the background is made of: all of most libraries, a draw of a larger one. Of a library of
2,043, two draws of 1,024 found .50 and .68 of the quotes that reworded questions need in the first 8
passages; all of them, .69. Their number costs a search nothing: it sees means and covariances alone."""

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
class Spread:
    """How unit rows are spread. mean: shape (d,). covariance: shape (d, d), of the rows as all there are."""

    mean: NDArray[np.float64]
    covariance: NDArray[np.float64]

    @classmethod
    def of(cls, passages: Vectors) -> Spread:
        rows = passages.astype(np.float64)
        if not len(rows):
            return cls(np.zeros(rows.shape[1]), np.zeros((rows.shape[1],) * 2))
        mean = rows.mean(axis=0)
        apart = rows - mean
        return cls(mean, apart.T @ apart / len(rows))

    def along(self, direction: NDArray[Any]) -> tuple[float, float]:
        """Mean and standard deviation of direction · row."""
        plain = direction.astype(np.float64)
        return float(self.mean @ plain), math.sqrt(max(0.0, float(plain @ self.covariance @ plain)))


@dataclass(frozen=True)
class Background:
    """Spread of a library's passages.

    count: of them. every: their spread; own: that of those in each language that has enough. inverse: of
    their shrunken covariance, shape (d, d), None for too small a library. spoken: how many are in each
    language; empty if unknown.
    """

    count: int
    every: Spread
    own: Mapping[str, Spread]
    inverse: NDArray[np.float64] | None
    spoken: Mapping[str, int]

    @classmethod
    def of(cls, passages: Vectors, languages: Sequence[str] = ()) -> Background:
        """The covariance C is shrunk to C + λ tr(C)/d · 1 with λ = 3 + 300/n, so that the directions that
        n passages cannot tell stay as they are."""
        n, dimension = passages.shape
        every, spoken, named = Spread.of(passages), Counter(languages), np.array(languages)
        own = {name: Spread.of(passages[named == name]) for name, few in spoken.items() if few >= _LEAST}
        inverse = None
        if n >= _LEAST:
            covariance = every.covariance * (n / (n - 1))
            scale = float(np.trace(covariance)) / dimension
            if scale > 1e-12:  # else the same text over and over
                shrink = (_SHRINK + _SHRINK_SMALL / n) * scale
                inverse = cast("NDArray[np.float64]", np.linalg.inv(covariance + shrink * np.eye(dimension)))
        return cls(n, every, own, inverse, spoken)

    def speaks(self, name: str) -> bool:
        """Whether enough passages are in that language; True if their languages are unknown."""
        return not self.spoken or self.spoken.get(name, 0) >= _SPOKEN * self.count

    def speaks_only(self, name: str) -> bool:
        """Whether hardly any passage is in another language; False if their languages are unknown."""
        return bool(self.spoken) and self.spoken.get(name, 0) > (1 - _SPOKEN) * self.count

    def adapt(self, question: Vectors) -> Vectors:
        """A unit vector whose cosine ranks passages by the sum of two standardised scores.

        One is the plain cosine, the other q' · p with q' = C⁻¹ (q − mean), Fisher's direction from an
        average passage to the question. Each is divided by its standard deviation over the background.
        """
        if self.inverse is None:
            return question
        plain = question.astype(np.float64)
        turned = self.inverse @ (plain - self.every.mean)
        adapted = self._per_deviation(plain) + self._per_deviation(turned)
        length = float(np.linalg.norm(adapted))
        return cast("Vectors", (adapted / length).astype(np.float32)) if length > 0 else question

    def standardised(self, direction: Vectors, scores: Sequence[float]) -> list[float]:
        """Passages' scores = direction · passage, as standard deviations above the mean of all passages.

        In a library too small to show how its passages spread, a spread of `_LEAST_SPREAD` is assumed.
        """
        if not self.count:
            return [0.0] * len(scores)
        mean, spread = self._measure(self.every, direction)
        return [(score - mean) / spread for score in scores]

    def among_their_own(
        self, direction: Vectors, scores: Sequence[float], languages: Sequence[str]
    ) -> list[float]:
        """As `standardised`, but for the greater part above the mean of the passages in their own language.

        In a library of two languages even an unfit passage in the question's comes before a fit one in the
        other; compared with its own kind the fit one stands out. languages: of each of the scores.
        """
        plain = self.standardised(direction, scores)
        own = {name: self._measure(spread, direction) for name, spread in self.own.items()}
        result = []
        for score, name, standard in zip(scores, languages, plain, strict=True):
            mean, spread = own.get(name, (0.0, 0.0))
            among = (score - mean) / spread if spread else standard
            result.append((1 - _OWN_LANGUAGE) * standard + _OWN_LANGUAGE * among)
        return result

    def _measure(self, of: Spread, direction: Vectors) -> tuple[float, float]:
        """Mean and standard deviation of scores, this one never 0."""
        mean, deviation = of.along(direction)
        if self.inverse is None:
            deviation = max(deviation, _LEAST_SPREAD)
        return mean, max(deviation, 1e-9)

    def _per_deviation(self, direction: NDArray[np.float64]) -> NDArray[np.float64]:
        _, deviation = self.every.along(direction)
        return direction / deviation if deviation > 1e-9 else np.zeros_like(direction)
