"""Judges by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eval.judges.exact import ExactJudge
from eval.judges.semantic import SemanticJudge
from eval.judges.verdict import Judge
from rag.errors import UsageError

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder
    from rag.engine.protocol import Engine

NAMES = ("semantic", "exact", "model")
USUAL = ("semantic", "exact")
"""Without the model judge, which takes as long as the answers and needs a good model."""


def judges(names: Sequence[str], embedder: Embedder, engine: Engine) -> list[Judge]:
    """In the order of `names`. Raises UsageError for an unknown one or none."""
    if not names:
        raise UsageError("No judge is named.", fix=f"Use some of: {', '.join(NAMES)}.")
    return [_judge(name, embedder, engine) for name in dict.fromkeys(names)]


def _judge(name: str, embedder: Embedder, engine: Engine) -> Judge:
    if name == "exact":
        return ExactJudge()
    if name == "semantic":
        return SemanticJudge(embedder)
    if name == "model":
        from eval.judges.model import ModelJudge

        return ModelJudge(engine)
    raise UsageError(f"There is no judge {name!r}.", fix=f"Use some of: {', '.join(NAMES)}.")
