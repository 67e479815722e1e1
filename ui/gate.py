"""What may reach the page's server at all: hosts, origins and the few of gradio's routes that the page uses.

Gradio serves dozens of routes (file cache, uploads, proxies, monitoring, code editing, run history). The
page needs nine of them; the others are answered with 404 whoever asks. The security policy in the
headers makes the browser itself refuse every request to another machine.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from ui.visitor import greeting, visitor

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

_EVALUATION = r"evaluation/(?:panel|state|tables|run|stop|report)"
_OWN = (
    r"healthz|status|favicon\.ico|uploads|jobs/(?:stop|clear)"
    r"|conversations/[0-9a-f]{32}\.md|pages/[0-9a-f]{64}/\d{1,6}\.png|places/[0-9a-f]{64}"
)
_GRADIO = (
    r"|config|theme\.css|manifest\.json|robots\.txt|(?:assets|static|svelte)/.*"
    r"|gradio_api/(?:queue/(?:join|data)|run/predict|heartbeat/\w+|cancel|reset|startup-events|info|theme\.css)/?"
)
OPEN = re.compile(rf"^/(?:{_EVALUATION}|{_OWN}{_GRADIO})?$")
"""Paths that are answered. Everything else is a 404."""

POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' blob: data:; worker-src 'self' blob:; "
    "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
)
_HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
]
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Gate:
    """ASGI middleware. Plain functions of the scope, so that streams are passed through untouched.

    hosts: names under which the server may be addressed; None lets any pass (it listens on every
    interface, so its names are unknown). Refusing others keeps a web page elsewhere from reading this one
    by pointing its own name at 127.0.0.1.
    """

    def __init__(self, app: Any, hosts: frozenset[str] | None) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = {name.lower(): value.decode("latin-1") for name, value in scope.get("headers", [])}
        status = refused(scope, headers, self._hosts)
        if status:
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
                return
            await send({"type": "http.response.start", "status": status, "headers": list(_HEADERS)})
            await send({"type": "http.response.body", "body": b""})
            return

        more = list(_HEADERS)
        if scope["type"] == "http" and scope["path"] == "/" and not visitor(headers.get(b"cookie", "")):
            more.append((b"set-cookie", greeting().encode()))

        async def guarded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *more]}
            await send(message)

        await self._app(scope, receive, guarded)


def allowed_hosts(host: str) -> frozenset[str] | None:
    """For the address that the server listens on."""
    if host in ("0.0.0.0", "::", ""):
        return None
    return _LOOPBACK if host in _LOOPBACK else frozenset({host.lower()}) | _LOOPBACK


def refused(scope: Scope, headers: dict[bytes, str], hosts: frozenset[str] | None) -> int:
    """The status of the refusal, 0 if the request may pass."""
    if scope["type"] == "websocket" or not OPEN.match(scope["path"]):
        return 404
    host = headers.get(b"host", "")
    if hosts is not None and (urlsplit(f"//{host}").hostname or "") not in hosts:
        return 403
    origin = headers.get(b"origin")
    if origin is not None and scope["method"] not in ("GET", "HEAD") and urlsplit(origin).netloc != host:
        # A form or script of another page, sent by the reader's browser.
        return 403
    return 0
