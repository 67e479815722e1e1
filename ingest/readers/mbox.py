"""A mailbox file: each message in it becomes a document of its own."""

from __future__ import annotations

import email
import email.policy
import re

from ingest.errors import Unreadable
from ingest.readers.base import Content, Member, Source
from ingest.readers.mail_headers import header
from ingest.readers.member_names import MemberNames, clean_name

_START = re.compile(
    rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From \S{1,200} [^\n]{0,60}\d\d:\d\d[^\n]{0,30}\d{4}[^\n]{0,60}\n"
)
_ESCAPED = re.compile(rb"^>(>*From )", re.M)
_LONGEST_NAME = 80
_MOST_MESSAGES = 50_000


def read(source: Source) -> Content:
    data = source.data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    starts = list(_START.finditer(data))
    if len(starts) > _MOST_MESSAGES:
        raise Unreadable(f"a mailbox of {len(starts)} messages; the limit is {_MOST_MESSAGES}")
    ends = [match.start() for match in starts[1:]] + [len(data)]
    names = MemberNames()
    width = len(str(len(starts)))
    members = []
    for number, (match, end) in enumerate(zip(starts, ends, strict=True), start=1):
        message = _ESCAPED.sub(rb"\1", data[match.end() : end])
        top = re.split(rb"\r?\n\r?\n", message[:100_000], maxsplit=1)[0]
        subject = header(email.message_from_bytes(top, policy=email.policy.compat32), "Subject")
        name = f"{number:0{width}d} {subject[:_LONGEST_NAME]}".strip()
        members.append(Member(names.unique(clean_name(name) + ".eml"), message))
    return Content((), members=tuple(members))
