"""Any sentence-transformers model, from a folder or the hub's local store, on a GPU or a CPU."""

from __future__ import annotations

import gc
import hashlib
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rag.embedding.identity import content_id
from rag.embedding.loading import quietly
from rag.embedding.prefixed import Prefixed, Progress
from rag.embedding.protocol import Vectors
from rag.embedding.tokens import Tokens
from rag.errors import EmbeddingError

# A prompt goes by several names in the models' own configurations.
QUERY_PROMPTS = ("query",)
PASSAGE_PROMPTS = ("document", "passage", "corpus")

# Tokens evaluated together unless the settings say: on a GPU larger batches pay (1.7 times the chunks a
# second of 4,096 on an H200, for 240 MiB more), on a CPU they only take memory.
BATCH_TOKENS = {"cuda": 16_384, "cpu": 4_096}

# Files that decide a model's vectors; exports to other runtimes and descriptions do not.
DECIDING = (".safetensors", ".bin", ".pt", ".json", ".txt", ".model")
OTHER_RUNTIMES = ("onnx", "openvino")
NOT_DECIDING = ("hashes.json", "embedder.json", "data_config.json")


def locate(model: str, models_dir: Path) -> Path:
    """The folder of `model`: itself a folder, or a hub id that was downloaded before. Never downloads.

    Looks into `models_dir`/owner--name, then into the hub's own store. Raises EmbeddingError.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        return folder
    ours = models_dir / model.replace("/", "--")
    if ours.is_dir():
        return ours
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(model, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError) as error:
        raise EmbeddingError(
            f"The embedding model {model!r} is neither a folder nor a downloaded model.",
            fix=f"Download it with: python -m rag.embedding --pull {model} (needs the network), "
            "or set embedding.model to multilingual, english, or a folder.",
        ) from error


def pull(model: str, models_dir: Path) -> Path:
    """Downloads the hub model into `models_dir` and returns its folder. Raises EmbeddingError."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    folder = models_dir / model.replace("/", "--")
    if folder.exists():
        raise EmbeddingError(f"{folder} is already there.", fix="Remove it to download the model again.")
    unfinished = folder.with_name(f".{folder.name}.part")
    try:
        # The part folder stays after an interruption, so that the next attempt goes on from there.
        snapshot_download(model, local_dir=unfinished, ignore_patterns=["onnx/*", "openvino/*", "*.msgpack"])
    except (HfHubHTTPError, HFValidationError, OSError, ValueError) as error:
        raise EmbeddingError(
            f"The model {model!r} could not be downloaded: {error}.",
            fix="Check the name and the network; HF_ENDPOINT names a mirror of the hub.",
        ) from error
    unfinished.rename(folder)
    return folder


class SentenceEmbedder(Prefixed):
    """Implements `rag.embedding.protocol.Embedder` with sentence-transformers; calls take turns."""

    def __init__(
        self, folder: Path, *, name: str, device: str, batch_tokens: int, threads: int, hashes: Path
    ) -> None:
        """name: for the id. device: "cuda" or "cpu". batch_tokens: evaluated together, padding included; 0:
        `BATCH_TOKENS` of the device.

        hashes: folder where content hashes are remembered. Raises EmbeddingError if it cannot be loaded.
        """
        remembered = hashes / f"{hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]}.json"
        self._model = _model(folder, device, threads)
        prompts = {key: text for key, text in self._model.prompts.items() if text}
        super().__init__(
            f"{name}@{content_id(folder, deciding_files(folder), remembered)}",
            int(self._model.get_embedding_dimension()),
            Tokens.from_folder(folder, int(self._model.max_seq_length or 512)),
            passage=next((prompts[key] for key in PASSAGE_PROMPTS if key in prompts), ""),
            query=next((prompts[key] for key in QUERY_PROMPTS if key in prompts), ""),
        )
        self._batch_tokens = batch_tokens or BATCH_TOKENS[device]
        self._lock = threading.Lock()

    def close(self) -> None:
        """Frees the model and the GPU memory that torch keeps for it."""
        with self._lock:
            self._model = None
        # The model's modules point at each other: only the collector of circles lets go of its weights.
        gc.collect()
        import torch

        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    def _embed(self, prefix: str, texts: Sequence[str], progress: Progress | None) -> Vectors:
        result = np.empty((len(texts), self._dimension), np.float32)
        lengths = [len(ids) for ids in self._tokens.encode(prefix, texts)]
        for batch in batches(lengths, self._batch_tokens):
            result[batch] = self._encode(prefix, [texts[index] for index in batch])
            if progress:
                progress(len(batch))
        return result

    def _encode(self, prefix: str, texts: list[str]) -> Vectors:
        import torch

        with self._lock:
            if self._model is None:
                raise EmbeddingError("The embedder was closed.", fix="Load it again.")
            try:
                vectors: Vectors = self._model.encode(
                    texts,
                    prompt=prefix,
                    batch_size=len(texts),
                    normalize_embeddings=True,
                    convert_to_numpy=True,
                    show_progress_bar=False,
                )
            except torch.cuda.OutOfMemoryError as error:
                torch.cuda.empty_cache()
                if len(texts) == 1:
                    raise EmbeddingError(
                        "The GPU has no memory left for embedding.",
                        fix="Set embedding.device to cpu, or give the engine a smaller context.",
                    ) from error
                vectors = np.empty((0, 0), np.float32)
        if not len(vectors):
            # The engine shares this GPU: halves often fit where the whole did not.
            middle = len(texts) // 2
            return np.concatenate(
                [self._encode(prefix, texts[:middle]), self._encode(prefix, texts[middle:])]
            )
        return vectors.astype(np.float32, copy=False)


def batches(lengths: Sequence[int], limit: int) -> Iterator[list[int]]:
    """Indices grouped so that count × longest of a group stays within `limit` tokens, longest first.

    A text longer than `limit` is a group of its own.
    """
    group: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda index: (-lengths[index], index)):
        if group and (len(group) + 1) * lengths[group[0]] > limit:
            yield group
            group = []
        group.append(index)
    if group:
        yield group


def deciding_files(folder: Path) -> list[str]:
    """Relative names of the files that decide the vectors of the model in `folder`."""
    found = [path.relative_to(folder) for path in folder.rglob("*") if path.suffix in DECIDING]
    chosen = [
        path
        for path in found
        if path.name not in NOT_DECIDING
        and not any(part in OTHER_RUNTIMES or part.startswith(".") for part in path.parts)
    ]
    if any(path.suffix == ".safetensors" for path in chosen):
        chosen = [path for path in chosen if path.suffix not in (".bin", ".pt")]
    return [path.as_posix() for path in chosen]


def _model(folder: Path, device: str, threads: int) -> Any:
    # Read when the hub's client is imported; everything is on this disk already.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import torch
    from sentence_transformers import SentenceTransformer

    if threads and device == "cpu":
        torch.set_num_threads(threads)
    try:
        with quietly(folder):
            return SentenceTransformer(str(folder), device=device, local_files_only=True)
    except EmbeddingError:
        raise
    except Exception as error:
        raise EmbeddingError(
            f"The embedding model in {folder} could not be loaded: {error}.",
            fix="Check that it is a whole sentence-transformers folder.",
        ) from error
