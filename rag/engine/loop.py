"""The decode loop: prompt tokens in, bytes of generated tokens out. Runs in the worker process only.

It keeps what it knows of the model's memory: the tokens that are evaluated there. The next prompt reuses
the longest common beginning, as far as the model can go back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from rag.engine.chain import sampler_chain
from rag.engine.native import Aborted, NativeModel
from rag.engine.pace import Pace
from rag.engine.protocol import Sampling

ReadingProgress = Callable[[int, int], None]


@dataclass(slots=True)
class Run:
    """One generation. The caller reads the counts when it is over. reason: end, length or cancelled."""

    prompt: list[int]
    sampling: Sampling
    max_tokens: int
    cached_tokens: int = 0
    answer_tokens: int = 0
    reason: str = "cancelled"


class DecodeLoop:
    def __init__(self, model: NativeModel) -> None:
        self._model = model
        self._evaluated: list[int] = []
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Stop the run at work; any thread may call this."""
        self._cancelled.set()
        self._model.abort(True)

    def ready(self) -> None:
        """Forget a cancellation. Called before a run, by whoever also decides which run is cancelled."""
        self._cancelled.clear()
        self._model.abort(False)

    def generate(self, run: Run, progress: ReadingProgress) -> Generator[bytes, None, None]:
        """Bytes of one token after the other. Ends early when cancelled. Raises EvaluationError."""
        try:
            yield from self._generate(run, progress)
        except Aborted:
            self._after_abort()

    def _generate(self, run: Run, progress: ReadingProgress) -> Iterator[bytes]:
        run.cached_tokens = self._reuse(run.prompt)
        if not self._read(run.prompt, progress):
            return
        with sampler_chain(run.sampling, self._model.vocabulary_size) as chain:
            while True:
                token = self._model.sample(chain)
                if self._model.ends(token):
                    run.reason = "end"
                    return
                run.answer_tokens += 1
                yield self._model.piece(token)
                if run.answer_tokens >= run.max_tokens:
                    run.reason = "length"
                    return
                if self._cancelled.is_set():
                    return
                self._evaluate([token])

    def _read(self, prompt: list[int], progress: ReadingProgress) -> bool:
        """Evaluate what is new of the prompt, a slice at a time; False if cancelled meanwhile."""
        pace = Pace(self._model.ubatch, self._model.batch)
        progress(len(self._evaluated), len(prompt))
        while len(self._evaluated) < len(prompt):
            if self._cancelled.is_set():
                return False
            at, began = len(self._evaluated), time.monotonic()
            part = prompt[at : at + pace.size]
            self._evaluate(part)
            pace.took(len(part), time.monotonic() - began)
            progress(len(self._evaluated), len(prompt))
        return True

    def _evaluate(self, tokens: list[int]) -> None:
        try:
            self._model.evaluate(tokens)
        except Aborted:
            raise
        except Exception:
            self._evaluated = []
            raise
        self._evaluated += tokens

    def _reuse(self, prompt: list[int]) -> int:
        """Go back to the longest common beginning with what is in memory; its length.

        At least the last token of the prompt is evaluated again: its logits are needed.
        """
        common = 0
        for old, new in zip(self._evaluated, prompt[:-1], strict=False):
            if old != new:
                break
            common += 1
        if common < len(self._evaluated) and not (common and self._model.keep(common)):
            self._model.clear()
            common = 0
        self._evaluated = self._evaluated[:common]
        return common

    def _after_abort(self) -> None:
        """Whole slices before the abort are still in memory, except where that is not certain."""
        kept = min(self._model.length(), len(self._evaluated))
        if self._model.recurrent or not self._model.keep(kept):
            self._model.clear()
            kept = 0
        self._evaluated = self._evaluated[:kept]
