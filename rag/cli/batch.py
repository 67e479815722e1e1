"""Questions by the file: one JSON object a line in, one JSON object a line out, in the same order."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag.cli import frame
from rag.errors import (
    EngineStartFailed,
    LibraryError,
    ModelError,
    NothingToWorkOn,
    RagError,
    SettingsError,
    UsageError,
)
from rag.records import Turn

_FAILS_FOR_ALL = (SettingsError, ModelError, LibraryError, EngineStartFailed)


@dataclass(frozen=True, slots=True)
class Line:
    """history: earlier turns of the question's conversation, {"question", "answer"} each; may be left out."""

    id: Any
    question: str
    history: tuple[Turn, ...]


def answer_batch(path: Path, answer: Callable[[Line], dict[str, Any]]) -> int:
    """Answer every line of a file ("-": standard input) and write each result at once, with its id.

    A line that cannot be answered is reported in its own place as {"id", "question", "error", "fix"}; the
    exit code is then 3. What fails for every line alike (settings, library, model) is raised.
    """
    failed = False
    any_line = False
    for number, text in _lines(path):
        any_line = True
        known: dict[str, Any] = {"id": None}
        try:
            line = _parsed(text, number, known)
            result = {**known, **answer(line)}
        except _FAILS_FOR_ALL:
            raise
        except RagError as error:
            failed = True
            result = {**known, "error": error.message, "fix": error.fix}
        frame.write_json(result)
    if not any_line:
        raise NothingToWorkOn(f"{path} holds no line.", fix='Write lines {"id": …, "question": "…"} into it.')
    return frame.SOME_FAILED if failed else frame.DONE


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with nullcontext(sys.stdin) if str(path) == "-" else path.open(encoding="utf-8-sig") as file:
            for number, text in enumerate(file, start=1):
                if text.strip():
                    yield number, text
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise NothingToWorkOn(
            f"{path} cannot be read: {why}.", fix="Give a JSON Lines file in UTF-8."
        ) from error


def _parsed(text: str, number: int, known: dict[str, Any]) -> Line:
    """The line; whatever of it is known goes into `known` even if the rest is wrong."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"Line {number} is not JSON: {error}.", fix="One JSON object a line.") from error
    if not isinstance(value, dict) or not isinstance(value.get("question"), str):
        raise UsageError(f'Line {number} has no "question".', fix='Write {"id": …, "question": "…"}.')
    known |= {"id": value.get("id", number), "question": value["question"]}
    try:
        history = tuple(Turn(turn["question"], turn["answer"]) for turn in value.get("history") or ())
    except (TypeError, KeyError) as error:
        raise UsageError(
            f"The history of line {number} is not right.", fix='Write [{"question": "…", "answer": "…"}, …].'
        ) from error
    return Line(known["id"], value["question"], history)
