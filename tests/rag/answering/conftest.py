from __future__ import annotations

from collections.abc import Iterator

import pytest

from rag.library import Library
from rag.settings import Settings


@pytest.fixture
def library(papers_settings: Settings) -> Iterator[Library]:
    opened = Library.open(papers_settings)
    yield opened
    opened.close()
