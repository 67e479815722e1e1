"""What model servers say about themselves, each in its own way: context, tokens, which model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag.engine.server_http import Refusal, Server
from rag.errors import EngineError, EngineStartFailed, SettingsError
from rag.records import Message

TOKENS_A_MESSAGE, TOKENS_A_PROMPT = 8, 16
"""What templates put around messages: a generous guess where the server does not apply its own for us."""


@dataclass(frozen=True, slots=True)
class Described:
    """model: its name there. context: tokens, None where the server does not say."""

    model: str
    context: int | None


def describe(server: Server, wanted: str) -> Described:
    """Which model answers, and its context. Raises EngineStartFailed if the server has no such model.

    A server that has exactly one model is asked for that one, whatever the settings call it.
    """
    try:
        listed = server.get("/models")
        models = [each for each in listed["data"] if isinstance(each, dict) and "id" in each]
    except (Refusal, KeyError, TypeError) as error:
        if isinstance(error, Refusal) and error.status in (401, 403):
            raise EngineStartFailed(
                f"The model server at {server.address} wants another key: {error.message}.",
                fix="Set engine.server_key (or RAG_ENGINE_SERVER_KEY).",
            ) from error
        models = []  # not every server lists them
    found = next((each for each in models if each["id"] == wanted), None)
    if found is None and len(models) == 1:
        found = models[0]
    if found is None and models:
        names = ", ".join(str(each["id"]) for each in models[:8])
        raise EngineStartFailed(
            f"The model server at {server.address} has no model {wanted!r}.",
            fix=f"Set engine.model to one of: {names}.",
        )
    name = str(found["id"]) if found else wanted
    return Described(name, _context(server, found or {}))


def _context(server: Server, model: dict[str, Any]) -> int | None:
    meta = model.get("meta") or {}
    for value in (model.get("max_model_len"), model.get("context_length"), meta.get("n_ctx")):
        if isinstance(value, int) and value > 0:
            return value
    try:
        properties = server.get("//props")  # llama-server
        value = properties["default_generation_settings"]["n_ctx"]
        return int(value)
    except (Refusal, EngineStartFailed, KeyError, TypeError, ValueError):
        return None


class Counter:
    """Counts tokens by the server's own tokenizer, or by a declared one.

    tokenizer: path of a tokenizer.json ("": ask the server). Raises SettingsError if it cannot be read.
    """

    def __init__(self, server: Server, model: str, tokenizer: str) -> None:
        self._server = server
        self._model = model
        self._tokenizer: Any = None
        self._way: int | None = None
        if tokenizer:
            self._tokenizer = _declared(Path(tokenizer).expanduser())

    def count(self, text: str) -> int:
        """Tokens of a plain text. Raises SettingsError where there is no way to count."""
        if self._tokenizer is not None:
            return len(self._tokenizer.encode(text, add_special_tokens=False).ids)
        ways = (self._llama_server, self._vllm, self._llama_cpp_python)
        order = [self._way] if self._way is not None else range(len(ways))
        for number in order:
            try:
                found = ways[number](text)
            except (Refusal, KeyError, TypeError):
                continue
            self._way = number
            return found
        raise SettingsError(
            f"The model server at {self._server.address} does not count tokens.",
            fix="Set engine.server_tokenizer to the tokenizer.json of its model.",
        )

    def count_messages(self, messages: Sequence[Message]) -> int:
        """Tokens of the whole prompt: exact where the server applies its template, else an upper estimate."""
        if self._tokenizer is None:
            listed = [{"role": each.role, "content": each.content} for each in messages]
            for way in (self._templated_by_llama_server, self._templated_by_vllm):
                try:
                    return way(listed)
                except (Refusal, KeyError, TypeError):
                    continue
        return TOKENS_A_PROMPT + sum(TOKENS_A_MESSAGE + self.count(each.content) for each in messages)

    def _llama_server(self, text: str) -> int:
        return len(self._server.post("//tokenize", {"content": text})["tokens"])

    def _vllm(self, text: str) -> int:
        body = {"model": self._model, "prompt": text, "add_special_tokens": False}
        return int(self._server.post("//tokenize", body)["count"])

    def _llama_cpp_python(self, text: str) -> int:
        body = {"model": self._model, "input": text}
        return int(self._server.post("//extras/tokenize/count", body)["count"])

    def _templated_by_llama_server(self, messages: list[dict[str, str]]) -> int:
        prompt = self._server.post("//apply-template", {"messages": messages})["prompt"]
        body = {"content": prompt, "add_special": True, "parse_special": True}
        return len(self._server.post("//tokenize", body)["tokens"])

    def _templated_by_vllm(self, messages: list[dict[str, str]]) -> int:
        body = {"model": self._model, "messages": messages, "add_generation_prompt": True}
        return int(self._server.post("//tokenize", body)["count"])


def _declared(path: Path) -> Any:
    from tokenizers import Tokenizer

    file = path / "tokenizer.json" if path.is_dir() else path
    try:
        return Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises plain Exception
        raise SettingsError(
            f"engine.server_tokenizer: {file} cannot be read: {error}",
            fix="Give the tokenizer.json of the server's model, or the folder that holds it.",
        ) from error


def refused(error: Refusal, server: Server) -> EngineError:
    """The error for what a server answered to a question."""
    text = error.message
    if error.status in (401, 403):
        return EngineError(
            f"The model server at {server.address} wants another key: {text}.",
            fix="Set engine.server_key (or RAG_ENGINE_SERVER_KEY).",
        )
    if error.status == 404:
        return EngineError(
            f"The model server at {server.address} does not know this: {text}.",
            fix="Check engine.server (it usually ends in /v1) and engine.model.",
        )
    return EngineError(
        f"The model server refused (HTTP status {error.status}): {text}.",
        fix="Try again; if it stays so, look at the server's log.",
    )
