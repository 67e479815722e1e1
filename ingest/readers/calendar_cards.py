"""Calendars (iCalendar) and address cards (vCard): their lines put together and said in words.

Both are lines `NAME;PARAMETER=x:value`, cut after 75 bytes and gone on with behind a blank (RFC 5545, 6350).
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator

from ingest.encoding import decode

_BEGIN = re.compile(r"\s*BEGIN:(?:VCALENDAR|VCARD)\s*\n", re.I)
_FOLDED = re.compile(r"\n[ \t]")
_SOFT_BREAK = re.compile(r"=\n[ \t]?")
_LINE = re.compile(r"(?:[\w-]+\.)?([A-Za-z-]+)((?:;(?:\"[^\"]*\"|[^:\";])*)*):(.*)", re.S)
_PARAMETER = re.compile(r";([A-Za-z-]+)=(\"[^\"]*\"|[^;]*)")
_MOMENT = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?\d\d(Z?))?")
_ESCAPED = re.compile(r"\\([nN,;:\\])")

_LABELS = {
    "FN": "Name", "N": "Name", "SUMMARY": "Summary", "DTSTART": "Start", "DTEND": "End", "DUE": "Due",
    "DURATION": "Duration", "RRULE": "Repeated", "LOCATION": "Location", "ORGANIZER": "Organizer",
    "ATTENDEE": "Attendee", "STATUS": "Status", "CATEGORIES": "Categories", "DESCRIPTION": "Description",
    "COMMENT": "Comment", "NICKNAME": "Nickname", "ORG": "Organization", "TITLE": "Title", "ROLE": "Role",
    "TEL": "Telephone", "EMAIL": "E-mail", "ADR": "Address", "URL": "URL", "BDAY": "Birthday", "NOTE": "Note",
    "X-WR-CALNAME": "Calendar",
}  # fmt: skip
"""What a reader wants to know; the rest is for programs."""

_PARTS = frozenset({"N", "ADR", "ORG"})
_OF_PROGRAMS = frozenset({"VTIMEZONE", "STANDARD", "DAYLIGHT", "VALARM"})


def is_calendar(text: str) -> bool:
    return _BEGIN.match(text) is not None


def in_words(text: str) -> str:
    """The entries, one paragraph each. The text as it is if it has none that could be told."""
    paragraphs: list[str] = []
    lines: list[str] = []
    inside: list[str] = []
    for name, parameters, value in _properties(text):
        if name in ("BEGIN", "END"):
            if lines:
                paragraphs.append("\n".join(lines))
                lines = []
            if name == "BEGIN":
                inside.append(value.strip().upper())
            elif inside:
                inside.pop()
            continue
        if name not in _LABELS or not _OF_PROGRAMS.isdisjoint(inside):
            continue
        if name in ("FN", "N"):
            # The name in one piece, which comes first or second, says more than its parts.
            if name == "N" and any(each.startswith("Name: ") for each in lines):
                continue
            lines = [each for each in lines if not each.startswith("Name: ")]
        line = f"{_LABELS[name]}: {_said(name, parameters, value)}"
        if not line.endswith(": "):
            lines.append(line)
    paragraphs += ["\n".join(lines)] if lines else []
    return "\n\n".join(paragraphs) or text


def _properties(text: str) -> Iterator[tuple[str, dict[str, str], str]]:
    text = text.replace("\r\n", "\n")
    if "QUOTED-PRINTABLE" in text.upper():
        text = _SOFT_BREAK.sub("", text)
    for line in _FOLDED.sub("", text).split("\n"):
        match = _LINE.fullmatch(line)
        if match is not None:
            parameters = {key.upper(): value.strip('"') for key, value in _PARAMETER.findall(match.group(2))}
            yield match.group(1).upper(), parameters, match.group(3)


def _said(name: str, parameters: dict[str, str], value: str) -> str:
    if parameters.get("ENCODING", "").upper() == "QUOTED-PRINTABLE":
        found = decode(quopri.decodestring(value.encode("utf-8")), parameters.get("CHARSET"))
        value = found.text if found else value
    if name in _PARTS:
        parts = [_unescaped(part).strip() for part in re.split(r"(?<!\\);", value)]
        return (" " if name == "N" else ", ").join(filter(None, parts))
    value = _unescaped(value).strip()
    if name in ("ORGANIZER", "ATTENDEE"):
        address = re.sub(r"(?i)^mailto:", "", value)
        return f"{parameters['CN']} ({address})" if parameters.get("CN") else address
    if name in ("DTSTART", "DTEND", "DUE", "BDAY") and (moment := _MOMENT.fullmatch(value)):
        year, month, day, hour, minute, utc = moment.groups()
        zone = " UTC" if utc else f" ({parameters['TZID']})" if parameters.get("TZID") else ""
        return f"{year}-{month}-{day}" + (f" {hour}:{minute}{zone}" if hour else "")
    return value


def _unescaped(value: str) -> str:
    return _ESCAPED.sub(lambda match: "\n" if match.group(1) in "nN" else match.group(1), value)
