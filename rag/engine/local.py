"""The engine on this machine: the client of one worker process, for all threads of the service."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from rag.engine import wire
from rag.engine.process import Ended, Request, WorkerProcess
from rag.engine.protocol import EngineInfo, EngineState, Line, Sampling, Thinking, Token
from rag.engine.sampling import usual
from rag.engine.supervisor import HEARTBEAT_S, Supervisor
from rag.engine.turnstile import Turnstile
from rag.errors import Cancelled, EngineBusy, EngineError, PromptTooLong, SettingsError
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
        _refuse_contradictions(settings)
        self._options = settings.engine
        self._entry = catalogue.entry_of(self._options.model)
        self._supervisor = Supervisor(settings)
        self._settings = settings
        self._current: list[tuple[WorkerProcess, Request]] = []
        self._later: wire.Done | None = None
        self.turnstile = Turnstile(self._options.parallel, self._options.queue)
        # Also when nobody calls close: at the latest when the interpreter ends.
        self._close = weakref.finalize(self, self._supervisor.close)

    @property
    def settings(self) -> Settings:
        return self._settings

    def use(self, settings: Settings) -> None:
        """Another model or other engine settings from now on: the old worker ends, the next call starts one.

        Answers under way end with EngineDied. Raises SettingsError, and changes nothing then.
        """
        _refuse_contradictions(settings)
        self._close.detach()
        self._supervisor.close()
        self._settings, self._options = settings, settings.engine
        self._entry = catalogue.entry_of(settings.engine.model)
        self._supervisor = Supervisor(settings)
        self._later = None
        self.turnstile.change(settings.engine.parallel, settings.engine.queue)
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
            ledger=self._ledger(loaded) if loaded else (),
            adjusted=loaded.adjusted if loaded else "",
            parallel=self._options.parallel,
            cache_mib=self._later.cache_mib if loaded and self._later else 0.0,
            thinks=loaded.thinks if loaded else False,
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
        listed = _listed(messages)
        return self._counts(lambda number: wire.CountMessages(number, listed))[0]

    def stream(
        self,
        messages: Sequence[Message],
        *,
        sampling: Sampling | None = None,
        max_tokens: int = 1024,
        stop: Sequence[str] = (),
        thinking: Thinking | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Iterator[Token]:
        if max_tokens < 1:
            raise ValueError("max_tokens must be at least 1.")
        if sampling is None:
            sampling = usual(self._entry)
        listed, stops = _listed(messages), [text for text in stop if text]
        thought, shape = thinking or Thinking(), dict(schema) if schema is not None else None
        return self._stream(
            lambda number: wire.Generate(number, listed, sampling, max_tokens, stops, thought, shape)
        )

    def cancel(self) -> None:
        for process, request in list(self._current):
            process.cancel(request)

    def close(self) -> None:
        self._supervisor.close()

    def _expected_context(self) -> int:
        """Before the model is loaded: the settings' context, as far as the catalogue says it goes."""
        trained = self._entry.context if self._entry else None
        return min(self._settings.engine_context, trained or self._settings.engine_context)

    def _ledger(self, loaded: wire.Ready) -> tuple[Line, ...]:
        """As measured when the model was loaded; what was allocated since counts as overhead."""
        lines = {name: Line(name, predicted, measured) for name, predicted, measured in loaded.lines}
        now = self._later.total_mib if self._later else None
        total, overhead = lines.get("total"), lines.get("overhead")
        if (
            now is not None
            and total
            and overhead
            and total.measured is not None
            and overhead.measured is not None
        ):
            grown = now - total.measured
            lines["total"] = replace(total, measured=now)
            lines["overhead"] = replace(overhead, measured=overhead.measured + grown)
        return tuple(lines.values())

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
        if ticket is None:
            raise EngineBusy(
                f"{self.turnstile.waiting:,} questions are being answered or waiting already.",
                fix="Ask again in a minute; engine.queue says how many may wait, engine.parallel how many "
                "are answered at once.",
            )
        try:
            process = yield from self._loaded()
            self._refuse_if_too_long(process, make(0))
            while not ticket.wait(HEARTBEAT_S):
                yield Token("", ahead=ticket.place)
            # The process may have ended while others were served.
            process = yield from self._loaded()
            # The next in line enters when the worker is done, also if nobody reads this iterator to its end.
            request = process.request(make, on_end=ticket.leave)
            self._current.append((process, request))
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
                yield Token("", thought=event.text) if event.thought else Token(event.text)
            elif isinstance(event, wire.Done):
                if event.reason == "cancelled":
                    raise Cancelled("The answer was stopped.")
                self._supervisor.succeeded()
                self._later = event
                yield _last_token(event)
                return
            else:
                raise self._failure(process, event, "in the middle of an answer")

    def _end(self, process: WorkerProcess, request: Request) -> None:
        """Return only when the worker is idle."""
        process.cancel(request)
        if not request.over.wait(STOP_GRACE_S):
            process.kill()
        self._current.remove((process, request))

    def _refuse_if_too_long(self, process: WorkerProcess, wanted: wire.Generate) -> None:
        """Before queueing for a turn that would be refused."""
        (tokens,) = self._counted(
            process, lambda number: wire.CountMessages(number, wanted.messages, wanted.thinking)
        )
        context = process.loaded.context if process.loaded else 0
        if tokens + wanted.max_tokens > context:
            raise _too_long(wire.too_long(tokens, wanted.max_tokens, context))

    def _failure(self, process: WorkerProcess, event: wire.Event | Ended | None, when: str) -> Exception:
        if isinstance(event, Ended):
            return self._supervisor.died(process, when)
        if isinstance(event, wire.Refused):
            return _too_long(event.message) if event.kind == "too-long" else EngineError(event.message)
        return EngineError(f"The engine gave an answer that does not belong here: {event!r}.")


def _refuse_contradictions(settings: Settings) -> None:
    options = settings.engine
    if options.kv != "f16" and not options.flash_attention:
        raise SettingsError(
            f"A cache of {options.kv} needs flash attention.",
            fix="Set engine.flash_attention = true, or engine.kv = 'f16'.",
        )


def _too_long(message: str) -> PromptTooLong:
    return PromptTooLong(
        message, fix="Ask for a shorter answer, lower retrieval.budget_tokens, or raise engine.context."
    )


def _last_token(done: wire.Done) -> Token:
    usage = Usage(done.prompt_tokens, done.cached_tokens, done.answer_tokens, done.thought_tokens)
    return Token("", usage=usage, finish=cast(Literal["end", "stop", "length"], done.reason))


def _listed(messages: Sequence[Message]) -> list[list[Any]]:
    return [[message.role, message.content, message.stable] for message in messages]


def _finish(steps: Generator[Any, None, Result]) -> Result:
    """Run to the end and give the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return cast(Result, end.value)
