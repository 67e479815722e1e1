"""What the service and the worker process say to each other: one JSON object a line, in both directions.

Commands go down one pipe, events come up another; neither is the worker's standard output or error, which
belong to whatever native code prints. `number` names the request that an event answers.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from rag.engine.protocol import Sampling, Thinking


@dataclass(frozen=True, slots=True)
class Load:
    """The first command: which model, and how. kv: f16, q8_0 or q4_0. context, batch, ubatch in tokens.

    gpu_layers: -1 for all. parallel: sequences of `context` tokens each that are decoded together.
    device_sampling: candidates are picked where the logits are computed (on, off, auto: on a GPU).
    cache_mib: host memory for prefixes. reserve_mib: device memory to leave free for others.
    """

    path: str
    context: int
    batch: int
    ubatch: int
    kv: str
    flash_attention: bool
    gpu_layers: int
    threads: int
    parallel: int = 1
    device_sampling: str = "auto"
    cache_mib: int = 0
    reserve_mib: int = 0


@dataclass(frozen=True, slots=True)
class Generate:
    """messages: [role, content, stable] each, as in rag.records.Message. schema: JSON schema or None."""

    number: int
    messages: list[list[Any]]
    sampling: Sampling
    max_tokens: int
    stop: list[str]
    thinking: Thinking = field(default_factory=Thinking)
    schema: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Cancel:
    """Stop that generation. It ends with Done(reason="cancelled") unless it had ended before."""

    number: int


@dataclass(frozen=True, slots=True)
class Count:
    number: int
    texts: list[str]


@dataclass(frozen=True, slots=True)
class CountMessages:
    number: int
    messages: list[list[Any]]
    thinking: Thinking = field(default_factory=Thinking)


@dataclass(frozen=True, slots=True)
class Ready:
    """The model is loaded. buffers_mib: every buffer that the library reported, by its name in the log.

    lines: the ledger, [name, predicted MiB, measured MiB or None] each. adjusted: what was chosen smaller
    than the settings ask, in words; "" if nothing was.
    """

    context: int
    trained_context: int
    buffers_mib: dict[str, float]
    seconds: float
    devices: list[str]
    lines: list[list[Any]] = field(default_factory=list)
    adjusted: str = ""
    thinks: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """The model could not be loaded; the worker ends. kind: unfit (the file) or start (anything else)."""

    kind: str
    message: str
    fix: str


@dataclass(frozen=True, slots=True)
class Reading:
    """Prompt tokens evaluated so far, of those in all."""

    number: int
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Text:
    """thought: part of what the model thinks before it answers."""

    number: int
    text: str
    thought: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """The end of a generation. reason: end, stop, length or cancelled.

    cache_mib: host memory that kept prefixes take now. total_mib: device memory of this process, if known.
    """

    number: int
    reason: str
    prompt_tokens: int
    cached_tokens: int
    answer_tokens: int
    thought_tokens: int = 0
    cache_mib: float = 0.0
    total_mib: float | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    number: int
    counts: list[int]


@dataclass(frozen=True, slots=True)
class Refused:
    """A request could not be carried out; the worker goes on. kind: too-long or engine."""

    number: int
    kind: str
    message: str
    fix: str = field(default="")


Command = Load | Generate | Cancel | Count | CountMessages
Event = Ready | Failed | Reading | Text | Done | Counts | Refused

_COMMANDS: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (Load, Generate, Cancel, Count, CountMessages)
}
_EVENTS: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (Ready, Failed, Reading, Text, Done, Counts, Refused)
}


def pack(item: Command | Event) -> bytes:
    """One line. Characters outside ASCII are escaped, so lone surrogates of bad files pass too."""
    return json.dumps([type(item).__name__, asdict(item)]).encode("ascii") + b"\n"


def command(line: bytes) -> Command:
    kind, values = json.loads(line)
    if kind == "Generate":
        values["sampling"] = Sampling(**values["sampling"])
    if "thinking" in values:
        values["thinking"] = Thinking(**values["thinking"])
    made: Command = _COMMANDS[kind](**values)
    return made


def event(line: bytes) -> Event:
    kind, values = json.loads(line)
    made: Event = _EVENTS[kind](**values)
    return made


def too_long(prompt: int, answer: int, context: int) -> str:
    """What to say of a prompt that does not fit, in tokens; said by whoever notices first."""
    return (
        f"The prompt has {prompt:,} tokens; with {answer:,} for the answer that exceeds the context of "
        f"{context:,}."
    )
