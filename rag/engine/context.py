"""The memory of a loaded model: sequences of tokens that are evaluated, sampled from, saved and restored.

Runs in the worker process only, on the thread that generates. Each sequence has its own part of the
key-value cache (not a share of a common one), so that one conversation never takes room from another.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rag.engine.native import Aborted, EvaluationError, NativeModel
from rag.engine.wire import Load
from rag.errors import EngineStartFailed

KV_TYPES = {"f16": 1, "q4_0": 2, "q8_0": 8}
ABORTED = 2
PARTIAL = 1
"""State flag: only what cannot be cut back token by token, which is the recurrent layers' part."""

Saved = Any
"""A ctypes array with the state of a sequence; `len` gives its bytes."""


@dataclass(frozen=True, slots=True)
class Part:
    """Tokens to append to one sequence at position `start`. output: the last one is to be sampled from."""

    sequence: int
    start: int
    tokens: Sequence[int]
    output: bool


class NativeContext:
    """`load.parallel` sequences of up to `context` tokens each. Raises EngineStartFailed."""

    def __init__(self, model: NativeModel, load: Load) -> None:
        self._llama = model.llama
        self._model = model
        self.sequences = load.parallel
        self.context = min(load.context, model.trained_context or load.context)
        self.batch = min(load.batch, self.context)
        self.ubatch = min(load.ubatch, self.batch)
        # A C function as the abort callback: one in Python would have to take the interpreter's lock
        # hundreds of times a token. strlen of this flag is 0 (go on) until the flag is set.
        self._abort_flag = ctypes.create_string_buffer(2)
        strlen = ctypes.CDLL(None).strlen
        self._abort_callback = ctypes.cast(strlen, model.llama.ggml_abort_callback)
        self._context = self._make(load)
        self._memory = self._llama.llama_get_memory(self._context)
        self._reserve_batch()

    def _make(self, load: Load) -> Any:
        llama = self._llama
        parameters = llama.llama_context_default_params()
        parameters.n_ctx = self.context * self.sequences
        parameters.n_seq_max = self.sequences
        parameters.kv_unified = False
        parameters.n_batch = self.batch
        parameters.n_ubatch = self.ubatch
        # Logits are wanted for one token a sequence; the library would reserve room for a whole batch.
        parameters.n_outputs_max = self.sequences
        parameters.n_outputs_max_per_seq = 1
        parameters.n_threads = parameters.n_threads_batch = load.threads
        parameters.type_k = parameters.type_v = KV_TYPES[load.kv]
        parameters.flash_attn_type = 1 if load.flash_attention else 0
        parameters.no_perf = True
        parameters.abort_callback = self._abort_callback
        parameters.abort_callback_data = ctypes.cast(self._abort_flag, ctypes.c_void_p)
        context = llama.llama_init_from_model(self._model.handle, parameters)
        if not context:
            raise EngineStartFailed(
                f"The engine could not reserve {self.sequences} × {self.context} tokens of context "
                f"(cache {load.kv}, micro-batch {self.ubatch}): {self._model.last_error()}.",
                fix="Lower engine.context or engine.ubatch, or try engine.kv = 'f16' if the model's heads do "
                "not fit the quantised cache; python -m rag model plan shows what fits.",
            )
        return context

    def _reserve_batch(self) -> None:
        """Arrays of ours that every batch uses again; the pointers to sequence numbers are constants."""
        llama, size = self._llama, max(self.batch, self.sequences)
        self._tokens = (llama.llama_token * size)()
        self._positions = (llama.llama_pos * size)()
        self._counts = (ctypes.c_int32 * size)(*([1] * size))
        self._numbers = [(llama.llama_seq_id * 1)(number) for number in range(self.sequences)]
        self._addresses = [ctypes.addressof(number) for number in self._numbers]
        self._sequence_of = (ctypes.c_void_p * size)()
        self._outputs = (ctypes.c_int8 * size)()
        self._batch = llama.llama_batch(
            n_tokens=0,
            token=self._tokens,
            embd=None,
            pos=self._positions,
            n_seq_id=self._counts,
            seq_id=ctypes.cast(self._sequence_of, ctypes.POINTER(ctypes.POINTER(llama.llama_seq_id))),
            logits=self._outputs,
        )

    # Evaluating.

    def decode(self, parts: Sequence[Part]) -> list[int]:
        """Append every part (together at most `batch` tokens); the row to sample from, for each part.

        On a GPU it returns before the work is done. Raises Aborted, or EvaluationError; after either the
        sequences concerned are in doubt (see `length` and `clear`).
        """
        at, rows = 0, []
        for part in parts:
            end = at + len(part.tokens)
            self._tokens[at:end] = part.tokens
            self._positions[at:end] = range(part.start, part.start + len(part.tokens))
            self._sequence_of[at:end] = [self._addresses[part.sequence]] * len(part.tokens)
            self._outputs[at:end] = [0] * len(part.tokens)
            self._outputs[end - 1] = part.output
            rows.append(end - 1)
            at = end
        self._batch.n_tokens = at
        code = self._llama.llama_decode(self._context, self._batch)
        if code == ABORTED:
            raise Aborted
        if code != 0:
            raise EvaluationError(f"The engine failed to evaluate (code {code}): {self._model.last_error()}.")
        return rows

    def synchronize(self) -> None:
        """Wait until what was evaluated is really done."""
        self._llama.llama_synchronize(self._context)

    def abort(self, wanted: bool) -> None:
        """True makes a running `decode` on a CPU stop within a few milliseconds. Any thread may call it."""
        self._abort_flag[0] = b"\1" if wanted else b"\0"

    # Sampling.

    def attach(self, sequence: int, chain: Any) -> bool:
        """Let this chain choose on the device for the sequence (None: none does).

        False if it cannot. The chain must live until another takes its place.
        """
        return bool(self._llama.llama_set_sampler(self._context, sequence, chain))

    def sample(self, chain: Any, row: int) -> int:
        """The token that `chain` draws from that row: from what the device chose of it, or all of it."""
        return int(self._llama.llama_sampler_sample(chain, self._context, row))

    def logits(self, row: int) -> Any:
        """Pointer to the floats of a row whose sequence has no sampler attached."""
        return self._llama.llama_get_logits_ith(self._context, row)

    # The memory.

    def length(self, sequence: int) -> int:
        """Tokens in the sequence."""
        return int(self._llama.llama_memory_seq_pos_max(self._memory, sequence)) + 1

    def keep(self, sequence: int, length: int) -> bool:
        """Drop everything after the first `length` tokens; False if this model cannot go back."""
        return bool(self._llama.llama_memory_seq_rm(self._memory, sequence, length, -1))

    def clear(self, sequence: int) -> None:
        self._llama.llama_memory_seq_rm(self._memory, sequence, -1, -1)

    def clear_all(self) -> None:
        self._llama.llama_memory_clear(self._memory, False)

    def size(self, sequence: int, *, partial: bool) -> int:
        """Bytes that `save` would return."""
        flags = PARTIAL if partial else 0
        return int(self._llama.llama_state_seq_get_size_ext(self._context, sequence, flags))

    def save(self, sequence: int, *, partial: bool) -> Saved:
        """A copy of the sequence's state in host memory. partial: the recurrent layers' part only."""
        size = self.size(sequence, partial=partial)
        data = (ctypes.c_uint8 * size)()
        flags = PARTIAL if partial else 0
        written = self._llama.llama_state_seq_get_data_ext(self._context, data, size, sequence, flags)
        if written != size:
            raise EvaluationError(f"Only {written:,} of {size:,} bytes of the engine's state were saved.")
        return data

    def restore(self, sequence: int, data: Saved, *, partial: bool) -> bool:
        """Put back what `save` returned, into any sequence; False if that failed (it is empty then)."""
        flags = PARTIAL if partial else 0
        read = self._llama.llama_state_seq_set_data_ext(self._context, data, len(data), sequence, flags)
        if read != len(data):
            self.clear(sequence)
            return False
        return True
