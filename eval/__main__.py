"""`python -m eval`: is it better?"""

from __future__ import annotations

import sys
from importlib import import_module

from rag.cli import frame

COMMANDS = {
    "retrieval": "share of the gold quotes that retrieval finds",
    "silence": "no evidence for questions that the documents do not answer, evidence for the others",
    "answers": "answers the questions with one strategy or several, and judges every fact",
    "judge": "judges the answers of a run again; alone: how far each judge agrees with a person",
    "compare": "is run B really better than run A?",
    "report": "one page over several runs, to be read or printed",
    "engine": "memory and speed of the engine by context, cache type and batch",
    "validate": "checks a data set and names line and field of every mistake",
    "new": "drafts questions and facts from documents, for a person to correct",
    "import": "makes a data set of a table of questions (CSV or XLSX)",
}
"""name → what `--help` says of it; the module is eval.commands.<name> (importing for "import")."""


def main(arguments: list[str] | None = None) -> int:
    wanted = sys.argv[1:] if arguments is None else arguments
    return frame.execute(lambda: _run(wanted), as_json="--json" in wanted)


def _run(arguments: list[str]) -> int:
    parser = frame.Parser(prog="python -m eval", description="Measures this project against data sets.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    modules = {}
    for name, summary in COMMANDS.items():
        module = modules[name] = import_module(f"eval.commands.{'importing' if name == 'import' else name}")
        one = commands.add_parser(
            name, parents=[frame.shared_options()], help=summary, description=module.__doc__
        )
        module.add_arguments(one)
    chosen = parser.parse_args(arguments)
    return int(modules[chosen.command].run(chosen))


if __name__ == "__main__":
    sys.exit(main())
