"""Loading a model through transformers: nothing is printed, and weights that are missing are an error.

transformers fills weights that a folder lacks with random numbers, says so in a table, and goes on:
such an embedder or reranker would answer at random.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rag.errors import EmbeddingError

# Not used by any pooling of token states, and left out of many folders that are whole otherwise.
NEVER_USED = ("pooler.", "bert.pooler.")

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_MISSING = re.compile(r"^(\S+)\s*\|\s*MISSING\b", re.MULTILINE)


def missing_weights(report: str) -> list[str]:
    """The tensors that a load report of transformers calls missing, without those that nothing uses."""
    names = _MISSING.findall(_COLOUR.sub("", report))
    return [name for name in names if not name.startswith(NEVER_USED)]


@contextmanager
def quietly(folder: Path) -> Iterator[None]:
    """While it is open, what transformers would print is read instead.

    folder: for the message. Raises EmbeddingError at its end if weights are missing there.
    """
    from transformers.utils import logging as transformers_logging

    reports: list[str] = []
    reader = logging.Handler(logging.WARNING)
    reader.emit = lambda record: reports.append(record.getMessage())  # type: ignore[method-assign]
    bars = transformers_logging.is_progress_bar_enabled()
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    transformers_logging.disable_default_handler()
    transformers_logging.add_handler(reader)
    try:
        yield
    finally:
        transformers_logging.remove_handler(reader)
        transformers_logging.enable_default_handler()
        if bars:
            transformers_logging.enable_progress_bar()  # type: ignore[no-untyped-call]
    missing = [name for report in reports for name in missing_weights(report)]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise EmbeddingError(
            f"The model in {folder} is not whole: it lacks the weights {', '.join(missing[:3])}{more}.",
            fix="Download the model again; a folder of another kind of model lacks such weights, too.",
        )
