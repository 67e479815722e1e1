"""From the model's text to citations that cannot dangle.

markers   any way of writing "source 2" → [2], while the text streams; what points nowhere is not shown
claims    the statements of an answer
support   how well evidence supports a statement: words, numbers, negation
cite      all of it together: answer and evidence → text, citations, unsupported sentences
"""

from rag.citations.cite import Cited, PageOf, cite, locate
from rag.citations.markers import MARKER, MarkerFilter, clean

__all__ = ["MARKER", "Cited", "MarkerFilter", "PageOf", "cite", "clean", "locate"]
