"""The process around llama.cpp: `python -m rag.engine.worker COMMANDS_FD EVENTS_FD PARENT_PID`.

Nothing else of the project runs here and nothing heavy but llama_cpp is imported, so a native crash, a
kill for lack of memory or a clash of libraries ends this process only. It ends by itself when the service
is gone, however that went: its command pipe reaches its end, or it finds itself with another parent.

Threads: the main one generates (several answers in turns, see rag.engine.loop); one reads commands, so
that a cancellation is noticed at once; one counts tokens, so that counting does not wait for a generation;
one watches the parent.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import time
from pathlib import Path
from typing import NoReturn

from rag.engine import wire
from rag.engine.delivery import Delivery
from rag.engine.loop import Run

PARENT_CHECK_S = 1.0
LEAST_THOUGHT = 8
"""Tokens: with less room the model is told not to think."""
CLOSING = "\n</think>\n\n"
"""How a thought that has reached its limit is ended."""
FAILED_THREAD = 70
OOM_SCORE = "500"
"""When memory runs out the kernel should take this process, not the service (scale −1000 to 1000)."""


class Events:
    """Writes events to the service, whole lines, from any thread."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def send(self, event: wire.Event) -> None:
        data = wire.pack(event)
        with self._lock:
            while data:
                data = data[os.write(self._descriptor, data) :]


class Worker:
    """Serves commands with one loaded model."""

    def __init__(self, load: wire.Load, events: Events) -> None:
        from rag.engine.chat import ChatPrompt
        from rag.engine.loading import Loaded

        self._events = events
        self._loaded = loaded = Loaded(load)
        self._chat = ChatPrompt(loaded.model)
        self._loop = loaded.loop
        self._generations: queue.SimpleQueue[wire.Generate] = queue.SimpleQueue()
        self._counts: queue.SimpleQueue[wire.Count | wire.CountMessages] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._runs: dict[int, Run] = {}
        self._cancelled: set[int] = set()
        events.send(loaded.ready())

    def serve(self, commands: Commands) -> NoReturn:
        threading.Thread(target=self._read_commands, args=(commands,), daemon=True).start()
        threading.Thread(target=self._count_for_ever, daemon=True).start()
        while True:
            while self._loop.memory.free and (wanted := self._next()) is not None:
                self._begin(wanted)
            for run in self._loop.step():
                self._end(run)

    def _next(self) -> wire.Generate | None:
        """The next generation; None if none waits and others are under way."""
        try:
            return self._generations.get(block=not self._loop.active)
        except queue.Empty:
            return None

    def _read_commands(self, commands: Commands) -> None:
        for command in commands:
            if isinstance(command, wire.Generate):
                self._generations.put(command)
            elif isinstance(command, wire.Count | wire.CountMessages):
                self._counts.put(command)
            elif isinstance(command, wire.Cancel):
                self._cancel(command.number)

    def _cancel(self, number: int) -> None:
        with self._lock:
            run = self._runs.get(number)
            if run is None:
                self._cancelled.add(number)
            else:
                self._loop.cancel(run)

    def _begin(self, wanted: wire.Generate) -> None:
        from rag.engine.chat import TemplateError
        from rag.engine.grammar import SchemaError
        from rag.engine.native import EvaluationError

        number = wanted.number
        with self._lock:
            cancelled = number in self._cancelled
        try:
            if cancelled:
                self._finish(number, wire.Done(number, "cancelled", 0, 0, 0))
                return
            run = self._prepared(wanted)
            if isinstance(run, wire.Refused):
                self._finish(number, run)
                return
            self._loop.start(run)
        except EvaluationError as error:
            self._loop.memory.failed()
            self._finish(number, wire.Refused(number, "engine", str(error)))
            return
        except (TemplateError, SchemaError, ValueError) as error:
            self._finish(number, wire.Refused(number, "engine", str(error)))
            return
        with self._lock:
            self._runs[number] = run
            if number in self._cancelled:
                self._loop.cancel(run)

    def _prepared(self, wanted: wire.Generate) -> Run | wire.Refused:
        from rag.engine.grammar import Grammar

        number, thinking, context = wanted.number, wanted.thinking, self._loaded.context.context
        prompt = self._chat.prompt(wanted.messages, thinking)
        closing = self._loaded.model.tokenize(CLOSING, special=True) if thinking.on else []
        # A long prompt leaves less room for the thought, or none; the answer's room is what was asked for.
        room = context - len(prompt.tokens) - wanted.max_tokens - len(closing)
        thought = min(thinking.tokens, room) if thinking.on and self._loaded.thinks else 0
        if thinking.on and thought < LEAST_THOUGHT:
            thought, prompt = 0, self._chat.prompt(wanted.messages)
        needed = len(prompt.tokens) + wanted.max_tokens
        if needed > context:
            return wire.Refused(
                number, "too-long", wire.too_long(len(prompt.tokens), wanted.max_tokens, context)
            )
        sink = Delivery(number, self._events.send, wanted.stop, inside=prompt.in_thought)
        return Run(
            prompt,
            wanted.sampling,
            wanted.max_tokens,
            sink,
            grammar=Grammar(self._loaded.model, wanted.schema) if wanted.schema is not None else None,
            thought_limit=thought,
            closing=closing,
        )

    def _end(self, run: Run) -> None:
        number = next(number for number, each in self._runs.items() if each is run)
        if run.error:
            self._finish(number, wire.Refused(number, "engine", run.error))
            return
        assert isinstance(run.sink, Delivery)
        run.sink.finish()
        self._finish(
            number,
            wire.Done(
                number,
                run.reason,
                len(run.prompt.tokens),
                run.cached_tokens,
                run.answer_tokens,
                run.thought_tokens,
                self._loop.memory.kept_bytes / (1 << 20),
                self._loaded.total_mib(),
            ),
        )

    def _finish(self, number: int, last: wire.Event) -> None:
        with self._lock:
            self._runs.pop(number, None)
            self._cancelled.discard(number)
        self._events.send(last)

    def _count_for_ever(self) -> None:
        from rag.engine.chat import TemplateError
        from rag.engine.native import EvaluationError

        while True:
            wanted = self._counts.get()
            try:
                if isinstance(wanted, wire.Count):
                    counts = [self._loaded.model.count(text) for text in wanted.texts]
                else:
                    counts = [len(self._chat.prompt(wanted.messages, wanted.thinking).tokens)]
                self._events.send(wire.Counts(wanted.number, counts))
            except (TemplateError, EvaluationError) as error:
                self._events.send(wire.Refused(wanted.number, "engine", str(error)))


