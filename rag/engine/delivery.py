"""One answer on its way to the service: whole characters, thoughts apart, nothing of a stop string."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rag.engine import wire
from rag.engine.pieces import Pieces
from rag.engine.thoughts import Split, Thoughts

Send = Callable[[wire.Event], None]


class Delivery:
    """The sink (rag.engine.loop) of the request `number`. inside: the prompt has opened a thought."""

    def __init__(self, number: int, send: Send, stop: Sequence[str], *, inside: bool) -> None:
        self._number = number
        self._send = send
        self._characters = Pieces()
        self._thoughts = Thoughts(inside=inside)
        self._answer = Pieces(stop)

    @property
    def thinking(self) -> bool:
        return self._thoughts.inside

    @property
    def stopped(self) -> bool:
        return self._answer.stopped

    def reading(self, done: int, total: int) -> None:
        self._send(wire.Reading(self._number, done, total))

    def token(self, piece: bytes) -> None:
        self._hand_on(self._thoughts.add(self._characters.add(piece)))

    def finish(self) -> None:
        """Hand on what was held back."""
        self._hand_on(self._thoughts.add(self._characters.rest()))
        self._hand_on(self._thoughts.rest())
        rest = self._answer.rest()
        if rest:
            self._send(wire.Text(self._number, rest))

    def _hand_on(self, split: Split) -> None:
        if split.thought:
            self._send(wire.Text(self._number, split.thought, thought=True))
        text = self._answer.add(split.answer.encode()) if split.answer else ""
        if text:
            self._send(wire.Text(self._number, text))
