"""Every chosen document is asked the same question; "not stated" is an answer.

documents   which documents, and how many at most
alike       the documents of one form that a question speaks of
reading     the passages of one document that bear on the question
said        what one document says
asking      one document's answer, by a model or by quotation
values      the one number of an answer, and which answers a limit chooses
weighing    which quotations only seem to answer, seen beside those of the other documents
abroad      whether a document in another language, or in other words, speaks of what is asked
merging     the answers as one table, with what their values come to
running     all of it together, document by document
"""

from rag.answering.every.alike import MOST, alike, asks_over_documents
from rag.answering.every.running import every

__all__ = ["MOST", "alike", "asks_over_documents", "every"]
