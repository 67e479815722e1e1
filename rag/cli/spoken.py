"""An answer as a person reads it in a terminal: streamed, then its sources."""

from __future__ import annotations

import shutil
import sys
import time
import unicodedata
from collections.abc import Iterator
from typing import TextIO

from rag.answering.events import (
    Delta,
    Event,
    Finished,
    Progress,
    Replaced,
    Retrieved,
    Thought,
    Waiting,
)
from rag.cli.below import notes, sources
from rag.records import Answer


def speak(events: Iterator[Event], out: TextIO, *, demo: bool, model: str) -> Answer | None:
    """Show an answer while it comes. To a file or a pipe only the finished text is written.

    On a terminal, text that is replaced is erased first. Returns the finished answer.
    """
    screen = _Screen(out)
    screen.status("searching …")
    answer: Answer | None = None
    thinking_since: float | None = None
    try:
        for event in events:
            match event:
                case Retrieved(evidence=evidence) if evidence:
                    screen.status(f"reading {len(evidence)} passages …")
                case Progress():
                    screen.status(_progress(event))
                case Thought():
                    thinking_since = thinking_since or time.monotonic()
                    screen.status(f"thinking … {time.monotonic() - thinking_since:.0f} s")
                case Waiting(place=place) if place:
                    screen.status(f"{place} before this question …")
                case Delta(text=text) if text:
                    thinking_since = None
                    screen.add(text)
                case Delta() if thinking_since is not None:
                    screen.status(f"thinking … {time.monotonic() - thinking_since:.0f} s")
                case Replaced(text=text):
                    screen.replace(text)
                case Finished(answer=finished):
                    answer = finished
                    screen.replace(finished.text)
                case _:
                    pass
    finally:
        screen.close()
    if answer is not None:
        out.write("\n" + sources(answer))
        out.flush()
        for note in notes(answer, demo=demo, model=model):
            print(note, file=sys.stderr)
    return answer


def _progress(event: Progress) -> str:
    """What is being done, in one line."""
    match event.step:
        case "parts":
            return "listing the parts of the question …"
        case "part":
            return f"part {event.done + 1} of {event.total}: {event.about} …"
        case "again":
            return f"searching again: {event.about} …"
        case "document" if event.done < event.total:
            return f"document {event.done + 1} of {event.total}: {event.about} …"
        case "chapter" if event.done < event.total:
            return f"chapter {event.done + 1} of {event.total}: {event.about} …"
        case _:
            return "writing …"


class _Screen:
    """Text at the end of a terminal that can be replaced."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._live = out.isatty()
        self._status_shown = False
        self.text = ""

    def status(self, text: str) -> None:
        """One line of what is going on, below the text that is shown, until something else is."""
        if not self._live:
            return
        width = shutil.get_terminal_size().columns - 1
        while _columns(text) > width:
            text = text[:-2] + "…"
        below = "\n" if self.text and not self._status_shown else ""
        self._out.write(f"{below}\r\x1b[K{text}")
        self._out.flush()
        self._status_shown = True

    def add(self, text: str) -> None:
        self._clear_status()
        self.text += text
        if self._live:
            self._out.write(text)
            self._out.flush()

    def replace(self, text: str) -> None:
        self._clear_status()
        if text == self.text:
            return
        if self._live and self.text:
            size = shutil.get_terminal_size()
            rows = sum(_rows(line, size.columns) for line in self.text.split("\n"))
            # What has scrolled away cannot be erased: then the text is written again below it.
            self._out.write(
                f"\r\x1b[{rows - 1}A\x1b[J" if 1 < rows < size.lines else "\r\x1b[J" if rows == 1 else "\n\n"
            )
        self.text = text
        if self._live:
            self._out.write(text)
            self._out.flush()

    def close(self) -> None:
        self._clear_status()
        if not self._live:
            self._out.write(self.text)
        if self.text and not self.text.endswith("\n"):
            self._out.write("\n")
        self._out.flush()

    def _clear_status(self) -> None:
        """The cursor goes back to where the text ends."""
        if not self._status_shown:
            return
        self._status_shown = False
        self._out.write("\r\x1b[K")
        if self.text:
            at = _columns(self.text.rpartition("\n")[2])
            column = at % shutil.get_terminal_size().columns
            self._out.write(f"\x1b[1A\x1b[{column + 1}G")


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _rows(line: str, columns: int) -> int:
    """How many rows of the terminal a line takes."""
    return max(1, -(-_columns(line) // columns))
