"""Reads the header of a GGUF file: metadata and the list of tensors, no weights.

The format (ggml's documentation, versions 2 and 3, little-endian): magic "GGUF", u32 version, u64 number
of tensors, u64 number of key-value pairs; the pairs (string key, u32 value type, value); the tensors
(string name, u32 dimensions, u64 each, u32 weight type, u64 offset); padding to the alignment; the data.
A string is a u64 length and its bytes. An array is a u32 element type, a u64 length and its elements.

A reader of our own, because the usual one fails on weight types it does not know and reads every token of
the vocabulary into memory; here a damaged file ends in a message, not in a traceback or a huge allocation.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import BinaryIO

MAGIC = b"GGUF"
FIRST_READ = 1 << 20
MAX_KEY = 65_535
MAX_NAME = 1_024
MAX_PAIRS = 100_000
MAX_TENSORS = 1_000_000
MAX_DIMENSIONS = 4
MAX_HEADER = 256 << 20
"""Bytes. The largest vocabularies make headers of some 20 MiB; a damaged length must not fill the memory."""
KEPT_ARRAY = 4_096
"""Arrays of numbers up to this length are kept; of longer ones and of string arrays only the length."""

_NUMBERS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 10: "<Q", 11: "<q", 12: "<d"}
_BOOL, _STRING, _ARRAY = 7, 8, 9


class BadHeader(Exception):
    """Why a file cannot be read as GGUF. kind: a short constant that programs can compare."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


@dataclass(frozen=True, slots=True)
class ArrayOf:
    """An array that was not kept: its element type (a GGUF value type id) and its length."""

    element: int
    length: int


Value = int | float | bool | str | tuple[int | float | bool, ...] | ArrayOf


