"""The real server on a real socket, in a thread of this process; and a browser's part of gradio's queue."""

from __future__ import annotations

import json
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn
from starlette.testclient import TestClient

from ui.__main__ import config
from ui.server import Application
from ui.service import Service

PASSWORD = "correct horse battery"


class Kept:
    """A part that all tests share: a server that ends does not close it."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def close(self) -> None:
        pass


@contextmanager
def served(service: Service, host: str = "127.0.0.1") -> Iterator[str]:
    """Its address."""
    application = Application(service, host)
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(config(application))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        application.release()
        server.should_exit = True
        thread.join(30)
        listening.close()


class Browser:
    """One person's window. name: "" has not signed in."""

    def __init__(self, url: str, name: str = "", **more: Any) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=60, **more)
        self.window = secrets.token_hex(6)
        if name:
            answer = self.sign_in(name)
            assert answer.status_code == 303, answer.text
        self.event("opened", ["", ""])  # what may be chosen from then on is what it was given

    def sign_in(self, name: str, password: str = PASSWORD, **headers: str) -> httpx.Response:
        return self.http.post(
            "/sign-in", data={"name": name, "password": password}, headers={"Origin": self.url, **headers}
        )

    def event(self, name: str, data: list[Any], event: dict[str, Any] | None = None) -> list[Any] | int:
        """What a handler of the page gives in the end, or the status of the refusal."""
        joined = self.http.post(
            "/gradio_api/queue/join",
            json={
                "fn_index": HANDLERS.index(name),
                "data": data,
                "session_hash": self.window,
                "event_data": event,
            },
        )
        if joined.status_code != 200:
            return joined.status_code
        shown: list[Any] = []
        with self.http.stream(
            "GET", "/gradio_api/queue/data", params={"session_hash": self.window}
        ) as stream:
            if stream.status_code != 200:
                return stream.status_code
            for line in stream.iter_lines():
                if not line.startswith("data: "):
                    continue
                said = json.loads(line.removeprefix("data: "))
                if said["msg"] in ("process_generating", "process_completed"):
                    shown.append(said["output"].get("data", said["output"].get("error")))
                if said["msg"] in ("process_completed", "unexpected_error"):
                    break
        return shown


HANDLERS = (
    "opened", "ask", "stop", "new", "pick", "forget", "rename", "cite", "refresh", "more", "remove", "filter",
)  # fmt: skip
"""In the order in which ui.page binds them."""


BASE = "http://127.0.0.1:7860"


def client(application: Application, peer: str = "127.0.0.1", base: str = BASE) -> TestClient:
    return TestClient(application, base_url=base, client=(peer, 5000), follow_redirects=False)


def scope(peer: str, *headers: tuple[str, str | bytes], path: str = "/status") -> dict[str, Any]:
    encoded = [
        (name.encode(), value if isinstance(value, bytes) else value.encode()) for name, value in headers
    ]
    return {
        "type": "http", "method": "GET", "path": path, "scheme": "http", "query_string": b"",
        "client": (peer, 1234), "headers": [(b"host", b"127.0.0.1:7860"), *encoded],
    }  # fmt: skip
