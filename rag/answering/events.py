"""What happens while a question is answered, in the order in which it happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rag.records import Answer, Evidence


@dataclass(frozen=True, slots=True)
class Waiting:
    """The engine is at work for others. place: how many questions are before this one, 0 when its turn comes.

    While it is above 0, this comes at least three times a second.
    """

    place: int


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done, in the modes that take several steps.

    step: "parts" the question is taken apart; "part" one of its parts is answered; "again" a part that
    found no support is searched for in other words; "document" a document is read; "chapter" a chapter of
    one; "table" a whole table is calculated. done of total are finished, `about` (a part, a path) is begun.
    """

    step: Literal["parts", "part", "again", "document", "chapter", "table"]
    done: int = 0
    total: int = 0
    about: str = ""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The evidence under its final numbers. left_out: relevant passages that did not fit into the budget.

    May come again with more evidence behind what was there: a number, once shown, keeps its meaning.
    """

    evidence: tuple[Evidence, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Thought:
    """A piece of what the model thinks before it writes. It is checked against nothing, cites nothing and is
    never part of the answer. text is "" where the settings hide thoughts: then it says only that the model
    thinks. begins: a thought of its own begins with it, on another part of the question.
    """

    text: str
    begins: bool = False


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


Event = Waiting | Progress | Retrieved | Thought | Delta | Replaced | Finished
