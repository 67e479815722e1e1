"""A loaded model and its context: the few native calls that the decode loop needs, as methods.

Runs in the worker process only. Threads: the tokenizer may be used beside a running `evaluate` (it only
reads the vocabulary); everything else belongs to the thread that generates.
"""

from __future__ import annotations

import ctypes
from typing import Any

from rag.engine.native_log import NativeLog
from rag.engine.wire import Load
from rag.errors import EngineStartFailed

KV_TYPES = {"f16": 1, "q4_0": 2, "q8_0": 8}
SEQUENCE = 0
ABORTED = 2


class EvaluationError(Exception):
    """llama_decode failed; the memory has been cleared."""


class Aborted(Exception):
    """The evaluation was stopped by `abort`."""


class NativeModel:
    """Loads the model that `load` names. Raises EngineStartFailed."""

    def __init__(self, load: Load, log: NativeLog) -> None:
        import llama_cpp.llama_cpp as llama

        self._llama = llama
        self._log = log
        # A C function as the abort callback: one in Python would have to take the interpreter's lock
        # hundreds of times a token. strlen of this flag is 0 (go on) until the flag is set.
        self._abort_flag = ctypes.create_string_buffer(2)
        strlen = ctypes.CDLL(None).strlen
        self._abort_callback = ctypes.cast(strlen, llama.ggml_abort_callback)
        self._model = self._load_model(load)
        self._vocabulary = llama.llama_model_get_vocab(self._model)
        self.vocabulary_size: int = llama.llama_vocab_n_tokens(self._vocabulary)
        self.trained_context: int = llama.llama_model_n_ctx_train(self._model)
        self.context = min(load.context, self.trained_context or load.context)
        self.batch = min(load.batch, self.context)
        self.ubatch = min(load.ubatch, self.batch)
        self._context = self._make_context(load)
        self._memory = llama.llama_get_memory(self._context)
        # Partial removal is refused by these; after an abort their state may be half-way between tokens.
        self.recurrent = bool(
            llama.llama_model_is_recurrent(self._model) or llama.llama_model_is_hybrid(self._model)
        )

    def _load_model(self, load: Load) -> Any:
        llama = self._llama
        parameters = llama.llama_model_default_params()
        parameters.n_gpu_layers = load.gpu_layers
        model = llama.llama_model_load_from_file(load.path.encode(), parameters)
        if not model:
            raise EngineStartFailed(
                f"The engine could not load {load.path}: {self._last_error()}.",
                fix="Check the file with: python -m rag model check FILE. If memory is short, see: "
                "python -m rag model plan.",
            )
        return model

    def _make_context(self, load: Load) -> Any:
        llama = self._llama
        parameters = llama.llama_context_default_params()
        parameters.n_ctx = self.context
        parameters.n_batch = self.batch
        parameters.n_ubatch = self.ubatch
        # Logits are wanted for one token a batch; the library would reserve room for all of them.
        parameters.n_outputs_max = 1
        parameters.n_threads = parameters.n_threads_batch = load.threads
        parameters.type_k = parameters.type_v = KV_TYPES[load.kv]
        parameters.flash_attn_type = 1 if load.flash_attention else 0
        parameters.no_perf = True
        parameters.abort_callback = self._abort_callback
        parameters.abort_callback_data = ctypes.cast(self._abort_flag, ctypes.c_void_p)
        context = llama.llama_init_from_model(self._model, parameters)
        if not context:
            raise EngineStartFailed(
                f"The engine could not reserve a context of {self.context} tokens "
                f"(cache {load.kv}, micro-batch {self.ubatch}): {self._last_error()}.",
                fix="Lower engine.context or engine.ubatch, or try engine.kv = 'f16' if the model's heads do "
                "not fit the quantised cache; python -m rag model plan shows what fits.",
            )
        return context

    def _last_error(self) -> str:
        return self._log.errors[-1].rstrip(".") if self._log.errors else "it gave no reason"

    # The vocabulary.

    def tokenize(self, text: str, *, special: bool) -> list[int]:
        """special: control tokens written out in the text become control tokens. Adds none itself."""
        data = text.encode("utf-8", errors="replace")
        room = len(data) + 8
        tokens = (self._llama.llama_token * room)()
        count = self._llama.llama_tokenize(self._vocabulary, data, len(data), tokens, room, False, special)
        if count < 0:
            raise EvaluationError(f"The tokenizer failed on a text of {len(text):,} characters.")
        return list(tokens[:count])

    def count(self, text: str) -> int:
        """Tokens of a plain text, control tokens not recognised."""
        data = text.encode("utf-8", errors="replace")
        return abs(int(self._llama.llama_tokenize(self._vocabulary, data, len(data), None, 0, False, False)))

    def piece(self, token: int) -> bytes:
        """The bytes of a token; none for control tokens."""
        room = 64
        while True:
            buffer = ctypes.create_string_buffer(room)
            length = self._llama.llama_token_to_piece(self._vocabulary, token, buffer, room, 0, False)
            if length >= 0:
                return buffer.raw[:length]
            room = -length

    def ends(self, token: int) -> bool:
        """Does this token end the answer (end of turn, end of text)?"""
        return bool(self._llama.llama_vocab_is_eog(self._vocabulary, token))

    def token_text(self, token: int) -> str:
        """How a control token is written; "" for no token (−1)."""
        if token < 0:
            return ""
        text: bytes = self._llama.llama_vocab_get_text(self._vocabulary, token)
        return text.decode("utf-8", errors="replace")

    @property
    def beginning(self) -> int:
        """The token that every prompt begins with, or −1 if there is none."""
        wanted = self._llama.llama_vocab_get_add_bos(self._vocabulary)
        return int(self._llama.llama_vocab_bos(self._vocabulary)) if wanted else -1

    @property
    def begin_text(self) -> str:
        return self.token_text(int(self._llama.llama_vocab_bos(self._vocabulary)))

    @property
    def end_text(self) -> str:
        return self.token_text(int(self._llama.llama_vocab_eos(self._vocabulary)))

    def control_texts(self) -> list[str]:
        """How the tokens are written that must not come from a message's text (<|im_end|>, <think>)."""
        llama, found = self._llama, []
        for token in range(self.vocabulary_size):
            kind = llama.llama_vocab_get_attr(self._vocabulary, token)
            if not kind & (llama.LLAMA_TOKEN_ATTR_CONTROL | llama.LLAMA_TOKEN_ATTR_USER_DEFINED):
                continue
            text = self.token_text(token)
            tag = text.startswith("<") and text.endswith(">")
            if len(text) > 1 and (tag or kind & llama.LLAMA_TOKEN_ATTR_CONTROL):
                found.append(text)
        return found

    def chat_template(self) -> str:
        text = self._llama.llama_model_chat_template(self._model, None)
        return text.decode("utf-8", errors="replace") if text else ""

    # Evaluation.

    def evaluate(self, tokens: list[int]) -> None:
        """Append tokens (at most `batch`) to the sequence; the last one's logits can be sampled then.

        Raises Aborted, or EvaluationError with the memory cleared.
        """
        array = (self._llama.llama_token * len(tokens))(*tokens)
        code = self._llama.llama_decode(self._context, self._llama.llama_batch_get_one(array, len(tokens)))
        if code == ABORTED:
            raise Aborted
        if code != 0:
            self.clear()
            raise EvaluationError(f"The engine failed to evaluate (code {code}): {self._last_error()}.")
        self._llama.llama_synchronize(self._context)

    def sample(self, chain: Any) -> int:
        return int(self._llama.llama_sampler_sample(chain, self._context, -1))

    def abort(self, wanted: bool) -> None:
        """True makes a running `evaluate` on a CPU stop within a few milliseconds. Any thread may call it."""
        self._abort_flag[0] = b"\1" if wanted else b"\0"

    def length(self) -> int:
        """Tokens in the sequence."""
        return int(self._llama.llama_memory_seq_pos_max(self._memory, SEQUENCE)) + 1

    def keep(self, length: int) -> bool:
        """Drop everything after the first `length` tokens; False if this model cannot do that."""
        return bool(self._llama.llama_memory_seq_rm(self._memory, SEQUENCE, length, -1))

    def clear(self) -> None:
        self._llama.llama_memory_clear(self._memory, False)
