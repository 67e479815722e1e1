"""The parts of a mail: which are its text, which are files of their own."""

from __future__ import annotations

import email
import email.errors
import email.policy
import re
from dataclasses import dataclass, field
from email.generator import BytesGenerator
from email.message import Message
from io import BytesIO
from mimetypes import guess_extension

from ingest.encoding import decode
from ingest.readers.base import Limits, Member
from ingest.readers.calendar_cards import in_words
from ingest.readers.mail_headers import decoded_words, header
from ingest.readers.mail_payload import payload_of
from ingest.readers.mail_signed import signed_message
from ingest.readers.mail_text import flowed, without_uuencoded
from ingest.readers.member_names import MemberNames, file_name

_DEEPEST = 20
_MOST_PARTS = 2000
_SIGNATURES = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature",
     "text/x-amp-html", "message/delivery-status", "text/rfc822-headers", "message/disposition-notification"}
)  # fmt: skip

_SEALED = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_ENCRYPTED = "encrypted for its receiver (S/MIME)"

_SAYS_ONLY = re.compile(
    r"\bhtml\b.{0,80}(?:mail|message|view|display|show|support|client|reader|anzeig|unterst)"
    r"|(?:mail|message|view|display|client|reader|anzeig|支持|显示|查看).{0,80}html", re.I | re.S
)  # fmt: skip
_LONGEST_NOTE = 300
"""Characters of a plain text that may say only that the mail is to be seen as HTML."""

_OF_PAGES = frozenset({"text/css", "text/javascript", "application/javascript", "application/x-javascript"})


@dataclass(slots=True)
class Parts:
    """texts: (subtype, text) of the body in its order, one of each pair of alternatives.

    files: what is attached. left: how many parts may still come.
    """

    texts: list[tuple[str, str]] = field(default_factory=list)
    files: list[Member] = field(default_factory=list)
    names: MemberNames = field(default_factory=MemberNames)
    left: int = _MOST_PARTS

    def leave_out(self, name: str, reason: str) -> None:
        """Names something that is not read."""
        self.files.append(Member(self.names.unique(name), b"", reason))


def parts_of(message: Message) -> Parts:
    found = Parts()
    _part(message, found, 0, alone=True)
    return found


def _part(part: Message, found: Parts, depth: int, *, alone: bool = False) -> None:
    found.left -= 1
    if found.left < 0:
        if found.left == -1:
            found.leave_out("further parts", f"not read: the mail has more than {_MOST_PARTS} parts")
        return
    if depth > _DEEPEST:
        found.leave_out("nested parts", f"not read: parts inside each other, more than {_DEEPEST} deep")
        return
    kind = part.get_content_type()
    if kind == "message/rfc822" or (part.get_content_maintype() == "message" and part.is_multipart()):
        if kind == "message/rfc822" or kind == "message/global":
            _attached_message(part, found)
        elif kind not in _SIGNATURES:
            for inner in _inner(part):
                _part(inner, found, depth + 1)
        else:
            found.texts.append(("plain", "\n".join(str(inner) for inner in _inner(part))))
        return
    if part.is_multipart():
        _several(part, kind, found, depth)
        return
    if part.get_content_maintype() == "multipart":
        # Its boundary never comes: what is there is text, if it is anything.
        kind, alone = "text/plain", True
    if kind in _SIGNATURES:
        return
    if kind in _SEALED:
        _sealed(part, found, depth)
        return
    name = _file_name(part)
    disposition = (part.get_content_disposition() or "").lower()
    textual = kind in ("text/plain", "text/html", "text/enriched", "text/richtext") or (
        kind.startswith("text/") and not name
    )
    attached = not alone and (
        disposition == "attachment" or (name and (disposition != "inline" or found.texts))
    )
    if textual and not attached:
        _text(part, kind, found)
    elif not (kind.startswith("image/") and part.get("Content-ID") and disposition != "attachment"):
        # Pictures that the text shows are not files that somebody sent.
        _file(part, kind, name, found)


def _several(part: Message, kind: str, found: Parts, depth: int) -> None:
    inner = _inner(part)
    if kind == "multipart/related":
        # What belongs to the first part: pictures, styles.
        inner = inner[:1] + [one for one in inner[1:] if not _serves_a_page(one)]
    if kind != "multipart/alternative":
        for one in inner:
            _part(one, found, depth + 1)
        return
    choices: list[Parts] = []
    for one in inner:
        choice = Parts(names=found.names, left=found.left)
        _part(one, choice, depth + 1)
        found.left = choice.left
        found.files.extend(choice.files)
        choices.append(choice)
    found.texts.extend(_best([choice for choice in choices if not _invites(choice)]))
    # When and where stands in the invitation alone, often enough.
    found.texts.extend(text for choice in choices if _invites(choice) for text in choice.texts)


