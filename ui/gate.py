"""What may reach the page's server at all: hosts, origins, people who may come in, and the few of gradio's
routes that the page uses.

Gradio serves dozens of routes (file cache, uploads, proxies, monitoring, code editing, run history). The
page needs nine of them; the others are answered with 404 whoever asks. The security policy in the
headers makes the browser itself refuse every request to another machine.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from ui.entry.door import Door
from ui.entry.page import arriving_html, refusal_html
from ui.entry.visit import KEY, Visit
from ui.entry.windows import TooLong, Windows, window_of
from ui.language import language_of, texts
from ui.visitor import greeting, visitor

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

_EVALUATION = r"evaluation/(?:panel|state|tables|run|stop|report)"
_OWN = (
    r"healthz|status|favicon\.ico|sign-in|sign-out|uploads|jobs/(?:stop|clear)"
    r"|conversations/[0-9a-f]{32}\.md|pages/[0-9a-f]{64}/\d{1,6}\.png|places/[0-9a-f]{64}"
)
_GRADIO = (
    r"|config|theme\.css|manifest\.json|robots\.txt|(?:assets|static|svelte)/.*"
    r"|gradio_api/(?:queue/(?:join|data)|run/predict|heartbeat/\w+|cancel|reset|startup-events|info|theme\.css)/?"
)
OPEN = re.compile(rf"/(?:{_EVALUATION}|{_OWN}{_GRADIO})?")
"""Paths that are answered. Everything else is a 404."""
FREE = frozenset({"/healthz", "/sign-in", "/favicon.ico"})
"""Of these, what is answered to those who have not signed in."""
_SAME_FOR_ALL = re.compile(r"/(?:assets|static|svelte)/.*|/theme\.css|/favicon\.ico")
_STREAMS = ("/gradio_api/queue/data", "/gradio_api/heartbeat/")
_CONVERSATION = re.compile(r"(?:.*&)?c=([0-9a-f]{32})(?:&.*)?")

POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' blob: data:; worker-src 'self' blob:; "
    "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
)
_HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
]
_NO_REFERRER = (b"referrer-policy", b"no-referrer")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Gate:
    """ASGI middleware. Plain functions of the scope, so that streams are passed through untouched.

    hosts: names under which the server may be addressed; None lets any pass (it listens on every
    interface, so its names are unknown). Refusing others keeps a web page elsewhere from reading this one
    by pointing its own name at 127.0.0.1. door: knows who asks.
    """

    def __init__(self, app: Any, hosts: frozenset[str] | None, door: Door) -> None:
        self._app = app
        self._hosts = hosts
        self._door = door
        self._windows = Windows()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        scope = self._door.addresses.without_hearsay(scope)
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        status = refused(scope, headers, self._hosts)
        if status:
            await _answer(send, status)
            return
        visit = self._door.look(scope)
        if scope["path"] not in FREE and await _turned_away(scope, headers, visit, send):
            return
        scope = {**scope, KEY: visit}
        if visit.asker is not None and visit.asker.name:
            try:
                window, receive = await window_of(scope, receive)
            except TooLong:
                await _answer(send, 413)
                return
            except ValueError:
                await _answer(send, 400)
                return
            if window and not self._windows.claim(window, visit.asker.name):
                await _answer(send, 403)
                return
        more = list(_HEADERS)
        if scope["path"] == "/" and not visitor(headers.get(b"cookie", "")):
            more.append((b"set-cookie", greeting().encode()))
        await self._app(scope, receive, _guarded(scope, visit, more, send))


def _guarded(scope: Scope, visit: Visit, more: list[tuple[bytes, bytes]], send: Send) -> Send:
    """Sends with our headers; a stream ends when whoever it is for may not be here any longer."""
    personal = visit.named and not _SAME_FOR_ALL.fullmatch(scope["path"])
    stream = visit.named and scope["path"].startswith(_STREAMS)
    ended = False

    async def guarded(message: MutableMapping[str, Any]) -> None:
        nonlocal ended
        if ended:
            return
        if message["type"] == "http.response.start":
            own = list(message.get("headers", []))
            if personal:
                # Neither a proxy nor the browser's memory of pages keeps what the next person must not see.
                own = [(name, value) for name, value in own if name.lower() != b"cache-control"]
                own.append((b"cache-control", b"private, no-store"))
            if not any(name.lower() == b"referrer-policy" for name, _ in own):
                own.append(_NO_REFERRER)
            message = {**message, "headers": [*own, *more]}
        elif stream and not visit.still():
            ended = True
            message = {"type": "http.response.body", "body": b"", "more_body": False}
        await send(message)

    return guarded


async def _turned_away(scope: Scope, headers: dict[bytes, str], visit: Visit, send: Send) -> bool:
    """Answers those who may not come in: people at their browser with a page, programs with a status."""
    if visit.asker is not None:
        return False
    to_person = scope["path"] == "/" and scope["method"] in ("GET", "HEAD")
    if visit.status:
        page = refusal_html(texts(language_of(headers.get(b"accept-language"))), visit.why)
        await _answer(send, visit.status, page if to_person else "")
    elif to_person and headers.get(b"sec-fetch-site") in ("cross-site", "same-site"):
        # Somebody follows a link in a mail or on another site: a strict cookie does not come with that. Our
        # own page asks once more, and then it does.
        asked = _CONVERSATION.fullmatch(scope.get("query_string", b"").decode("latin-1"))
        await _answer(send, 200, arriving_html(f"/?c={asked[1]}" if asked else "/"))
    elif to_person:
        asked = _CONVERSATION.fullmatch(scope.get("query_string", b"").decode("latin-1"))
        target = f"/sign-in?c={asked[1]}" if asked else "/sign-in"
        await _answer(send, 303, location=target)
    else:
        await _answer(send, 401)
    return True


async def _answer(send: Send, status: int, page: str = "", location: str = "") -> None:
    headers = [*_HEADERS, _NO_REFERRER, (b"cache-control", b"no-store")]
    if page:
        headers.append((b"content-type", b"text/html; charset=utf-8"))
    if location:
        headers.append((b"location", location.encode("ascii")))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": page.encode()})


def allowed_hosts(host: str, names: str = "") -> frozenset[str] | None:
    """For the address that the server listens on. names: under which it is reached besides, by way of a
    proxy for example, parted by blanks."""
    known = frozenset(names.lower().split())
    if host in ("0.0.0.0", "::", ""):
        return known | _LOOPBACK if known else None
    return _LOOPBACK | known if host in _LOOPBACK else frozenset({host.lower()}) | _LOOPBACK | known


def refused(scope: Scope, headers: dict[bytes, str], hosts: frozenset[str] | None) -> int:
    """The status of the refusal, 0 if the request may pass."""
    if scope["type"] == "websocket" or not OPEN.fullmatch(scope["path"]):
        return 404
    host = headers.get(b"host", "")
    # From a proxy of ours (others' word for it is gone by now): what the browser called us, if the proxy
    # itself calls us by another name.
    forwarded = headers.get(b"x-forwarded-host", "").partition(",")[0].strip()
    names = [host, forwarded] if forwarded else [host]
    if hosts is not None and not all(_place(f"//{name}")[0] in hosts for name in names):
        return 403
    origin = headers.get(b"origin")
    if origin is not None and scope["method"] not in ("GET", "HEAD") and _place(origin)[1] not in names:
        # A form or script of another page, sent by the reader's browser.
        return 403
    return 0


def _place(address: str) -> tuple[str, str]:
    """Host name, and host with port, of an address; both "" if it is none."""
    try:
        parts = urlsplit(address)
        return parts.hostname or "", parts.netloc
    except ValueError:
        return "", ""
