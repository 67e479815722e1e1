"""HTML as a stream of tags: no tree, no depth, no main part. For pages that no parser can hold."""

from __future__ import annotations

from html.parser import HTMLParser

from ingest.readers.base import Content, Limits
from ingest.readers.blocks import Blocks, one_line
from ingest.readers.html_tags import BLOCKS, HEADINGS, NO_TEXT

_NEVER_CLOSED = frozenset({"meta", "link", "base", "input", "embed", "frame"})
_SHOWN = frozenset({"textarea"})


def plain_content(text: str, limits: Limits) -> Content:
    stream = _Stream(Blocks(limits))
    stream.feed(text)
    stream.close()
    stream.flush()
    return stream.blocks.content(one_line("".join(stream.title)) or None)


class _Stream(HTMLParser):
    def __init__(self, blocks: Blocks) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks = blocks
        self.title: list[str] = []
        self._line: list[str] = []
        self._ignored: str | None = None
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self._line.append("\n")
        elif tag in BLOCKS:
            self.flush()
        self._in_title = self._in_title or (tag == "title" and not self.title)
        if self._ignored is None and tag in NO_TEXT - _NEVER_CLOSED - _SHOWN - {"head", "title"}:
            self._ignored = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        elif tag == self._ignored:
            self._ignored = None
        elif tag in HEADINGS:
            self.blocks.heading("".join(self._line), HEADINGS[tag])
            self._line.clear()
        elif tag in BLOCKS:
            self.flush()

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title.append(data)
        elif self._ignored is None:
            self._line.append(data)

    def flush(self) -> None:
        self.blocks.paragraph("".join(self._line))
        self._line.clear()
