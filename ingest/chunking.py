"""A document → chunks: as much text as the limit allows, cut where the text itself has its joints.

The document is encoded once, block by block; chunks are runs of pieces (`ingest.pieces`) whose token
counts come from the tokenizer's own offsets, put together by `ingest.cutting`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ingest.cutting import best_cuts
from ingest.page_runs import APART, runs
from ingest.pieces import Cut, Piece, pieces, whole_character
from ingest.table_headers import TableHeaders
from rag.embedding.protocol import Embedder
from rag.errors import UsageError
from rag.records import Chunk, Document, Heading
from rag.text.context import context_line, embedding_text

SMALLEST_LIMIT = 16

_COST = {
    Cut.CHARACTER: 1.4,
    Cut.WORD: 0.9,
    Cut.CLAUSE: 0.6,
    Cut.UNDER_HEADING: 0.8,
    Cut.ROW: 0.25,
    Cut.BROKEN_LINE: 0.25,
    Cut.SENTENCE: 0.15,
    Cut.LINE: 0.05,
    Cut.PAGE: 0.0,
    Cut.PARAGRAPH: 0.0,
    Cut.HEADING: -0.7,
}
"""Of beginning a chunk at such a place, in units of an empty chunk's cost."""

_SLACK = 4
"""A text cut out of its document may have that many more tokens than inside it, if it has no blanks."""

_BLOCK = 16_384
"""Characters encoded at once: keeps the tokenizer's memory flat over long documents."""

_GRAIN = 24
"""Neighbouring pieces are joined while they are smaller than this part of the limit."""

_LEAST_ROOM = 24
"""Tokens of text that a chunk may have (or the limit, if that is less) however long its headings are."""


def chunk(
    document: Document,
    embedder: Embedder,
    *,
    limit_tokens: int,
    overlap_tokens: int = 0,
) -> list[Chunk]:
    """The chunks of `document` in order, each at most min(limit_tokens, embedder.max_tokens) tokens.

    That length is of `embedding_text(chunk, document.title)`: title and headings included; Chunk.tokens
    may be a few off where it is well below the limit. Only where title and headings leave less than 24
    tokens for the text may a chunk be longer, but never longer than the embedder takes. A chunk that begins
    inside a table repeats the table's header, shortened to a third of the limit if need be. No chunk covers
    two slides or sheets but for those that hold only a title, and none is under another one's title. With
    overlap_tokens a chunk begins that much earlier, inside the same section. Pages that hold no
    trustworthy text (`ingest.quality`) give no chunks. Raises UsageError for a limit under 16.
    """
    limit = min(limit_tokens, embedder.max_tokens)
    if limit < SMALLEST_LIMIT or not 0 <= overlap_tokens <= limit // 2:
        raise UsageError(
            f"Chunks of {limit} tokens with an overlap of {overlap_tokens} are not possible.",
            fix=f"Give a chunk at least {SMALLEST_LIMIT} tokens and an overlap of at most half of them.",
        )
    maker = _Maker(document, embedder, limit, overlap_tokens)
    chunks: list[Chunk] = []
    for first, last in runs(document):
        for span in maker.spans(first, last):
            chunks.extend(maker.chunks(span, len(chunks)))
    return chunks


@dataclass(slots=True)
class _Counted:
    """A piece with its tokens and the index of the heading it stands under (-1: none)."""

    piece: Piece
    tokens: int
    heading: int


@dataclass(frozen=True, slots=True)
class _Span:
    """A chunk to be: its place, the heading it stands under, its tokens by the pieces in it."""

    start: int
    end: int
    heading: int
    tokens: int


