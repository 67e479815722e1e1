"""XML: what its elements say, in order. Entities of its own are never resolved, nothing is fetched.

Two sorts are told apart by their tags. Documents (articles, books, feeds) are read as prose: paragraphs,
titles as headings, tables. Data is read as values behind the names of their
elements, lists of records as tables.
"""

from __future__ import annotations

import html.entities
import re
from typing import Any

from ingest.errors import Unreadable
from ingest.readers.base import Content, Source
from ingest.readers.blocks import Blocks, one_line
from ingest.readers.xml_office import read_office
from ingest.readers.xml_records import attributes_of, local, record_rows
from rag.records import Page

_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_AROUND_PARTS = "parts-of-a-file"
_MORE_BEHIND_IT = frozenset({"ERR_DOCUMENT_END", "ERR_RESERVED_XML_NAME"})
_BETWEEN_PARTS = re.compile(r"<\?xml\b[^>]*\?>|<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>")
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,30});")
_DECLARED_ENTITY = re.compile(r"<!ENTITY\s+([^\s%]+)")
_OF_XML = frozenset({"amp", "lt", "gt", "quot", "apos"})
_MARKUP = re.compile(
    r"</?(?:p|br|div|a|b|i|em|strong|span|ul|ol|li|img|h[1-6]|table|blockquote)\b[^<>]*>", re.I
)

_TITLES = frozenset({"title", "head", "heading", "article-title", "bridgehead", "header"})
_PARAGRAPHS = frozenset(
    """p para simpara formalpara ab l line verse speech sp abstract-text simplesect blockquote programlisting
    screen literallayout code-block codeblock note quote lead summary description content encoded synopsis
    term def verse-line cell entry td th text body-text""".split()  # noqa: SIM905
)
_ITEMS = frozenset({"li", "item", "listitem", "list-item", "varlistentry", "step"})
_TABLES = frozenset({"table", "informaltable", "tgroup", "Table", "table-wrap-table"})
_ROWS = frozenset({"row", "tr", "Row", "strow", "sthead"})
_CELLS = frozenset({"entry", "td", "th", "cell", "Cell", "stentry"})
_PROSE = frozenset(
    {"p", "para", "simpara", "ab", "section", "sect1", "chapter", "article", "channel", "feed", "sec"}
)
_DEEPEST = 6
_LONGEST_TITLE = 200
_LONGEST_WORD = 500
_ENCODED = re.compile(r"[A-Za-z0-9+/=\s]+")
"""Pictures and the like, written as text without words."""


def read(source: Source) -> Content:
    text = source.text()
    root = _tree(text)
    if root is None and _DECLARED_ENTITY.search(text[:65_536]):
        raise Unreadable("refused: it declares entities and cannot be read without resolving them")
    if root is None:
        return Content((Page(None, text),))
    office = read_office(root, source)
    if office is not None:
        return office
    prose = any(local(element) in _PROSE for element in root.iter())
    writer = _Writer(Blocks(source.limits), prose, source)
    if root.tag == _AROUND_PARTS:
        writer.parts(root)
    else:
        writer.element(root, 0)
    return writer.blocks.content(writer.title)


def _tree(text: str) -> Any:
    """The root element, one of ours around several; None if the parser gave up at a limit of its own."""
    declared = set(_DECLARED_ENTITY.findall(text[:65_536])) | _OF_XML

    def known(match: re.Match[str]) -> str:
        name = match.group(1)
        return match.group() if name in declared else html.entities.html5.get(f"{name};", " ")

    body = _ENTITY.sub(known, _DECLARATION.sub("", text, count=1))
    root, errors = _parsed(body)
    if errors & _MORE_BEHIND_IT:
        # Several elements one behind the other, as programs write that only ever append.
        inner = _BETWEEN_PARTS.sub("", body)
        root, errors = _parsed(f"<{_AROUND_PARTS}>{inner}</{_AROUND_PARTS}>")
        if root is not None and len(root) == 1 and not _is_mixed(root):
            root = root[0]
    return None if errors & {"ERR_RESOURCE_LIMIT", "ERR_ENTITY_LOOP"} else root


