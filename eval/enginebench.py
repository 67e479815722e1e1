"""The engine measured by context, cache type and batch: memory predicted and used, speed cold and warm.

A prompt that fills the given share of the context is read cold; then the model writes; then the same prompt
with another last question is read again, which a prefix cache answers at once. Every line names context,
cache type and batch.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag.engine.protocol import Sampling
from rag.errors import EngineError, RagError
from rag.records import Message

if TYPE_CHECKING:
    from rag.engine.protocol import Engine
    from rag.models.ledger import Device, Kv
    from rag.settings import Settings

ANSWER_TOKENS = 64
FILLED = 0.75
_GREEDY = Sampling(temperature=0.0, top_p=1.0, top_k=1, min_p=0.0, repeat_penalty=1.0, seed=0)
_WORDS = (
    "The pump is inspected every five hundred hours. Its filter is replaced, the oil level is written down, "
    "and the valve is closed before the motor starts again. 每次检修之后都要记录油位，并由班长签字确认。 "
)
_QUESTIONS = ("How often is the pump inspected?", "Who signs the record? Tell it in full sentences.")


@dataclass(frozen=True, slots=True)
class Setup:
    """batch: tokens evaluated together (the micro-batch, engine.ubatch)."""

    context: int
    kv: Kv
    batch: int


@dataclass(frozen=True, slots=True)
class Line:
    """predicted_mib: by the ledger; buffers_mib: what the library says it reserved; used_mib: of the process,
    on the device if there is one (None: not known). prompt_tokens were read cold. problem: why it failed.
    """

    context: int
    kv: str
    batch: int
    device: str
    predicted_mib: float
    buffers_mib: float | None = None
    used_mib: float | None = None
    load_s: float | None = None
    prompt_tokens: int | None = None
    prompt_per_s: float | None = None
    decode_per_s: float | None = None
    first_cold_s: float | None = None
    first_warm_s: float | None = None
    cached_tokens: int | None = None
    problem: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            name: round(value, 3) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }


def setups(contexts: Sequence[int], kvs: Sequence[Kv], batches: Sequence[int]) -> list[Setup]:
    """Every combination, the smallest context first."""
    return [Setup(*each) for each in product(sorted(contexts), kvs, sorted(batches))]


def measure(wanted: Sequence[Setup], settings: Settings, *, filled: float = FILLED) -> Iterator[Line]:
    """A line for each setup, as soon as it is measured. One that does not load or run is a line too."""
    for setup in wanted:
        engine_settings = settings.engine.model_copy(
            update={
                "context": setup.context,
                "kv": setup.kv,
                "ubatch": setup.batch,
                "batch": max(setup.batch, settings.engine.batch),
            }
        )
        yield _measured(setup, settings.model_copy(update={"engine": engine_settings}), filled)


def _measured(setup: Setup, settings: Settings, filled: float) -> Line:
    from rag import engine

    device, predicted = _predicted(setup, settings)
    began = time.monotonic()
    known: dict[str, Any] = {}
    try:
        with closing(engine.load(settings)) as loaded:
            loaded.start()
            known = {"load_s": time.monotonic() - began}
            known |= _speeds(loaded, setup, filled)
            info = loaded.info()
            known["buffers_mib"] = sum(info.buffers_mib.values()) or None
            known["used_mib"] = used_mib(info.pid, device) if info.pid else None
    except RagError as error:
        known["problem"] = error.message
    return Line(setup.context, setup.kv, setup.batch, device, predicted, **known)


def _predicted(setup: Setup, settings: Settings) -> tuple[Device, float]:
    from rag.models import catalogue, ledger, passport

    device: Device = "gpu" if settings.engine.gpu_layers and _gpu() else "cpu"
    shape = passport.read(catalogue.locate(settings.engine.model, settings).path).shape
    if shape is None:
        raise EngineError("This file does not say enough of itself to predict its memory.")
    planned = ledger.predict(shape, context=setup.context, kv=setup.kv, ubatch=setup.batch, device=device)
    return device, planned.total_mib


def _speeds(engine: Engine, setup: Setup, filled: float) -> dict[str, Any]:
    context = min(setup.context, engine.info().context)
    text = _filler(engine, max(16, round(context * filled) - ANSWER_TOKENS))
    cold = _answered(engine, text, _QUESTIONS[0])
    warm = _answered(engine, text, _QUESTIONS[1])
    return {
        "prompt_tokens": cold.prompt,
        "prompt_per_s": cold.prompt / cold.first_s,
        "first_cold_s": cold.first_s,
        "first_warm_s": warm.first_s,
        "cached_tokens": warm.cached,
        "decode_per_s": cold.decode_per_s or warm.decode_per_s,
    }


@dataclass(frozen=True, slots=True)
class _Answered:
    prompt: int
    cached: int
    first_s: float
    decode_per_s: float | None


def _answered(engine: Engine, text: str, question: str) -> _Answered:
    messages = [Message("user", f"{text}\n\n{question}")]
    began = time.monotonic()
    first: float | None = None
    last, usage = began, None
    for token in engine.stream(messages, sampling=_GREEDY, max_tokens=ANSWER_TOKENS):
        if token.text:
            last = time.monotonic()
            first = first or last
        usage = token.usage or usage
    if first is None or usage is None:
        raise EngineError("The model said nothing at all.")
    tokens = usage.answer_tokens - 1
    speed = tokens / (last - first) if tokens > 0 and last > first else None
    return _Answered(usage.prompt_tokens, usage.cached_tokens, first - began, speed)


def _filler(engine: Engine, tokens: int) -> str:
    """A text of about so many tokens, never more."""
    one = engine.count([_WORDS])[0]
    times = max(1, tokens // one)
    text = _WORDS * times
    while times > 1 and engine.count([text])[0] > tokens:
        times -= 1
        text = _WORDS * times
    return text


def used_mib(pid: int, device: str) -> float | None:
    """What the process holds: on the GPU as its driver says, on a CPU its resident memory."""
    if device == "gpu":
        return _driver_says(pid)
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    sizes = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(sizes[0]) / 1024 if sizes else None


def _driver_says(pid: int) -> float | None:
    import subprocess

    asked = ["nvidia-smi", "--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits"]
    try:
        said = subprocess.run(asked, capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    for line in said.splitlines():
        number, _, used = line.partition(",")
        if number.strip() == str(pid) and used.strip().isdecimal():
            return float(used)
    return None


def _gpu() -> bool:
    return any(Path("/dev").glob("nvidia[0-9]*"))
