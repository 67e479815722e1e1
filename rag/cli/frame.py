"""What every command line of this project does the same way: --json, --config, errors, exit codes.

Exit codes: 0 done; 1 unexpected; 2 wrong usage or settings; 3 done, but some items failed; 4 nothing found
to work on; 130 interrupted. With --json standard output carries one JSON object and nothing else; for an
error it is {"error": message, "fix": what to do}. Everything meant for a person goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from rag.errors import RagError, UsageError

if TYPE_CHECKING:
    from rag.settings import Settings

DONE, UNEXPECTED, USAGE, SOME_FAILED, NOTHING_FOUND, INTERRUPTED = 0, 1, 2, 3, 4, 130

_PACKAGES = ("rag", "ingest", "ui", "eval", "benchmarks", "tests")

_json_stream: TextIO | None = None
_json_written = False


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are UsageErrors like all others."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}.", fix=f"See {self.prog} --help.")

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse does; options of `shared_options` that were not given have their defaults."""
        return super().parse_args(args, namespace or argparse.Namespace(json=False, config=None))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """What is too much is told by the command that was called, not by the program around it."""
        parsed, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return parsed, rest


def shared_options() -> Parser:
    """--json and --config, as a parent for the parser of every command and of commands inside it.

    Their defaults are set by `Parser.parse_args`: a default here would undo what was given before an
    inner command's name.
    """
    parser = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="settings file (default: rag.toml in RAG_HOME)"
    )
    return parser


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The settings that this command line asks for. Raises SettingsError."""
    from rag import settings

    return settings.load(arguments.config)


def write_json(value: Any) -> None:
    """One JSON value and a line end on the real standard output, at once."""
    global _json_written
    stream = _json_stream or sys.stdout
    _json_written = True
    stream.write(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n")
    stream.flush()


def execute(body: Callable[[], int], *, as_json: bool) -> int:
    """Run a command's body and return the exit code that the process should end with.

    With as_json, whatever a library prints meanwhile is sent to standard error, so that standard output
    holds the JSON alone.
    """
    global _json_stream, _json_written
    _names_in_utf8()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A locale without Chinese letters must not turn an answer into a traceback.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    _json_stream, _json_written = (sys.stdout if as_json else None), False
    try:
        with _ended_by_sigterm(), redirect_stdout(sys.stderr) if as_json else nullcontext():
            return body()
    except RagError as error:
        return report(error, as_json=as_json)
    except ModuleNotFoundError as error:
        if _is_own(error):
            return _defect(error, as_json=as_json)
        return report(_other_python(error), as_json=as_json)
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        if as_json and not _json_written:
            write_json({"error": "Interrupted.", "fix": "Run the command again."})
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has closed it (`| head`): end quietly, also when Python flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
        return UNEXPECTED
    except Exception as error:  # noqa: BLE001 - the last line of defence: shown in full, never swallowed
        return _defect(error, as_json=as_json)
    finally:
        _json_stream = None


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """`docker stop`, `timeout` and system shutdown end a command as cleanly as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say what a signal does
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)


def _defect(error: Exception, *, as_json: bool) -> int:
    traceback.print_exception(error)
    if as_json:
        write_json(
            {"error": f"{type(error).__name__}: {error}", "fix": "This is a defect; please report it."}
        )
    return UNEXPECTED


def _is_own(error: ModuleNotFoundError) -> bool:
    return (error.name or "").partition(".")[0] in _PACKAGES


def _other_python(error: ModuleNotFoundError) -> UsageError:
    """Most likely the system's Python was taken instead of the environment's."""
    return UsageError(
        f"{sys.executable} does not have the package {error.name}.",
        fix="Start it with .venv/bin/python in the project's folder; `make setup` installs what it needs.",
    )


def _names_in_utf8() -> None:
    """Begin this command again in Python's UTF-8 mode if the locale has another encoding.

    Otherwise files could be met whose names this process cannot write, and paths would mean other files to
    its child processes, which are always in that mode. (Python does this itself in the locale C only.)
    """
    if sys.getfilesystemencoding() != "utf-8":
        os.environ["PYTHONUTF8"] = "1"  # for what this command starts in turn
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


def report(error: RagError, *, as_json: bool) -> int:
    """Tell the reader about an expected error; returns its exit code."""
    if as_json:
        write_json({"error": error.message, "fix": error.fix})
    print(f"error: {error.message}", file=sys.stderr)
    if error.fix:
        print(f"  fix: {error.fix}", file=sys.stderr)
    return error.exit_code
