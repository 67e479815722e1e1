"""RTF: the text as a word processor shows it, with headings, tables, lists, notes and comments.

Every font may have an encoding of its own, and a character of several bytes may be written as several
escapes: bytes are gathered until something else comes, then decoded in the font's encoding.
"""

from __future__ import annotations

from dataclasses import dataclass

from ingest.readers.base import Content, Source
from ingest.readers.blocks import Blocks, one_line
from ingest.readers.rtf_layout import Layout
from ingest.readers.rtf_tokens import Word, tokens
from ingest.readers.rtf_words import (
    CHARACTERS,
    CHARSETS,
    ENDS_PARAGRAPH,
    KEPT_THOUGH_OPTIONAL,
    LEFT_OUT,
    code_page,
)
from ingest.readers.titles import plausible_title


@dataclass(slots=True)
class _State:
    """What a group inherits and gives back at its end. to: where its text goes. label: it is the number or
    mark of a list item, which has a format of its own."""

    to: str = "body"
    font: int | None = None
    skip: int = 1
    hidden: bool = False
    label: bool = False


def read(source: Source) -> Content:
    document = _Document(Blocks(source.limits))
    document.feed(source.data)
    return document.content()


class _Document:
    def __init__(self, blocks: Blocks) -> None:
        self._layout = Layout(blocks)
        self._page = "cp1252"
        self._fonts: dict[int, str] = {}
        self._state = _State()
        self._stack: list[_State] = []
        self._opening = False
        self._optional = False
        self._to_skip = 0
        self._bytes = bytearray()
        self._texts: dict[str, list[str]] = {"body": []}
        self._title: str | None = None

    def feed(self, data: bytes) -> None:
        for token in tokens(data):
            if isinstance(token, Word):
                self._word(token)
            elif isinstance(token, bytes):
                self._literal(token)
            elif token == "{":
                self._flush()
                state = self._state
                self._stack.append(_State(state.to, state.font, state.skip, state.hidden, state.label))
                self._opening = True
                self._optional = False
                continue
            elif token == "}":
                self._close()
            else:
                self._symbol(token)
                if token == "*":
                    continue
            self._opening = self._optional = False

    def content(self) -> Content:
        self._flush()
        self._layout.end_table()
        self._end_paragraph()
        for text in dict.fromkeys(map(one_line, self._texts.get("furniture", []))):
            self._layout.aside("furniture", text)
        self._layout.write_asides()
        return self._layout.blocks.content(plausible_title(self._title))

    def _word(self, word: Word) -> None:
        name, value = word.name, word.value
        if self._opening and self._destination(name):
            return
        if name == "u" and value is not None:
            # Half characters come in pairs: they are joined when the text is complete.
            self._put(chr(value & 0xFFFF))
            self._to_skip = self._state.skip
            return
        if name in CHARACTERS:
            self._put(CHARACTERS[name])
        elif name in ENDS_PARAGRAPH:
            self._end_line()
        elif name in ("cell", "nestcell"):
            self._flush()
            self._layout.end_cell(self._body())
        elif name in ("row", "nestrow"):
            self._flush()
            self._layout.end_row()
        else:
            self._property(name, value)

    def _property(self, name: str, value: int | None) -> None:
        if name in ("f", "af") and value is not None:
            if name == "f":
                self._flush()
                self._state.font = value
        elif name == "fcharset" and self._state.to == "fonts" and self._state.font is not None:
            self._fonts[self._state.font] = CHARSETS.get(value or 0, self._page)
        elif name == "cpg" and self._state.to == "fonts" and self._state.font is not None and value:
            self._fonts[self._state.font] = code_page(value)
        elif name == "ansicpg" and value:
            self._page = code_page(value)
        elif name in ("mac", "pc", "pca"):
            self._page = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}[name]
        elif name == "uc":
            self._state.skip = value or 0
        elif name in ("v", "deleted"):
            self._flush()
            self._state.hidden = value != 0
        elif name == "plain":
            self._flush()
            self._state.hidden = False
        elif self._state.label:
            return
        elif name == "pard":
            self._layout.plain_paragraph()
        elif name == "s" and value is not None:
            self._layout.style(value)
        elif name == "outlinelevel" and value is not None:
            self._layout.outline(value + 1, of_style=self._state.to == "styles")
        elif name == "intbl":
            self._layout.paragraph.in_table = True
        elif name == "trowd":
            self._layout.begin_row()
        elif name == "trhdr":
            self._layout.row_is_header()

    def _destination(self, name: str) -> bool:
        """Whether the word says where the text of the group it begins belongs."""
        if name in ("fonttbl", "stylesheet", "info"):
            self._state.to = {"fonttbl": "fonts", "stylesheet": "styles", "info": "nowhere"}[name]
        elif name == "title":
            self._state.to = "title"
        elif name in ("header", "footer", "headerl", "headerr", "headerf", "footerl", "footerr", "footerf"):
            self._state.to = "furniture"
        elif name in ("footnote", "annotation"):
            self._state.to = name
            self._texts[name] = []
        elif name in ("listtext", "pntext"):
            self._layout.paragraph.listed = True
            self._state.label = True
        elif name == "upr":
            self._state.to = "nowhere"
        elif name == "ud":
            self._state.to = self._stack[-2].to if len(self._stack) > 1 else "body"
        elif name in LEFT_OUT or (self._optional and name not in KEPT_THOUGH_OPTIONAL):
            self._state.to = "nowhere"
        else:
            return False
        return True

    def _symbol(self, symbol: str) -> None:
        if symbol == "*":
            self._optional = True
        elif symbol in "\\{}":
            self._literal(symbol.encode("ascii"))
        elif symbol == "~":
            self._put(" ")
        elif symbol == "_":
            self._put("-")
        elif symbol in "\r\n":
            self._end_line()

    def _literal(self, data: bytes) -> None:
        if self._to_skip:
            skipped = min(self._to_skip, len(data))
            self._to_skip -= skipped
            data = data[skipped:]
        if data and self._state.to != "nowhere" and not self._state.hidden:
            self._bytes += data

    def _put(self, text: str) -> None:
        self._flush()
        if self._state.to != "nowhere" and not self._state.hidden:
            self._texts.setdefault(self._state.to, []).append(text)

    def _flush(self) -> None:
        """Decode what has come as bytes."""
        self._to_skip = 0
        if not self._bytes:
            return
        data = bytes(self._bytes)
        self._bytes.clear()
        # Text beyond ASCII in a font without a charset is in the document's code page.
        encoding = self._fonts.get(self._state.font if self._state.font is not None else -1, self._page)
        text = data.decode(encoding, "replace")
        if "\ufffd" in text:
            text = data.decode(self._page, "replace")
        self._texts.setdefault(self._state.to, []).append(text)

    def _close(self) -> None:
        self._flush()
        ended = self._state.to
        self._state = self._stack.pop() if self._stack else _State()
        text = one_line(_joined(self._texts.get(ended, []))) if ended != "body" else ""
        if ended == "styles":
            self._layout.name_style(text)
            self._texts[ended] = []
        if ended == self._state.to:
            return
        if ended in ("footnote", "annotation") and text:
            self._layout.aside(ended, text)
        elif ended == "title":
            self._title = text
        if ended in ("footnote", "annotation"):
            self._texts[ended] = []

    def _end_line(self) -> None:
        self._flush()
        if self._state.to == "styles":
            return
        if self._state.to != "body":
            self._texts.setdefault(self._state.to, []).append("\n")
        elif self._layout.paragraph.in_table:
            self._texts["body"].append(" ")
        else:
            self._layout.end_table()
            self._end_paragraph()

    def _end_paragraph(self) -> None:
        self._layout.end_paragraph(self._body())

    def _body(self) -> str:
        """The text that has come since the last paragraph or cell."""
        text = _joined(self._texts["body"])
        self._texts["body"] = []
        return text


def _joined(parts: list[str]) -> str:
    """With the halves of characters beyond U+FFFF put together."""
    return "".join(parts).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
