"""The engine measured by context, cache type and batch: memory predicted and used, speed cold and warm.

A prompt that fills the given share of the context is read cold; then the model writes; then the same prompt
with another last question is read again, which a prefix cache answers at once. Every line names model,
library, context, cache type and batch, so that lines of several runs can be put side by side.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.runs import library_version
from rag.engine.protocol import EngineInfo, Sampling
from rag.errors import EngineError, RagError
from rag.records import Message

if TYPE_CHECKING:
    from rag.engine.protocol import Engine, Token
    from rag.models.ledger import Device, Kv
    from rag.settings import Settings

ANSWER_TOKENS = 64
FEWEST_TOKENS = 16
"""Of an answer, for its speed to be worth a figure."""
BESIDE = 128
"""Tokens that the question and the chat template may take."""
TRIES = 6
"""Answers that may be asked for until one is long enough: a model may have little to say to this."""
FILLED = 0.75
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
    """One combination. Memory in MiB, times in seconds, speeds in tokens a second; None: not known.

    engine: the library and its version. device: "gpu" if any weights or cache lie there.
    predicted_mib: the ledger's total, for all layers on that device. used_mib: what the process took there,
    after the questions: the driver's figure on a GPU, resident memory on a CPU. host_mib: its resident memory
    in either case. buffers_mib: what the library says it reserved, wherever.
    prompt_tokens: read cold; prompt_per_s counts until the first word. answer_tokens: of the answer whose
    speed is decode_per_s. cached_tokens: of the warm prompt. problem: why there are no figures.
    """

    model: str
    engine: str
    context: int
    kv: str
    batch: int
    device: str
    predicted_mib: float
    used_mib: float | None = None
    host_mib: float | None = None
    buffers_mib: float | None = None
    load_s: float | None = None
    prompt_tokens: int | None = None
    prompt_per_s: float | None = None
    answer_tokens: int | None = None
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

    line = _planned(setup, settings)
    began = time.monotonic()
    try:
        with closing(engine.load(settings)) as loaded:
            loaded.start()
            info = loaded.info()
            line = replace(line, **of_engine(info), load_s=time.monotonic() - began)
            refuse_other_than_asked(setup, info)
            line = replace(line, **speeds(loaded, setup, filled))
            return replace(line, **of_engine(loaded.info()))
    except RagError as error:
        return replace(line, problem=error.message)


def _planned(setup: Setup, settings: Settings) -> Line:
    """What is known before the model is loaded."""
    from rag.models import catalogue, ledger, passport

    device: Device = "gpu" if settings.engine.gpu_layers and _gpu() else "cpu"
    shape = passport.read(catalogue.locate(settings.engine.model, settings).path).shape
    if shape is None:
        raise EngineError("This file does not say enough of itself to predict its memory.")
    entry = catalogue.entry_of(settings.engine.model)
    return Line(
        model=entry.name if entry else Path(settings.engine.model).stem,
        engine=f"llama-cpp-python {library_version()}",
        context=setup.context,
        kv=setup.kv,
        batch=setup.batch,
        device=device,
        predicted_mib=ledger.predict(
            shape, context=setup.context, kv=setup.kv, ubatch=setup.batch, device=device
        ).total_mib,
    )


def of_engine(info: EngineInfo) -> dict[str, Any]:
    """As the engine's own ledger has it now."""
    total = next((line for line in info.ledger if line.name == "total"), None)
    on_gpu = any(not name.startswith("CPU") and "_Host" not in name for name in info.buffers_mib)
    known: dict[str, Any] = {
        "device": "gpu" if on_gpu else "cpu",
        "buffers_mib": sum(info.buffers_mib.values()) or None,
        "host_mib": resident_mib(info.pid) if info.pid else None,
    }
    if total is not None:
        known["predicted_mib"] = total.predicted
    known["used_mib"] = (total.measured if total is not None else None) if on_gpu else known["host_mib"]
    return known


