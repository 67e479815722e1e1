"""Only what the page needs is answered, and only to pages of this server."""

from __future__ import annotations

import pytest

from ui.gate import allowed_hosts, refused


def ask(path: str, method: str = "GET", host: str = "127.0.0.1:7860", **headers: str) -> int:
    scope = {"type": "http", "path": path, "method": method}
    every = {b"host": host, **{name.encode(): value for name, value in headers.items()}}
    return refused(scope, every, allowed_hosts("127.0.0.1"))


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/healthz",
        "/status",
        "/uploads",
        "/jobs/stop",
        f"/pages/{'a' * 64}/3.png",
        "/assets/index.js",
        "/theme.css",
        "/gradio_api/queue/join",
        "/gradio_api/heartbeat/abc123",
    ],
)
def test_what_the_page_needs_passes(path: str) -> None:
    assert ask(path) == 0


@pytest.mark.parametrize(
    "path",
    [
        "/gradio_api/upload",
        "/gradio_api/file=/etc/passwd",
        "/file=/etc/passwd",
        "/gradio_api/proxy=http://x.hf.space/",
        "/gradio_api/vibe-edit",
        "/gradio_api/vibe-code",
        "/gradio_api/run-history/connect",
        "/gradio_api/runs",
        "/gradio_api/deep_link",
        "/gradio_api/openapi.json",
        "/gradio_api/call/ask",
        "/gradio_api/run/ask",
        "/gradio_api/component_server",
        "/monitoring",
        "/monitoring/summary",
        "/login",
        "/docs",
        "/openapi.json",
        f"/pages/{'a' * 63}/3.png",
        "/pages/../../etc/passwd/3.png",
    ],
)
def test_everything_else_does_not_exist(path: str) -> None:
    assert ask(path) == 404


def test_other_names_for_this_machine_are_refused() -> None:
    assert ask("/", host="evil.example") == 403
    assert ask("/", host="localhost:7860") == 0
    assert (
        refused({"type": "http", "path": "/", "method": "GET"}, {b"host": "any"}, allowed_hosts("0.0.0.0"))
        == 0
    )


def test_names_that_a_proxy_gives_are_looked_at_as_well() -> None:
    hosts = allowed_hosts("127.0.0.1", "papers.example.org")

    def given(method: str = "GET", **headers: str) -> int:
        every = {name.replace("_", "-").encode(): value for name, value in headers.items()}
        return refused({"type": "http", "path": "/", "method": method}, every, hosts)

    assert given(host="papers.example.org") == 0
    assert given(host="127.0.0.1:7860", x_forwarded_host="papers.example.org") == 0
    assert given(host="127.0.0.1:7860", x_forwarded_host="evil.example") == 403
    assert given(host="127.0.0.1:7860", x_forwarded_host="papers.example.org, evil.example") == 0
    assert given(host="[") == given(host="") == given() == 403
    own = {"host": "127.0.0.1:7860", "x_forwarded_host": "papers.example.org"}
    assert given("POST", **own, origin="https://papers.example.org") == 0
    assert given("POST", **own, origin="https://evil.example") == 403
    assert given("POST", **own, origin="http://[") == 403
    assert given("POST", **own, origin="null") == 403


def test_other_pages_cannot_change_anything() -> None:
    assert ask("/uploads", "PUT", origin="http://evil.example") == 403
    assert ask("/jobs/stop", "POST", origin="null") == 403
    assert ask("/uploads", "PUT", origin="http://127.0.0.1:7860") == 0
    assert ask("/uploads", "PUT") == 0


def test_no_websockets() -> None:
    assert refused({"type": "websocket", "path": "/"}, {b"host": "127.0.0.1"}, None) == 404