class _Maker:
    def __init__(self, document: Document, embedder: Embedder, limit: int, overlap: int) -> None:
        self._document = document
        self._text = document.text
        self._embedder = embedder
        self._limit = limit
        self._title = document.title
        self._overlap = overlap
        self._heading_starts = [heading.start for heading in document.headings]
        self._context: dict[int, int] = {}
        self._paths = _paths(document.headings)
        self._page_starts = document.page_starts
        self._headers = TableHeaders(document, embedder.token_offsets)

    def spans(self, first: int, last: int) -> Iterator[_Span]:
        """Where the chunks of pages[first:last] begin and end."""
        run = self._joined(self._counted(pieces(self._document, first, last)))
        begins = best_cuts(
            [counted.tokens for counted in run],
            [self._room(counted) for counted in run],
            [_COST[counted.piece.before] for counted in run],
        )
        for number, begin in enumerate(begins):
            stop = begins[number + 1] if number + 1 < len(begins) else len(run)
            early = self._earlier(run, begin)
            tokens = sum(counted.tokens for counted in run[early:stop])
            heading, start = run[begin].heading, run[early].piece.start
            tokens += self._context_tokens(heading) + self._header(start, heading)[1]
            yield _Span(start, run[stop - 1].piece.end, heading, tokens)

    def chunks(self, span: _Span, ordinal: int) -> list[Chunk]:
        """The chunk of this span, or several in the rare case that its exact length is over the limit."""
        start, end = _trimmed(self._text, span.start, span.end)
        if start >= end:
            return []
        path = self._paths[span.heading] if span.heading >= 0 else ()
        made = Chunk(
            self._document.sha256,
            ordinal,
            start,
            end,
            self._text[start:end],
            self._pages(start, end),
            path,
            span.tokens,
            table_header=self._header(start, span.heading)[0],
        )
        if span.tokens + 2 * _SLACK <= self._limit:
            return [made]
        exact = self._count(embedding_text(made, self._title))
        most = max(self._limit, self._context_tokens(span.heading) + _LEAST_ROOM)
        if exact <= min(most, self._embedder.max_tokens) or end - start == 1:
            return [replace(made, tokens=exact)]
        middle = whole_character(self._text, _middle(self._text, start, end), end)
        if not start < middle < end:
            middle = (start + end) // 2
        chunks: list[Chunk] = []
        for half in ((start, middle), (middle, end)):
            # Half of a text that is too long by a little needs no counting, but a strange one may.
            part = _Span(*half, span.heading, self._limit)
            chunks.extend(self.chunks(part, ordinal + len(chunks)))
        return chunks

    def _counted(self, run: Iterator[Piece]) -> Iterator[_Counted]:
        """Pieces with their tokens; a piece over the limit is cut at token boundaries."""
        room = max(_LEAST_ROOM, self._limit // 2) if self._limit > _LEAST_ROOM else self._limit // 2
        block: list[Piece] = []
        for piece in run:
            if block and piece.end - block[0].start > _BLOCK:
                yield from self._count_block(block, room)
                block = []
            block.append(piece)
        if block:
            yield from self._count_block(block, room)

    def _count_block(self, block: list[Piece], room: int) -> Iterator[_Counted]:
        base = block[0].start
        starts = [base + start for start, _ in self._embedder.token_offsets(self._text[base : block[-1].end])]
        for piece in block:
            heading = self._heading_at(piece.start)
            first, last = bisect_left(starts, piece.start), bisect_left(starts, piece.end)
            before, begin = piece.before, piece.start
            while last - first > room:
                stop = whole_character(self._text, starts[first + room], piece.end)
                if not begin < stop < piece.end:
                    break
                yield _Counted(Piece(begin, stop, before), bisect_left(starts, stop) - first, heading)
                first, begin, before = bisect_left(starts, stop), stop, Cut.CHARACTER
            yield _Counted(Piece(begin, piece.end, before), last - first, heading)

    def _joined(self, run: Iterator[_Counted]) -> list[_Counted]:
        """Crumbs joined to what stands before them, so that long lists stay cheap to cut."""
        grain = self._limit // _GRAIN
        out: list[_Counted] = []
        for counted in run:
            last = out[-1] if out else None
            if last is None or last.tokens + counted.tokens > grain or counted.piece.before >= Cut.PAGE:
                out.append(counted)
            else:
                last.tokens += counted.tokens
                last.piece.end = counted.piece.end
        return out

    def _room(self, counted: _Counted) -> int:
        """Tokens of text for a chunk that begins here: headings, overlap and slack taken off."""
        room = self._limit - self._context_tokens(counted.heading) - _SLACK - self._overlap
        room -= self._header(counted.piece.start, counted.heading)[1]
        return max(room, min(self._limit // 2, _LEAST_ROOM))

    def _header(self, start: int, heading: int) -> tuple[str, int]:
        """The table header that a chunk beginning at `start` repeats, and its tokens."""
        return self._headers.at(start, (self._limit - self._context_tokens(heading)) // 3 - _SLACK)

    def _earlier(self, run: Sequence[_Counted], begin: int) -> int:
        """Where a chunk beginning at `begin` begins with its overlap."""
        tokens = 0
        while (
            self._overlap
            and begin > 0
            and run[begin].piece.before is not Cut.HEADING
            and tokens + run[begin - 1].tokens <= self._overlap
        ):
            begin -= 1
            tokens += run[begin].tokens
        return begin

    def _context_tokens(self, heading: int) -> int:
        if heading not in self._context:
            line = context_line(self._title, self._paths[heading] if heading >= 0 else ())
            self._context[heading] = self._count(line + "\n") if line else 0
        return self._context[heading]

    def _count(self, text: str) -> int:
        return len(self._embedder.token_offsets(text))

    def _heading_at(self, position: int) -> int:
        heading = bisect_left(self._heading_starts, position + 1) - 1
        if heading >= 0 and self._document.kind in APART:
            page = bisect_left(self._page_starts, position + 1) - 1
            if self._heading_starts[heading] < self._page_starts[page]:
                return -1
        return heading

    def _pages(self, start: int, end: int) -> tuple[int, ...]:
        first = bisect_left(self._page_starts, start + 1) - 1
        last = bisect_left(self._page_starts, end) - 1
        touched = self._document.pages[first : last + 1]
        return tuple(page.number for page in touched if page.number is not None and page.text.strip())


def _paths(headings: Sequence[Heading]) -> list[tuple[str, ...]]:
    """For each heading the titles from the outermost one above it down to itself."""
    paths = []
    open_headings: list[Heading] = []
    for heading in headings:
        while open_headings and open_headings[-1].level >= heading.level:
            open_headings.pop()
        open_headings.append(heading)
        paths.append(tuple(above.title for above in open_headings))
    return paths


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    start += len(part) - len(part.lstrip())
    return start, max(start, start + len(text[start:end].rstrip()))


def _middle(text: str, start: int, end: int) -> int:
    """A line end or blank in the middle third, else the middle."""
    third = (end - start) // 3
    for mark in ("\n", "。", ". ", " "):
        at = text.rfind(mark, start + third, end - third)
        if at > start:
            return at + len(mark)
    return (start + end) // 2
