"""What is said at the start about who may come in."""

from __future__ import annotations

import ipaddress

from rag.settings import Settings
from ui.entry.door import ProxyDoor, UserDoor


def who_comes_in(door: ProxyDoor | UserDoor, host: str, settings: Settings) -> str:
    """Lines of their own; "" for one person at their own machine."""
    if isinstance(door, ProxyDoor):
        return (
            f"\nWho asks is told by the header {settings.ui.proxy_header}, from "
            f"{' '.join(settings.ui.proxy_addresses.split()) or 'nowhere'} only."
        )
    if door.shut:
        return f"\nPeople sign in: {', '.join(door.users.names())}."
    if _loopback(host):
        return ""
    changes = " and may add and remove documents" if settings.ui.changes == "readers" else ""
    return (
        f"\nATTENTION: everybody who reaches {host} reads every open collection{changes}: nobody is asked "
        "who they are. `python -m ui users add NAME` sets up a sign-in; docs/operations.md has the ways."
    )


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
