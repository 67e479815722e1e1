"""A model server that speaks the OpenAI API, played by this test on the loopback, in all its moods."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from rag import engine as engine_module
from rag.engine import server_http
from rag.engine.protocol import Thinking
from rag.engine.server import ServerEngine
from rag.errors import (
    Cancelled,
    EngineDied,
    EngineError,
    EngineStartFailed,
    PromptTooLong,
    SettingsError,
)  # fmt: skip
from rag.records import Message
from rag.settings import EngineSettings, Settings

QUESTION = [Message("user", "What is the capital of France?")]


class Played(BaseHTTPRequestHandler):
    """failures: statuses to answer with first. pieces: deltas of the answer. endless: they never stop."""

    protocol_version = "HTTP/1.1"
    failures: list[int]
    pieces: list[dict[str, str]]
    bodies: list[dict[str, Any]]
    endless = False
    broken = False
    strict = False
    counts = True
    models: list[dict[str, Any]]
    gone = threading.Event()

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            self._json({"data": self.models})
        else:
            self._json({"error": {"message": "no such page"}}, 404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/tokenize" and self.counts and "content" in body:
            self._json({"tokens": body["content"].split()})
        elif self.path == "/v1/chat/completions":
            self._answer(body)
        else:
            self._json({"detail": "Not Found"}, 404)

    def _answer(self, body: dict[str, Any]) -> None:
        self.bodies.append(body)
        if self.headers.get("Authorization") == "Bearer wrong":
            self._json({"error": {"message": "bad key"}}, 401)
            return
        if self.failures:
            self._json({"error": {"message": "not now"}}, self.failures.pop(0))
            return
        if self.strict and "top_k" in body:
            self._json({"error": "unknown field top_k"}, 400)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            while True:
                for piece in self.pieces:
                    self._event({"choices": [{"delta": piece, "finish_reason": None}]})
                if not self.endless:
                    break
                time.sleep(0.01)
        except OSError:
            self.gone.set()
            return
        if self.broken:
            return
        usage = {"prompt_tokens": 7, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 5}}
        self._event({"choices": [{"delta": {}, "finish_reason": "stop"}]})
        self._event({"choices": [], "usage": usage})
        self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, value: dict[str, Any]) -> None:
        self.wfile.write(b": ping\n\ndata: " + json.dumps(value).encode() + b"\n\n")
        self.wfile.flush()

    def _json(self, value: dict[str, Any], status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(server_http, "FIRST_PAUSE_S", 0.01)
    Played.failures, Played.bodies, Played.pieces = [], [], [{"content": "Par"}, {"content": "is."}]
    Played.endless = Played.broken = Played.strict = False
    Played.counts, Played.gone = True, threading.Event()
    Played.models = [{"id": "bonsai", "max_model_len": 2048}]
    server = ThreadingHTTPServer(("127.0.0.1", 0), Played)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def made(address: str, **options: object) -> ServerEngine:
    values = {"server": address, "model": "bonsai", **options}
    engine = engine_module.load(Settings(home=Path("/none"), engine=EngineSettings.model_validate(values)))
    assert isinstance(engine, ServerEngine)
    return engine


def text_of(engine: ServerEngine, **options: Any) -> str:
    return "".join(token.text for token in engine.stream(QUESTION, max_tokens=8, **options))


def test_an_answer_with_counts_usage_and_context(address: str) -> None:
    engine = made(address)
    assert engine.info().state == "stopped"
    pieces = list(engine.stream(QUESTION, max_tokens=8))
    assert "".join(piece.text for piece in pieces) == "Paris."
    usage = pieces[-1].usage
    assert usage is not None
    assert (usage.prompt_tokens, usage.cached_tokens, usage.answer_tokens) == (7, 5, 2)
    assert pieces[-1].finish == "end"
    assert (engine.info().model, engine.info().context, engine.info().state) == ("bonsai", 2048, "ready")
    assert engine.count(["one two", ""]) == [2, 0]
    assert made(address, context=512).info().context == 512
    with pytest.raises(PromptTooLong, match=r"2,048"):
        list(engine.stream(QUESTION, max_tokens=2048))


def test_thoughts_on_both_ways_and_the_switch(address: str) -> None:
    engine = made(address)
    Played.pieces = [{"reasoning_content": "Hm. "}, {"content": "<think>So.</think>"}, {"content": "Paris."}]
    pieces = list(engine.stream(QUESTION, max_tokens=8, thinking=Thinking(True, 20, "low")))
    assert "".join(piece.thought for piece in pieces) == "Hm. So."
    assert "".join(piece.text for piece in pieces) == "Paris."
    sent = Played.bodies[-1]
    assert sent["chat_template_kwargs"] == {"enable_thinking": True}
    assert (sent["reasoning_effort"], sent["max_tokens"]) == ("low", 28)


def test_a_thought_that_the_servers_template_opened_is_taken_back(address: str) -> None:
    engine = made(address)
    Played.pieces = [{"content": piece} for piece in ("Hm", ". So.\n", "</thi", "nk>\n\nPar", "is.")]
    text = thought = ""
    for piece in engine.stream(QUESTION, max_tokens=8):
        if piece.was_thought:
            thought, text = thought + text, ""
        thought, text = thought + piece.thought, text + piece.text
    assert (thought.strip(), text) == ("Hm. So.", "Paris.")
    assert piece.usage is not None
    assert piece.usage.thought_tokens == 4
    # From then on it is known, and a model that does not think after all has answered all the same.
    told = list(engine.stream(QUESTION, max_tokens=8))
    assert not any(each.was_thought for each in told)
    assert "".join(each.thought for each in told) == "Hm. So."
    assert "".join(each.text for each in told) == "Paris."
    Played.pieces = [{"content": "Paris, "}, {"content": "of course."}]
    assert text_of(engine) == "Paris, of course."
    assert text_of(engine) == "Paris, of course."


def test_closing_cuts_the_connection_and_cancel_says_so(address: str) -> None:
    engine = made(address)
    Played.endless = True
    answer = engine.stream(QUESTION, max_tokens=8)
    while not next(answer).text:
        pass
    answer.close()
    assert Played.gone.wait(10)
    assert engine.turnstile.waiting == 0
    answer = engine.stream(QUESTION, max_tokens=8)
    while not next(answer).text:
        pass
    engine.cancel()
    with pytest.raises(Cancelled):
        list(answer)


def test_a_server_that_starts_is_asked_again_and_one_that_is_down_is_named(address: str) -> None:
    Played.failures = [503, 429]
    assert text_of(made(address)) == "Paris."
    assert len(Played.bodies) == 3
    Played.failures = [503] * 9
    with pytest.raises(EngineError, match="503"):
        text_of(made(address))
    down = made("http://127.0.0.1:9/v1")
    with pytest.raises(EngineStartFailed, match=r"127\.0\.0\.1:9/v1 does not answer"):
        down.start()
    assert down.info().state == "dead"
    assert "does not answer" in down.info().problem


def test_what_servers_refuse(address: str) -> None:
    with pytest.raises(EngineError, match="another key"):
        text_of(made(address, server_key="wrong"))
    Played.strict = True
    assert text_of(made(address)) == "Paris."
    assert "top_k" not in Played.bodies[-1]
    Played.models = [{"id": "a"}, {"id": "b"}]
    with pytest.raises(EngineStartFailed, match="no model 'bonsai'") as raised:
        made(address).start()
    assert "a, b" in raised.value.fix
    Played.models, Played.counts = [{"id": "bonsai"}], False
    with pytest.raises(SettingsError, match="does not count"):
        made(address).count(["word"])
    with pytest.raises(SettingsError, match="not an address"):
        made("localhost:8080")


def test_an_answer_that_breaks_off_is_an_error(address: str) -> None:
    Played.broken = True
    with pytest.raises(EngineDied, match="middle of an answer"):
        text_of(made(address))
