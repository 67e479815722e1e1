"""Sees to it that there is a loaded worker process whenever somebody needs one."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Generator
from pathlib import Path

from rag.cpus import usable_cpus
from rag.engine import wire
from rag.engine.process import WorkerProcess
from rag.engine.restarts import RestartGuard
from rag.errors import EngineDied, EngineStartFailed, ModelError, ModelUnfit, SettingsError
from rag.models import catalogue
from rag.settings import EngineSettings, Settings

HEARTBEAT_S = 0.25
"""How often whoever waits for the engine gets the chance to give up."""

WAIT_POLICY = "passive"
"""How OpenMP threads wait for each other: asleep. The usual way is to spin; when something else wants the
same cores, every token then waits for the scheduler (measured on two busy cores: 1.7 to 2.5 tokens a second
instead of 34)."""


class Supervisor:
    """Starts the worker at need, again after its end, and turns its end into errors. For any thread."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._guard = RestartGuard()
        self._process: WorkerProcess | None = None
        self._mourned: WorkerProcess | None = None
        self.problem = ""

    @property
    def process(self) -> WorkerProcess | None:
        """The newest worker process, whatever its state; None before the first start and after close."""
        return self._process

    def loaded(self) -> Generator[None, None, WorkerProcess]:
        """Returns a process that has loaded the model; yields every HEARTBEAT_S until it has.

        Raises EngineStartFailed, ModelMissing, ModelUnfit or SettingsError.
        """
        process = self._existing_or_new()
        limit = self._settings.engine.start_timeout_s
        deadline = time.monotonic() + limit
        while not process.settled.wait(HEARTBEAT_S):
            if time.monotonic() > deadline:
                process.kill()
                self._guard.failed()
                raise EngineStartFailed(
                    f"The model was not loaded within {limit:g} s.",
                    fix="Raise engine.start_timeout_s, or use a smaller model.",
                )
            yield
        if process.loaded is None:
            raise self._start_failure(process)
        return process

    def succeeded(self) -> None:
        """A piece of work was done: earlier failures no longer count."""
        self._guard.reset()
        self.problem = ""

    def died(self, process: WorkerProcess, when: str) -> EngineDied:
        """The error for the end of a process. when: "in the middle of an answer" or the like."""
        death = process.death
        if death is None:
            raise ValueError("This process has not ended.")
        with self._lock:
            if self._mourned is not process:
                self._mourned = process
                if not death.closed:
                    self._guard.failed()
                    self.problem = death.message
        fix = "Ask again: the engine starts anew by itself."
        if death.out_of_memory:
            fix = "Lower engine.context or engine.ubatch, or use a smaller model; then ask again."
        return EngineDied(f"The engine stopped {when}. {death.message}", fix=fix)

    def close(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.close()

    def _existing_or_new(self) -> WorkerProcess:
        with self._lock:
            process = self._process
            if process is not None and process.alive and process.failed is None:
                return process
            wait = self._guard.wait_s()
            if wait > 0:
                raise EngineStartFailed(
                    f"The engine failed several times within a minute and rests now. {self.problem}".rstrip(),
                    fix=f"Try again in {wait:.0f} s; python -m rag doctor shows what may be wrong.",
                )
            options = self._settings.engine
            path = catalogue.locate(options.model, self._settings).path
            self._process = WorkerProcess(load_command(self._settings, path), worker_environment(options))
            return self._process

    def _start_failure(self, process: WorkerProcess) -> EngineStartFailed | ModelError:
        failed = process.failed
        if failed is None:
            error = self.died(process, "while it was loading the model")
            return EngineStartFailed(error.message, fix=error.fix)
        self.problem = failed.message
        if failed.kind == "unfit":
            return ModelUnfit(failed.message, fix=failed.fix)
        self._guard.failed()
        return EngineStartFailed(failed.message, fix=failed.fix)


def load_command(settings: Settings, path: Path) -> wire.Load:
    options = settings.engine
    return wire.Load(
        path=str(path),
        context=settings.engine_context,
        batch=options.batch,
        ubatch=options.ubatch,
        kv=options.kv,
        flash_attention=options.flash_attention,
        gpu_layers=options.gpu_layers,
        threads=options.threads or usable_cpus(),
        parallel=options.parallel,
        device_sampling=options.device_sampling,
        cache_mib=options.cache_mib,
        reserve_mib=options.reserve_mib,
    )


def worker_environment(options: EngineSettings) -> dict[str, str]:
    """Environment variables for a process that loads the native library. Raises SettingsError."""
    environment = {}
    if "OMP_WAIT_POLICY" not in os.environ:
        environment["OMP_WAIT_POLICY"] = WAIT_POLICY
    if options.library:
        folder = Path(options.library).expanduser().absolute()
        if not any(folder.glob("libllama.*")):
            raise SettingsError(
                f"There is no libllama in the folder {folder}.",
                fix="Set engine.library to the folder that holds libllama.so, or leave it empty.",
            )
        environment["LLAMA_CPP_LIB_PATH"] = str(folder)
    return environment
