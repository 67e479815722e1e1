"""The best candidates read once more, each together with the question, by a cross-encoder.

Off unless `retrieval.reranker` names a model. It orders what the search has found; whether anything is
evidence at all was decided before, and the scores of different cross-encoders have nothing in common.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rag.errors import EmbeddingError

if TYPE_CHECKING:
    from rag.settings import Settings

_loaded: dict[tuple[str, str], Reranker] = {}
_lock = threading.Lock()


class Reranker:
    """A sentence-transformers cross-encoder; calls take turns."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._turn = threading.Lock()

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, higher is better; comparable within one call only."""
        if not texts:
            return []
        with self._turn:
            found = self._model.predict(
                [(question, text) for text in texts], batch_size=16, show_progress_bar=False
            )
        return [float(score) for score in found]


def reranker_of(settings: Settings) -> Reranker | None:
    """The one that the settings name, loaded once a process; None if they name none.

    Raises EmbeddingError if it is not there or is no cross-encoder with one score a pair.
    """
    name = settings.retrieval.reranker
    if not name:
        return None
    key = (name, settings.embedding.device)
    with _lock:
        if key not in _loaded:
            _loaded[key] = Reranker(_load(name, settings))
        return _loaded[key]


def _load(name: str, settings: Settings) -> Any:
    from rag.embedding.loading import quietly
    from rag.embedding.sentence import locate

    folder = locate(name, settings.models_dir)
    from sentence_transformers import CrossEncoder

    device = None if settings.embedding.device == "auto" else settings.embedding.device
    try:
        with quietly(folder):
            model = CrossEncoder(str(folder), device=device, local_files_only=True)
        labels = int(model.num_labels)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise EmbeddingError(
            f"{folder} could not be loaded as a cross-encoder: {error}.",
            fix="Name another model in retrieval.reranker, or leave it empty.",
        ) from error
    if labels != 1:
        raise EmbeddingError(
            f"{folder} gives {labels} scores a pair; one is needed.",
            fix="Name a cross-encoder made for ranking in retrieval.reranker.",
        )
    return model