def _parsed(body: str) -> tuple[Any, set[str]]:
    """The root element, None if there is none, and the kinds of the mistakes that were found."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, recover=True,
        remove_comments=True, remove_pis=True, encoding="utf-8",
    )  # fmt: skip
    try:
        root = etree.fromstring(body.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        root = None
    return root, {entry.type_name for entry in parser.error_log}


class _Writer:
    """Recursion is bounded by the parser, which takes no more than 256 levels."""

    def __init__(self, blocks: Blocks, prose: bool, source: Source) -> None:
        self.blocks = blocks
        self.title: str | None = None
        self._prose = prose
        self._source = source

    def element(self, element: Any, level: int) -> None:
        name = local(element)
        if name in _TITLES and 0 < len(_text(element)) <= _LONGEST_TITLE:
            self._heading(_text(element), level)
        elif name in _TABLES:
            self._table(element, level)
        elif name in _PARAGRAPHS or _is_mixed(element):
            self._paragraph(element, level)
        elif not _has_elements(element):
            self._value(name, element)
        else:
            self._container(name, element, level)

    def parts(self, around: Any) -> None:
        """What stands in a file without one root element, in order, words between the elements too."""
        if not _is_mixed(around):
            self._container("", around, 0)
            return
        self.blocks.paragraph(one_line(around.text or ""))
        for part in around:
            if isinstance(part.tag, str):
                self.element(part, 0)
            self.blocks.paragraph(one_line(part.tail or ""))

    def _container(self, name: str, element: Any, level: int) -> None:
        attributes = [] if self._prose else attributes_of(element)
        if attributes:
            self.blocks.paragraph(f"{name} ({', '.join(f'{key}: {value}' for key, value in attributes)})")
        rows = record_rows(element)
        if rows and not self._prose:
            self.blocks.table(rows, 1)
            return
        titled = any(local(child) in _TITLES for child in element)
        for child in element:
            if not isinstance(child.tag, str):
                continue
            self.element(child, level + (1 if titled and local(child) not in _TITLES else 0))

    def _heading(self, text: str, level: int) -> None:
        self.title = self.title or text
        self.blocks.heading(text, min(_DEEPEST, level + 1))

    def _value(self, name: str, element: Any) -> None:
        text = _text(element)
        if len(text) > _LONGEST_WORD and _ENCODED.fullmatch(text) and text.count(" ") * 40 < len(text):
            return
        shown = [f"{key}: {value}" for key, value in attributes_of(element)]
        if _MARKUP.search(text):
            self._markup(text)
        elif name in _ITEMS and text:
            self.blocks.item(f"• {text}")
        elif text:
            beside = f" ({', '.join(shown)})" if shown and not self._prose else ""
            self.blocks.item(f"{name}{beside}: {text}")
        elif shown:
            self.blocks.item(f"{name} ({', '.join(shown)})")

    def _paragraph(self, element: Any, level: int) -> None:
        """The text of an element with what stands inside it; blocks inside it are blocks of their own."""
        text = "".join(element.itertext()) if not _has_elements(element) else ""
        if text and _MARKUP.search(text):
            self._markup(text)
            return
        line: list[str] = []
        mark = "• " if local(element) in _ITEMS else ""

        def flush() -> None:
            nonlocal mark
            written = one_line("".join(line))
            line.clear()
            if written and mark:
                self.blocks.item(mark + written)
            elif written:
                self.blocks.paragraph(written)
            mark = ""

        def walk(inner: Any) -> None:
            line.append(inner.text or "" if isinstance(inner.tag, str) else "")
            for child in inner:
                if isinstance(child.tag, str):
                    if local(child) in _TABLES | _ITEMS or (
                        local(child) in _PARAGRAPHS and local(inner) not in ("term",)
                    ):
                        flush()
                        self.element(child, level)
                    elif local(child) in ("br", "lb", "tab"):
                        line.append(" ")
                    else:
                        walk(child)
                line.append(child.tail or "")

        walk(element)
        flush()

    def _markup(self, text: str) -> None:
        """HTML that stands inside an element as text, as in feeds."""
        from ingest.readers.html import paragraphs_of

        for paragraph in paragraphs_of(text, self._source.limits):
            self.blocks.paragraph(paragraph)

    def _table(self, element: Any, level: int) -> None:
        rows: list[list[str]] = []
        header = 0
        for row in element.iter():
            name = local(row)
            if name in ("caption", "title") and _text(row):
                self.blocks.paragraph(_text(row))
            elif name in _ROWS:
                cells = [cell for cell in row if local(cell) in _CELLS]
                rows.append([one_line(" ".join(cell.itertext())) for cell in cells])
                above = local(row.getparent())
                head = above == "thead" or (cells and all(local(cell) == "th" for cell in cells))
                header += int(bool(head and header == len(rows) - 1))
        if rows:
            self.blocks.table(rows, header or None)
        else:
            for child in element:
                if isinstance(child.tag, str):
                    self.element(child, level)


def _text(element: Any) -> str:
    return one_line("".join(element.itertext()))


def _has_elements(element: Any) -> bool:
    return any(isinstance(child.tag, str) for child in element)


def _is_mixed(element: Any) -> bool:
    """Whether words stand beside elements."""
    if not _has_elements(element):
        return False
    return bool((element.text or "").strip() or any((child.tail or "").strip() for child in element))
