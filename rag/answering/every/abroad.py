"""Does a document in another language than the question, or in other words, speak of what is asked?

Words cannot tell, and in every document some sentence is nearest to the question. So the question is
compared with questions about anything else in its language (`rag.retrieval.strangers`): by how much the
document's sentences come nearer to it than they do to those.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np

from rag.embedding.protocol import Vectors
from rag.retrieval.backgrounds import apart

NEARER = 0.03
"""The least nearness of a document that speaks of what is asked. Of 50 questions of the development sets in
another language than the document that answers them, this keeps 90 % of those documents and silences 81 % of
374 others; 0.02 keeps 94 and silences 67, 0.04 keeps 86 and silences 90."""


NEARER_UNNAMED = 0.05
"""Likewise where the glossary knows the thing's name in that language and the document has it nowhere."""


def nearness(question: Vectors, strangers: Vectors, sentences: Sequence[Vectors]) -> float:
    """By how much the nearest sentence exceeds what is usual for questions about anything; of cosines.

    question: its vector, shape (d,). strangers: of questions about anything, shape (n, d), n at least 2.
    sentences: vectors of the document's sentences, one at least.
    """
    said = np.stack(sentences)
    usual = float(median((said @ apart(strangers).T).max(axis=0).tolist()))
    return float((said @ (question - strangers.mean(axis=0))).max()) - usual
