"""Which addresses are proxies of ours, and what they may tell about a request.

What a header says of where a request came from is believed only if the connection itself comes from one of
these addresses: anybody can write a header.
"""

from __future__ import annotations

import ipaddress
from collections.abc import MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]

_FORWARDED = frozenset(
    {b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-gradio-server"}
)
"""Headers that change what gradio or this package takes for the address of the page or of the browser."""


class Addresses:
    """words: addresses and networks, parted by blanks."""

    def __init__(self, words: str) -> None:
        self._networks = [ipaddress.ip_network(word) for word in words.split()]

    def has(self, address: str) -> bool:
        known = _address(address)
        return known is not None and any(known in network for network in self._networks)

    def trusts(self, scope: Scope) -> bool:
        """Whether the connection comes from a proxy of ours."""
        return self.has(peer(scope))

    def https(self, scope: Scope) -> bool:
        """Whether the browser speaks https, to us or to the proxy."""
        if scope.get("scheme") == "https":
            return True
        return self.trusts(scope) and values(scope, b"x-forwarded-proto") == ["https"]

    def browser(self, scope: Scope) -> str:
        """The browser's address: what the nearest proxy saw, or the connection's own."""
        seen = values(scope, b"x-forwarded-for") if self.trusts(scope) else []
        last = seen[-1].rsplit(",", 1)[-1].strip() if seen else ""
        return last if _address(last) is not None else peer(scope)

    def without_hearsay(self, scope: Scope) -> Scope:
        """The request without the headers that only a proxy of ours may set."""
        if self.trusts(scope):
            return scope
        kept = [(name, value) for name, value in scope["headers"] if name.lower() not in _FORWARDED]
        return {**scope, "headers": kept}


def peer(scope: Scope) -> str:
    """The address at the other end of the connection; "" if it has none."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def values(scope: Scope, name: bytes) -> list[str]:
    """Every value of a header, as often as it was sent; one that is no text counts as empty."""
    found = []
    for key, value in scope["headers"]:
        if key.lower() == name:
            try:
                found.append(value.decode("utf-8").strip())
            except UnicodeDecodeError:
                found.append("")
    return found


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        known = ipaddress.ip_address(text)
    except ValueError:
        return None
    # A socket for both families gives an IPv4 neighbour as ::ffff:10.0.0.1.
    return getattr(known, "ipv4_mapped", None) or known
