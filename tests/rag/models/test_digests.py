"""Checksums that are computed once, and the catalogue's way from a name to a file."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from rag.errors import ModelMissing, UsageError
from rag.models.catalogue import entries, entry_of, expected_path, known_as, locate
from rag.models.digests import Digests, is_digest, written_beside
from rag.settings import Settings


def test_a_digest_is_remembered_until_the_file_changes(tmp_path: Path) -> None:
    file = tmp_path / "m.gguf"
    file.write_bytes(b"one" * 5_000_000)
    read: list[int] = []
    digests = Digests(tmp_path / "models")
    first = digests.sha256(file, read.append)
    assert first == hashlib.sha256(b"one" * 5_000_000).hexdigest()
    assert sum(read) == 15_000_000
    assert Digests(tmp_path / "models").is_remembered(file)
    assert Digests(tmp_path / "models").sha256(file, read.append) == first
    assert sum(read) == 15_000_000
    file.write_bytes(b"two" * 5_000_000)
    os.utime(file, ns=(1, 1))
    assert not digests.is_remembered(file)
    assert digests.sha256(file) != first


def test_what_the_hub_said_is_kept_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "m.gguf"
    file.write_bytes(b"x")
    digests = Digests(tmp_path / "models")
    assert digests.expected(file) is None
    digests.expect(file, "abc")
    digests.sha256(file)
    assert digests.expected(file) == "abc"
    (tmp_path / "models" / "digests.json").write_text("{ broken")
    assert digests.sha256(file) == hashlib.sha256(b"x").hexdigest()


def test_names_and_paths_lead_to_files(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    packaged = locate("smollm2-135m", settings)
    assert packaged.path.is_file()
    assert (packaged.name, packaged.entry) == ("smollm2-135m", entries()["smollm2-135m"])
    assert locate(str(packaged.path), settings).entry == packaged.entry
    own = settings.models_dir / "own.gguf"
    own.parent.mkdir(parents=True)
    own.write_bytes(b"x")
    assert locate("own.gguf", settings).path == own
    assert locate(str(own), settings).name == "own"
    big = entries()["bonsai-27b"]
    assert expected_path(big, settings) == settings.models_dir / "bonsai-27b" / big.file
    assert known_as(Path("/anywhere") / big.file) == big
    assert entry_of("somewhere/else.gguf") is None


def test_what_is_not_there_is_said_with_the_way_to_get_it(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    with pytest.raises(ModelMissing) as raised:
        locate("bonsai-27b", settings)
    assert "model pull bonsai-27b" in raised.value.fix
    with pytest.raises(ModelMissing, match=r"none\.gguf"):
        locate("none.gguf", settings)
    with pytest.raises(UsageError):
        locate(" ", settings)


def test_every_entry_is_complete() -> None:
    for entry in entries().values():
        assert bool(entry.package) != bool(entry.repo)
        assert entry.file_name.endswith(".gguf")
        assert entry.licence == "Apache-2.0"
        assert entry.needs
    assert [entry.name for entry in entries().values() if entry.demo] == ["smollm2-135m"]
    assert entries()["bonsai-2-27b-pq2"].header == entries()["bonsai-27b"].header


def test_a_digest_beside_the_file(tmp_path: Path) -> None:
    file = tmp_path / "m.gguf"
    assert written_beside(file) is None
    beside = tmp_path / "m.gguf.sha256"
    beside.write_text(f"{'AB' * 32}  m.gguf\n")
    assert written_beside(file) == "ab" * 32
    beside.write_text("not a digest")
    assert written_beside(file) is None
    assert not is_digest("ab")
