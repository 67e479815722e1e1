"""One page over several runs of the same questions; the others are compared with the first.

-o names the file and its form: .html (one file, no requests, made to be printed), .md or .json; it may be
given several times.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from eval.commands.arguments import add_language_option, locale_language, say
from rag.cli import frame
from rag.errors import UsageError

if TYPE_CHECKING:
    from eval.report.words import Language

FORMS = (".html", ".md", ".json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="the first one is the baseline")
    parser.add_argument(
        "-o",
        dest="files",
        action="append",
        type=Path,
        required=True,
        metavar="FILE",
        help=".html, .md, .json",
    )
    add_language_option(parser)
    parser.add_argument(
        "--no-text", action="store_true", help="leave questions, answers and evidence out: figures only"
    )


def run(arguments: argparse.Namespace) -> int:
    from eval.report.contents import contents
    from eval.report.html import page
    from eval.report.markdown import markdown
    from eval.report.sentence import alone, sentence
    from eval.report.words import Words

    for file in arguments.files:
        if file.suffix not in FORMS:
            raise UsageError(f"{file} has no form that is known.", fix=f"End its name in {', '.join(FORMS)}.")
    language: Language = arguments.lang or locale_language()
    found = contents(arguments.runs)
    if arguments.no_text:
        found = found.without_texts()
    for file in arguments.files:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".html":
            text = page(found, language)
        elif file.suffix == ".md":
            text = markdown(found, language, texts=not arguments.no_text)
        else:
            text = json.dumps(found.as_json(), ensure_ascii=False, indent=1, allow_nan=False)
        file.write_text(text, encoding="utf-8")
        say(f"written: {file}")
    said = [sentence(one, language) for one in found.comparisons] or [alone(found, Words(language))]
    if arguments.json:
        frame.write_json(found.as_json())
    else:
        print("\n".join(said))
    return frame.DONE
