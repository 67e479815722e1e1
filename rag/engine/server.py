"""An engine elsewhere: any server that speaks the OpenAI API (llama-server, vLLM, SGLang, mlx_lm, …)."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

from rag.engine.protocol import EngineInfo, EngineState, Sampling, Thinking, Token
from rag.engine.sampling import profile
from rag.engine.server_dialect import Counter, Described, describe, refused
from rag.engine.server_http import Events, Refusal, Server
from rag.engine.thoughts import Thoughts
from rag.engine.turnstile import Turnstile
from rag.errors import Cancelled, EngineBusy, EngineDied, EngineStartFailed, PromptTooLong, RagError
from rag.models import catalogue
from rag.records import Message, Usage
from rag.settings import Settings

HEARTBEAT_S = 0.25
_ABOUT_THE_FORM = frozenset({400, 422, 500})
"""What servers say of a field or value that they do not know (llama-cpp-python's says 500)."""
_ENDS: Mapping[str, Literal["end", "length"]] = {"length": "length"}


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
        self._open: list[_Answer] = []
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
            sampling = profile(self._entry.sampling) if self._entry else Sampling()
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
            answer = _Answer(self._server, attempts)
            self._open.append(answer)
            try:
                yield from answer.tokens(needed)
            finally:
                answer.close()
                self._open.remove(answer)
        except EngineStartFailed as error:
            self._problem = error.message
            raise
        finally:
            ticket.leave()


class _Answer:
    """One request under way. A thread of its own reads it, so that the asker can give up at any time."""

    def __init__(self, server: Server, attempts: Sequence[dict[str, Any]]) -> None:
        self._server = server
        self._attempts = attempts
        self._queue: queue.SimpleQueue[dict[str, Any] | Exception | None] = queue.SimpleQueue()
        self._events: Events | None = None
        self._over = threading.Event()
        self._cancelled = False
        threading.Thread(target=self._read, name="model-server", daemon=True).start()

    def cancel(self) -> None:
        self._cancelled = True
        self.close()

    def close(self) -> None:
        self._over.set()
        events = self._events
        if events is not None:
            events.close()

    def tokens(self, prompt_tokens: int) -> Iterator[Token]:
        thoughts = Thoughts(inside=False)
        usage: dict[str, Any] = {}
        finish: Literal["end", "length"] | None = None
        pieces = thought_pieces = 0
        while True:
            try:
                event = self._queue.get(timeout=HEARTBEAT_S)
            except queue.Empty:
                yield Token("")
                continue
            if self._cancelled:
                raise Cancelled("The answer was stopped.")
            if isinstance(event, Exception):
                raise self._explained(event, begun=pieces > 0)
            if event is None:
                break
            usage = event.get("usage") or usage
            for choice in event.get("choices") or []:
                delta = choice.get("delta") or {}
                if choice.get("finish_reason"):
                    finish = _ENDS.get(choice["finish_reason"], "end")
                apart = delta.get("reasoning_content") or delta.get("reasoning") or ""
                thought, text = thoughts.add(delta.get("content") or "")
                pieces += bool(delta.get("content"))
                thought_pieces += bool(apart)
                if apart or thought:
                    yield Token("", thought=f"{apart}{thought}")
                if text:
                    yield Token(text)
        thought, text = thoughts.rest()
        if finish is None:
            raise EngineDied(
                "The model server ended the connection in the middle of an answer.",
                fix="Ask again; the server's log may say why.",
            )
        if thought or text:
            yield Token(text, thought=thought)
        details = usage.get("prompt_tokens_details") or {}
        yield Token(
            "",
            usage=Usage(
                int(usage.get("prompt_tokens") or prompt_tokens),
                int(details.get("cached_tokens") or 0),
                # Without the server's own count: most servers send a token an event.
                int(usage.get("completion_tokens") or pieces),
                thought_pieces,
            ),
            finish=finish,
        )

    def _read(self) -> None:
        try:
            self._events = events = self._opened()
            if self._over.is_set():
                events.close()
            for event in events:
                self._queue.put(event)
            self._queue.put(None)
        except Exception as error:  # noqa: BLE001 - whatever it is, the asker's thread has to raise it
            self._queue.put(error)

    def _opened(self) -> Events:
        for number, body in enumerate(self._attempts):
            try:
                events: Events = self._server.retried(
                    partial(self._server.open, "/chat/completions", body), self._over.wait
                )
                return events
            except Refusal as error:
                if error.status not in _ABOUT_THE_FORM or number + 1 == len(self._attempts):
                    raise
        raise AssertionError("unreachable")

    def _explained(self, error: Exception, *, begun: bool) -> Exception:
        if self._cancelled:
            return Cancelled("The answer was stopped.")
        if isinstance(error, Refusal):
            words = error.message.lower()
            if (
                error.status in (400, 413, 422)
                and "context" in words
                and ("length" in words or "exceed" in words)
            ):
                return PromptTooLong(
                    f"The model server refused the prompt as too long: {error.message}.",
                    fix="Set engine.context to the server's real context, or lower retrieval.budget_tokens.",
                )
            return refused(error, self._server)
        if isinstance(error, RagError):
            return error
        return EngineDied(
            f"The connection to the model server broke {'in the middle of an answer' if begun else 'off'}: "
            f"{error or type(error).__name__}.",
            fix="Ask again; if it stays so, look at the server's log.",
        )


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
