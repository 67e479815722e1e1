"""MHTML: a web page that a browser saved in one file, as the page it was."""

from __future__ import annotations

import email
import email.policy
from dataclasses import replace

from ingest.encoding import Decoded
from ingest.errors import Skipped
from ingest.readers.base import Content, Source
from ingest.readers.blocks import Blocks
from ingest.readers.html import read as read_html
from ingest.readers.html import write_all
from ingest.readers.mail_headers import header
from ingest.readers.mail_parts import parts_of


def read(source: Source) -> Content:
    message = email.message_from_bytes(source.data, policy=email.policy.compat32)
    texts = parts_of(message).texts
    pages = [text for kind, text in texts if kind == "html"] or [text for _, text in texts[:1]]
    if not any(map(str.strip, pages)):
        raise Skipped("a saved web page without text")
    content = read_html(replace(source, decoded=Decoded(pages[0], "utf-8")))
    title = content.title or header(message, "Subject") or None
    blocks = Blocks(source.limits)
    blocks.append(content)
    for frame in pages[1:]:
        # Pages that stood in frames of the page.
        write_all(frame, blocks, source.limits)
    return blocks.content(title)
