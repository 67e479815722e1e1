"""What happens while a question is answered, in the order in which it happens."""

from __future__ import annotations

from dataclasses import dataclass

from rag.records import Answer, Evidence


@dataclass(frozen=True, slots=True)
class Waiting:
    """The engine is at work for others. place: how many questions are before this one, 0 when its turn comes.

    While it is above 0, this comes at least three times a second.
    """

    place: int


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The evidence under its final numbers. left_out: relevant passages that did not fit into the budget."""

    evidence: tuple[Evidence, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Delta:
    """Text to be put behind what is shown. Every [n] in it exists; a marker is never cut in two.

    An empty text is a sign of life: it comes at least three times a second while the model is loaded or
    reads the evidence, so that whoever iterates can close the iterator.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Replaced:
    """Everything shown so far is replaced by this text."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event. `answer.text` is what should be shown from now on.

    When the engine fails after some text was shown, this event comes with that text (`answer.stopped`
    is True) and then the error is raised.
    """

    answer: Answer


Event = Waiting | Retrieved | Delta | Replaced | Finished
