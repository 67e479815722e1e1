"""What an engine can do, for every caller above it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

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
class Thinking:
    """Whether the model may think before it answers, and how much. Models that cannot think ignore it.

    tokens: after this many the thought is closed for it. effort: "low", "medium", "high" or another word
    that the model's template knows ("": its default).
    """

    on: bool = False
    tokens: int = 1024
    effort: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the ledger, in MiB of device memory. measured: None where nothing says it."""

    name: str
    predicted: float
    measured: float | None = None


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """What the engine is right now. `demo` models are too weak to be trusted with their own words.

    ledger: where the device's memory goes, predicted and measured; empty before the model is loaded.
    adjusted: what the ledger chose smaller than the settings ask, in words. cache_mib: host memory that
    kept prefixes take. parallel: how many answers are written at once. thinks: the model can think.
    """

    model: str
    context: int
    state: EngineState
    demo: bool = False
    pid: int | None = None
    buffers_mib: dict[str, float] = field(default_factory=dict)
    problem: str = ""
    ledger: tuple[Line, ...] = ()
    adjusted: str = ""
    parallel: int = 1
    cache_mib: float = 0.0
    thinks: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of generated text, always whole characters; or a sign of life while there is no text yet.

    Signs of life have an empty text and come at least three times a second while the model loads, while
    other calls are served first, and while the prompt is evaluated: whoever iterates gets the chance to
    close the iterator, and can say what is going on. Code that only joins the texts may ignore them.

    ahead: how many other calls will be served before this one (0: it is being served).
    read: prompt tokens evaluated so far and to be evaluated in all, while that is going on.
    thought: a piece of what the model thinks before it answers; never part of `text`.
    was_thought: all the text that came so far was thought: a server sent the end of a thought whose beginning
        stood in its template. Whoever has shown that text takes it back.
    usage, finish: on the last piece only. finish: the model ended by itself, a stop string appeared, or
        max_tokens were reached (the answer is cut).
    """

    text: str
    usage: Usage | None = None
    ahead: int = 0
    read: tuple[int, int] | None = None
    finish: Literal["end", "stop", "length"] | None = None
    thought: str = ""
    was_thought: bool = False


class Engine(Protocol):
    """A text generator. Safe to call from several threads: askers take turns, each one's work is taken in
    the order of its arrival (rag.engine.turnstile.asked_by names who asks).

    info: what is known without waiting; starts nothing.
    start: loads the model if it is not loaded; returns when it is ready. Other calls do so by themselves.
    count: tokens of each plain text by the model's own tokenizer (no special tokens added). Does not wait
        for generations that are under way.
    count_messages: tokens of the whole prompt after the chat template, as `stream` would evaluate it;
        equal to the `usage.prompt_tokens` of that stream.
    stream: yields pieces until the model ends, `max_tokens` are reached, a stop string appears (it is not
        part of the text), or the iterator is closed; closing it makes the engine idle within a second.
        sampling None: the profile of the model's catalogue entry. The iterator may be advanced and closed
        by different threads, one at a time. Raises PromptTooLong before any work if the prompt and
        max_tokens exceed the context, EngineDied if the process ends midway (the next call starts a new
        one), EngineStartFailed, ModelMissing or ModelUnfit with the reason if the model cannot be
        loaded, Cancelled if `cancel` was called, EngineBusy if too many wait already.
        thinking: for models that can; its tokens come on top of max_tokens. schema: a JSON schema that the
        answer (not the thought) will follow.
    cancel: stops the generations that are being served now, whoever asked for them; their iterators raise
        Cancelled. To stop only one's own, close the iterator instead.
    close: ends the worker and frees its memory; a later call would start it again.
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
        thinking: Thinking | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Iterator[Token]: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...
