"""Writes small GGUF files for tests: real headers, weights of zeros."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import prod
from pathlib import Path

from rag.models.quantisation import KNOWN, Quantisation

U32, F32, BOOL, STRING, ARRAY = 4, 6, 7, 8, 9
TEMPLATE = "{% for m in messages %}{{ m.content }}{% endfor %}"

TensorSpec = tuple[str, tuple[int, ...], int]
"""Name, shape (innermost first), weight type id."""

PLAIN_TENSORS: tuple[TensorSpec, ...] = (
    ("token_embd.weight", (256, 32), 42),
    ("blk.0.attn_norm.weight", (256,), 0),
    ("blk.0.attn_q.weight", (256, 256), 42),
    ("blk.0.ffn_up.weight", (256, 512), 42),
    ("output.weight", (256, 32), 8),
)


def string(text: str | bytes) -> bytes:
    data = text if isinstance(text, bytes) else text.encode()
    return struct.pack("<Q", len(data)) + data


def pair(key: str, value: object) -> bytes:
    head = string(key)
    if isinstance(value, bool):
        return head + struct.pack("<IB", BOOL, value)
    if isinstance(value, int):
        return head + struct.pack("<II", U32, value)
    if isinstance(value, float):
        return head + struct.pack("<If", F32, value)
    if isinstance(value, str):
        return head + struct.pack("<I", STRING) + string(value)
    assert isinstance(value, list)
    head += struct.pack("<I", ARRAY)
    if value and isinstance(value[0], str):
        return head + struct.pack("<IQ", STRING, len(value)) + b"".join(map(string, value))
    return head + struct.pack("<IQ", U32, len(value)) + struct.pack(f"<{len(value)}I", *value)


def metadata(architecture: str = "llama", **changes: object) -> dict[str, object]:
    """Keys of a small model; a change to None leaves the key out. __ stands for a dot."""
    values: dict[str, object] = {
        "general.architecture": architecture,
        "general.name": "small",
        f"{architecture}.block_count": 1,
        f"{architecture}.context_length": 2048,
        f"{architecture}.embedding_length": 256,
        f"{architecture}.feed_forward_length": 512,
        f"{architecture}.attention.head_count": 4,
        f"{architecture}.attention.head_count_kv": 2,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.tokens": [f"t{n}" for n in range(32)],
        "tokenizer.chat_template": TEMPLATE,
    }
    values.update({key.replace("__", "."): value for key, value in changes.items()})
    return {key: value for key, value in values.items() if value is not None}


def header(
    values: dict[str, object], tensors: Sequence[TensorSpec], old_groups: bool = False, version: int = 3
) -> bytes:
    """The file up to its data; old_groups: offsets as of files with groups of 128 under type 42."""
    out = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(values))
    out += b"".join(pair(key, value) for key, value in values.items())
    offset = 0
    for name, shape, kind in tensors:
        out += string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, offset)
        offset += padded(size(shape, kind, old_groups))
    return out + b"\0" * (padded(len(out)) - len(out))


def size(shape: tuple[int, ...], kind: int, old_groups: bool = False) -> int:
    known = KNOWN.get(kind, Quantisation("unknown", 1, 1))
    if old_groups and kind == 42:
        known = Quantisation("old", 128, 34)
    return known.size(prod(shape))


def padded(length: int) -> int:
    return -(-length // 32) * 32


def whole(
    values: dict[str, object] | None = None,
    tensors: Sequence[TensorSpec] = PLAIN_TENSORS,
    *,
    old_groups: bool = False,
) -> bytes:
    data = sum(padded(size(shape, kind, old_groups)) for _, shape, kind in tensors)
    return header(metadata() if values is None else values, tensors, old_groups) + b"\0" * data


def write(path: Path, contents: bytes) -> Path:
    path.write_bytes(contents)
    return path
