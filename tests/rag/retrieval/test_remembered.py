"""What was made of a library: when it is used again, when it is made anew, and who waits."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from rag.errors import LibraryError
from rag.retrieval.remembered import remembered


class Counted:
    """A library of which only the numbers matter. Every change makes a generation."""

    def __init__(self, chunks: int) -> None:
        self.generation = 1
        self.chunks = chunks
        self.came: list[tuple[int, int]] = [(1, chunks)]

    def change(self, added: int, removed: int = 0) -> None:
        self.generation += 1
        self.chunks += added - removed
        self.came.append((self.generation, added))

    def turnover(self, collections: object, generation: int) -> tuple[int, int]:
        return self.chunks, sum(added for since, added in self.came if since > generation)


class Maker:
    """Says which generation it saw; may be held up, may fail."""

    def __init__(self, library: Counted) -> None:
        self.library = library
        self.go = threading.Event()
        self.go.set()
        self.fails = False
        self.calls = 0

    def __call__(self) -> int:
        self.calls += 1
        seen = self.library.generation
        assert self.go.wait(60)
        if self.fails:
            raise LibraryError("locked", fix="wait")
        return seen


@pytest.fixture
def asked() -> Any:
    def make(chunks: int) -> tuple[Counted, Maker, Any]:
        library = Counted(chunks)
        maker = Maker(library)
        return library, maker, lambda what="x": remembered(library, ["default"], what, maker)  # type: ignore[arg-type]

    return make


def settle() -> None:
    """Until everything that is made in the background is made."""
    for thread in threading.enumerate():
        if "_renew_beside" in thread.name:
            thread.join()


def test_it_is_made_once_a_generation(asked: Any) -> None:
    library, maker, ask = asked(5)
    assert [ask(), ask(), ask("another thing"), ask("another thing")] == [1, 1, 1, 1]
    assert maker.calls == 2
    library.change(added=1)
    assert [ask(), ask()] == [2, 2]


def test_a_small_change_of_a_large_library_keeps_nobody_waiting(asked: Any) -> None:
    library, maker, ask = asked(10_000)
    assert ask() == 1
    library.change(added=50, removed=20)
    maker.go.clear()
    assert [ask(), ask(), ask()] == [1, 1, 1]
    maker.go.set()
    settle()
    assert maker.calls == 2
    assert ask() == 2


@pytest.mark.parametrize(
    ("chunks", "added", "removed"), [(10_000, 600, 0), (10_000, 0, 600), (10_000, 300, 300), (100, 1, 0)]
)
def test_a_great_change_is_seen_at_once(asked: Any, chunks: int, added: int, removed: int) -> None:
    library, _, ask = asked(chunks)
    ask()
    library.change(added, removed)
    assert ask() == 2


def test_small_changes_do_not_add_up_unseen(asked: Any) -> None:
    library, maker, ask = asked(10_000)
    ask()
    maker.fails = True
    for _ in range(5):
        library.change(added=100)
        assert ask() == 1  # what failed in the background is tried again by the next search
        settle()
    library.change(added=100)
    with pytest.raises(LibraryError):
        ask()
    maker.fails = False
    assert ask() == library.generation
