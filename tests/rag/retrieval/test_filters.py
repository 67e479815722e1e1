from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rag.library import FileInfo, Library, writing
from rag.retrieval import Filters, search
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder, document, put

FILE = FileInfo("default", Path("/x/hr/leave.pdf"), "/x", "hr/leave.pdf", 1, "live", kind="pdf", modified=1e9)
THEN = datetime.fromtimestamp(1e9, UTC)
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("where", "admitted"),
    [
        (Filters(), True),
        (Filters(documents=("hr/leave.pdf",)), True),
        (Filters(documents=("hr",)), True),
        (Filters(documents=("hr/",)), True),
        (Filters(documents=("h",)), False),
        (Filters(documents=("leave.pdf",)), False),
        (Filters(documents=("it", "hr")), True),
        (Filters(documents=()), False),
        (Filters(kinds=("PDF",)), True),
        (Filters(kinds=("docx", "html")), False),
        (Filters(modified_after=THEN), True),
        (Filters(modified_before=THEN), True),
        (Filters(modified_after=THEN + DAY), False),
        (Filters(modified_before=THEN - DAY), False),
        (Filters(documents=("hr",), kinds=("docx",)), False),
    ],
)
def test_which_files_are_admitted(where: Filters, admitted: bool) -> None:
    assert where.admit(FILE) is admitted


def test_paths_agree_however_their_accents_are_written() -> None:
    assert Filters(documents=("re\u0301sume\u0301",)).admit(replace(FILE, path="résumé/a.txt"))


@pytest.fixture
def shelf(settings: Settings) -> Iterator[Library]:
    words = WordEmbedder()
    with writing(settings) as writer:
        for name, text in (
            ("hr/gate.txt", "The gate opens at seven."),
            ("it/gate.txt", "The gate opens at eight."),
            ("it/door.txt", "The door of the cellar is green."),
        ):
            put(writer, words, name, document(text))
        writer.publish()
    opened = Library.open(settings)
    yield opened
    opened.close()


def paths(library: Library, settings: Settings, where: Filters | None) -> set[str]:
    found = search(
        library,
        WordEmbedder(),
        "When does the gate open?",
        ["default"],
        limit=5,
        settings=settings,
        where=where,
    )
    return {passage.path for passage in found}


def test_nothing_outside_the_filter_is_found(shelf: Library, settings: Settings) -> None:
    assert {"hr/gate.txt", "it/gate.txt"} <= paths(shelf, settings, None)
    assert paths(shelf, settings, Filters(documents=("hr",))) == {"hr/gate.txt"}
    assert paths(shelf, settings, Filters(documents=("it",))) <= {"it/gate.txt", "it/door.txt"}
    assert paths(shelf, settings, Filters(kinds=("pdf",))) == set()
    assert paths(shelf, settings, Filters(documents=("nowhere",))) == set()


def test_a_filter_by_time_knows_the_files_own_time(shelf: Library, settings: Settings) -> None:
    (file,) = Filters(documents=("it/door.txt",)).admitted(shelf, ["default"])
    moment = datetime.fromtimestamp(file.modified, UTC)
    around = Filters(modified_after=moment - DAY, modified_before=moment + DAY)
    assert file in around.admitted(shelf, ["default"])
    assert file not in Filters(modified_after=moment + DAY).admitted(shelf, ["default"])
