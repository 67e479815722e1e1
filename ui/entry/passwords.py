"""Passwords as they are kept: scrypt (RFC 7914) with a salt of their own, in one line of text.

"scrypt:N:r:p:SALT:HASH", salt and hash in base64: the cost stands beside the hash, so that it can be raised
for new ones. 32 MiB and p = 3 is one of the settings that OWASP's cheat sheet on storing passwords gives.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import unicodedata

from rag.errors import UsageError

LEAST, MOST = 10, 256
"""Characters that a password has."""
_N, _R, _P = 2**15, 8, 3
_MEMORY = 96 << 20


def kept(password: str) -> str:
    """The line that is kept. Raises UsageError for a password that is too short or too long."""
    made = _composed(password)
    if not LEAST <= len(made) <= MOST:
        raise UsageError(
            f"A password has {LEAST} to {MOST} characters; this one has {len(made)}.",
            fix="Four or five words that do not belong together are easy to remember.",
        )
    salt = secrets.token_bytes(16)
    return ":".join(("scrypt", str(_N), str(_R), str(_P), _text(salt), _text(_hash(made, salt, _N, _R, _P))))


def fits(password: str, line: str) -> bool:
    """Whether it is the password of that line, in a time that tells nothing. False for what is no line."""
    try:
        kind, n, r, p, salt, wanted = line.split(":")
        if kind != "scrypt":
            return False
        made = _hash(_composed(password)[:MOST], base64.b64decode(salt), int(n), int(r), int(p))
        return hmac.compare_digest(made, base64.b64decode(wanted))
    except ValueError:
        return False


NOBODYS = ":".join(("scrypt", str(_N), str(_R), str(_P), "A" * 22 + "==", "A" * 43 + "="))
"""No password's line. Tried for unknown names, so that a wrong name takes as long as a wrong password."""


def _hash(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(
        password.encode("utf-8", "surrogatepass"), salt=salt, n=n, r=r, p=p, maxmem=_MEMORY, dklen=32
    )


def _composed(password: str) -> str:
    """The same from every keyboard: a letter with an accent may come in two forms."""
    return unicodedata.normalize("NFKC", password)


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode()
