"""Answers that follow a JSON schema. Runs in the worker process only.

Masking the whole vocabulary at every token costs 14 ms where it has 248,000 entries. So the token is drawn
first as always, and the grammar is only asked whether it allows that one; all others are masked, and the
draw repeated, when it does not. The accepted text is distributed a little differently than with masking
first (an allowed draw is taken from the unmasked candidates), and it always follows the schema.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping
from typing import Any

from rag.engine.chain import Chain
from rag.engine.native import NativeModel


class SchemaError(Exception):
    """The JSON schema cannot be made into a grammar."""


class Grammar:
    """One answer's place in the grammar. Raises SchemaError. Free it with `close`."""

    def __init__(self, model: NativeModel, schema: Mapping[str, Any]) -> None:
        from llama_cpp.llama_grammar import json_schema_to_gbnf

        self._llama = model.llama
        self._size = model.vocabulary_size
        try:
            rules = json_schema_to_gbnf(json.dumps(schema))
        except Exception as error:
            raise SchemaError(f"The JSON schema cannot be used: {error}") from error
        self._grammar = self._llama.llama_sampler_init_grammar(model.vocabulary, rules.encode(), b"root")
        if not self._grammar:
            raise SchemaError("The JSON schema cannot be used: the engine refused its grammar.")
        self._candidates = (self._llama.llama_token_data * self._size)()

    def choose(self, chain: Chain, logits: Any) -> int:
        """Draw a token that the grammar allows, and accept it in chain and grammar."""
        token = self._draw(chain, self._all(logits))
        if not self._allowed(token):
            everything = self._all(logits)
            self._llama.llama_sampler_apply(self._grammar, ctypes.byref(everything))
            token = self._draw(chain, everything)
        self._llama.llama_sampler_accept(chain.handle, token)
        self._llama.llama_sampler_accept(self._grammar, token)
        return token

    def close(self) -> None:
        if self._grammar is not None:
            self._llama.llama_sampler_free(self._grammar)
            self._grammar = None

    def _draw(self, chain: Chain, candidates: Any) -> int:
        self._llama.llama_sampler_apply(chain.handle, ctypes.byref(candidates))
        return int(candidates.data[candidates.selected].id)

    def _allowed(self, token: int) -> bool:
        one = (self._llama.llama_token_data * 1)((token, 0.0, 0.0))
        array = self._llama.llama_token_data_array(data=one, size=1, selected=-1, sorted=False)
        self._llama.llama_sampler_apply(self._grammar, ctypes.byref(array))
        return bool(array.data[0].logit > float("-inf"))

    def _all(self, logits: Any) -> Any:
        """Every token with its logit. numpy is there already: llama_cpp imports it, after its library."""
        import numpy as np

        view = np.ctypeslib.as_array(self._candidates).view(
            np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])
        )
        view["id"] = np.arange(self._size, dtype=np.int32)
        view["logit"] = np.ctypeslib.as_array(logits, shape=(self._size,))
        return self._llama.llama_token_data_array(
            data=self._candidates, size=self._size, selected=-1, sorted=False
        )
