"""One answer of a model server under way: read by a thread of its own, so that the asker can give up."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from rag.engine.protocol import Token
from rag.engine.server_dialect import refused
from rag.engine.server_http import Events, Refusal, Server
from rag.engine.thoughts import Thoughts
from rag.errors import Cancelled, EngineDied, PromptTooLong, RagError
from rag.records import Usage

HEARTBEAT_S = 0.25
_ABOUT_THE_FORM = frozenset({400, 422, 500})
"""What servers say of a field or value that they do not know (llama-cpp-python's says 500)."""
_ENDS: Mapping[str, Literal["end", "length"]] = {"length": "length"}


class Answer:
    """One request under way. A thread of its own reads it, so that the asker can give up at any time.

    opened: the server's template has opened a thought before, so this text is likely to begin with one.
    Afterwards `opened` says whether it did.
    """

    def __init__(self, server: Server, attempts: Sequence[dict[str, Any]], *, opened: bool = False) -> None:
        self.opened = opened
        self._server = server
        self._attempts = attempts
        self._queue: queue.SimpleQueue[dict[str, Any] | Exception | None] = queue.SimpleQueue()
        self._events: Events | None = None
        self._over = threading.Event()
        self._cancelled = False
        threading.Thread(target=self._read, name="model-server", daemon=True).start()

    def cancel(self) -> None:
        self._cancelled = True
        self.close()

    def close(self) -> None:
        self._over.set()
        events = self._events
        if events is not None:
            events.close()

    def tokens(self, prompt_tokens: int) -> Iterator[Token]:
        thoughts = Thoughts(inside=self.opened, unseen=True)
        supposed = ""
        usage: dict[str, Any] = {}
        finish: Literal["end", "length"] | None = None
        pieces = thought_pieces = 0
        while True:
            try:
                event = self._queue.get(timeout=HEARTBEAT_S)
            except queue.Empty:
                yield Token("")
                continue
            if self._cancelled:
                raise Cancelled("The answer was stopped.")
            if isinstance(event, Exception):
                raise self._explained(event, begun=pieces > 0)
            if event is None:
                break
            usage = event.get("usage") or usage
            for choice in event.get("choices") or []:
                delta = choice.get("delta") or {}
                if choice.get("finish_reason"):
                    finish = _ENDS.get(choice["finish_reason"], "end")
                apart = delta.get("reasoning_content") or delta.get("reasoning") or ""
                thought, text, was_thought = thoughts.add(delta.get("content") or "")
                self.opened = self.opened or was_thought
                if self.opened and thoughts.inside:
                    supposed += thought
                pieces += bool(apart or delta.get("content"))
                thought_pieces += bool(apart or (thought and not text))
                thought_pieces = pieces if was_thought else thought_pieces
                if apart or thought or was_thought:
                    yield Token("", thought=f"{apart}{thought}", was_thought=was_thought)
                if text:
                    yield Token(text)
        thought, text, _ = thoughts.rest()
        if finish is None:
            raise EngineDied(
                "The model server ended the connection in the middle of an answer.",
                fix="Ask again; the server's log may say why.",
            )
        if self.opened and thoughts.inside and finish == "end":
            # It was no thought: nothing has closed it, and the model is done.
            self.opened, text = False, f"{supposed}{thought}"
            thought, thought_pieces = "", 0
        if thought or text:
            yield Token(text, thought=thought)
        details = usage.get("prompt_tokens_details") or {}
        written = usage.get("completion_tokens_details") or {}
        # Without the server's own counts: most servers send a token an event.
        thought_tokens = int(written.get("reasoning_tokens") or thought_pieces)
        tokens = int(usage.get("completion_tokens") or pieces)
        yield Token(
            "",
            usage=Usage(
                int(usage.get("prompt_tokens") or prompt_tokens),
                int(details.get("cached_tokens") or 0),
                tokens - thought_tokens if tokens > thought_tokens else tokens,
                thought_tokens,
            ),
            finish=finish,
        )

    def _read(self) -> None:
        try:
            self._events = events = self._opened()
            if self._over.is_set():
                events.close()
            for event in events:
                self._queue.put(event)
            self._queue.put(None)
        except Exception as error:  # noqa: BLE001 - whatever it is, the asker's thread has to raise it
            self._queue.put(error)

    def _opened(self) -> Events:
        for number, body in enumerate(self._attempts):
            try:
                events: Events = self._server.retried(
                    partial(self._server.open, "/chat/completions", body), self._over.wait
                )
                return events
            except Refusal as error:
                if error.status not in _ABOUT_THE_FORM or number + 1 == len(self._attempts):
                    raise
        raise AssertionError("unreachable")

    def _explained(self, error: Exception, *, begun: bool) -> Exception:
        if self._cancelled:
            return Cancelled("The answer was stopped.")
        if isinstance(error, Refusal):
            words = error.message.lower()
            if (
                error.status in (400, 413, 422)
                and "context" in words
                and ("length" in words or "exceed" in words)
            ):
                return PromptTooLong(
                    f"The model server refused the prompt as too long: {error.message}.",
                    fix="Set engine.context to the server's real context, or lower retrieval.budget_tokens.",
                )
            return refused(error, self._server)
        if isinstance(error, RagError):
            return error
        return EngineDied(
            f"The connection to the model server broke {'in the middle of an answer' if begun else 'off'}: "
            f"{error or type(error).__name__}.",
            fix="Ask again; if it stays so, look at the server's log.",
        )