class Commands:
    """Iterates over the commands of the pipe; at its end this process ends."""

    def __init__(self, descriptor: int) -> None:
        self._lines = os.fdopen(descriptor, "rb")

    def __iter__(self) -> Commands:
        return self

    def __next__(self) -> wire.Command:
        line = self._lines.readline()
        if not line.endswith(b"\n"):
            # The service is gone or has closed us. No clean-up: the kernel does it, also in mid-decode.
            os._exit(0)
        return wire.command(line)


def _watch_parent(parent: int) -> None:
    """The pipe's end does not come while some other child of the service holds a copy of its write end."""
    while os.getppid() == parent:
        time.sleep(PARENT_CHECK_S)
    os._exit(0)


def _thread_failed(failure: threading.ExceptHookArgs) -> None:
    """A thread that ends by an error would leave its callers waiting for ever: end the process instead."""
    threading.__excepthook__(failure)
    sys.stderr.flush()
    os._exit(FAILED_THREAD)


def _settle_in(parent: int) -> None:
    threading.excepthook = _thread_failed
    os.dup2(2, 1)  # what native code prints joins the log
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the service, which then closes us
    try:
        Path("/proc/self/oom_score_adj").write_text(OOM_SCORE)
    except OSError as error:  # not Linux, or not allowed here: a preference only
        print(f"oom_score_adj: {error}", file=sys.stderr)
    threading.Thread(target=_watch_parent, args=(parent,), daemon=True).start()


def main(argv: list[str]) -> None:
    from rag.errors import ModelError, RagError

    commands, events = Commands(int(argv[0])), Events(int(argv[1]))
    _settle_in(int(argv[2]))
    load = next(commands)
    if not isinstance(load, wire.Load):
        raise SystemExit(f"The first command must be Load, not {type(load).__name__}.")
    try:
        worker = Worker(load, events)
    except RagError as error:
        kind = "unfit" if isinstance(error, ModelError) else "start"
        events.send(wire.Failed(kind, error.message, error.fix))
        raise SystemExit(3) from error
    except (ImportError, OSError, RuntimeError, AttributeError, TypeError) as error:
        events.send(
            wire.Failed(
                "start",
                f"The engine's native library could not be loaded: {error}",
                "Install llama-cpp-python again, or set engine.library to a folder with a libllama that "
                "fits it.",
            )
        )
        raise SystemExit(3) from error
    worker.serve(commands)


if __name__ == "__main__":
    main(sys.argv[1:])
