"""An engine elsewhere: any server that speaks the OpenAI API (llama-server, vLLM, SGLang, mlx_lm, …)."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rag.engine.protocol import EngineInfo, EngineState, Sampling, Thinking, Token
from rag.engine.sampling import usual
from rag.engine.server_answer import HEARTBEAT_S, Answer
from rag.engine.server_dialect import Counter, Described, describe, refused
from rag.engine.server_http import Refusal, Server
from rag.engine.turnstile import Turnstile
from rag.errors import EngineBusy, EngineStartFailed, PromptTooLong, RagError
from rag.models import catalogue
from rag.records import Message
from rag.settings import Settings


class ServerEngine:
    """Implements rag.engine.protocol.Engine with requests to `engine.server`. Making one does no work.

    Raises SettingsError if the address is none. The server's context is asked for where it tells it; set
    engine.context where it does not, or to use less.
    """

    def __init__(self, settings: Settings) -> None:
        options = settings.engine
        self._settings = settings
        self._server = Server(options.server, options.server_key.get_secret_value(), options.server_timeout_s)
        self._entry = catalogue.entry_of(options.model)
        self._lock = threading.Lock()
        self._described: Described | None = None
        self._counter: Counter | None = None
        self._open: list[Answer] = []
        self._opened: dict[bool, bool] = {}  # whether its template opens a thought, when told to think or not
        self._problem = ""
        self.turnstile = Turnstile(options.parallel, options.queue)

    def info(self) -> EngineInfo:
        described = self._described
        return EngineInfo(
            model=_shown(described.model if described else self._settings.engine.model),
            context=self._context(),
            state=self._state(),
            demo=bool(self._entry and self._entry.demo),
            problem=self._problem,
            parallel=self._settings.engine.parallel,
        )

    def start(self) -> None:
        self._known()

    def count(self, texts: Sequence[str]) -> list[int]:
        return [self._asked(partial(self._count, text)) for text in texts]

    def _count(self, text: str) -> int:
        return self._known().count(text)

    def count_messages(self, messages: Sequence[Message]) -> int:
        counted: int = self._asked(lambda: self._known().count_messages(messages))
        return counted

    def stream(
        self,
        messages: Sequence[Message],
        *,
        sampling: Sampling | None = None,
        max_tokens: int = 1024,
        stop: Sequence[str] = (),
        thinking: Thinking | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Iterator[Token]:
        if max_tokens < 1:
            raise ValueError("max_tokens must be at least 1.")
        if sampling is None:
            sampling = usual(self._entry)
        thought = thinking or Thinking()
        body: dict[str, Any] = {
            "messages": [{"role": each.role, "content": each.content} for each in messages],
            "max_tokens": max_tokens + (thought.tokens if thought.on else 0),
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            **({"seed": sampling.seed} if sampling.seed is not None else {}),
            **({"stop": [text for text in stop if text]} if any(stop) else {}),
            **({"reasoning_effort": thought.effort} if thought.effort else {}),
        }
        more = {
            "top_k": sampling.top_k,
            "min_p": sampling.min_p,
            "repeat_penalty": sampling.repeat_penalty,
            "repetition_penalty": sampling.repeat_penalty,
            "chat_template_kwargs": {"enable_thinking": thought.on},
        }
        return self._stream(messages, body, more, schema)

    def cancel(self) -> None:
        for answer in list(self._open):
            answer.cancel()

    def close(self) -> None:
        """Cuts what is under way; a later call would connect again."""
        self.cancel()
        with self._lock:
            self._described = self._counter = None

    def _state(self) -> EngineState:
        if self._described is None:
            return "dead" if self._problem else "stopped"
        return "busy" if self.turnstile.waiting else "ready"

    def _context(self) -> int:
        found = self._described.context if self._described else None
        wanted = self._settings.engine.context
        if found is None:
            return wanted or self._settings.engine_context
        return min(found, wanted) if wanted else found

    def _known(self) -> Counter:
        """The server's model is known from here on; asks it if it is not."""
        with self._lock:
            if self._counter is None:
                options = self._settings.engine
                try:
                    self._described = self._server.retried(lambda: describe(self._server, options.model))
                except RagError as error:
                    self._problem = error.message
                    raise
                self._counter = Counter(self._server, self._described.model, options.server_tokenizer)
                self._problem = ""
            return self._counter

    def _asked(self, work: Any) -> Any:
        try:
            return self._server.retried(work)
        except Refusal as error:
            raise refused(error, self._server) from error

    def _stream(
        self,
        messages: Sequence[Message],
        body: dict[str, Any],
        more: dict[str, Any],
        schema: Mapping[str, Any] | None,
    ) -> Iterator[Token]:
        ticket = self.turnstile.ticket()
        if ticket is None:
            raise EngineBusy(
                f"{self.turnstile.waiting:,} questions are being answered or waiting already.",
                fix="Ask again in a minute; engine.queue says how many may wait.",
            )
        try:
            needed = self.count_messages(messages)
            if needed + body["max_tokens"] > self._context():
                raise _too_long(needed, body["max_tokens"], self._context())
            while not ticket.wait(HEARTBEAT_S):
                yield Token("", ahead=ticket.place)
            assert self._described is not None
            attempts = [{**body, **more, "model": self._described.model, **each} for each in _formats(schema)]
            # Strict servers refuse fields that they do not know: once more with the standard ones alone.
            attempts.append({**body, "model": self._described.model, **_formats(schema)[0]})
            thinks = bool(more["chat_template_kwargs"]["enable_thinking"])
            answer = Answer(self._server, attempts, opened=self._opened.get(thinks, False))
            self._open.append(answer)
            try:
                yield from answer.tokens(needed)
                self._opened[thinks] = answer.opened
            finally:
                answer.close()
                self._open.remove(answer)
        except EngineStartFailed as error:
            self._problem = error.message
            raise
        finally:
            ticket.leave()


def _shown(model: str) -> str:
    """A server that serves a file may call its model by that file's path."""
    return Path(model).stem if model.endswith(".gguf") else model


def _formats(schema: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """How servers are told of a JSON schema: the standard way, then that of llama-cpp-python."""
    if schema is None:
        return [{}]
    named = {"name": "answer", "schema": dict(schema), "strict": True}
    return [
        {"response_format": {"type": "json_schema", "json_schema": named}},
        {"response_format": {"type": "json_object", "schema": dict(schema)}},
    ]


def _too_long(prompt: int, answer: int, context: int) -> PromptTooLong:
    from rag.engine.wire import too_long

    return PromptTooLong(
        too_long(prompt, answer, context),
        fix="Ask for a shorter answer, lower retrieval.budget_tokens, or raise engine.context.",
    )
