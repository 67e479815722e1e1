"""The worker killed, device memory used up by somebody else, another model at run time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import Any

from benchmarks.engine.asking import ask, device_mib, messages, running, text_of
from rag.errors import RagError

HOG = """
import sys, torch
leave, kept, piece = float(sys.argv[1]) * 2**20, [], 2**36
while piece >= 2**21:
    if torch.cuda.mem_get_info()[0] - piece < leave:
        piece //= 2
        continue
    try:
        kept.append(torch.empty(piece, dtype=torch.uint8, device="cuda"))
    except torch.OutOfMemoryError:
        piece //= 2
print("full", flush=True)
sys.stdin.read()
"""
"""Takes device memory until so many MiB are left; gives it back when its input ends."""


class Hog:
    def __init__(self, leave_mib: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", HOG, str(leave_mib)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self._process.stdout.readline()

    def end(self) -> None:
        self._process.communicate()


def killed(model: str, **options: object) -> dict[str, Any]:
    before = device_mib()
    with running(model, **options) as engine:
        loaded = device_mib() - before
        answer = engine.stream(messages("", "Tell a long story."), max_tokens=400)
        while not next(answer).text:
            pass
        os.kill(engine.info().pid or 0, signal.SIGKILL)
        told = _told(lambda: list(answer))
        time.sleep(1)  # the driver takes a moment to take the memory back
        back = device_mib() - before
        again = ask(engine, messages("", "Hello"), 8)
        reloaded = device_mib() - before
    time.sleep(1)
    return {"loaded": loaded, "after_kill": back, "reloaded": reloaded, "closed": device_mib() - before,
            "told": told, "answers_again": again.usage.answer_tokens}  # fmt: skip


def no_room(model: str, leave_mib: float, **options: object) -> dict[str, Any]:
    """The device is full when the engine wants to start; later there is room again."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from rag import engine as engine_module
    from rag.settings import EngineSettings, Settings

    hog = Hog(leave_mib)
    with TemporaryDirectory() as home:
        settings = Settings(
            home=Path(home), engine=EngineSettings.model_validate({"model": model, **options})
        )
        engine = engine_module.load(settings)
        told = _told(engine.start)
        hog.end()
        time.sleep(1)
        after = _told(engine.start)
        info = engine.info()
        engine.close()
    return {"told": told, "with_room": after or "started", "context": info.context, "adjusted": info.adjusted}


def fills_up(model: str, leave_mib: float, tokens: int, **options: object) -> dict[str, Any]:
    """Somebody else takes the memory while the engine is at work."""
    before = device_mib()
    with running(model, context=tokens + 512, **options) as engine:
        evidence = text_of(engine, tokens, seed=3)
        hog = Hog(leave_mib)
        told = _told(lambda: ask(engine, messages(evidence, "go on"), 8))
        hog.end()
        time.sleep(1)
        back = device_mib() - before
        again = ask(engine, messages("", "Hello"), 8)
    return {"told": told, "device_mib_after": back, "answers_again": again.usage.answer_tokens}


def swapped(model: str, other: str, **options: object) -> dict[str, Any]:
    from rag.settings import EngineSettings

    before = device_mib()
    with running(model, **options) as engine:
        ask(engine, messages("", "Hello"), 8)
        first = device_mib() - before
        small = EngineSettings.model_validate({"model": other, "context": 2048})
        engine.use(engine.settings.model_copy(update={"engine": small}))
        ask(engine, messages("", "Hello"), 8)
        second, name = device_mib() - before, engine.info().model
        large = EngineSettings.model_validate({"model": model, **options})
        engine.use(engine.settings.model_copy(update={"engine": large}))
        ask(engine, messages("", "Hello"), 8)
        third = device_mib() - before
    return {"first_mib": first, "second_mib": second, "second": name, "third_mib": third}


def _told(work: Any) -> str:
    try:
        work()
    except RagError as error:
        return f"{type(error).__name__}: {error}"
    return ""
