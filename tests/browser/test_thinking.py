"""The page while a model thinks: a model server played here, the real page, a real browser."""

from __future__ import annotations

import json
import re
import signal
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Server, Windows, ingest, start_server
from tests.browser.corpus import pdf

RULE = "The gate of the north yard is locked at eight in the evening, and the porter keeps the only key."
QUESTION = "When is the gate of the north yard locked?"
DONE = "#transcript .turn:is(.finished, .failed)"


class Thinker(BaseHTTPRequestHandler):
    """A model server whose model thinks until the test lets it go on."""

    protocol_version = "HTTP/1.1"
    go_on = threading.Event()

    def do_GET(self) -> None:
        self._json({"data": [{"id": "thinker", "max_model_len": 16_384}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/tokenize" and "content" in body:
            self._json({"tokens": [0] * (len(body["content"]) // 3)})
            return
        if self.path != "/v1/chat/completions":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self._said({"reasoning_content": "Let me see <b>[1]</b>: eight, "})
        self._said({"reasoning_content": "or was it nine?"})
        self.go_on.wait(30)
        self._said({"content": f"{RULE} [1]"})
        self._said({}, "stop")
        self.wfile.write(b"data: [DONE]\n\n")

    def _said(self, delta: dict[str, str], finish: str | None = None) -> None:
        event = {"choices": [{"delta": delta, "finish_reason": finish}]}
        self.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")
        self.wfile.flush()

    def _json(self, value: dict[str, Any]) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@pytest.fixture(scope="module")
def thinker() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Thinker)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    Thinker.go_on.set()
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def server(thinker: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A library in which one rule stands twice: on the second page of a PDF, and in a file of its own."""
    folder = tmp_path_factory.mktemp("thinking")
    home, papers = folder / "home", folder / "papers"
    home.mkdir()
    papers.mkdir()
    pdf(papers / "house rules.pdf", [["House rules of the north yard."], [RULE]])
    (papers / "notice.txt").write_text(f"House rules of the north yard.\n\n{RULE}", encoding="utf-8")
    options = f'[engine]\nserver = "{thinker}"\nmodel = "thinker"\nthinking = true\n'
    (home / "rag.toml").write_text(options, encoding="utf-8")
    ingest(home, papers)
    started = start_server(home)
    yield started
    started.process.send_signal(signal.SIGTERM)
    assert started.process.wait(timeout=20) == 0, (folder / "server.log").read_text()


@pytest.fixture
def window(browser: Browser, server: Server) -> Iterator[Windows]:
    Thinker.go_on.clear()
    windows = Windows(browser, server)
    yield windows
    windows.close()
    assert windows.complaints == []


@pytest.mark.parametrize(
    ("language", "thinking", "thought", "unchecked", "width"),
    [
        ("en-US", "Thinking…", "Thought for", "not checked against the documents", 1280),
        ("zh-CN", "正在思考…", "思考了", "未与文档核对", 390),
    ],
)
def test_the_reader_sees_that_it_thinks_and_may_read_what(
    window: Windows, language: str, thinking: str, thought: str, unchecked: str, width: int
) -> None:
    page = window(language=language, width=width, dark=width < 400)
    page.fill("#question textarea", QUESTION)
    page.press("#question textarea", "Enter")
    live = page.locator("#live details.thought")
    expect(live.locator(".state")).to_have_text(re.compile(rf"{thinking} [1-9]"), timeout=20_000)
    expect(live.locator(".thoughts")).to_be_hidden()
    expect(live.locator(".unchecked")).to_have_text(unchecked)
    live.locator("summary").click()
    counted = live.locator(".state").inner_text()
    expect(live.locator(".state")).not_to_have_text(counted, timeout=20_000)  # the seconds go on
    # Unfolded it stays while it is drawn again, and what a model thinks is text that cites nothing.
    expect(live.locator(".thoughts")).to_have_text("Let me see <b>[1]</b>: eight, or was it nine?")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    Thinker.go_on.set()
    expect(page.locator(DONE)).to_have_count(1, timeout=30_000)
    kept = page.locator(f"{DONE} details.thought")
    expect(kept.locator(".state")).to_contain_text(thought)
    expect(kept.locator(".thoughts")).to_be_visible()
    expect(kept.locator(".cite")).to_have_count(0)
    expect(page.locator(f"{DONE} .text .cite.ok")).to_have_count(1)
    assert "nine" not in page.locator(f"{DONE} .text").inner_text()
    page.reload()
    expect(kept.locator(".thoughts")).to_be_hidden()
    kept.locator("summary").click()
    expect(kept.locator(".thoughts")).to_contain_text("or was it nine?")


def test_where_else_it_stands_is_shown_and_opened(window: Windows) -> None:
    Thinker.go_on.set()
    page = window()
    page.fill("#question textarea", QUESTION)
    page.press("#question textarea", "Enter")
    expect(page.locator(DONE)).to_have_count(1, timeout=30_000)
    card = page.locator("#evidence .card").first
    shown = card.locator(".where .file").inner_text()
    other = {"notice.txt": "house rules.pdf", "house rules.pdf": "notice.txt"}[shown]
    expect(card.locator(".copies")).to_contain_text("Also in")
    link = card.locator(".copies button")
    expect(link).to_have_text(other)
    link.click()
    expect(page.locator("dialog.viewer")).to_be_visible()
    expect(page.locator("dialog.viewer h2")).to_contain_text(other)
    sheet = page.locator("dialog.viewer .sheet")
    expect(sheet.locator("img, mark").first).to_be_visible()
    page.keyboard.press("Escape")
    # And each document can be opened at the passage itself.
    card.locator("footer .link").last.click()
    expect(sheet.locator("img, mark").first).to_be_visible()
