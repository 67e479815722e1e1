"""How much the words of a question tell, by how few chunks of the library hold them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rag.answering.extractive import Rarity
from rag.citations.wording import root
from rag.text.words import words

if TYPE_CHECKING:
    from rag.library import Library


def rarity_in(library: Library, question: str) -> Rarity:
    """Inverse document frequencies, log(1 + (N − n + ½) / (n + ½)) as in BM25, of the question's words.

    A root is as common as the commonest of its forms in the question.
    """
    forms = list(dict.fromkeys(words(question)))
    statistics = library.keyword_statistics(forms)
    holding: dict[str, int] = {}
    for form in forms:
        frequency = statistics.document_frequency[form]
        holding[root(form)] = max(holding.get(root(form), 0), frequency)

    def rarity(stems: Iterable[str]) -> Mapping[str, float]:
        found = {word: holding.get(word, 0) for word in stems}
        return {
            word: math.log(1 + (max(statistics.chunks - n, 0) + 0.5) / (n + 0.5)) for word, n in found.items()
        }

    return rarity
