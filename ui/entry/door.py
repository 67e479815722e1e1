"""The two ways of knowing who asks, and what is done where nobody is known."""

from __future__ import annotations

from typing import Protocol

from rag.access import ANYONE, Asker, person
from rag.errors import SettingsError, UsageError
from rag.settings import Settings
from ui.entry.addresses import Addresses, Scope, values
from ui.entry.sessions import Sessions
from ui.entry.users import Users
from ui.entry.visit import Visit

COOKIE = "bonsai-session"
SECURE_COOKIE = f"__Host-{COOKIE}"
"""Under https: a browser takes this name from https pages of this very host only, so that no page of a
neighbouring host and nobody on the line can put a session of their own in its place."""

_POLLED = ("/status", "/evaluation/state", "/gradio_api/heartbeat/", "/gradio_api/queue/data")
"""What an open window asks for by itself: not a sign that somebody is there."""


class Door(Protocol):
    addresses: Addresses

    def look(self, scope: Scope) -> Visit:
        """Who asks. Called for every request."""
        ...


class ProxyDoor:
    """A proxy in front logs people in and says in a header who asks; requests past it are turned away."""

    def __init__(self, header: str, addresses: Addresses) -> None:
        self.addresses = addresses
        self._header = header.lower().encode("ascii")

    def look(self, scope: Scope) -> Visit:
        https, address = self.addresses.https(scope), self.addresses.browser(scope)
        if not self.addresses.trusts(scope):
            return Visit(None, named=True, status=403, why="entry.past_proxy", https=https, address=address)
        named = values(scope, self._header)
        try:
            # Twice: one of them may be the browser's own.
            name = person(named[0]) if len(named) == 1 else ""
        except UsageError:
            name = ""
        if not name:
            return Visit(None, named=True, status=403, why="entry.no_name", https=https, address=address)
        return Visit(Asker(name), named=True, https=https, address=address)


class UserDoor:
    """The page's own sign-in, if there is anybody who may; else everybody comes in and nobody has a name.

    Once there was somebody it stays shut for all others as long as this process lives, whatever becomes of
    the file.
    """

    def __init__(self, users: Users, sessions: Sessions, addresses: Addresses) -> None:
        self.addresses = addresses
        self.users = users
        self.sessions = sessions
        self._shut = bool(users.names())

    @property
    def shut(self) -> bool:
        """Whether people have to sign in. A file that cannot be read lets nobody in."""
        if not self._shut:
            try:
                self._shut = bool(self.users.names())
            except SettingsError:
                self._shut = True
        return self._shut

    def look(self, scope: Scope) -> Visit:
        https, address = self.addresses.https(scope), self.addresses.browser(scope)
        if not self.shut:
            return Visit(ANYONE, https=https, address=address)
        token = _token(values(scope, b"cookie"), SECURE_COOKIE if https else COOKIE)
        name = self._name(token, uses=not scope["path"].startswith(_POLLED))
        return Visit(
            Asker(name) if name else None,
            named=True,
            https=https,
            address=address,
            token=token,
            still=lambda: self._name(token, uses=False) is not None,
        )

    def _name(self, token: str, *, uses: bool) -> str | None:
        session = self.sessions.find(token, uses=uses) if token else None
        if session is None:
            return None
        try:
            line = self.users.line(session.name)
        except SettingsError:
            return None
        if line != session.line:  # another password, or no such person any more
            self.sessions.end(token)
            return None
        return session.name


def door(settings: Settings) -> ProxyDoor | UserDoor:
    """As the settings and the file of users want it. Raises SettingsError where both are used."""
    addresses = Addresses(settings.ui.proxy_addresses)
    users = Users(settings.home)
    if settings.ui.proxy_header:
        if users.names():
            raise SettingsError(
                f"Who asks is told by a proxy (ui.proxy_header is {settings.ui.proxy_header!r}), and there "
                f"is a list of people who sign in here ({users.path}).",
                fix="Take the setting away, or everybody out of the list: `python -m ui users remove NAME`.",
            )
        return ProxyDoor(settings.ui.proxy_header, addresses)
    return UserDoor(users, Sessions(settings.ui.session_hours * 3600), addresses)


def _token(cookies: list[str], name: str) -> str:
    """The cookie of that name; "" if there is none, or two: one of them somebody else put there."""
    pairs = [pair.strip().partition("=") for line in cookies for pair in line.split(";")]
    found = {value for key, _, value in pairs if key == name}
    return found.pop() if len(found) == 1 else ""
