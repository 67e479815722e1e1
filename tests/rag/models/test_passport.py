"""What model files say about themselves, and which are refused with which words."""

from __future__ import annotations

import os
import struct
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag.errors import ModelMissing, ModelUnfit
from rag.models import passport
from rag.models.catalogue import locate
from rag.models.gguf import BadHeader, read
from rag.models.quantisation import KNOWN
from rag.settings import Settings
from tests.rag.models import gguf_files as files

LIGHT = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
GOOD = files.whole()


def kinds(path: Path, **known: object) -> list[str]:
    _, problems = passport.check(path, **known)  # type: ignore[arg-type]
    assert all(problem.message and problem.fix for problem in problems)
    return [problem.kind for problem in problems]


def test_the_packaged_model_has_no_problem(tmp_path: Path) -> None:
    path = locate("smollm2-135m", Settings(home=tmp_path)).path
    found, problems = passport.check(path)
    assert problems == []
    assert found is not None
    assert found.architecture == "llama"
    assert found.parameters == 134_515_008
    assert (found.context, found.vocabulary) == (8192, 49152)
    assert found.types == {"f32": 61, "q4_1": 210, "q8_0": 1}
    assert found.shape is not None
    assert found.shape.attention_layers == 30
    assert found.template
    assert not found.thinks


def test_a_file_of_our_own_is_read(tmp_path: Path) -> None:
    path = files.write(tmp_path / "m.gguf", GOOD)
    assert kinds(path) == []
    found = passport.read(path)
    assert found.shape is not None
    assert found.shape.kv_elements == 2 * (64 + 64)
    assert found.shape.embedding_bytes == files.size((256, 32), 42)
    assert found.shape.weight_bytes == sum(files.size(s, k) for _, s, k in files.PLAIN_TENSORS)


