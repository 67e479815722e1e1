"""Requests to a server that speaks the OpenAI API: JSON in and out, and streams of events that can be cut."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from rag.errors import EngineError, EngineStartFailed, SettingsError

TRIES = 4
FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 8.0
_TRY_AGAIN = frozenset({408, 425, 429, 502, 503, 504})
"""What a server says that is starting, overloaded, or behind something that is."""


class Refusal(Exception):
    """The server answered with an error. status: HTTP; message: its own words, shortened."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


@dataclass(frozen=True, slots=True)
class Server:
    """address: "http://host:port/v1". key: sent as a bearer token, to that address only; "" for none.

    Raises SettingsError if the address is none.
    """

    address: str
    key: str
    timeout_s: float

    def __post_init__(self) -> None:
        parts = urlsplit(self.address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SettingsError(
                f"engine.server is {self.address!r}, which is not an address.",
                fix="Write it like http://127.0.0.1:8080/v1.",
            )

    def get(self, path: str) -> Any:
        """JSON of `path` below the address ("/models"), or of the host's root for "//props"."""
        return self._json("GET", path, None)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        return self._json("POST", path, body)

    def open(self, path: str, body: Mapping[str, Any]) -> Events:
        """Begin a stream of events. Raises Refusal, or EngineStartFailed if nobody answers."""
        return Events(*self._request("POST", path, body))

    def retried(self, work: Callable[[], Any], pause: Callable[[float], object] = time.sleep) -> Any:
        """`work` again after growing pauses while the server does not answer or says to try again.

        Raises what the last try raised: Refusal or EngineStartFailed.
        """
        wait = FIRST_PAUSE_S
        for left in range(TRIES - 1, -1, -1):
            try:
                return work()
            except (Refusal, EngineStartFailed) as error:
                final = isinstance(error, Refusal) and error.status not in _TRY_AGAIN
                if final or left == 0:
                    raise
            pause(wait)
            wait = min(LONGEST_PAUSE_S, wait * 3)
        raise AssertionError("unreachable")

    def _json(self, method: str, path: str, body: Mapping[str, Any] | None) -> Any:
        connection, response, _ = self._request(method, path, body)
        try:
            return json.loads(response.read())
        except ValueError as error:
            raise Refusal(response.status, "the answer is not JSON") from error
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(error) from error
        finally:
            connection.close()

    def _request(
        self, method: str, path: str, body: Mapping[str, Any] | None
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse, socket.socket | None]:
        parts = urlsplit(self.address)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=self.timeout_s)
        root = "" if path.startswith("//") else parts.path.rstrip("/")
        headers = {"Accept": "application/json, text/event-stream"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode("ascii")
        try:
            connection.request(method, f"{root}{path.replace('//', '/', 1)}", data, headers)
            plug = connection.sock  # the connection forgets it if the server will close
            response = connection.getresponse()
            if response.status >= 400:
                raise Refusal(response.status, _words(response.read(4096)))
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise self._unreachable(error) from error
        except Refusal:
            connection.close()
            raise
        return connection, response, plug

    def _unreachable(self, error: Exception) -> EngineStartFailed:
        return EngineStartFailed(
            f"The model server at {self.address} does not answer: {error or type(error).__name__}.",
            fix="Start it, or correct engine.server; it has to speak the OpenAI API there.",
        )


class Events:
    """The data of a stream's events, as JSON objects. `close` may be called by any thread, at any time."""

    def __init__(
        self,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
        plug: socket.socket | None,
    ) -> None:
        self._connection = connection
        self._response = response
        self._socket = plug

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Raises EngineError for what is no JSON, OSError and the like if the connection breaks."""
        for line in self._response:
            if not line.startswith(b"data:"):
                continue  # comments that keep the connection alive, and the names of events
            data = line[5:].strip()
            if data == b"[DONE]":
                return
            try:
                event = json.loads(data)
            except ValueError as error:
                raise EngineError(f"The model server sent no JSON: {data[:80]!r}.") from error
            if isinstance(event, dict):
                yield event

    def close(self) -> None:
        """Cut the connection: the server notices and stops."""
        if self._socket is not None:
            with contextlib.suppress(OSError):  # the other side was faster
                self._socket.shutdown(socket.SHUT_RDWR)
        self._connection.close()


def _words(data: bytes) -> str:
    """What an error's body says, in a line of bounded length."""
    text = data.decode("utf-8", errors="replace")
    try:
        value: Any = json.loads(text)
    except ValueError:
        return " ".join(text.split())[:300]
    for key in ("error", "message", "detail"):
        if isinstance(value, dict) and key in value:
            value = value[key]
    return " ".join((value if isinstance(value, str) else json.dumps(value)).split())[:300]
