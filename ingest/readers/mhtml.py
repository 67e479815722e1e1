"""MHTML: a web page that a browser saved in one file, as the page it was."""

from __future__ import annotations

import email
import email.policy
from dataclasses import replace

from ingest.encoding import Decoded
from ingest.errors import Skipped
from ingest.readers.base import Content, Source
from ingest.readers.html import read as read_html
from ingest.readers.mail_headers import header
from ingest.readers.mail_parts import parts_of


def read(source: Source) -> Content:
    message = email.message_from_bytes(source.data, policy=email.policy.compat32)
    texts = parts_of(message).texts
    page = next((text for kind, text in texts if kind == "html"), texts[0][1] if texts else "")
    if not page.strip():
        raise Skipped("a saved web page without text")
    content = read_html(replace(source, decoded=Decoded(page, "utf-8")))
    return content if content.title else replace(content, title=header(message, "Subject") or None)
