"""One generation of the engine: its text as it comes, and what it took."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from rag.answering.events import Thought, Waiting
from rag.engine.protocol import Engine, Sampling, Thinking, Token
from rag.records import Message, Usage


class Generation:
    """Iterate it once: pieces of text ("" is a sign of life), Waiting events, and Thought events if `tells`.

    Closing the iterator stops the engine. Afterwards: text, usage, cut (the answer reached its limit),
    first_at (time.monotonic() of the first text, None if none came), decode_s and decoded; thought, and
    thought_s, the seconds from its first piece to the first text behind it.

    A text that turns out to have been thought (Token.was_thought) leaves `text`; a Thought with `begins` is
    the sign to take it back. Callers that do not ask for thoughts get signs of life in their place.
    """

    def __init__(
        self,
        engine: Engine,
        messages: Sequence[Message],
        max_tokens: int,
        *,
        sampling: Sampling | None = None,
        stop: Sequence[str] = (),
        thinking: Thinking | None = None,
        tells: bool = False,
    ) -> None:
        self._engine = engine
        self._messages = messages
        self._max_tokens = max_tokens
        self._sampling = sampling
        self._stop = stop
        self._more: dict[str, Any] = {"thinking": thinking} if thinking is not None else {}
        self.tells = tells
        self.text = ""
        self.thought = ""
        self._thought_at: float | None = None
        self._thought_to = 0.0
        self.usage = Usage()
        self.cut = False
        self.first_at: float | None = None
        self.last_at = 0.0

    def __iter__(self) -> Iterator[str | Waiting | Thought]:
        stream = self._engine.stream(
            self._messages,
            sampling=self._sampling,
            max_tokens=self._max_tokens,
            stop=self._stop,
            **self._more,
        )
        ahead = 0
        try:
            for token in stream:
                if token.thought or token.was_thought:
                    began = self._think(token)
                    if self.tells:
                        yield Thought(self.thought if began else token.thought, began)
                        continue
                if token.text:
                    self.last_at = time.monotonic()
                    self.first_at = self.first_at or self.last_at
                    self.text += token.text
                if token.usage is not None:
                    self.usage = token.usage
                self.cut = self.cut or token.finish == "length"
                if token.ahead or ahead:
                    ahead = token.ahead
                    yield Waiting(ahead)
                else:
                    yield token.text
                    continue
                if token.text:
                    yield token.text
        finally:
            close = getattr(stream, "close", None)
            if close is not None:
                close()

    def _think(self, token: Token) -> bool:
        """Takes a piece of the thought; whether it is the first that is known to be one."""
        now = time.monotonic()
        began = token.was_thought or self._thought_at is None
        if self._thought_at is None:
            self._thought_at = self.first_at or now
        if token.was_thought:
            self.thought, self.text, self.first_at = self.text, "", None
        self.thought += token.thought
        self._thought_to = now
        return began

    @property
    def thought_s(self) -> float:
        if self._thought_at is None:
            return 0.0
        return (self.first_at or self._thought_to) - self._thought_at

    @property
    def decode_s(self) -> float:
        """Seconds from the first text to the last."""
        return 0.0 if self.first_at is None else self.last_at - self.first_at

    @property
    def decoded(self) -> int:
        """Tokens that came in that time."""
        return max(0, self.usage.answer_tokens - 1) if self.decode_s else 0
