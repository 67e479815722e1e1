"""From the passages of a question to an answer that is calculated over a whole table."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.answering.tables import calculated
from rag.library import Library
from rag.records import Passage
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder, document, fill

TWO = (
    "# Sheds\n\n## Repairs\n\n| Shed | Repairs EUR |\n|---|---|\n| A | 10 |\n| B | 20 |\n| C | 30 |\n\n"
    + "Nothing else was done in the sheds that year. " * 40
    + "\n\n## Rents\n\n| Shed | Rent EUR |\n|---|---|\n| A | 100 |\n| B | 200 |\n| C | 300 |\n"
)
SHEDS = document(TWO, kind="markdown")


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    home: Path = tmp_path_factory.mktemp("sheds")
    return fill(home, WordEmbedder(), {"sheds.md": SHEDS, "rules.md": "Sheds are locked at six."})


def passages_with(library: Library, words: str) -> list[Passage]:
    chunks = library.neighbours(SHEDS.sha256, 0, 99)
    return [Passage(chunk, "sheds.md", "default", 1.0) for chunk in chunks if words in chunk.text]


def sum_of(settings: Settings, question: str, words: str) -> str | None:
    library = Library.open(settings)
    try:
        found = calculated(library, question, passages_with(library, words), "en")
    finally:
        library.close()
    return None if found is None else found.text.splitlines()[0]


def test_only_a_table_that_a_passage_touches_is_meant(settings: Settings) -> None:
    assert "60" in (sum_of(settings, "What is the total of the repairs?", "Repairs EUR") or "")
    assert sum_of(settings, "What is the total of the repairs?", "Rent EUR") is None


def test_every_table_of_a_document_that_is_named_may_be_meant(settings: Settings) -> None:
    assert "60" in (sum_of(settings, "What is the total of the repairs in sheds.md?", "Rent EUR") or "")
