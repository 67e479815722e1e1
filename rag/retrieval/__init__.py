"""Question → passages → evidence: hybrid search, fusion, the evidence test, packing into a token budget."""

from rag.retrieval.filters import Filters
from rag.retrieval.packing import Packed, pack
from rag.retrieval.search import Retrieval, retrieve, search
from rag.retrieval.telling_page import telling_page

__all__ = ["Filters", "Packed", "Retrieval", "pack", "retrieve", "search", "telling_page"]
