"""Run files and remembered vectors."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from eval import runs
from eval.remembering import RememberingEmbedder
from rag.embedding.protocol import Vectors
from rag.errors import UsageError


def test_a_run_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "run.jsonl"
    head = runs.header("retrieval", "set", settings={"limit": 8})
    runs.write(path, head, [{"id": "甲", "shares": {"fused@8": 0.5}}])
    assert runs.read(path) == (head, [{"id": "甲", "shares": {"fused@8": 0.5}}])
    assert head["versions"]["onnxruntime"][0].isdigit()
    assert [entry.name for entry in path.parent.iterdir()] == ["run.jsonl"]


def test_a_run_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    runs.write(path, runs.header("retrieval", "set"), [])
    before = path.read_text()
    with pytest.raises(ValueError, match="JSON"):
        runs.write(path, runs.header("retrieval", "set"), [{"share": float("nan")}])
    assert path.read_text() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.jsonl"]


@pytest.mark.parametrize("content", ["", "no json", json.dumps({"id": "q"}), json.dumps([1])])
def test_other_files_are_no_runs(tmp_path: Path, content: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(content)
    with pytest.raises(UsageError, match="not a run file"):
        runs.read(path)


class Lengths:
    """An embedder whose vectors say which text they belong to; it counts what it was asked."""

    id = "lengths@1"
    dimension = 2
    max_tokens = 100

    def __init__(self) -> None:
        self.asked: list[str] = []

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        return [(index, index + 1) for index in range(len(text))]

    def embed_passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        self.asked += texts
        if progress:
            progress(len(texts))
        return np.array([[len(text), 1] for text in texts], np.float32).reshape(-1, 2)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return np.array([[len(text), 2] for text in texts], np.float32).reshape(-1, 2)

    def close(self) -> None:
        pass


def test_vectors_are_remembered_across_processes_by_role_and_text(tmp_path: Path) -> None:
    first = RememberingEmbedder(Lengths(), tmp_path / "vectors.sqlite")
    np.testing.assert_array_equal(first.embed_passages(["a", "bbb"]), [[1, 1], [3, 1]])
    first.close()
    inner = Lengths()
    second = RememberingEmbedder(inner, tmp_path / "vectors.sqlite")
    told: list[int] = []
    vectors = second.embed_passages(["bbb", "cc", "a"], told.append)
    np.testing.assert_array_equal(vectors, [[3, 1], [2, 1], [1, 1]])
    assert sum(told) == 3
    np.testing.assert_array_equal(second.embed_queries(["a"]), [[1, 2]])
    assert inner.asked == ["cc", "a"]
    assert second.embedded == 2
    assert second.embed_passages([]).shape == (0, 2)
    assert (second.id, second.dimension, second.max_tokens) == ("lengths@1", 2, 100)
    second.close()


def test_another_embedder_shares_nothing(tmp_path: Path) -> None:
    RememberingEmbedder(Lengths(), tmp_path / "vectors.sqlite").embed_passages(["a"])
    other = Lengths()
    other.id = "lengths@2"
    RememberingEmbedder(other, tmp_path / "vectors.sqlite").embed_passages(["a"])
    assert other.asked == ["a"]
