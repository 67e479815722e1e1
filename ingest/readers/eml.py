"""Mail: its headers and its text; what is attached becomes documents of their own."""

from __future__ import annotations

import email
import email.policy
import re

from ingest.errors import Skipped, Unreadable
from ingest.readers.base import Content, Member, Source
from ingest.readers.blocks import Blocks
from ingest.readers.html import write_all
from ingest.readers.mail_headers import header, shown_headers
from ingest.readers.mail_parts import parts_of

_ODD_BOUNDARY = re.compile(
    rb"""boundary[ \t]*=[ \t]*"?((?:'[^\s"';]{1,200}'|[^\s"';]{0,200}[\x80-\xff][^"';\r\n]{0,200}))""", re.I
)
_NO_BOUNDARY = re.compile(rb'(?i)\bboundary[ \t]*=[ \t]*""')


def read(source: Source) -> Content:
    data = source.data
    if source.decoded is not None:
        # Stored in UTF-16: what its headers say of the encoding was true before.
        data = re.sub(r"(?i)charset=[\"']?[\w.:-]+[\"']?", "charset=utf-8", source.text()).encode()
    message = email.message_from_bytes(_parted(_bare(data)), policy=email.policy.compat32)
    parts = parts_of(message)
    subject = header(message, "Subject")
    if not any(text.strip() for _, text in parts.texts) and not parts.files:
        if not message.keys():
            raise Unreadable("damaged: neither the headers nor the text of a mail can be made out")
        raise Skipped("a mail without text, only headers")
    blocks = Blocks(source.limits)
    write_mail(blocks, shown_headers(message), parts.texts, parts.files, source)
    return blocks.content(subject or None, parts.files)


def write_mail(
    blocks: Blocks, headers: list[str], texts: list[tuple[str, str]], files: list[Member], source: Source
) -> None:
    """headers: lines "Name: text". texts: ("plain" | "html", text)."""
    lines = list(headers)
    if files:
        lines.append("Attachments: " + ", ".join(file.name for file in files))
    blocks.paragraph("\n".join(lines))
    for kind, text in texts:
        if kind == "html":
            write_all(text, blocks, source.limits)
        else:
            for paragraph in re.split(r"\n[^\S\n]*\n", text):
                blocks.verbatim(paragraph)


def _bare(data: bytes) -> bytes:
    """Without what programs put before the headers: a mark of UTF-8, blank lines, a line of a mailbox, the
    number of bytes in Apple's files."""
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    counted = re.match(rb"(\d{1,12})[ \t]*\r?\n(?=[A-Za-z-]+:)", data)
    if counted:
        data = data[counted.end() :][: int(counted.group(1))]
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")
    return re.sub(rb"\A>?From [^\r\n]*\r?\n", b"", data, count=1)


def _parted(data: bytes) -> bytes:
    """With boundaries between parts that the standard allows: those beyond ASCII become others, quotation
    marks go that do not belong to them, and one without a character is none."""
    data = _NO_BOUNDARY.sub(b"", data)
    for named in set(_ODD_BOUNDARY.findall(data)):
        meant = named if b"--" + named in data else named.strip(b"'")
        plain = meant if meant.isascii() else b"boundary-" + meant.hex().encode()[:60]
        if b"--" + meant in data:
            data = data.replace(b'"%b"' % named, b'"%b"' % plain).replace(b"=" + named, b'="%b"' % plain)
            data = data.replace(b"--" + meant, b"--" + plain)
    return data
