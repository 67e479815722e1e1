"""Question → passages → evidence: hybrid search, fusion, the evidence test, packing into a token budget.

search       all of it together: both legs, weighed passage by passage
legs         what says the question's words (BM25), and what means the like (nearest vectors)
filters      which documents may be searched: chosen ones, kinds, times of their last change
candidates   what both legs have found, read from the library
coverage     how much of a question a text covers, each word by its rarity
fusion       one score for every candidate
adaptation   a question's vector fitted to the library that it is asked of
feedback     a second look from what the first has found (pseudo-relevance feedback)
named        a fair share for each document that the question names
reranking    the best read once more by a cross-encoder
duplicates, copies
             passages that say the same again: one is shown, and where else it stands

relevance    the evidence test: does anything in the library speak about what is asked (abstention)
signals      what that test sees of a search
strangers, backgrounds, remembered
             what is usual in this library, against which it judges

packing      passages → numbered evidence that fits into a token budget
runs         neighbouring chunks joined
tables       the whole table that a chunk stands in
cutting      a passage cut to its sentences around the match
telling_page which page of a passage says most of a question
"""

from rag.retrieval.filters import Filters
from rag.retrieval.packing import Packed, pack
from rag.retrieval.search import Retrieval, retrieve, search
from rag.retrieval.telling_page import telling_page

__all__ = ["Filters", "Packed", "Retrieval", "pack", "retrieve", "search", "telling_page"]
