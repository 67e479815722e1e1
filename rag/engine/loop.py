"""The decode loop: prompts in, generated tokens out, several answers together in one batch.

Runs in the worker process only, on the thread that generates. Each step evaluates a slice of one prompt
that is still being read, and one token of every answer that is being written.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from typing import Literal, Protocol

from rag.engine.chain import Candidates, Chain
from rag.engine.chat import Prompt
from rag.engine.context import NativeContext, Part
from rag.engine.grammar import Grammar
from rag.engine.memory import Memory, Slot
from rag.engine.native import Aborted, EvaluationError, NativeModel
from rag.engine.pace import Pace
from rag.engine.protocol import Sampling

Reason = Literal["end", "stop", "length", "cancelled"]


class Sink(Protocol):
    """Who takes what a run brings forth. thinking: what comes next belongs to the thought."""

    @property
    def thinking(self) -> bool: ...

    @property
    def stopped(self) -> bool: ...

    def reading(self, done: int, total: int) -> None: ...

    def token(self, piece: bytes) -> None: ...


@dataclass(slots=True, eq=False)
class Run:
    """One generation. The caller reads the counts when it is over.

    thought_limit: tokens after which a thought is closed by force, by the tokens `closing`.
    """

    prompt: Prompt
    sampling: Sampling
    max_tokens: int
    sink: Sink
    grammar: Grammar | None = None
    thought_limit: int = 0
    closing: list[int] = field(default_factory=list)
    cached_tokens: int = 0
    answer_tokens: int = 0
    thought_tokens: int = 0
    reason: Reason = "cancelled"
    cancelled: bool = False
    error: str = ""
    slot: Slot | None = None
    chain: Chain | None = None
    last: int | None = None
    handed_on: bool = False
    forced: deque[int] = field(default_factory=deque)

    @property
    def eager(self) -> bool:
        """Must a token be looked at before the next one is computed?"""
        return self.grammar is not None or self.thought_limit > 0 or self.sink.thinking


class DecodeLoop:
    """overlap: pieces are handed on while the device computes the next token."""

    def __init__(
        self,
        model: NativeModel,
        context: NativeContext,
        memory: Memory,
        candidates: Candidates,
        *,
        overlap: bool,
    ) -> None:
        self._model = model
        self._context = context
        self._candidates = candidates
        self._overlap = overlap
        self._pace = Pace(context.ubatch, context.batch, fast=overlap)
        self._tags = {t for t in (model.single_token("<think>"), model.single_token("</think>")) if t >= 0}
        self.memory = memory
        self.active: list[Run] = []

    def start(self, run: Run) -> None:
        """Take a run in; there must be a free sequence. Raises ValueError if its sampling is refused."""
        slot = self.memory.place(run.prompt)
        run.slot, run.cached_tokens = slot, len(slot.tokens)
        try:
            run.chain = Chain(self._model.llama, run.sampling, self._model.vocabulary_size)
            self._candidates.prepare(slot.sequence, run.sampling, all_logits=run.grammar is not None)
        except ValueError:
            slot.busy = False
            raise
        run.sink.reading(run.cached_tokens, len(run.prompt.tokens))
        self.active.append(run)

    def cancel(self, run: Run) -> None:
        """Stop the run soon; any thread may call this."""
        run.cancelled = True
        if len(self.active) <= 1:
            self._context.abort(True)

    def step(self) -> list[Run]:
        """One slice of reading and one token of every answer; the runs that are over now."""
        self._context.abort(False)  # before looking at `cancelled`: what comes after both is not lost
        over = [run for run in self.active if run.cancelled]
        try:
            reading = [run for run in self.active if run.last is None and not run.cancelled]
            writing = [run for run in self.active if run.last is not None and not run.cancelled]
            if reading:
                over += self._read(reading[0], others=len(writing) > 0)
            if writing:
                over += self._write(writing)
        except Aborted:
            for run in self.active:
                if run.slot is not None:
                    self.memory.broken_off(run.slot)
            over = [run for run in self.active if run.cancelled]
        except EvaluationError as error:
            self.memory.failed()
            over = list(self.active)
            for run in over:
                run.error = str(error)
        for run in over:
            self._finish(run)
        return over

    def _read(self, run: Run, *, others: bool) -> list[Run]:
        slot, prompt = _slot(run), run.prompt
        at, began = len(slot.tokens), time.monotonic()
        size = min(self._pace.size, self._context.ubatch) if others else self._pace.size
        end = min(at + size, self.memory.stops(slot, prompt), len(prompt.tokens))
        part = prompt.tokens[at:end]
        last = end == len(prompt.tokens)
        (row,) = self._context.decode([Part(slot.sequence, at, part, last)])
        self._context.synchronize()
        slot.tokens += part
        self._pace.took(len(part), time.monotonic() - began)
        self.memory.reached(slot, prompt)
        run.sink.reading(end, len(prompt.tokens))
        return self._draw(run, row, eager=True) if last else []

    def _write(self, runs: list[Run]) -> list[Run]:
        over: list[Run] = []
        parts = [Part(_slot(run).sequence, len(_slot(run).tokens), [_last(run)], True) for run in runs]
        rows = self._context.decode(parts)
        for run in runs:
            _slot(run).tokens.append(_last(run))
            if not run.handed_on:
                run.sink.token(self._piece(_last(run)))
        for run, row in zip(runs, rows, strict=True):
            if run.sink.stopped:
                run.reason = "stop"
                over.append(run)
            else:
                over += self._draw(run, row, eager=run.eager or not self._overlap)
        return over

    def _draw(self, run: Run, row: int, *, eager: bool) -> list[Run]:
        """Choose the next token; [run] if the answer ends with it. eager: hand it on at once."""
        token = self._next(run, row)
        if not run.forced and self._model.ends(token):
            run.reason = "end"
            return [run]
        run.last, run.handed_on = token, False
        if run.sink.thinking:
            run.thought_tokens += 1
        else:
            run.answer_tokens += 1
        # A thought that nobody planned for takes from the answer's tokens: there is no room for more.
        unplanned = 0 if run.thought_limit else run.thought_tokens
        full = run.answer_tokens + unplanned >= run.max_tokens
        if eager or full:
            run.sink.token(self._piece(token))
            run.handed_on = True
        if run.sink.stopped:
            run.reason = "stop"
            return [run]
        if full:
            run.reason = "length"
            return [run]
        if run.sink.thinking and run.thought_tokens == run.thought_limit:
            run.forced.extend(run.closing)
        return []

    def _next(self, run: Run, row: int) -> int:
        assert run.chain is not None
        if run.forced:
            return run.forced.popleft()
        if run.grammar is not None and not run.sink.thinking:
            return run.grammar.choose(run.chain, self._context.logits(row))
        return self._context.sample(run.chain.handle, row)

    def _piece(self, token: int) -> bytes:
        return self._model.piece(token, special=token in self._tags)

    def _finish(self, run: Run) -> None:
        self.active.remove(run)
        slot = _slot(run)
        slot.busy = False
        if run.chain is not None:
            run.chain.close()
        if run.grammar is not None:
            run.grammar.close()


def _slot(run: Run) -> Slot:
    assert run.slot is not None
    return run.slot


def _last(run: Run) -> int:
    assert run.last is not None
    return run.last