def refuse_other_than_asked(setup: Setup, info: EngineInfo) -> None:
    """An engine that made itself smaller to fit is no measurement of what was asked for."""
    if info.adjusted:
        raise EngineError(f"Does not fit as asked; the engine would run with {info.adjusted}.")
    if info.context < setup.context:
        raise EngineError(f"This model goes to {info.context:,} tokens of context only.")


def speeds(engine: Engine, setup: Setup, filled: float) -> dict[str, Any]:
    """Fields of a `Line`: the prompt read cold, an answer, and another question behind the same text."""
    room = min(round(setup.context * filled) - ANSWER_TOKENS, setup.context - ANSWER_TOKENS - BESIDE)
    text = _filler(engine, max(16, room))
    cold = _answered(engine, text, _QUESTIONS[0], seed=0)
    warm = _answered(engine, text, _QUESTIONS[1], seed=1)
    written = max((warm, cold), key=lambda answer: answer.tokens)
    for seed in range(2, TRIES):
        if written.tokens < FEWEST_TOKENS:
            again = _answered(engine, text, _QUESTIONS[1], seed=seed)
            written = max((written, again), key=lambda answer: answer.tokens)
    return {
        "prompt_tokens": cold.prompt,
        "prompt_per_s": (cold.prompt - cold.cached) / cold.first_s,
        "first_cold_s": cold.first_s,
        "first_warm_s": warm.first_s,
        "cached_tokens": warm.cached,
        "answer_tokens": written.tokens,
        "decode_per_s": written.decode_per_s,
    }


@dataclass(frozen=True, slots=True)
class _Answered:
    prompt: int
    cached: int
    tokens: int
    first_s: float
    decode_per_s: float | None


def _answered(engine: Engine, text: str, question: str, *, seed: int) -> _Answered:
    # The usual profile, as answers are drawn: a chain that cuts nothing off costs 59 ms a token more.
    sampling = Sampling(seed=seed)
    front = f"{text}\n\n"
    messages = [Message("user", f"{front}{question}", stable=len(front))]
    began = time.monotonic()
    first: float | None = None
    usage = None
    for token in engine.stream(messages, sampling=sampling, max_tokens=ANSWER_TOKENS):
        if first is None and (token.text or token.thought or _read_through(token)):
            first = time.monotonic()
        usage = token.usage or usage
    last = time.monotonic()
    if usage is None:
        raise EngineError("The model did not say what it had read.")
    tokens = usage.answer_tokens + usage.thought_tokens
    if first is None:
        first = last
    speed = (tokens - 1) / (last - first) if tokens > 1 and last > first else None
    return _Answered(usage.prompt_tokens, usage.cached_tokens, tokens, first - began, speed)


def _read_through(token: Token) -> bool:
    """Whether the prompt has just been evaluated whole: the first token is drawn from it at once.

    Its text can be handed on much later: a token may be a part of a character only.
    """
    return token.read is not None and token.read[0] == token.read[1]


def _filler(engine: Engine, tokens: int) -> str:
    """A text of about so many tokens, never more."""
    one = engine.count([_WORDS])[0]
    times = max(1, tokens // one)
    text = _WORDS * times
    while times > 1 and engine.count([text])[0] > tokens:
        times -= 1
        text = _WORDS * times
    return text


def resident_mib(pid: int) -> float | None:
    """Memory of the process that lies in the machine's own; None where the system does not say."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    sizes = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(sizes[0]) / 1024 if sizes else None


def graphics() -> list[str]:
    """Name, memory and driver of each GPU, as the driver's own tool says."""
    import shutil
    import subprocess

    tool = shutil.which("nvidia-smi")
    if tool is None:
        return []
    asked = [tool, "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"]
    try:
        said = subprocess.run(asked, capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return []  # only a name in the head of the log
    return [line.strip() for line in said.splitlines() if line.strip()]


def _gpu() -> bool:
    return any(Path("/dev").glob("nvidia[0-9]*"))