def _invites(choice: Parts) -> bool:
    return any(kind == "calendar" for kind, _ in choice.texts)


def _serves_a_page(part: Message) -> bool:
    kind = part.get_content_type()
    shown = kind.startswith(("image/", "font/", "audio/", "video/")) or kind in _OF_PAGES
    return shown and (part.get_content_disposition() or "").lower() != "attachment"


def _best(choices: list[Parts]) -> list[tuple[str, str]]:
    """The plain text, unless it only says that there is another."""
    sizes = [
        0
        if _only_a_note(choice) and len(choices) > 1
        else sum(len("".join(_bare(*text).split())) for text in choice.texts)
        for choice in choices
    ]
    for choice, size in zip(choices, sizes, strict=True):
        if size and all(kind == "plain" for kind, _ in choice.texts) and 8 * size >= max(sizes):
            return choice.texts
    return choices[sizes.index(max(sizes))].texts if choices else []


def _only_a_note(choice: Parts) -> bool:
    text = " ".join(text for kind, text in choice.texts if kind == "plain")
    whole = all(kind == "plain" for kind, _ in choice.texts)
    return whole and len(text) <= _LONGEST_NOTE and _SAYS_ONLY.search(text) is not None


def _bare(kind: str, text: str) -> str:
    if kind == "plain":
        return text
    from ingest.readers.html import paragraphs_of

    return "\n".join(paragraphs_of(text, Limits()))


def _sealed(part: Message, found: Parts, depth: int) -> None:
    """A message inside its signature is the mail itself; an encrypted one is named."""
    inner = signed_message(payload_of(part))
    if inner is None:
        found.leave_out(_file_name(part) or "smime.p7m", _ENCRYPTED)
    else:
        _part(email.message_from_bytes(inner, policy=email.policy.compat32), found, depth + 1, alone=True)


def _text(part: Message, kind: str, found: Parts) -> None:
    data = payload_of(part)
    label = part.get_content_charset()
    decoded = decode(data, label) if data.strip() else None
    if decoded is None:
        if data.strip():
            _file(part, kind, _file_name(part), found)
        return
    text = decoded.text
    if kind == "text/calendar":
        found.texts.append(("calendar", in_words(text)))
        return
    if kind != "text/plain" and kind != "text/html":
        text = re.sub(r"<[^<>]*>", "", text)
    if kind != "text/html":
        if str(part.get_param("format", "")).lower() == "flowed":
            text = flowed(text, joined=str(part.get_param("delsp", "")).lower() == "yes")
        text, files = without_uuencoded(text)
        found.files.extend(Member(found.names.unique(file_name(name)), content) for name, content in files)
    if text.strip():
        found.texts.append(("html" if kind == "text/html" else "plain", text))


def _file(part: Message, kind: str, name: str, found: Parts) -> None:
    data = payload_of(part)
    if not name:
        name = f"attachment{guess_extension(kind) or '.bin'}"
    if data.strip():
        found.files.append(Member(found.names.unique(file_name(name)), data))
    else:
        found.files.append(Member(found.names.unique(file_name(name)), b"", "empty"))


def _attached_message(part: Message, found: Parts) -> None:
    for inner in _inner(part):
        name = _file_name(part) or header(inner, "Subject") or "message"
        if not name.lower().endswith(".eml"):
            name += ".eml"
        if not inner.keys() and part.get("Content-Transfer-Encoding") and not inner.is_multipart():
            inner["Content-Transfer-Encoding"] = part["Content-Transfer-Encoding"]
            data = payload_of(inner)
        else:
            data = as_bytes(inner)
        found.files.append(Member(found.names.unique(file_name(name)), data))
    payload = part.get_payload()
    if not part.is_multipart() and isinstance(payload, str) and payload.strip():
        # A message that was encoded, which the standard forbids and programs do.
        data = payload_of(part)
        name = _file_name(part) or "message.eml"
        found.files.append(Member(found.names.unique(file_name(name)), data))


def as_bytes(message: Message) -> bytes:
    """The message as it stood inside another."""
    out = BytesIO()
    try:
        BytesGenerator(out, mangle_from_=False, maxheaderlen=0).flatten(message)
    except (UnicodeError, LookupError, TypeError, email.errors.MessageError):
        return message.as_string().encode("utf-8", "surrogateescape")
    return out.getvalue()


def _inner(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [one for one in payload if isinstance(one, Message)] if isinstance(payload, list) else []


def _file_name(part: Message) -> str:
    try:
        name = part.get_filename()
    except Exception:  # noqa: BLE001 - damaged parameters
        return ""
    return decoded_words(name) if name else ""
