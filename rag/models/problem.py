"""One reason not to run a model file."""

from __future__ import annotations

from typing import NamedTuple

DOWNLOAD_AGAIN = "Download the file again; python -m rag model pull checks what it downloads."

ENGINES_FOR_BONSAI_2 = (
    "Use an engine that reads it: set engine.library to a folder with PrismML's libllama; or use "
    "bonsai-27b, which this engine reads (python -m rag model pull bonsai-27b)."
)


class Problem(NamedTuple):
    """kind: a short constant for programs. message: what is wrong. fix: what to do about it."""

    kind: str
    message: str
    fix: str
