"""A library whose disk takes nothing more, not even a reader's file of shared memory."""

from __future__ import annotations

import subprocess
import sys

from rag.library import writing
from rag.settings import Settings
from tests.rag.library.samples import WordEmbedder, document, put

READING = """
import resource, sys
from pathlib import Path
from rag import settings as settings_module
from rag.errors import LibraryError
from rag.library import Library, writing

def may_write(most):
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

settings = settings_module.load(home=Path(sys.argv[1]))
may_write(0)
library = Library.open(settings)
print(len(library.keyword(["default"], ["harbour"], 5)), library.collections()[0].documents)
try:
    with writing(settings):
        print("written")
except LibraryError as error:
    print("Make room" in error.fix)
may_write(resource.RLIM_INFINITY)
with writing(settings) as writer:
    writer.create_collection("later")
print([info.name for info in library.collections()])
library.close()
"""


def test_it_is_searched_and_not_written(settings: Settings, embedder: WordEmbedder) -> None:
    with writing(settings) as writer:
        put(writer, embedder, "a.txt", document("The harbour is deep."))
    done = subprocess.run(
        [sys.executable, "-c", READING, str(settings.home)], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.splitlines() == ["1 1", "True", "['default', 'later']"], done.stderr
