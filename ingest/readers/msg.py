"""MSG: a message of Outlook, its headers and its text; what is attached becomes documents of their own.

A message attached to it has no file of its own inside: it is written out as mail.
"""

from __future__ import annotations

import io
from email.header import Header
from email.mime.application import MIMEApplication
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

from ingest.encoding import decode
from ingest.errors import Skipped, Unreadable
from ingest.readers.base import Content, Member, Source
from ingest.readers.blocks import Blocks, one_line
from ingest.readers.compressed_rtf import html_inside, unpacked
from ingest.readers.eml import write_mail
from ingest.readers.member_names import MemberNames, clean_name, file_name
from ingest.readers.msg_items import Item, message_of

_SUBJECT, _BODY, _HTML, _RTF = 0x0037, 0x1000, 0x1013, 0x1009
_SENDER, _SENDER_ADDRESS, _SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
_TO, _CC, _SENT, _DELIVERED = 0x0E04, 0x0E03, 0x0039, 0x0E06
_NAME, _ADDRESS, _SMTP, _ROLE = 0x3001, 0x3003, 0x39FE, 0x0C15
_CONTENT, _LONG_NAME, _SHORT_NAME, _CONTENT_ID, _HIDDEN = 0x3701, 0x3707, 0x3704, 0x3712, 0x7FFE
_DEEPEST = 10


def read(source: Source) -> Content:
    import olefile

    try:
        with olefile.OleFileIO(io.BytesIO(source.data)) as file:
            message = message_of(file)
            headers, texts = _headers(message), _texts(message)
            files = _files(message)
            subject = one_line(message.text(_SUBJECT))
    except OSError as error:
        raise Unreadable(f"damaged MSG: {error}") from error
    if not any(text.strip() for _, text in texts) and not files:
        raise Skipped("a message of Outlook without text, only headers")
    blocks = Blocks(source.limits)
    write_mail(blocks, headers, texts, files, source)
    return blocks.content(subject or None, files)


def _headers(message: Item) -> list[str]:
    address = message.text(_SENDER_SMTP) or message.text(_SENDER_ADDRESS)
    sent = message.time(_SENT) or message.time(_DELIVERED)
    pairs = {
        "From": _person(message.text(_SENDER), address),
        "To": _people(message, 1) or message.text(_TO),
        "Cc": _people(message, 2) or message.text(_CC),
        "Date": sent.strftime("%Y-%m-%d %H:%M UTC") if sent else "",
        "Subject": message.text(_SUBJECT),
    }
    return [f"{name}: {one_line(text)}" for name, text in pairs.items() if text.strip()]


def _people(message: Item, role: int) -> str:
    found = []
    for person in message.parts("__recip_version1.0_"):
        if person.number(_ROLE) == role:
            found.append(_person(person.text(_NAME), person.text(_SMTP) or person.text(_ADDRESS)))
    return ", ".join(found)


def _person(name: str, address: str) -> str:
    # Addresses inside Exchange are paths that nobody writes to.
    address = address if "@" in address else ""
    return f"{name} <{address}>" if name and address and name != address else name or address


def _texts(message: Item) -> list[tuple[str, str]]:
    """The body once: as plain text, else HTML, else RTF."""
    plain = message.text(_BODY)
    if plain.strip():
        return [("plain", plain.replace("\r\n", "\n"))]
    data = message.data(_HTML)
    html = message.text(_HTML)
    if data:
        decoded = decode(data)
        html = decoded.text if decoded else ""
    if html.strip():
        return [("html", html)]
    packed = message.data(_RTF)
    if not packed:
        return []
    rtf = unpacked(packed)
    inside = html_inside(rtf)
    if inside:
        return [("html", inside)]
    from ingest.readers.rtf import read as read_rtf

    return [("plain", read_rtf(Source(rtf, "body.rtf")).text)]


def _files(message: Item, depth: int = 0) -> list[Member]:
    names = MemberNames()
    found = []
    for number, part in enumerate(message.parts("__attach_version1.0_"), start=1):
        name = part.text(_LONG_NAME) or part.text(_SHORT_NAME) or part.text(_NAME)
        inner = part.message_inside()
        if inner is not None:
            name = one_line(inner.text(_SUBJECT)) or name or "message"
            found.append(Member(names.unique(clean_name(f"{name}.eml")), _as_mail(inner, depth)))
            continue
        data = part.data(_CONTENT)
        shown_in_text = part.text(_CONTENT_ID) and (part.number(_HIDDEN) or name.lower().startswith("image"))
        if data and not shown_in_text:
            found.append(Member(names.unique(file_name(name or f"attachment {number}")), data))
    return found


def _as_mail(message: Item, depth: int) -> bytes:
    mail = MIMEMultipart()
    for line in _headers(message):
        name, _, text = line.partition(": ")
        mail[name] = Header(text, "utf-8").encode()
    for kind, text in _texts(message):
        mail.attach(MIMEText(text, kind, "utf-8"))
    for file in _files(message, depth + 1) if depth < _DEEPEST else ():
        part = MIMEApplication(file.data)
        part.add_header("Content-Disposition", "attachment", filename=("utf-8", "", file.name))
        mail.attach(part)
    return mail.as_bytes()
