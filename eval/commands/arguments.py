"""What the commands of this package share on their command lines."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eval.report.words import Language
    from rag.settings import Settings


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("expected a whole number from 1")
    return number


def say(text: str) -> None:
    """To the person at the command line, on standard error."""
    print(text, file=sys.stderr, flush=True)


def add_work_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="where libraries and runs are kept (default: RAG_HOME/eval)"
    )


def work_folder(arguments: argparse.Namespace, settings: Settings) -> Path:
    """What `--work` names, absolute; the usual place if it was not given."""
    chosen: Path = arguments.work or settings.home / "eval"
    return chosen.expanduser().absolute()


def add_language_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lang", choices=("en", "zh"), help="default: that of the locale, else en")


def locale_language() -> Language:
    """The language of what is written for people when `--lang` is not given."""
    name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "zh" if name.startswith("zh") else "en"


def add_questions_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--questions",
        type=Path,
        action="append",
        metavar="FILE",
        help="take this file of questions instead of the folder's own; may be repeated",
    )
