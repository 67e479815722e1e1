"""The data set's documents, ingested into a data folder of their own that later measurements find again."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.datasets import Dataset
from rag.errors import NothingToWorkOn, RagError

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder
    from rag.settings import Settings

MAKES_CHUNKS = (
    "ingest/chunking.py",
    "ingest/encoding.py",
    "ingest/kinds.py",
    "ingest/pieces.py",
    "ingest/quality.py",
    "ingest/readers",
    "rag/records.py",
    "rag/text",
)
"""Code that decides what the chunks of a document are: with other code the folder is another one."""


@dataclass(frozen=True, slots=True)
class Scratch:
    """settings: those given, with the scratch folder as home. report: what the ingest says of its files.

    docs: hash over the names and contents of the documents.
    """

    settings: Settings
    docs: str
    report: dict[str, Any]


def prepare(dataset: Dataset, settings: Settings, embedder: Embedder, work: Path) -> Scratch:
    """Ingests `dataset.docs` below `work`; what an earlier measurement has ingested is only looked through.

    Raises NothingToWorkOn if no document can be read.
    """
    from ingest import progress, sync

    docs = docs_hash(dataset.docs)
    parts = [docs, embedder.id, settings.ingest.model_dump_json(), code_hash()]
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
    home = work / "libraries" / f"{dataset.name}-{key}"
    own = settings.model_copy(update={"home": home})
    known = home.exists()
    print(f"{'looking through' if known else 'ingesting'} {dataset.docs}", file=sys.stderr, flush=True)
    with progress.shown() as show:
        report = sync.run(own, [dataset.docs], embedder=embedder, progress=show)
    if report.interrupted:
        raise KeyboardInterrupt
    if not report.documents:
        raise NothingToWorkOn(
            f"No document of {dataset.docs} could be read.",
            fix=f"See why with: python -m ingest --text {dataset.docs}",
        )
    (home / "made-from.json").write_text(json.dumps({"docs": str(dataset.docs), "key": parts}, indent=2))
    return Scratch(own, docs, report.as_json())


def docs_hash(folder: Path) -> str:
    """Over the relative names and contents of all files, in hex."""
    total = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        total.update(str(path.relative_to(folder)).encode("utf-8", "surrogateescape") + b"\0")
        with path.open("rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()


def code_hash() -> str:
    """Over the code of MAKES_CHUNKS as it stands beside this package."""
    project = Path(__file__).parent.parent
    total = hashlib.sha256()
    for name in MAKES_CHUNKS:
        place = project / name
        if not place.exists():
            raise RagError(f"{place} is missing: the code cannot be told apart from other versions.")
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            total.update(str(path.relative_to(project)).encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:16]
