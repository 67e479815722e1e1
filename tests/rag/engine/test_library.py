"""The native library as seen from outside, and the chat prompt's edges, with the real library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import rag
from rag.engine.library import probe, types_named_in
from rag.errors import EngineStartFailed
from rag.models.quantisation import KNOWN, PRISM_TYPES
from rag.settings import EngineSettings


def test_the_pinned_library_knows_every_type_but_those_of_prism() -> None:
    found = probe(EngineSettings())
    assert found.types == KNOWN.keys() - PRISM_TYPES
    assert types_named_in(EngineSettings()) == found.types
    assert any(device.startswith("CPU") for device in found.devices)
    assert found.version == "0.3.36"


def test_a_library_that_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    (tmp_path / "libllama.so").write_bytes(b"not a library")
    options = EngineSettings(library=str(tmp_path))
    assert types_named_in(options) is None
    with pytest.raises(EngineStartFailed, match="libllama"):
        probe(options)


def test_the_worker_and_the_client_import_nothing_heavy() -> None:
    heavy = ("torch", "numpy", "pydantic", "chromadb", "transformers", "gradio", "llama_cpp")
    code = f"import sys, rag.engine.worker; assert not set(sys.modules) & set({heavy!r}), sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=Path(rag.__file__).parents[1], check=True)
    code = code.replace("rag.engine.worker", "rag.engine.local").replace("'pydantic', ", "")
    subprocess.run([sys.executable, "-c", code], cwd=Path(rag.__file__).parents[1], check=True)
