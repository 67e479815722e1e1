"""The engine on this machine: the client of one worker process, for all threads of the service."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from rag.engine import wire
from rag.engine.process import Ended, Request, WorkerProcess
from rag.engine.protocol import EngineInfo, EngineState, Sampling, Token
from rag.engine.sampling import profile
from rag.engine.supervisor import HEARTBEAT_S, Supervisor
from rag.engine.turnstile import Turnstile
from rag.errors import Cancelled, EngineError, PromptTooLong, SettingsError
from rag.models import catalogue
from rag.records import Message, Usage
from rag.settings import Settings

STOP_GRACE_S = 10.0
"""A cancelled generation that still runs after this long is stuck in native code: its process is killed."""

Result = TypeVar("Result")


class LocalEngine:
    """Implements rag.engine.protocol.Engine with a worker process that starts at the first call.

    Making one does no work. Raises SettingsError if settings contradict each other.
    """

    def __init__(self, settings: Settings) -> None:
        self._options = settings.engine
        if self._options.kv != "f16" and not self._options.flash_attention:
            raise SettingsError(
                f"A cache of {self._options.kv} needs flash attention.",
                fix="Set engine.flash_attention = true, or engine.kv = 'f16'.",
            )
        self._entry = catalogue.entry_of(self._options.model)
        self._supervisor = Supervisor(settings)
        self._current: tuple[WorkerProcess, Request] | None = None
        self.turnstile = Turnstile()
        # Also when nobody calls close: at the latest when the interpreter ends.
        self._close = weakref.finalize(self, self._supervisor.close)

    def info(self) -> EngineInfo:
        process = self._supervisor.process
        alive = process is not None and process.alive
        loaded = process.loaded if process is not None and alive else None
        return EngineInfo(
            model=self._entry.name if self._entry else Path(self._options.model).stem,
            context=loaded.context if loaded else self._expected_context(),
            state=self._state(),
            demo=bool(self._entry and self._entry.demo),
            pid=process.pid if process is not None and alive else None,
            buffers_mib=dict(loaded.buffers_mib) if loaded else {},
            problem=self._supervisor.problem,
        )

    def log(self) -> list[str]:
        """The last lines that the newest worker process wrote to its standard error, oldest first."""
        process = self._supervisor.process
        return process.log() if process is not None else []

    def start(self) -> None:
        _finish(self._supervisor.loaded())

    def count(self, texts: Sequence[str]) -> list[int]:
        if not texts:
            return []
        return self._counts(lambda number: wire.Count(number, list(texts)))

    def count_messages(self, messages: Sequence[Message]) -> int:
        pairs = _pairs(messages)
        return self._counts(lambda number: wire.CountMessages(number, pairs))[0]

    def stream(
        self,
        messages: Sequence[Message],
        *,
        sampling: Sampling | None = None,
        max_tokens: int = 1024,
        stop: Sequence[str] = (),
    ) -> Iterator[Token]:
        if max_tokens < 1:
            raise ValueError("max_tokens must be at least 1.")
        if sampling is None:
            sampling = profile(self._entry.sampling) if self._entry else Sampling()
        pairs, stops = _pairs(messages), [text for text in stop if text]
        return self._stream(lambda number: wire.Generate(number, pairs, sampling, max_tokens, stops))

    def cancel(self) -> None:
        if self._current is not None:
            process, request = self._current
            process.cancel(request)

    def healthy(self, timeout: float = 2.0) -> bool:
        """Does the worker answer within `timeout` seconds? False also when it is not running."""
        process = self._supervisor.process
        if process is None or not process.alive or process.loaded is None:
            return False
        return isinstance(process.request(wire.Ping).next(timeout), wire.Pong)

    def close(self) -> None:
        self._supervisor.close()

    def _expected_context(self) -> int:
        """Before the model is loaded: the settings' context, as far as the catalogue says it goes."""
        trained = self._entry.context if self._entry else None
        return min(self._options.context, trained or self._options.context)

    def _state(self) -> EngineState:
        process = self._supervisor.process
        if process is None:
            return "stopped"
        if not process.alive:
            return "dead"
        if process.loaded is None:
            return "starting"
        return "busy" if self.turnstile.waiting else "ready"

    def _counts(self, make: Callable[[int], wire.Command]) -> list[int]:
        return self._counted(_finish(self._supervisor.loaded()), make)

    def _counted(self, process: WorkerProcess, make: Callable[[int], wire.Command]) -> list[int]:
        event = process.request(make).next(timeout=None)
        if isinstance(event, wire.Counts):
            return event.counts
        raise self._failure(process, event, "while it was counting tokens")

    def _stream(self, make: Callable[[int], wire.Generate]) -> Iterator[Token]:
        ticket = self.turnstile.ticket()
        try:
            process = yield from self._loaded()
            self._refuse_if_too_long(process, make(0))
            while not ticket.wait(HEARTBEAT_S):
                yield Token("", ahead=ticket.place)
            # The process may have ended while others were served.
            process = yield from self._loaded()
            # The next in line enters when the worker is done, also if nobody reads this iterator to its end.
            request = process.request(make, on_end=ticket.leave)
            self._current = (process, request)
            try:
                yield from self._answer(process, request)
            finally:
                self._end(process, request)
        finally:
            ticket.leave()

    def _loaded(self) -> Generator[Token, None, WorkerProcess]:
        steps = self._supervisor.loaded()
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return cast(WorkerProcess, end.value)
            yield Token("")

    def _answer(self, process: WorkerProcess, request: Request) -> Iterator[Token]:
        reading: tuple[int, int] | None = None
        while True:
            event = request.next(HEARTBEAT_S)
            if event is None:
                yield Token("", read=reading)
            elif isinstance(event, wire.Reading):
                reading = (event.done, event.total)
                yield Token("", read=reading)
                reading = reading if event.done < event.total else None
            elif isinstance(event, wire.Text):
                yield Token(event.text)
            elif isinstance(event, wire.Done):
                if event.reason == "cancelled":
                    raise Cancelled("The answer was stopped.")
                self._supervisor.succeeded()
                yield _last_token(event)
                return
            else:
                raise self._failure(process, event, "in the middle of an answer")

    def _end(self, process: WorkerProcess, request: Request) -> None:
        """Return only when the worker is idle."""
        process.cancel(request)
        if not request.over.wait(STOP_GRACE_S):
            process.kill()
        if self._current == (process, request):
            self._current = None

    def _refuse_if_too_long(self, process: WorkerProcess, wanted: wire.Generate) -> None:
        """Before queueing for a turn that would be refused."""
        (tokens,) = self._counted(process, lambda number: wire.CountMessages(number, wanted.messages))
        context = process.loaded.context if process.loaded else 0
        if tokens + wanted.max_tokens > context:
            raise _too_long(wire.too_long(tokens, wanted.max_tokens, context))

    def _failure(self, process: WorkerProcess, event: wire.Event | Ended | None, when: str) -> Exception:
        if isinstance(event, Ended):
            return self._supervisor.died(process, when)
        if isinstance(event, wire.Refused):
            return _too_long(event.message) if event.kind == "too-long" else EngineError(event.message)
        return EngineError(f"The engine gave an answer that does not belong here: {event!r}.")


def _too_long(message: str) -> PromptTooLong:
    return PromptTooLong(
        message, fix="Ask for a shorter answer, lower retrieval.budget_tokens, or raise engine.context."
    )


def _last_token(done: wire.Done) -> Token:
    usage = Usage(done.prompt_tokens, done.cached_tokens, done.answer_tokens)
    return Token("", usage=usage, finish=cast(Literal["end", "stop", "length"], done.reason))


def _pairs(messages: Sequence[Message]) -> list[list[str]]:
    return [[message.role, message.content] for message in messages]


def _finish(steps: Generator[Any, None, Result]) -> Result:
    """Run to the end and give the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return cast(Result, end.value)