@pytest.mark.parametrize("part", range(1, 21))
def test_truncated_at_twenty_places(tmp_path: Path, part: int) -> None:
    path = files.write(tmp_path / "m.gguf", GOOD[: len(GOOD) * part // 21])
    assert kinds(path) == ["truncated"]


def test_a_large_truncated_file_is_refused_at_once(tmp_path: Path) -> None:
    tensors = [("token_embd.weight", (5120, 248_320), 42), ("output.weight", (5120, 248_320), 42)]
    path = tmp_path / "m.gguf"
    path.write_bytes(files.header(files.metadata(), tensors))
    os.truncate(path, 700_000_000)  # a sparse file; the header describes 715 million bytes
    began = time.monotonic()
    assert kinds(path) == ["truncated"]
    assert time.monotonic() - began < 1


@pytest.mark.parametrize(
    ("contents", "kind"),
    [
        (b"", "empty"),
        (b"GG", "magic"),
        (b"PK\3\4" + GOOD[4:], "magic"),
        (b"<!DOCTYPE html><html>Sign in</html>", "magic"),
        (GOOD[:4] + struct.pack(">I", 3) + GOOD[8:], "byte-order"),
        (GOOD[:4] + struct.pack("<I", 9) + GOOD[8:], "version"),
        (GOOD[:8] + struct.pack("<Q", 1 << 60) + GOOD[16:], "damaged"),
        (GOOD[:16] + struct.pack("<Q", 1 << 60) + GOOD[24:], "damaged"),
        (GOOD[:24] + struct.pack("<Q", 1 << 40) + GOOD[32:], "damaged"),
    ],
)
def test_what_is_no_gguf_or_damaged_at_its_head(tmp_path: Path, contents: bytes, kind: str) -> None:
    path = files.write(tmp_path / "m.gguf", contents)
    assert kinds(path) == [kind]
    with pytest.raises(ModelUnfit) as raised:
        passport.read(path)
    assert raised.value.fix


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    assert kinds(tmp_path) == ["directory"]
    with pytest.raises(ModelMissing):
        passport.check(tmp_path / "none.gguf")
    os.mkfifo(tmp_path / "pipe.gguf")
    assert kinds(tmp_path / "pipe.gguf") == ["not-a-file"]


def changed(**changes: object) -> bytes:
    return files.whole(files.metadata(**changes))


def with_tensors(*tensors: files.TensorSpec) -> bytes:
    return files.whole(None, tensors)


@pytest.mark.parametrize(
    ("contents", "kind"),
    [
        (files.whole(old_groups=True), "group-128"),
        (with_tensors(("token_embd.weight", (256, 32), 143)), "engine-type"),
        (with_tensors(("token_embd.weight", (256, 32), 142)), "engine-type"),
        (with_tensors(("token_embd.weight", (256, 32), 97)), "unknown-type"),
        (with_tensors(("token_embd.weight", (256, 32), 31)), "unknown-type"),
        (changed(prism__hadamard__version=1), "rotated"),
        (changed(general__type="mmproj"), "projector"),
        (files.whole(files.metadata("clip")), "projector"),
        (changed(general__type="adapter"), "adapter"),
        (changed(split__count=3), "split"),
        (with_tensors(), "vocabulary-only"),
        (changed(tokenizer__chat_template=None), "no-template"),
        (changed(llama__block_count=None), "damaged"),
        (changed(general__architecture=None), "damaged"),
        (with_tensors(("a", (256, 32), 42), ("a", (256, 32), 42)), "damaged"),
        (with_tensors(("a", (100, 32), 42)), "damaged"),
    ],
)
def test_whole_files_that_cannot_be_used(tmp_path: Path, contents: bytes, kind: str) -> None:
    assert kinds(files.write(tmp_path / "m.gguf", contents)) == [kind]


def test_an_engine_that_reads_bonsai_2_has_nothing_against_it(tmp_path: Path) -> None:
    values = files.metadata(prism__hadamard__version=1)
    path = files.write(tmp_path / "m.gguf", files.whole(values, [("token_embd.weight", (256, 32), 143)]))
    assert kinds(path) == ["engine-type"]
    assert kinds(path, known_types=KNOWN.keys()) == []


def test_tensors_that_are_not_where_they_should_be(tmp_path: Path) -> None:
    at = GOOD.index(b"blk.0.attn_q.weight")
    offset_at = GOOD.index(struct.pack("<I", 42), at) + 4
    moved = GOOD[:offset_at] + struct.pack("<Q", 64) + GOOD[offset_at + 8 :]
    assert kinds(files.write(tmp_path / "m.gguf", moved)) == ["damaged"]
    odd = GOOD[:offset_at] + struct.pack("<Q", 7) + GOOD[offset_at + 8 :]
    assert kinds(files.write(tmp_path / "n.gguf", odd)) == ["damaged"]


@LIGHT
@given(at=st.integers(0, len(GOOD) - 1), bits=st.integers(1, 255))
def test_a_flipped_byte_gives_a_verdict_never_a_traceback(tmp_path: Path, at: int, bits: int) -> None:
    flipped = bytearray(GOOD)
    flipped[at] ^= bits
    kinds(files.write(tmp_path / "m.gguf", bytes(flipped)))


@LIGHT
@given(rubbish=st.binary(max_size=300))
def test_rubbish_behind_the_magic_is_refused(tmp_path: Path, rubbish: bytes) -> None:
    path = files.write(tmp_path / "m.gguf", b"GGUF\3\0\0\0" + rubbish)
    _, problems = passport.check(path)
    assert problems


def test_arrays_and_types_of_every_kind_are_read(tmp_path: Path) -> None:
    numbers = b"".join(
        files.string(f"n{kind}") + struct.pack("<I", kind) + struct.pack(form, 1)
        for kind, form in {
            0: "<B",
            1: "<b",
            2: "<H",
            3: "<h",
            4: "<I",
            5: "<i",
            6: "<f",
            10: "<Q",
            12: "<d",
        }.items()
    )
    flags = files.string("flags") + struct.pack("<IIQ", 9, 7, 3) + b"\1\0\1"
    long = files.string("long") + struct.pack("<IIQ", 9, 0, 5000) + b"\7" * 5000
    path = files.write(tmp_path / "m.gguf", b"GGUF" + struct.pack("<IQQ", 3, 0, 11) + numbers + flags + long)
    found = read(path).metadata
    assert found["n6"] == 1.0
    assert found["flags"] == (True, False, True)
    assert getattr(found["long"], "length", None) == 5000
    bad = flags.replace(b"\1\0\1", b"\1\2\1")
    with pytest.raises(BadHeader, match="neither true nor false"):
        read(files.write(path, b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + bad))
