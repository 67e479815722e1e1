"""How a document was made, as one line: what was made otherwise is made again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest import ocr

if TYPE_CHECKING:
    from rag.settings import Settings

READING = 10
"""Raise it when a reader gives other text, pages or headings for the same bytes."""
CUTTING = 4
"""Raise it when the same text is cut into other chunks."""


def of_documents(settings: Settings) -> str:
    """Stands with every document; another one means: read and cut it again."""
    chosen = settings.ingest
    return (
        f"reading {READING}, cutting {CUTTING}, "
        f"{chosen.chunk_tokens} tokens, {chosen.chunk_overlap_tokens} overlap, "
        f"ocr {ocr.identity(chosen.ocr, chosen.ocr_languages)}"
    )


def of_attempts(settings: Settings) -> str:
    """Stands with every file that gave no document; another one means: it may succeed now."""
    chosen = settings.ingest
    return (
        f"{of_documents(settings)}, {chosen.file_timeout_s:g} s, {chosen.file_memory_mib} MiB, "
        f"files of {chosen.max_file_mib} MiB, {chosen.max_expanded_mib} MiB unpacked, "
        f"{chosen.max_pages} pages, {chosen.max_text_chars} characters, "
        f"{chosen.max_members} members, depth {chosen.max_depth}"
    )
