"""From the model's text to citations that cannot dangle.

markers     any way of writing "source 2" → [2], while the text streams; what points nowhere is not shown
grammar     those ways, and what a bracket's inside means
references  a document's own bracketed references, which are no markers
fenced      blocks between fences: code, or sentences that a model has put into a block
claims      the statements of an answer
quoted      quotations of several sentences under one mark
wording     which words of a sentence carry its meaning, and whether it negates
english_numerals
            English numbers in words
numbers     numbers, comparable across their ways of writing
support     how well evidence supports a statement: words, numbers, negation
cite        all of it together: answer and evidence → text, citations, unsupported sentences
"""

from rag.citations.cite import Cited, PageOf, cite, locate
from rag.citations.markers import MARKER, MarkerFilter, clean

__all__ = ["MARKER", "Cited", "MarkerFilter", "PageOf", "cite", "clean", "locate"]
