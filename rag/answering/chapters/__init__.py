"""A whole document summed up chapter by chapter: every chapter is read, or named as not covered.

wanting    whether a question asks for that
choosing   which document it speaks of
dividing   the chapters of a document
reading    what of a chapter is read within the budget
summing    one chapter in a model's words, or in its own
telling    what stands around the chapters: which document, what was covered
running    all of it together, chapter by chapter
"""

from rag.answering.chapters.choosing import choice
from rag.answering.chapters.running import chapters
from rag.answering.chapters.wanting import by_chapters

__all__ = ["by_chapters", "chapters", "choice"]
