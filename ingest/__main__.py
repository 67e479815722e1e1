"""`python -m ingest`: files and folders into the library, and looking after it."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from rag.cli import frame
from rag.errors import UsageError

_DEFAULT = "default"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (default: the process's own) and return its exit code."""
    argv = list(sys.argv[1:] if argv is None else argv)
    return frame.execute(lambda: _dispatch(argv), as_json="--json" in argv)


def parser() -> argparse.ArgumentParser:
    made = frame.Parser(
        prog="python -m ingest",
        description="Make a collection mirror files and folders: new ones are read, changed ones replaced, "
        "vanished ones removed; unchanged ones are not read again.",
        parents=[frame.shared_options()],
    )
    made.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="files and folders to ingest")
    made.add_argument("--collection", metavar="NAME", help=f"collection to work on (default: {_DEFAULT})")
    made.add_argument(
        "--watch", action="store_true", help="go on and ingest every change under the paths until Ctrl-C"
    )
    made.add_argument("--keep-missing", action="store_true", help="keep documents whose files are gone")
    made.add_argument(
        "--password",
        action="append",
        default=[],
        metavar="P",
        help="to try on locked files; may be given several times",
    )
    made.add_argument(
        "--ocr",
        choices=("auto", "off", "force"),
        help="recognise pages without usable text (auto, if Tesseract's data is installed), none, or all",
    )
    made.add_argument(
        "--readers",
        nargs="+",
        metavar="NAME",
        help="who may read the collection: names, `everyone` or `nobody`. With PATHs (before it) this holds "
        "before the first file is in; without, it is set for the collection that --collection names",
    )
    instead = made.add_argument_group("instead of ingesting").add_mutually_exclusive_group()
    instead.add_argument(
        "--text", action="store_true", help="show what would be indexed of each FILE, without indexing"
    )
    instead.add_argument(
        "--status", action="store_true", help="list collections, and files that are not live"
    )
    instead.add_argument(
        "--verify", action="store_true", help="compare manifest, keyword index and Chroma with each other"
    )
    instead.add_argument(
        "--rebuild",
        action="store_true",
        help="make keyword index and Chroma anew from the manifest; with another embedder in the settings, "
        "the embeddings too",
    )
    instead.add_argument(
        "--remove",
        action="store_true",
        help="take the collection that --collection names out of the library; its files stay on disk",
    )
    return made


def _dispatch(argv: list[str]) -> int:
    arguments = parser().parse_args(argv)
    settings = frame.settings_of(arguments)
    if arguments.ocr:
        chosen = settings.ingest.model_copy(update={"ocr": arguments.ocr})
        settings = settings.model_copy(update={"ingest": chosen})
    upkeep = arguments.status or arguments.verify or arguments.rebuild or arguments.remove
    if upkeep and arguments.paths:
        raise UsageError(
            "--status, --verify, --rebuild and --remove take no PATH.", fix="Leave the paths out."
        )
    if arguments.watch and (upkeep or arguments.text):
        raise UsageError("--watch goes with ingesting only.", fix="Leave it out.")
    if arguments.readers and (upkeep or arguments.text):
        raise UsageError("--readers goes with PATHs, or stands alone.", fix="Run the commands one by one.")
    if arguments.readers and not arguments.paths:
        if arguments.watch or arguments.keep_missing or arguments.password:
            raise UsageError("No path was given.", fix="Put the paths before --readers.")
        from ingest import readers_command

        return readers_command.run(settings, arguments.collection, arguments.readers, as_json=arguments.json)
    if not upkeep and not arguments.paths:
        raise UsageError("No path was given.", fix="See python -m ingest --help.")
    # `docker stop` and system shutdown end an ingest as cleanly as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if arguments.text:
        from ingest.reading import Bounds
        from ingest.text_command import run_text

        return run_text(
            arguments.paths,
            # With --json, `sys.stdout` is standard error: see rag.cli.frame.
            sys.__stdout__ or sys.stdout,
            Bounds.of(settings),
            as_json=arguments.json,
            password=arguments.password,
        )
    if arguments.status:
        from ingest import status_command

        return status_command.run(settings, arguments.collection, as_json=arguments.json)
    if upkeep:
        from ingest import upkeep_commands

        command = upkeep_commands.rebuild
        if arguments.verify:
            command = upkeep_commands.verify
        elif arguments.remove:
            command = upkeep_commands.remove
        return command(settings, arguments.collection, as_json=arguments.json)
    from ingest import sync_command

    return sync_command.run(
        settings,
        arguments.paths,
        _DEFAULT if arguments.collection is None else arguments.collection,
        keep_missing=arguments.keep_missing,
        passwords=arguments.password,
        watch=arguments.watch,
        readers=arguments.readers,
        as_json=arguments.json,
    )


if __name__ == "__main__":
    sys.exit(main())
