"""Answers that consist of the documents' own sentences.

units        evidence cut into sentences, list items, rows, headings
orders       what speaks to a machine that reads it
misspelt     what wrongly written words of the question mean
numbered     what speaks of another numbered thing than the question
meaning      how near units come to it, in its language and in another
scoring      which of them answer the question
tongues      the question's own language first
completing   what must be quoted with them
extract      all of it together
by_parts     for each part of a question
"""

from rag.answering.extractive.by_parts import Quotations, Sought
from rag.answering.extractive.extract import Extract, extract, extract_best
from rag.answering.extractive.shares import Rarity

__all__ = ["Extract", "Quotations", "Rarity", "Sought", "extract", "extract_best"]
