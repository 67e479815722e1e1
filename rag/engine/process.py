"""The service's side of one worker process: starting it, talking to it, and noticing its end.

A `WorkerProcess` lives once: when its process has ended, whoever needs the engine makes a new one. Three
things can wake a waiting caller: an event for its request, the end of the process, its own timeout.
"""

from __future__ import annotations

import itertools
import os
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path

import rag
from rag.engine import wire
from rag.engine.obituary import Death, describe_death, oom_kills

KEPT_LOG_LINES = 300
END_TIMEOUT_S = 3.0


class Ended:
    """Put into every open request when the process has ended."""


class Request:
    """The events that answer one request, in their order; `Ended` if the process ends before."""

    def __init__(self, number: int, on_end: Callable[[], None] | None = None) -> None:
        self.number = number
        self._events: queue.SimpleQueue[wire.Event | Ended] = queue.SimpleQueue()
        self._on_end = on_end
        self.over = threading.Event()

    def put(self, event: wire.Event | Ended) -> None:
        self._events.put(event)
        if not isinstance(event, wire.Reading | wire.Text):
            self.over.set()
            if self._on_end is not None:
                self._on_end()

    def next(self, timeout: float | None) -> wire.Event | Ended | None:
        """The next event, or None if none came within `timeout` seconds (None: wait as long as it takes)."""
        try:
            return self._events.get(timeout=timeout)
        except queue.Empty:
            return None


class WorkerProcess:
    """Starts the process and gives it its first command; returns at once, before the model is loaded.

    environment: variables in addition to this process's own.
    """

    def __init__(self, load: wire.Load, environment: Mapping[str, str]) -> None:
        self.loaded: wire.Ready | None = None
        self.failed: wire.Failed | None = None
        self.death: Death | None = None
        self.settled = threading.Event()  # loaded, failed or dead
        self._closing = False
        self._log_complete = threading.Event()
        self._log: deque[str] = deque(maxlen=KEPT_LOG_LINES)
        self._requests: dict[int, Request] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._oom_kills_before = oom_kills()
        self._start(environment)
        self._send(load)
        threading.Thread(target=self._read_log, name="engine-log", daemon=True).start()
        threading.Thread(target=self._read_events, name="engine-events", daemon=True).start()

    def _start(self, environment: Mapping[str, str]) -> None:
        commands_read, commands_write = os.pipe()
        events_read, events_write = os.pipe()
        # -P: the working folder must not be able to replace modules. The worker finds `rag` where we did.
        root = str(Path(rag.__file__).resolve().parents[1])
        inherited = os.environ.get("PYTHONPATH")
        path = root if not inherited else os.pathsep.join((root, inherited))
        arguments = [str(commands_read), str(events_write), str(os.getpid())]
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "rag.engine.worker", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=(commands_read, events_write),
                env={**os.environ, **environment, "PYTHONPATH": path},
            )
        except BaseException:
            os.close(commands_write)
            os.close(events_read)
            raise
        finally:
            os.close(commands_read)
            os.close(events_write)
        self._commands = os.fdopen(commands_write, "wb", buffering=0)
        self._events = os.fdopen(events_read, "rb")

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self.death is None and self._process.poll() is None

    def log(self) -> list[str]:
        """The last lines of the worker's standard error, oldest first."""
        return list(self._log)

    def request(
        self, make: Callable[[int], wire.Command], on_end: Callable[[], None] | None = None
    ) -> Request:
        """Send make(number) and return the request to read its events from.

        on_end: called once, from another thread, when the request is over.
        """
        request = Request(next(self._numbers), on_end)
        with self._lock:
            dead = self.death is not None
            if not dead:
                self._requests[request.number] = request
        if dead:
            request.put(Ended())
        else:
            self._send(make(request.number))
        return request

    def cancel(self, request: Request) -> None:
        if not request.over.is_set():
            self._send(wire.Cancel(request.number))

    def close(self) -> None:
        """End the process and wait for it. May be called more than once and from any thread."""
        self._closing = True
        try:
            self._commands.close()
        except OSError:
            self.kill()  # the pipe is in a state of its own: end it the hard way
        try:
            self._process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _send(self, command: wire.Command) -> None:
        data = wire.pack(command)
        try:
            with self._sending:
                while data:
                    data = data[self._commands.write(data) :]
        except (BrokenPipeError, ValueError):
            # The process has ended, or close() came first: the reading thread tells every request.
            return

    def _read_events(self) -> None:
        for line in self._events:
            if line.endswith(b"\n"):
                self._receive(wire.event(line))
        self._at_the_end()

    def _receive(self, event: wire.Event) -> None:
        if isinstance(event, wire.Ready):
            self.loaded = event
            self.settled.set()
        elif isinstance(event, wire.Failed):
            self.failed = event
        else:
            request = self._requests.get(event.number)
            if request is not None:
                request.put(event)
                if request.over.is_set():
                    self._requests.pop(event.number, None)

    def _at_the_end(self) -> None:
        try:
            code = self._process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:  # it closed its pipe and lives on
            self._process.kill()
            code = self._process.wait()
        self._log_complete.wait(END_TIMEOUT_S)
        death = describe_death(code, self.log(), self._oom_kills_before, closed=self._closing)
        with self._lock:
            self.death = death
            open_requests = list(self._requests.values())
            self._requests.clear()
        self.settled.set()
        for request in open_requests:
            request.put(Ended())
        self._events.close()

    def _read_log(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as lines:
            for line in lines:
                self._log.append(line.decode("utf-8", errors="replace").rstrip())
        self._log_complete.set()
