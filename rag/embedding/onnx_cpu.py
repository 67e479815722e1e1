"""A packaged model on the CPU: tokenizers and onnxruntime, nothing else."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rag.embedding.identity import content_id
from rag.embedding.prefixed import Prefixed, Progress
from rag.embedding.protocol import Vectors
from rag.embedding.tokens import Tokens
from rag.errors import EmbeddingError

if TYPE_CHECKING:
    import onnxruntime

CARD = "embedder.json"
MODEL = "onnx/model_int8.onnx"
DECIDING = (MODEL, "tokenizer.json", "config_sentence_transformers.json")
HASHES = "hashes.json"

# Texts tokenized at once: enough to keep every thread busy, few enough to stop soon.
SLICE = 512


class OnnxEmbedder(Prefixed):
    """Implements `rag.embedding.protocol.Embedder`; safe to use from several threads.

    Every text is evaluated alone, by one thread: int8 activations are scaled by the largest value of
    the whole batch, so that in company a text's vector would depend on its neighbours (measured: cosine
    0.996 between two batches). Alone it is always the same, and parallel texts use the cores better
    than parallel matrix products.
    """

    def __init__(self, folder: Path, *, threads: int) -> None:
        """folder: made by `rag.embedding.packaged`. threads: texts evaluated at the same time."""
        card = _card(folder)
        prefixes: dict[str, str] = card["prompts"]
        # Reading the vocabulary keeps Python busy, reading the model does not: together they take no
        # longer than the first alone.
        with ThreadPoolExecutor(1) as beside:
            session = beside.submit(_session, folder / MODEL)
            tokens = Tokens.from_folder(folder, card["max_seq_length"])
        super().__init__(
            f"{folder.name}-int8@{content_id(folder, DECIDING, folder / HASHES)}",
            card["dimension"],
            tokens,
            passage=prefixes.get("document", ""),
            query=prefixes.get("query", ""),
        )
        self._threads = max(1, threads)
        self._session: onnxruntime.InferenceSession | None = session.result()
        self._pool: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()

    def close(self) -> None:
        """Frees the model; embedding afterwards raises EmbeddingError."""
        with self._lock:
            pool, self._pool, self._session = self._pool, None, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    def _embed(self, prefix: str, texts: Sequence[str], progress: Progress | None) -> Vectors:
        result = np.empty((len(texts), self._dimension), np.float32)
        for start in range(0, len(texts), SLICE):
            rows = self._tokens.encode(prefix, texts[start : start + SLICE])
            if len(rows) == 1:
                result[start] = self._evaluate(rows[0])
                if progress:
                    progress(1)
                continue
            # The longest first, so that no thread is left alone with a long one at the end.
            order = sorted(range(len(rows)), key=lambda index: -len(rows[index]))
            pool = self._workers()
            futures = {pool.submit(self._evaluate, rows[index]): start + index for index in order}
            try:
                for future in as_completed(futures):
                    result[futures[future]] = future.result()
                    if progress:
                        progress(1)
            finally:
                for future in futures:
                    future.cancel()
        return result

    def _workers(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="embedder")
            return self._pool

    def _evaluate(self, ids: list[int]) -> Vectors:
        """The unit vector of one text: the mean of its token states."""
        session = self._session
        if session is None:
            raise EmbeddingError("The embedder was closed.", fix="Load it again.")
        row = np.array([ids], np.int64)
        states = session.run(None, {"input_ids": row, "attention_mask": np.ones_like(row)})[0]
        mean = states[0].mean(axis=0)
        vector: Vectors = (mean / np.linalg.norm(mean)).astype(np.float32)
        return vector


def _card(folder: Path) -> dict[str, Any]:
    try:
        card: dict[str, Any] = json.loads((folder / CARD).read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise EmbeddingError(
            f"{folder} is not an embedder that set-up made: {error}.", fix="Run: python -m rag.embedding"
        ) from error
    return card


def _session(path: Path) -> onnxruntime.InferenceSession:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise EmbeddingError(
            f"{path} could not be loaded: {error}.", fix="Remove that folder and run: python -m rag.embedding"
        ) from error
