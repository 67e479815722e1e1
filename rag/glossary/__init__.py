"""Other names for what a question asks for: abbreviations, synonyms, what a figure is worked out from."""

from rag.glossary.glossary import Glossary, Named
from rag.glossary.reading import columns, glossary_of

__all__ = ["Glossary", "Named", "columns", "glossary_of"]
