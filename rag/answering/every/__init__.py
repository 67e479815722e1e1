"""Every chosen document is asked the same question; "not stated" is an answer.

documents   which documents, and how many at most
reading     the passages of one document that bear on the question
asking      one document's answer, by a model or by quotation
merging     the answers as one table, with what their values come to
running     all of it together, document by document
"""

from rag.answering.every.running import every

__all__ = ["every"]
