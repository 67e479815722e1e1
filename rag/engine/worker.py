"""The process around llama.cpp: `python -m rag.engine.worker COMMANDS_FD EVENTS_FD PARENT_PID`.

Nothing else of the project runs here and nothing heavy but llama_cpp is imported, so a native crash, a
kill for lack of memory or a clash of libraries ends this process only. It ends by itself when the service
is gone, however that went: its command pipe reaches its end, or it finds itself with another parent.

Threads: the main one generates; one reads commands, so that a cancellation is noticed at once; one counts
tokens, so that counting does not wait for a generation; one watches the parent.
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
from rag.engine.native_log import NativeLog

PARENT_CHECK_S = 1.0
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
        from rag.engine.loop import DecodeLoop
        from rag.engine.native import NativeModel

        began = time.monotonic()
        log = NativeLog()
        devices = _prepare(load, log)
        self._events = events
        self._model = NativeModel(load, log)
        self._chat = ChatPrompt(self._model)
        self._loop = DecodeLoop(self._model)
        self._generations: queue.SimpleQueue[wire.Generate] = queue.SimpleQueue()
        self._counts: queue.SimpleQueue[wire.Count | wire.CountMessages] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._busy: int | None = None
        self._cancelled: set[int] = set()
        events.send(
            wire.Ready(
                context=self._model.context,
                trained_context=self._model.trained_context,
                buffers_mib=log.buffers_mib,
                seconds=time.monotonic() - began,
                devices=devices,
            )
        )

    def serve(self, commands: Commands) -> NoReturn:
        threading.Thread(target=self._read_commands, args=(commands,), daemon=True).start()
        threading.Thread(target=self._count_for_ever, daemon=True).start()
        while True:
            self._generate(self._generations.get())

    def _read_commands(self, commands: Commands) -> None:
        for command in commands:
            if isinstance(command, wire.Generate):
                self._generations.put(command)
            elif isinstance(command, wire.Count | wire.CountMessages):
                self._counts.put(command)
            elif isinstance(command, wire.Cancel):
                self._cancel(command.number)
            elif isinstance(command, wire.Ping):
                self._events.send(wire.Pong(command.number, self._busy))

    def _cancel(self, number: int) -> None:
        with self._lock:
            self._cancelled.add(number)
            if self._busy == number:
                self._loop.cancel()

    def _begin(self, number: int) -> bool:
        """Mark this generation as the one at work; False if it has been cancelled before."""
        with self._lock:
            self._busy = number
            self._loop.ready()
            return number not in self._cancelled

    def _end(self, number: int) -> None:
        with self._lock:
            self._busy = None
            self._cancelled.discard(number)

    def _generate(self, wanted: wire.Generate) -> None:
        from rag.engine.chat import TemplateError
        from rag.engine.native import EvaluationError

        try:
            last: wire.Event
            if self._begin(wanted.number):
                last = self._run(wanted)
            else:
                last = wire.Done(wanted.number, "cancelled", 0, 0, 0)
        except (TemplateError, EvaluationError, ValueError) as error:
            last = wire.Refused(wanted.number, "engine", str(error))
        self._end(wanted.number)
        self._events.send(last)

    def _run(self, wanted: wire.Generate) -> wire.Event:
        from rag.engine.loop import Run
        from rag.engine.pieces import Pieces

        number = wanted.number
        prompt = self._chat.tokens(wanted.messages)
        if len(prompt) + wanted.max_tokens > self._model.context:
            return wire.Refused(
                number, "too-long", wire.too_long(len(prompt), wanted.max_tokens, self._model.context)
            )
        run = Run(prompt, wanted.sampling, wanted.max_tokens)
        pieces = Pieces(wanted.stop)
        generation = self._loop.generate(
            run, lambda done, total: self._events.send(wire.Reading(number, done, total))
        )
        for piece in generation:
            text = pieces.add(piece)
            if text:
                self._events.send(wire.Text(number, text))
            if pieces.stopped:
                generation.close()
                run.reason = "stop"
        rest = pieces.rest()
        if rest:
            self._events.send(wire.Text(number, rest))
        return wire.Done(number, run.reason, len(prompt), run.cached_tokens, run.answer_tokens)

    def _count_for_ever(self) -> None:
        from rag.engine.chat import TemplateError
        from rag.engine.native import EvaluationError

        while True:
            wanted = self._counts.get()
            try:
                if isinstance(wanted, wire.Count):
                    counts = [self._model.count(text) for text in wanted.texts]
                else:
                    counts = [len(self._chat.tokens(wanted.messages))]
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


def _prepare(load: wire.Load, log: NativeLog) -> list[str]:
    """Bring up the library and ask it whether it knows the file's weight types; its devices."""
    import llama_cpp.llama_cpp as llama

    from rag.engine.devices import devices, known_types, library_folder
    from rag.models import passport
    from rag.models.quantisation import KNOWN

    log.attach(llama)
    folder = library_folder(llama)
    passport.refuse_if_unfit(passport.read(Path(load.path)), known_types=known_types(folder, KNOWN))
    return devices(folder)


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
