"""HTML: the text a reader came for, with headings, lists, and tables row by row.

The tree is walked without recursion, however deep it is; a page nested deeper than the parser's limit is
read as a stream of tags instead, without looking for its main part.
"""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Any

from ingest.readers.base import Content, Limits, Source
from ingest.readers.blocks import Blocks, one_line
from ingest.readers.formulas import linear
from ingest.readers.html_fields import show_fields
from ingest.readers.html_main import is_invisible, main_part
from ingest.readers.html_plain import plain_content
from ingest.readers.html_tables import caption_of, header_of, is_data_table, rows_of
from ingest.readers.html_tags import BLOCKS, HEADINGS
from ingest.readers.symbols import mark_of_raised

_PROLOGUE = re.compile(r"^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>\[]*\[[^\]]*\]\s*>)?", re.I)
_NO_FRAMES = re.compile(r"</?noframes\b[^>]*>", re.I)
"""The parser would take what stands inside for text without tags."""
_END = re.compile(r"</(?:html|body)\s*>", re.I)
_MORE = re.compile(r"</html\s*>\s*(?!\s|<!--|\Z)", re.I)
"""The parser stops there; browsers show what follows: a list's footer, or a page behind the page."""
_TITLE = re.compile(r"<title\b[^<>]*>[^<]*", re.I)
_TITLE_END = re.compile(r"</title\b", re.I)
_BLANKS = re.compile(r"[\s\u00a0\u200b\ufeff]+")


def read(source: Source) -> Content:
    text = source.text()
    root = _tree(text)
    if root is None:
        return plain_content(text, source.limits)
    kept, left_out = main_part(root)
    title = _title(root)
    writer = _Writer(Blocks(source.limits), left_out)
    # The browser shows the title too; where the page does not repeat it, it stands first here.
    if title and not _says(kept, title):
        writer.blocks.paragraph(title)
    writer.write(kept)
    return writer.blocks.content(title)


def write_all(text: str, blocks: Blocks, limits: Limits, *, chapter: str = "") -> None:
    """Writes a piece of HTML (a chapter, the body of a mail), all that can be seen, without looking for a
    main part. chapter: its name, written as a heading where it does not begin with one itself."""
    root = _tree(text) if text.strip() else None
    if root is None:
        for paragraph in plain_content(text, limits).text.split("\n\n"):
            blocks.paragraph(paragraph)
        return
    body = next(root.iter("body"), root)
    writer = _Writer(blocks, {element for element in body.iter() if is_invisible(element, body)})
    if not chapter or any(True for _ in body.iter(*HEADINGS)):
        writer.write(body)
        return
    # The name may stand there as a paragraph that only looks like a heading.
    beginning = one_line("".join(body.itertext())[:1000])
    if not beginning.startswith(chapter):
        blocks.heading(chapter, 1)
    else:
        blocks.next_is_heading(chapter, 1)
    writer.write(body)


def paragraphs_of(text: str, limits: Limits) -> list[str]:
    """The paragraphs of a piece of HTML."""
    blocks = Blocks(limits)
    write_all(text, blocks, limits)
    return blocks.content().text.split("\n\n")


def _tree(text: str) -> Any:
    """The root element; None when the parser gave up in the middle."""
    from lxml import etree, html

    parser = html.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True, encoding="utf-8")
    # The declaration would name another encoding; entities of the page's own are not resolved. A lone
    # surrogate cannot be encoded.
    text = _NO_FRAMES.sub("", _PROLOGUE.sub("", text, count=1))
    if not _TITLE_END.search(text):
        # Else all of the page would be its title.
        text = _TITLE.sub(r"\g<0></title>", text, count=1)
    if "<![CDATA[" in text:
        # XML's mark of text; here it would make a comment of it.
        text = text.replace("<![CDATA[", "").replace("]]>", "")
    if _MORE.search(text):
        text = _END.sub("<hr>", text)
    data = text.encode("utf-8", "replace")
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return None
    gave_up = any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log)
    if gave_up:
        return None
    show_fields(root)
    return root


