"""The words of the domain as values. Everything above passes these around; nothing here does work.

Offsets are Python string indices (code points) into the *document text*, which is the texts of the
document's pages joined by `PAGE_BREAK`. Page numbers are physical and start at 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

PAGE_BREAK = "\n\n"
"""Joins the page texts of a document; offsets of chunks count it."""

FileState = Literal["seen", "live", "failed", "skipped"]
"""Of a file: known and waiting to be read; to be found and cited; not, for a reason that stands beside it.
Nothing is between seen and live: a document is stored whole, with its vectors and words, in one step."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a document: where its line starts in the document text, its level (1 is highest)."""

    start: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a document, one row a line: document.text[start:end] are its rows.

    header_end: where its header row (or rows) ends, behind the line's last character; start if it has none.
    """

    start: int
    end: int
    header_end: int


@dataclass(frozen=True, slots=True)
class Page:
    """A run of a document that the reader can turn to: a PDF page, a slide, a sheet, or the whole file.

    number: physical page from 1, or None where the format has no pages (never invented).
    label: what the document itself calls the page ("iv", "Sheet: Costs"), if anything.
    quality: 0 (not text) to 1 (trustworthy text).
    ocr: the text was recognised in a picture of the page, so letters may be wrong.
    """

    number: int | None
    text: str
    label: str | None = None
    quality: float = 1.0
    ocr: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """What one source file says. `sha256` (hex) is its identity; several paths may hold it."""

    sha256: str
    kind: str
    pages: tuple[Page, ...]
    headings: tuple[Heading, ...] = ()
    title: str | None = None
    tables: tuple[Table, ...] = ()

    @property
    def text(self) -> str:
        return PAGE_BREAK.join(page.text for page in self.pages)

    @property
    def page_starts(self) -> list[int]:
        """Where each page begins in `text`."""
        lengths = (len(page.text) + len(PAGE_BREAK) for page in self.pages[:-1])
        return list(accumulate(lengths, initial=0)) if self.pages else []

    def pages_between(self, start: int, end: int) -> tuple[int, ...]:
        """Numbers of the pages that text[start:end] touches; () where the format has none."""
        return tuple(
            page.number
            for page, at in zip(self.pages, self.page_starts, strict=True)
            if page.number is not None and at < end and start < at + len(page.text)
        )


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of one document's text: `document.text[start:end] == text`, white space at the ends cut.

    id: the manifest's number, also the id in the vector and keyword index; 0 before it is stored.
    document: sha256 of the document it belongs to. ordinal: its place in the document, from 0.
    pages: physical pages it touches, ascending; empty where the format has none.
    heading: titles of the headings above it, outermost first.
    tokens: its length for the embedder, prefixes and heading included.
    table_header: the header row(s) of the table in whose middle the chunk begins; "" otherwise.
    """

    document: str
    ordinal: int
    start: int
    end: int
    text: str
    pages: tuple[int, ...] = ()
    heading: tuple[str, ...] = ()
    tokens: int = 0
    id: int = 0
    table_header: str = ""


@dataclass(frozen=True, slots=True)
class Copy:
    """Another place that says what a passage says, word for word: document.text[start:end] of that document.

    The same document under another path is one, too, and another page of the same document.
    whole: all the words of the passage stand there; otherwise what stands there is a part of the passage.
    """

    document: str
    path: str
    collection: str
    pages: tuple[int, ...]
    start: int
    end: int
    whole: bool = True

    @property
    def page(self) -> int | None:
        return self.pages[0] if self.pages else None


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk retrieved for one question.

    path: the path as ingested (relative to the folder given to ingest).
    score: what it was ranked by; comparable within one result list only.
    scores: each leg's own figure, for example {"dense": 0.86, "keyword": 7.1, "fused": 0.031}.
    copies: where else the asker may read it; these are no passages of their own.
    """

    chunk: Chunk
    path: str
    collection: str
    score: float
    scores: Mapping[str, float] = field(default_factory=dict)
    copies: tuple[Copy, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the prompt shows under number n: one passage, or neighbouring ones merged into one run.

    text is `document.text[start:end]` of that run; tokens is its cost in the prompt by the loaded
    model's tokenizer. table_header: as in `Chunk`, of the chunk with which the run begins; it is shown
    before the text, marked as repeated, and is no part of it. excerpt: of one of the passages it holds
    only the sentences around the match. copies: where else it, or a part of it, is said; one for each path.
    """

    n: int
    document: str
    path: str
    collection: str
    text: str
    start: int
    end: int
    pages: tuple[int, ...]
    heading: tuple[str, ...]
    score: float
    tokens: int
    scores: Mapping[str, float] = field(default_factory=dict)
    table_header: str = ""
    excerpt: bool = False
    copies: tuple[Copy, ...] = ()

    @property
    def page(self) -> int | None:
        return self.pages[0] if self.pages else None


@dataclass(frozen=True, slots=True)
class Citation:
    """[n] in an answer. `quote` are words of evidence n that support the sentence, "" if none were found.

    verified: the quote stands in the evidence's text (after NFKC, white space, case, hyphenation).
    start, end: where it stands in the document text, None if unverified. page: the page of that place.
    """

    n: int
    path: str
    page: int | None
    quote: str
    verified: bool
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """stable: characters at the beginning of the content that further questions will repeat (evidence). The
    engine keeps what it evaluated up to there; it changes nothing else.
    """

    role: Literal["system", "user", "assistant"]
    content: str
    stable: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of a conversation and the text (Markdown with [n]) that it was answered with."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one generation. cached_tokens of the prompt did not have to be evaluated again."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    answer_tokens: int = 0
    thought_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds. first_token_s and total_s count from the question; tokens_per_s is decode speed; thought_s is
    how long the model thought in all."""

    retrieve_s: float = 0.0
    first_token_s: float = 0.0
    total_s: float = 0.0
    tokens_per_s: float = 0.0
    thought_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer. `text` is Markdown whose [n] all exist in `evidence`.

    found: False when the documents do not hold the answer (then text says so and citations are empty).
    unsupported: sentences of the answer for which no evidence was found.
    extractive: the text consists of quoted sentences because the model is a demo model.
    thought: what the model thought before it wrote, as it came; no part of the text, checked against nothing.
    """

    question: str
    text: str
    evidence: tuple[Evidence, ...]
    citations: tuple[Citation, ...]
    unsupported: tuple[str, ...] = ()
    found: bool = True
    extractive: bool = False
    stopped: bool = False
    coverage: Mapping[str, object] = field(default_factory=dict)
    usage: Usage = Usage()
    timing: Timing = Timing()
    thought: str = ""
