"""What every reader gets and gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.encoding import Decoded, decode
from ingest.errors import Unreadable
from rag.records import PAGE_BREAK, Heading, Page, Table

_UNSEEN = ("\u00ad", "\u200b", "\u2060", "\ufeff")
_WITHOUT = dict.fromkeys(map(ord, _UNSEEN))


def seen(text: str) -> str:
    """Without characters that show nothing and stand inside words: places where a line may or must not end,
    marks of byte order. Nobody types them to search for the word."""
    if not text.isascii() and any(sign in text for sign in _UNSEEN):
        return text.translate(_WITHOUT)
    return text


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that a reader keeps by itself; time and memory are bounded by the process around it.

    file_bytes: of the file. expanded_bytes: of everything unpacked from it. pages: of a document with
    pages. text_chars: of the text it gives, members included. members: files that lie in it, those that
    lie in these included. depth: how many files one that is read may lie in.

    ocr: whether pages without usable text are recognised ("auto"), none ("off") or all ("force"), in
    ocr_languages (see `ingest.ocr.languages_for`). ocr_page_s, ocr_file_s: seconds for one page, and after
    which no other page of the file is begun.
    """

    file_bytes: int = 256 << 20
    expanded_bytes: int = 512 << 20
    pages: int = 20_000
    text_chars: int = 64 << 20
    members: int = 2_000
    depth: int = 4
    ocr: str = "auto"
    ocr_languages: str = ""
    ocr_page_s: float = 60
    ocr_file_s: float = 80


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside a container: an attachment of a mail, a file of a ZIP, one embedded in a PDF.

    name: its path inside the container, with "/"; no two members of one container share it.
    data: its bytes; empty if `skip` says why they cannot be had.
    """

    name: str
    data: bytes
    skip: str | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """What one reader found: a document without its identity.

    Heading.start and the places of a Table count in the page texts joined by PAGE_BREAK, as in `Document`.
    pages is empty where the file is a container only (a ZIP).
    """

    pages: tuple[Page, ...]
    headings: tuple[Heading, ...] = ()
    title: str | None = None
    tables: tuple[Table, ...] = ()
    members: tuple[Member, ...] = ()

    @property
    def text(self) -> str:
        return PAGE_BREAK.join(page.text for page in self.pages)


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of one file and what is known of it besides. `name` is a hint, never trusted.

    decoded: the text, where recognising the kind has already decoded it.
    """

    data: bytes
    name: str
    passwords: Sequence[str] = ()
    limits: Limits = Limits()
    decoded: Decoded | None = None

    def text(self) -> str:
        """The file as text, within the limit. Raises Unreadable."""
        decoded = self.decoded or decode(self.data)
        if decoded is None:
            raise Unreadable("its text is in no known encoding")
        if len(decoded.text) > self.limits.text_chars:
            raise Unreadable(f"more than {self.limits.text_chars >> 20} million characters of text")
        return seen(decoded.text)
