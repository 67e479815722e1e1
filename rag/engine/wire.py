"""What the service and the worker process say to each other: one JSON object a line, in both directions.

Commands go down one pipe, events come up another; neither is the worker's standard output or error, which
belong to whatever native code prints. `number` names the request that an event answers.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from rag.engine.protocol import Sampling


@dataclass(frozen=True, slots=True)
class Load:
    """The first command: which model, and how. kv: f16, q8_0 or q4_0. context, batch, ubatch in tokens.

    gpu_layers: -1 for all.
    """

    path: str
    context: int
    batch: int
    ubatch: int
    kv: str
    flash_attention: bool
    gpu_layers: int
    threads: int


@dataclass(frozen=True, slots=True)
class Generate:
    """messages: [role, content] pairs."""

    number: int
    messages: list[list[str]]
    sampling: Sampling
    max_tokens: int
    stop: list[str]


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
    messages: list[list[str]]


@dataclass(frozen=True, slots=True)
class Ping:
    number: int


@dataclass(frozen=True, slots=True)
class Ready:
    """The model is loaded. buffers_mib: every buffer that the library reported, by its name in the log."""

    context: int
    trained_context: int
    buffers_mib: dict[str, float]
    seconds: float
    devices: list[str]


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
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """The end of a generation. reason: end, stop, length or cancelled."""

    number: int
    reason: str
    prompt_tokens: int
    cached_tokens: int
    answer_tokens: int


@dataclass(frozen=True, slots=True)
class Counts:
    number: int
    counts: list[int]


@dataclass(frozen=True, slots=True)
class Pong:
    """busy: the number of the generation at work, or None."""

    number: int
    busy: int | None


@dataclass(frozen=True, slots=True)
class Refused:
    """A request could not be carried out; the worker goes on. kind: too-long or engine."""

    number: int
    kind: str
    message: str
    fix: str = field(default="")


Command = Load | Generate | Cancel | Count | CountMessages | Ping
Event = Ready | Failed | Reading | Text | Done | Counts | Pong | Refused

_COMMANDS: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (Load, Generate, Cancel, Count, CountMessages, Ping)
}
_EVENTS: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (Ready, Failed, Reading, Text, Done, Counts, Pong, Refused)
}


def pack(item: Command | Event) -> bytes:
    """One line. Characters outside ASCII are escaped, so lone surrogates of bad files pass too."""
    return json.dumps([type(item).__name__, asdict(item)]).encode("ascii") + b"\n"


def command(line: bytes) -> Command:
    kind, values = json.loads(line)
    if kind == "Generate":
        values["sampling"] = Sampling(**values["sampling"])
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
