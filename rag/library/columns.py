"""How Python values stand in the manifest's columns."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rag.embedding.protocol import Vectors
from rag.errors import LibraryDamaged


def path_column(path: Path | str) -> str | bytes:
    """A path as text; as bytes where its name is not text in the file system's encoding."""
    text = str(path)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return os.fsencode(text)
    return text


def path_value(column: str | bytes) -> Path:
    return Path(os.fsdecode(column))


def json_column(values: Sequence[Any]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def vector_column(vector: Vectors) -> bytes:
    """float32, little-endian."""
    return vector.astype("<f4", copy=False).tobytes()


def matrix(columns: Sequence[bytes], dimension: int) -> Vectors:
    """Stored vectors as rows, shape (n, dimension). Raises LibraryDamaged if one has another length."""
    if any(len(column) != 4 * dimension for column in columns):
        raise LibraryDamaged(
            f"A stored embedding does not have {dimension} numbers.", fix="Run `python -m ingest --rebuild`."
        )
    flat = np.frombuffer(b"".join(columns), dtype="<f4")
    return flat.reshape(len(columns), dimension).astype(np.float32, copy=False)
