"""A library of invented documents in memory, with the two calls that packing needs."""

from __future__ import annotations

from rag.records import Chunk, Document, Page, Passage, Table


class Shelf:
    """Documents cut into chunks of given texts, joined by a blank; ids count up from 1."""

    def __init__(
        self, texts: dict[str, list[str]], tables: dict[str, tuple[Table, ...]] | None = None
    ) -> None:
        self._tables = tables or {}
        self.by_document: dict[str, list[Chunk]] = {}
        number = 0
        for name, pieces in texts.items():
            place = 0
            chunks = []
            for ordinal, piece in enumerate(pieces):
                number += 1
                chunks.append(
                    Chunk(name, ordinal, place, place + len(piece), piece, pages=(ordinal + 1,), id=number)
                )
                place += len(piece) + 1
            self.by_document[name] = chunks

    def document(self, sha256: str) -> Document:
        text = " ".join(chunk.text for chunk in self.by_document[sha256])
        return Document(sha256, "text", (Page(None, text),))

    def tables(self, sha256: str) -> tuple[Table, ...]:
        return self._tables.get(sha256, ())

    def neighbours(self, document: str, first: int, last: int) -> list[Chunk]:
        return [chunk for chunk in self.by_document[document] if first <= chunk.ordinal <= last]

    def passage(self, document: str, ordinal: int, score: float = 1.0) -> Passage:
        return Passage(self.by_document[document][ordinal], f"{document}.txt", "default", score)
