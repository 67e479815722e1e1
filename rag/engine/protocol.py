"""What an engine can do, for every caller above it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from rag.records import Message, Usage

EngineState = Literal["stopped", "starting", "ready", "busy", "dead"]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is drawn. Defaults: the ternary profile (rag.engine.sampling names others)."""

    temperature: float = 0.65
    top_p: float = 0.92
    top_k: int = 40
    min_p: float = 0.05
    repeat_penalty: float = 1.1
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """What the engine is right now. `demo` models are too weak to be trusted with their own words."""

    model: str
    context: int
    state: EngineState
    demo: bool = False
    pid: int | None = None
    buffers_mib: dict[str, float] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of generated text, always whole characters. `usage` is set on the last piece only."""

    text: str
    usage: Usage | None = None


class Engine(Protocol):
    """A text generator. Safe to call from several threads: work is taken in the order of arrival.

    count: tokens of a plain text by the model's own tokenizer (no special tokens added).
    count_messages: tokens of the whole prompt after the chat template, as `stream` would evaluate it.
    stream: yields pieces until the model ends, `max_tokens` are reached, a stop string appears, or
        the iterator is closed; closing it (or `cancel`) makes the engine idle within a second.
        Raises PromptTooLong before any work, EngineDied if the process ends midway (the next call
        starts a new one), EngineStartFailed with the reason if the model cannot be loaded.
    """

    def info(self) -> EngineInfo: ...

    def start(self) -> None: ...

    def count(self, texts: Sequence[str]) -> list[int]: ...

    def count_messages(self, messages: Sequence[Message]) -> int: ...

    def stream(
        self,
        messages: Sequence[Message],
        *,
        sampling: Sampling | None = None,
        max_tokens: int = 1024,
        stop: Sequence[str] = (),
    ) -> Iterator[Token]: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...
