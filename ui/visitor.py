"""Which browser asks, so that the queue is fair: a random number in a cookie that ends with the browser.

It stands for no rights: who may see what is rag.access's business. A browser that keeps no cookies counts
window by window.
"""

from __future__ import annotations

import re
import secrets
from http.cookies import CookieError, SimpleCookie

NAME = "bonsai-visitor"
_VALUE = re.compile(r"[\w-]{16,64}")


def visitor(cookies: str) -> str:
    """The number in a Cookie header; "" if there is none that could be ours."""
    try:
        found = SimpleCookie(cookies).get(NAME)
    except CookieError:
        return ""
    return found.value if found is not None and _VALUE.fullmatch(found.value) else ""


def greeting() -> str:
    """A Set-Cookie header with a new number. No script reads it, and no other site's request carries it."""
    return f"{NAME}={secrets.token_urlsafe(18)}; Path=/; HttpOnly; SameSite=Strict"
