"""Answers that consist of the documents' own sentences.

units        evidence cut into sentences, list items, rows, headings
scoring      which of them answer the question
completing   what must be quoted with them
extract      all of it together
"""

from rag.answering.extractive.extract import Extract, extract, extract_parts
from rag.answering.extractive.scoring import Rarity

__all__ = ["Extract", "Rarity", "extract", "extract_parts"]