@dataclass(frozen=True, slots=True)
class Tensor:
    """shape: as stored, innermost first. type: weight type id. offset: bytes from the start of the data."""

    name: str
    shape: tuple[int, ...]
    type: int
    offset: int

    @property
    def weights(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class Header:
    """file_size and data_start in bytes; tensors in the order of the file's list."""

    file_size: int
    version: int
    metadata: dict[str, Value]
    tensors: tuple[Tensor, ...]
    alignment: int
    data_start: int


def read(path: Path) -> Header:
    """The header of a regular file. Raises BadHeader, or OSError if it cannot be opened or read."""
    size = path.stat().st_size
    if size == 0:
        raise BadHeader("empty", "The file is empty.")
    with path.open("rb") as file:
        cursor = _Cursor(file, size)
        try:
            return _header(cursor, size)
        except UnicodeDecodeError as error:
            raise BadHeader(
                "damaged", f"The header is damaged: a name near byte {cursor.at:,} is not text."
            ) from error


def _header(cursor: _Cursor, size: int) -> Header:
    magic = cursor.take(4) if size >= 4 else b""
    if magic != MAGIC:
        raise BadHeader("magic", f"This is not a GGUF file: it begins with {magic!r} instead of {MAGIC!r}.")
    version = cursor.number("<I")
    if version & 0xFFFF == 0:
        raise BadHeader("byte-order", "The file was written for big-endian machines.")
    if version not in (2, 3):
        raise BadHeader("version", f"GGUF version {version} is not known (2 and 3 are).")
    tensor_count, pair_count = cursor.number("<Q"), cursor.number("<Q")
    if tensor_count > MAX_TENSORS or pair_count > MAX_PAIRS:
        raise BadHeader(
            "damaged", f"The header is damaged: {tensor_count:,} tensors and {pair_count:,} keys."
        )
    metadata: dict[str, Value] = {}
    for _ in range(pair_count):
        key = cursor.string(MAX_KEY)
        if not key or key in metadata:
            raise BadHeader("damaged", f"The header is damaged: the key {key!r} is empty or there twice.")
        metadata[key] = _value(cursor, cursor.number("<I"), key)
    alignment = metadata.get("general.alignment", 32)
    if not isinstance(alignment, int) or alignment < 1 or alignment & (alignment - 1):
        raise BadHeader("damaged", f"The header is damaged: an alignment of {alignment!r}.")
    tensors = tuple(_tensor(cursor) for _ in range(tensor_count))
    data_start = -(-cursor.at // alignment) * alignment
    return Header(size, version, metadata, tensors, alignment, data_start)


def _value(cursor: _Cursor, kind: int, key: str) -> Value:
    if kind in _NUMBERS:
        return cursor.number(_NUMBERS[kind])
    if kind == _BOOL:
        return cursor.boolean(key)
    if kind == _STRING:
        return cursor.string()
    if kind == _ARRAY:
        return _array(cursor, key)
    raise BadHeader("damaged", f"The header is damaged: the value of {key!r} has the unknown type {kind}.")


def _array(cursor: _Cursor, key: str) -> Value:
    element, length = cursor.number("<I"), cursor.number("<Q")
    if element == _STRING:
        cursor.skip_strings(length)
        return ArrayOf(element, length)
    if element == _BOOL:
        if length <= KEPT_ARRAY:
            return tuple(cursor.boolean(key) for _ in range(length))
        cursor.skip(length)
        return ArrayOf(element, length)
    if element in _NUMBERS:
        form = _NUMBERS[element]
        if length <= KEPT_ARRAY:
            return tuple(cursor.number(form) for _ in range(length))
        cursor.skip(length * struct.calcsize(form))
        return ArrayOf(element, length)
    raise BadHeader("damaged", f"The header is damaged: {key!r} is an array of the unknown type {element}.")


def _tensor(cursor: _Cursor) -> Tensor:
    name = cursor.string(MAX_NAME)
    dimensions = cursor.number("<I")
    if not name or not 1 <= dimensions <= MAX_DIMENSIONS:
        raise BadHeader("damaged", f"The header is damaged: tensor {name!r} has {dimensions} dimensions.")
    shape = tuple(int(cursor.number("<Q")) for _ in range(dimensions))
    if min(shape) < 1 or prod(shape) >= 1 << 48:
        raise BadHeader("damaged", f"The header is damaged: tensor {name!r} has the shape {shape}.")
    return Tensor(name, shape, int(cursor.number("<I")), int(cursor.number("<Q")))


class _Cursor:
    """A place in the file that moves on. Reads the file in growing pieces, as far as the header goes."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self._data = file.read(min(FIRST_READ, size))
        self.at = 0

    def _need(self, count: int) -> None:
        end = self.at + count
        if end > self._size:
            raise BadHeader(
                "truncated",
                f"The file ends inside its header: byte {end:,} is needed, there are {self._size:,}.",
            )
        if end > MAX_HEADER:
            raise BadHeader("damaged", f"The header is damaged: it would be {end:,} bytes long.")
        while end > len(self._data):
            more = self._file.read(max(len(self._data), end - len(self._data)))
            if not more:
                raise BadHeader("truncated", f"The file ends inside its header, at byte {self.at:,}.")
            self._data += more

    def take(self, count: int) -> bytes:
        self._need(count)
        self.at += count
        return self._data[self.at - count : self.at]

    def skip(self, count: int) -> None:
        self._need(count)
        self.at += count

    def number(self, form: str) -> int:
        """Also floats come through here; integers are what the callers that compute with it read."""
        value: int
        (value,) = struct.unpack(form, self.take(struct.calcsize(form)))
        return value

    def boolean(self, key: str) -> bool:
        byte = self.take(1)[0]
        if byte > 1:
            raise BadHeader("damaged", f"The header is damaged: {key!r} is neither true nor false.")
        return byte == 1

    def string(self, limit: int | None = None) -> str:
        length = self.number("<Q")
        if limit is not None and length > limit:
            raise BadHeader(
                "damaged", f"The header is damaged: a name of {length:,} bytes at byte {self.at:,}."
            )
        return self.take(length).decode("utf-8")

    def skip_strings(self, count: int) -> None:
        unpack = struct.Struct("<Q").unpack_from
        for _ in range(count):
            if self.at + 8 > len(self._data):
                self._need(8)
            (length,) = unpack(self._data, self.at)
            self.at += 8
            if self.at + length > len(self._data):
                self._need(length)
            self.at += length
