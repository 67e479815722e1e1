"""A loaded model and its vocabulary. Its memory, in which tokens are evaluated, is rag.engine.context.

Runs in the worker process only. The vocabulary may be read by any thread.
"""

from __future__ import annotations

import ctypes
from typing import Any

from rag.engine.native_log import NativeLog
from rag.engine.wire import Load
from rag.errors import EngineStartFailed

NO_MEMORY = ("out of memory", "failed to allocate")
"""Words of the library's log."""


class EvaluationError(Exception):
    """The library failed to evaluate."""


class Aborted(Exception):
    """The evaluation was stopped by `abort`."""


class NativeModel:
    """Loads the model that `load` names. Raises EngineStartFailed."""

    def __init__(self, load: Load, log: NativeLog) -> None:
        import llama_cpp.llama_cpp as llama

        self.llama = self._llama = llama
        self._log = log
        self.handle = self._load_model(load)
        self._vocabulary = llama.llama_model_get_vocab(self.handle)
        self.vocabulary_size: int = llama.llama_vocab_n_tokens(self._vocabulary)
        self.trained_context: int = llama.llama_model_n_ctx_train(self.handle)
        # Partial removal is refused by these; after an abort their state may be half-way between tokens.
        self.recurrent = bool(
            llama.llama_model_is_recurrent(self.handle) or llama.llama_model_is_hybrid(self.handle)
        )

    def _load_model(self, load: Load) -> Any:
        llama = self._llama
        parameters = llama.llama_model_default_params()
        parameters.n_gpu_layers = load.gpu_layers
        model = llama.llama_model_load_from_file(load.path.encode(), parameters)
        if not model:
            said = self.last_error()
            fix = "Check the file with: python -m rag model check FILE."
            if any(words in said for words in NO_MEMORY):
                fix = (
                    "Memory is short: free some (nvidia-smi shows whose it is) or keep layers in host memory "
                    "with engine.gpu_layers; python -m rag model plan shows what is needed."
                )
            raise EngineStartFailed(f"The engine could not load {load.path}: {said}.", fix=fix)
        return model

    def last_error(self) -> str:
        """What the library said of what went wrong, without its full stop; lack of memory before all else."""
        errors = [line.rstrip(".") for line in self._log.errors]
        short = [line for line in errors if any(words in line for words in NO_MEMORY)]
        return (short or errors or ["it gave no reason"])[-1]

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

    def piece(self, token: int, *, special: bool = False) -> bytes:
        """The bytes of a token; none for control tokens, unless `special` asks how they are written."""
        room = 64
        while True:
            buffer = ctypes.create_string_buffer(room)
            length = self._llama.llama_token_to_piece(self._vocabulary, token, buffer, room, 0, special)
            if length >= 0:
                return buffer.raw[:length]
            room = -length

    def single_token(self, text: str) -> int:
        """The token that is written exactly like this, or −1 if several make it up."""
        tokens = self.tokenize(text, special=True)
        return tokens[0] if len(tokens) == 1 else -1

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
    def vocabulary(self) -> Any:
        return self._vocabulary

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
        text = self._llama.llama_model_chat_template(self.handle, None)
        return text.decode("utf-8", errors="replace") if text else ""
