"""A window's stream of answers belongs to the person who opened it.

gradio tells windows apart by a number that the browser makes up, and hands whatever belongs to that number
to whoever names it. Where people have names, the first one who uses a number keeps it.
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

MAX_BODY = 1 << 20
_MOST = 20_000
_HEARTBEAT = re.compile(r"/gradio_api/heartbeat/(\w+)/?")
_WITH_BODY = re.compile(r"/gradio_api/(?:queue/join|run/predict|cancel|reset)/?")


class TooLong(Exception):
    """The body is longer than MAX_BODY."""


class Windows:
    """Whose each window is. The numbers used the longest time ago are forgotten."""

    def __init__(self) -> None:
        self._owners: OrderedDict[str, str] = OrderedDict()

    def claim(self, window: str, name: str) -> bool:
        """Whether it is that person's, or is from now on."""
        owner = self._owners.setdefault(window, name)
        self._owners.move_to_end(window)
        while len(self._owners) > _MOST:
            self._owners.popitem(last=False)
        return owner == name


async def window_of(scope: MutableMapping[str, Any], receive: Receive) -> tuple[str, Receive]:
    """The number that a request names, "" if none; and what is to be received from instead.

    Raises TooLong, and ValueError for a body that is no JSON object or whose number is none.
    """
    path = scope["path"]
    heartbeat = _HEARTBEAT.fullmatch(path)
    if heartbeat:
        return heartbeat[1], receive
    if path.startswith("/gradio_api/queue/data"):
        named = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("session_hash", [])
        if len(set(named)) > 1:
            raise ValueError("two windows")
        return (named[0] if named else ""), receive
    if scope["method"] == "POST" and _WITH_BODY.fullmatch(path):
        body, replayed = await _whole(receive)
        said = json.loads(body, object_pairs_hook=_once) if body else {}
        window = said.get("session_hash") if isinstance(said, dict) else None
        if not isinstance(said, dict) or not isinstance(window, str | None):
            raise ValueError("not what gradio sends")
        return window or "", replayed
    return "", receive


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A name that stands twice could mean one thing here and another to gradio."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a name stands twice")
    return made


async def _whole(receive: Receive) -> tuple[bytes, Receive]:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ValueError("the sender has gone")
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            raise TooLong
        if not message.get("more_body", False):
            break
    whole, given = bytes(body), False

    async def replayed() -> MutableMapping[str, Any]:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": whole, "more_body": False}

    return whole, replayed