def _preformatted(element: Any) -> str:
    from lxml import etree

    parts: list[str] = []
    for event, inner in etree.iterwalk(element, events=("start", "end")):
        if event == "start":
            parts.append("\n" if inner.tag == "br" else inner.text or "")
        elif inner is not element:
            parts.append(inner.tail or "")
    return "".join(parts)


def _title(root: Any) -> str | None:
    for element in root.iter("title"):
        # A drawing inside the page may have titles of its own.
        if not any(above.tag == "svg" for above in element.iterancestors()):
            return one_line("".join(element.itertext())) or None
    return None


def _says(element: Any, title: str) -> bool:
    """Whether the title, or the part of it before the name of the site, stands in the element's text."""
    text = "".join("".join(element.itertext()).split()).casefold()
    page_name = re.split(r"\s[-–—|·_]\s|[_|]", title, maxsplit=1)[0]
    return any("".join(part.split()).casefold() in text for part in (title, page_name) if part.strip())


class _Writer:
    """Walks one element and writes its blocks."""

    def __init__(self, blocks: Blocks, left_out: Set[Any]) -> None:
        self.blocks = blocks
        self._left_out = left_out
        self._line: list[str] = []
        self._mark = ""
        self._heading = ""
        self._numbers: dict[Any, int] = {}

    def write(self, root: Any) -> None:
        from lxml import etree

        walker = etree.iterwalk(root, events=("start", "end"))
        whole: set[Any] = set()
        for event, element in walker:
            tag = element.tag
            if event == "start":
                if element in self._left_out:
                    walker.skip_subtree()
                elif tag == "table" and is_data_table(element):
                    self._apart()
                    self.blocks.paragraph(caption_of(element))
                    self.blocks.table(rows_of(element, self._left_out), header_of(element))
                    whole.add(element)
                    walker.skip_subtree()
                elif tag == "math":
                    self._text(linear(element) or element.get("alttext", ""))
                    whole.add(element)
                    walker.skip_subtree()
                elif tag == "pre":
                    self._apart()
                    self.blocks.verbatim(_preformatted(element))
                    whole.add(element)
                    walker.skip_subtree()
                else:
                    self._opened(element, tag)
                continue
            if element not in self._left_out and element not in whole:
                self._closed(tag)
            if element is not root and element.tail:
                self._text(element.tail)
        self._flush()

    def _opened(self, element: Any, tag: Any) -> None:
        if tag == "br":
            self._line.append("\n")
            return
        if tag in BLOCKS:
            self._apart()
        if tag in HEADINGS:
            self._heading = self._heading or tag
        elif tag == "li":
            self._mark = self._item_mark(element)
        elif tag == "sup" and self._line:
            self._line.append(mark_of_raised(self._line[-1], "".join(element.itertext())))
        if element.text:
            self._text(element.text)

    def _closed(self, tag: Any) -> None:
        if tag in HEADINGS and tag == self._heading:
            self.blocks.heading("".join(self._line), HEADINGS[tag])
            self._line.clear()
            self._heading = ""
        elif tag in BLOCKS:
            self._apart()
            if tag == "li":
                self._mark = ""

    def _item_mark(self, element: Any) -> str:
        above = element.getparent()
        if above is None or above.tag != "ol":
            return "•"
        if above not in self._numbers:
            start = above.get("start", "1")
            self._numbers[above] = int(start) if start.lstrip("-").isdigit() and len(start) < 8 else 1
        else:
            self._numbers[above] += 1
        return f"{self._numbers[above]}."

    def _text(self, text: str) -> None:
        self._line.append(_BLANKS.sub(" ", text))

    def _apart(self) -> None:
        """A block begins or ends; inside a heading that is no more than a blank."""
        if self._heading:
            self._line.append(" ")
        else:
            self._flush()

    def _flush(self) -> None:
        text = "".join(self._line)
        self._line.clear()
        if not text.strip():
            return
        if self._mark:
            self.blocks.item(f"{self._mark} {text.strip()}")
            self._mark = ""
        else:
            self.blocks.paragraph(text)
