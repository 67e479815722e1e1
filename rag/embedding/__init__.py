"""Text → vectors. `protocol` is what the rest knows; `load` gives the embedder that the settings name."""

from rag.embedding.choose import load

__all__ = ["load"]
