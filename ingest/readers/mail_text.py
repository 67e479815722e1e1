"""What plain texts of mails have of their own: soft line ends, and files written between the lines."""

from __future__ import annotations

import binascii
import re

_UUENCODED = re.compile(r"^begin [0-7]{3,4} ([^\n]{1,200})\n((?:[ -`]{1,80}\n)+?)(?:`?\n)?end[ \t]*$", re.M)
_QUOTES = re.compile(r"(>*) ?")


def flowed(text: str, *, joined: bool) -> str:
    """RFC 3676: a line that ends with a blank goes on in the next one. joined: that blank is no blank."""
    lines: list[str] = []
    open_quotes = None
    for line in text.split("\n"):
        quotes = _QUOTES.match(line)
        marks = quotes.group(1) if quotes else ""
        body = line[len(marks) :]
        body = body[1:] if body.startswith(" ") else body
        if open_quotes == marks and lines:
            lines[-1] += body
        else:
            lines.append(f"{marks} {body}" if marks else body)
        soft = body.endswith(" ") and body != "-- "
        if soft and joined:
            lines[-1] = lines[-1][:-1]
        open_quotes = marks if soft else None
    return "\n".join(lines)


def without_uuencoded(text: str) -> tuple[str, list[tuple[str, bytes]]]:
    """The text without the files in it, and those with their names."""
    if "begin " not in text:
        return text, []
    files: list[tuple[str, bytes]] = []

    def take(match: re.Match[str]) -> str:
        try:
            data = b"".join(
                binascii.a2b_uu(line.encode("ascii")) for line in match.group(2).splitlines() if line
            )
        except (binascii.Error, UnicodeEncodeError):
            return match.group()
        files.append((match.group(1).strip(), data))
        return ""

    return _UUENCODED.sub(take, text), files
