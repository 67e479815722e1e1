"""`python -m rag COMMAND`: which commands there are, and how one of them is started.

A command is a module of this package, named in `COMMANDS`. It is imported only when it is called, so that
`--help` answers at once, and it has two functions:

    add_arguments(parser)        its own options; `parser` already has --json and --config.
                                 A command with commands of its own passes
                                 `parents=[frame.shared_options()]` to each of their parsers.
    run(arguments) -> int        does the work and returns the exit code; errors are raised as RagError,
                                 and `frame.execute` turns them into a message and an exit code.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from rag.cli import frame

COMMANDS = {
    "ask": "answer a question from your documents, with citations",
    "search": "show the passages that fit a question, without a model's answer",
    "model": "list, download, check and plan for generating models",
    "doctor": "check everything that this installation needs",
}
"""Name of the command (and of its module here) and what it does, in one line."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (default: the process's own) and return its exit code."""
    argv = list(sys.argv[1:] if argv is None else argv)
    # The lines of --batch are JSON too.
    as_json = any(word == "--json" or word.split("=")[0] == "--batch" for word in argv)
    return frame.execute(lambda: _dispatch(argv), as_json=as_json)


def _dispatch(argv: list[str]) -> int:
    parser = frame.Parser(
        prog="python -m rag",
        description="Private questions to your own documents.",
        epilog="Each command explains itself: python -m rag COMMAND --help",
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=frame.Parser)
    called = next((word for word in argv if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            parents=[frame.shared_options()],
        )
        if name == called:
            module = import_module(f"rag.cli.{name}")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    arguments = parser.parse_args(argv)
    if arguments.version:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(version("bonsai-rag"))
        except PackageNotFoundError:
            print("not installed as a package")
        return 0
    if arguments.command is None:
        parser.print_help(sys.stderr)
        return 2
    return int(arguments.run(arguments))
