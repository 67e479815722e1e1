"""Prompts of a wanted length, and the times of one answer."""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rag import engine as engine_module
from rag.engine.local import LocalEngine
from rag.engine.protocol import Sampling
from rag.records import Message, Usage
from rag.settings import EngineSettings, Settings

SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ro", "su", "ta", "ve")


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds since the question. reading: from the first word about reading to the last."""

    first: float
    total: float
    reading: float
    read_tokens: int
    usage: Usage
    text: str

    @property
    def reading_speed(self) -> float:
        return self.read_tokens / self.reading if self.reading else 0.0

    @property
    def writing_speed(self) -> float:
        return (self.usage.answer_tokens - 1) / (self.total - self.first)


def words(seed: int, count: int) -> str:
    rng = random.Random(seed)
    return " ".join("".join(rng.choices(SYLLABLES, k=3)) for _ in range(count))


def text_of(engine: LocalEngine, tokens: int, seed: int) -> str:
    """About that many tokens of made-up words (never more), which no other seed begins with."""
    if tokens <= 0:
        return ""
    text = words(seed, tokens)
    (have,) = engine.count([text])
    listed = text.split(" ")
    listed = listed[: max(1, int(len(listed) * tokens / have))]
    while engine.count([" ".join(listed)])[0] > tokens:
        listed = listed[: -max(1, len(listed) // 200)]
    return " ".join(listed)


def messages(evidence: str, tail: str) -> list[Message]:
    shown = f"{evidence}\n\n" if evidence else ""
    return [Message("user", f"{shown}{tail}", stable=len(shown))]


def ask(
    engine: LocalEngine, asked: list[Message], max_tokens: int, sampling: Sampling | None = None
) -> Times:
    began = time.monotonic()
    first = 0.0
    read: list[tuple[float, int]] = []
    usage, text = Usage(), ""
    for token in engine.stream(asked, sampling=sampling or Sampling(seed=1), max_tokens=max_tokens):
        now = time.monotonic() - began
        if token.read is not None:
            read.append((now, token.read[0]))
        if token.text and not first:
            first = now
        text += token.text
        usage = token.usage or usage
    total = time.monotonic() - began
    # Signs of life repeat the last figure: what counts is when each figure came first.
    times: dict[int, float] = {}
    for at, done in read:
        times.setdefault(done, at)
    lowest, highest = min(times), max(times)
    return Times(first or total, total, times[highest] - times[lowest], highest - lowest, usage, text)


@contextmanager
def running(model: str, **options: object) -> Iterator[LocalEngine]:
    """An engine with these engine settings, started."""
    with TemporaryDirectory(prefix="bench-") as home:
        settings = Settings(
            home=Path(home), engine=EngineSettings.model_validate({"model": model, **options})
        )
        made = engine_module.load(settings)
        assert isinstance(made, LocalEngine)
        try:
            made.start()
            yield made
        finally:
            made.close()


def device_mib() -> float:
    """Memory in use on all devices; 0 on a machine without the driver's tool."""
    try:
        done = subprocess.run(
            ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return 0.0
    return sum(float(line) for line in done.stdout.split())
