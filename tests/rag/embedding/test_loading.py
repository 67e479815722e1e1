"""Models through transformers: silent when whole, an error when weights are missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rag.embedding.loading import missing_weights, quietly
from rag.errors import EmbeddingError
from rag.settings import Settings

REPORT = """\x1b[1mBertModel LOAD REPORT\x1b[0m from: /models/some
Key                          | Status     |
-----------------------------+------------+-
pooler.dense.bias            | MISSING    |
encoder.layer.3.output.bias  | MISSING    |
cls.predictions.bias         | UNEXPECTED |

Notes:
- MISSING:\tthose params were newly initialized.
"""


def test_only_missing_weights_that_are_used_count() -> None:
    assert missing_weights(REPORT) == ["encoder.layer.3.output.bias"]
    assert missing_weights("") == []


def test_a_model_is_loaded_without_a_word() -> None:
    folder = Settings().packaged_models_dir / "all-MiniLM-L6-v2"
    code = (
        "from pathlib import Path; from rag.embedding.sentence import _model;"
        f"print(_model(Path({str(folder)!r}), 'cpu', 1).get_embedding_dimension())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "384"
    assert done.stderr == ""


def test_a_folder_without_some_weights_is_refused(tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    from rag.embedding.sentence import _model

    folder = tmp_path / "broken"
    whole = Settings().packaged_models_dir / "all-MiniLM-L6-v2"
    shutil.copytree(whole, folder, ignore=shutil.ignore_patterns("onnx", "model.safetensors"))
    tensors = load_file(whole / "model.safetensors")
    name = next(key for key in sorted(tensors) if "layer.2" in key and "query.weight" in key)
    del tensors[name]
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(EmbeddingError, match=r"is not whole.*layer\.2\.attention\.self\.query\.weight"):
        _model(folder, "cpu", 1)


def test_transformers_speaks_again_afterwards(tmp_path: Path) -> None:
    from transformers.utils import logging as transformers_logging

    before = set(transformers_logging.get_logger("transformers").handlers)
    with quietly(tmp_path):
        pass
    assert set(transformers_logging.get_logger("transformers").handlers) == before
