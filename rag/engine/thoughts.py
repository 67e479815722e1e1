"""What a model thinks before it answers, told apart from the answer."""

from __future__ import annotations

from typing import NamedTuple

OPEN, CLOSE = "<think>", "</think>"


class Split(NamedTuple):
    """was_thought: all that was given out as answer before was thought."""

    thought: str
    answer: str
    was_thought: bool = False


def opens_thought(prompt: str) -> bool:
    """Has the chat template opened the thought itself, at the end of this prompt?"""
    tail = prompt.rstrip()
    return tail.endswith(OPEN)


class Thoughts:
    """Takes pieces of text and says of each what is thought and what is answer.

    The thought is opened by the template (`inside`) or by the model as the first thing that it writes.
    A "<think>" later on is a word of the answer like others: a document may be about such models. Tags may
    be spread over several pieces; white space around them belongs to neither side.

    unseen: the template is a server's, so it may have opened a thought that nobody was told of. Then a
    "</think>" that begins a line, where no thought was opened before, ends one.
    """

    def __init__(self, *, inside: bool, unseen: bool = False) -> None:
        self.inside = inside
        self._unseen = unseen and not inside
        self._line_begins = True
        self._begun = inside  # past the place where the model could open a thought
        self._held = ""
        self._trim = inside  # white space is dropped until something else comes

    def add(self, text: str) -> Split:
        self._held += text
        thought = answer = ""
        while self._held:
            if self.inside:
                before, closed, after = self._held.partition(CLOSE)
                if closed:
                    thought += self._trimmed(before).rstrip()
                    self.inside, self._held, self._trim = False, after, True
                    continue
                # White space at the end is held back, too: it may be what stands before the tag.
                shown = self._held[: len(self._held) - _undecided(self._held, CLOSE)].rstrip()
                thought += self._trimmed(shown)
                self._held = self._held[len(shown) :]
                break
            if not self._begun:
                start = self._held.lstrip()
                if start.startswith(OPEN):
                    self.inside = self._begun = self._trim = True
                    self._unseen = False
                    self._held = start[len(OPEN) :]
                    continue
                if OPEN.startswith(start):
                    break  # nothing certain yet
                self._begun = True
            if self._unseen:
                ended = self._ended()
                if ended is not None:
                    before, self._held = ended
                    self._unseen, self._trim = False, True
                    return self._taken_back(thought, answer + before)
                shown = self._held[: len(self._held) - _undecided(self._held, CLOSE)]
            else:
                shown = self._held
            answer += self._trimmed(shown)
            self._line_begins = shown.endswith("\n") if shown else self._line_begins
            self._held = self._held[len(shown) :]
            break
        return Split(thought, answer)

    def _ended(self) -> tuple[str, str] | None:
        """What stands before and behind the end of a thought, None if there is none."""
        at = -1
        while (at := self._held.find(CLOSE, at + 1)) >= 0:
            if self._held[:at].endswith("\n") or (not at and self._line_begins):
                return self._held[:at], self._held[at + len(CLOSE) :]
        return None

    def _taken_back(self, thought: str, before: str) -> Split:
        """The thought that is over, and what follows it."""
        rest = self.add("")
        return Split(f"{thought}{before}".rstrip(), rest.answer, was_thought=True)

    def rest(self) -> Split:
        """What was held back, when nothing more comes."""
        held, self._held = self._held, ""
        if self.inside:
            return Split(self._trimmed(held).rstrip(), "")
        return Split("", self._trimmed(held))

    def _trimmed(self, text: str) -> str:
        if self._trim:
            text = text.lstrip()
            self._trim = not text
        return text


def _undecided(text: str, tag: str) -> int:
    """Length of the longest end of the text with which the tag begins."""
    for length in range(min(len(tag) - 1, len(text)), 0, -1):
        if tag.startswith(text[-length:]):
            return length
    return 0
