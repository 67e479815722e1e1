"""Signing in and out."""

from __future__ import annotations

import asyncio
import logging
import math
import re
from urllib.parse import parse_qs

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from rag.errors import SettingsError
from ui.entry import passwords
from ui.entry.brake import Brake
from ui.entry.door import COOKIE, SECURE_COOKIE, UserDoor
from ui.entry.page import sign_in_html
from ui.entry.visit import Visit, visit_of
from ui.language import Texts, language_of, texts

_MAX_FORM = 8 << 10
_AT_ONCE, _WAITING = 2, 32
"""A check takes 32 MiB and a processor for a while: so many at the same time, so many more wait."""
_CONVERSATION = re.compile(r"[0-9a-f]{32}")

log = logging.getLogger("bonsai.ui")


def routes(app: FastAPI, door: UserDoor) -> None:
    """Adds /sign-in and /sign-out; while nobody has to sign in they do not exist."""
    brake, turn = Brake(), asyncio.Semaphore(_AT_ONCE)
    waiting = 0

    @app.get("/sign-in")
    def form(request: Request, c: str = "") -> Response:
        visit = _known(request)
        if visit.asker is not None:
            return RedirectResponse(_page_of(c), 303)
        return _form(request, conversation=c)

    @app.post("/sign-in")
    async def sign_in(request: Request) -> Response:
        nonlocal waiting
        visit, words = _known(request), _texts(request)
        _check_origin(request)
        name, password, conversation = await _read(request)
        tried = name.strip().casefold()[:200]
        seconds = brake.begin(tried, visit.address)
        if seconds:
            said = words("entry.wait", n=math.ceil(seconds))
            answer = _form(request, 429, name=name, said=said, conversation=conversation)
            answer.headers["Retry-After"] = str(math.ceil(seconds))
            return answer
        if waiting >= _WAITING:
            raise HTTPException(503, words("problem.busy"))
        waiting += 1
        try:
            async with turn:
                session = await asyncio.to_thread(_session, door, name, password)
        except SettingsError as error:
            log.error("Nobody can sign in: %s", error)
            raise HTTPException(503, words("entry.broken")) from error
        finally:
            waiting -= 1
        if session is None:
            log.warning("A sign-in from %s failed.", visit.address)
            return _form(request, 401, name=name, said=words("entry.wrong"), conversation=conversation)
        brake.passed(tried, visit.address)
        # What the browser had before is worth nothing from now on.
        door.sessions.end(visit.token)
        entered = RedirectResponse(_page_of(conversation), 303)
        _set_cookie(entered, visit, session)
        return entered

    @app.post("/sign-out")
    def sign_out(request: Request) -> Response:
        visit = _known(request)
        _check_origin(request)
        door.sessions.end(visit.token)
        answer = RedirectResponse("/sign-in", 303)
        _set_cookie(answer, visit, "")
        return answer

    def _known(request: Request) -> Visit:
        if not door.shut:
            raise HTTPException(404)
        return visit_of(request.scope)


def _session(door: UserDoor, name: str, password: str) -> str | None:
    """The token of a new session; None if name or password is wrong. Takes as long for either."""
    known = door.users.called(name)
    line = door.users.line(known) if known else None
    if not passwords.fits(password, line or passwords.NOBODYS) or known is None or line is None:
        return None
    return door.sessions.begin(known, line)


def _check_origin(request: Request) -> None:
    """A form of another site could sign its reader in as somebody else. (That it is ours if there is one has
    been seen to at the gate; every browser sends one with a form.)"""
    if "origin" not in request.headers:
        raise HTTPException(403)


async def _read(request: Request) -> tuple[str, str, str]:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > _MAX_FORM:
            raise HTTPException(413)
    fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=8)
    name, password, conversation = (fields.get(key, [""])[-1] for key in ("name", "password", "c"))
    return name, password, conversation


def _page_of(conversation: str) -> str:
    """Never anything but our own page: an address that comes from outside leads nowhere else."""
    return f"/?c={conversation}" if _CONVERSATION.fullmatch(conversation) else "/"


def _form(
    request: Request, status: int = 200, *, name: str = "", said: str = "", conversation: str = ""
) -> HTMLResponse:
    carried = conversation if _CONVERSATION.fullmatch(conversation) else ""
    page = sign_in_html(_texts(request), name=name[:200], said=said, conversation=carried)
    # Under "no-referrer" a browser would send our own form with the origin "null".
    return HTMLResponse(page, status, headers={"Referrer-Policy": "same-origin"})


def _set_cookie(answer: Response, visit: Visit, token: str) -> None:
    """token: "" takes the cookie away. It ends with the browser, and earlier with its session here."""
    answer.set_cookie(
        SECURE_COOKIE if visit.https else COOKIE,
        token,
        max_age=None if token else 0,
        path="/",
        secure=visit.https,
        httponly=True,
        samesite="strict",
    )


def _texts(request: Request) -> Texts:
    return texts(language_of(request.headers.get("accept-language")))
