"""Every combination of what is found and what is remembered leads to the one right decision."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.sync.plan import MOST_TRIES, Do, Found, Recipes, decide, is_under, outermost, plan
from rag.library.records import Source, StoredFile

RECIPES = Recipes("documents now", "attempts now")
SOURCE = Source("/docs/a.txt", "/docs", "a.txt", 10, 1000)
FOUND = Found(SOURCE, changed=100.0)
LIVE = StoredFile(
    location="/docs/a.txt",
    root="/docs",
    path="a.txt",
    size=10,
    mtime_ns=1000,
    sha256="ab",
    state="live",
    reason="",
    recipe="documents now",
    examined=200.0,
    live=True,
    document_recipe="documents now",
)
FAILED = replace(
    LIVE, state="failed", reason="damaged", recipe="attempts now", live=False, document_recipe="", sha256=None
)
SKIPPED = replace(FAILED, state="skipped", reason="a picture")
SEEN = replace(FAILED, state="seen", reason="", recipe="", examined=0.0)


def tried(
    stored: StoredFile, tries: int, what: tuple[int, int, str] = (10, 1000, "attempts now")
) -> StoredFile:
    return replace(stored, tries=tries, tried=what)


CASES = {
    "new": (FOUND, None, Do.EXAMINE),
    "unchanged": (FOUND, LIVE, Do.NOTHING),
    "unchanged, given by another path": (FOUND, replace(LIVE, root="/", path="docs/a.txt"), Do.NOTE),
    "another size": (FOUND, replace(LIVE, size=11), Do.EXAMINE),
    "another time": (FOUND, replace(LIVE, mtime_ns=999), Do.EXAMINE),
    "content put in under its old time": (replace(FOUND, changed=201.0), LIVE, Do.EXAMINE),
    "changed while it was looked at": (replace(FOUND, changed=199.5), LIVE, Do.EXAMINE),
    "nobody can say when it changed": (replace(FOUND, changed=float("inf")), LIVE, Do.EXAMINE),
    "made by an older version": (FOUND, replace(LIVE, document_recipe="older"), Do.EXAMINE),
    "a reader now skips it": (replace(FOUND, skip="hidden"), LIVE, Do.LEAVE_OUT),
    "left out as before": (replace(FOUND, skip="hidden"), SKIPPED, Do.LEAVE_OUT),
    "failed before": (FOUND, FAILED, Do.REPEAT),
    "skipped before": (FOUND, SKIPPED, Do.REPEAT),
    "failed before and changed": (FOUND, replace(FAILED, size=3), Do.EXAMINE),
    "skipped before and changed under its old time": (replace(FOUND, changed=300.0), SKIPPED, Do.EXAMINE),
    "failed with an older version": (FOUND, replace(FAILED, recipe="older"), Do.EXAMINE),
    "interrupted before it was read": (FOUND, SEEN, Do.EXAMINE),
    "its reader died once": (FOUND, tried(FAILED, 1), Do.CAREFULLY),
    "its reader died too often": (FOUND, tried(FAILED, MOST_TRIES), Do.REPEAT),
    "its reader died too often, but it changed": (
        FOUND,
        tried(replace(FAILED, size=9), MOST_TRIES, (9, 1000, "attempts now")),
        Do.EXAMINE,
    ),
    "its reader died too often, but it is a new version": (
        FOUND,
        tried(replace(FAILED, recipe="older"), MOST_TRIES, (10, 1000, "older")),
        Do.EXAMINE,
    ),
    "its reader died too often, and nobody can say when it changed": (
        replace(FOUND, changed=300.0),
        tried(FAILED, MOST_TRIES),
        Do.EXAMINE,
    ),
    "the ingest died over it once": (FOUND, tried(SEEN, 1), Do.CAREFULLY),
    "the ingest died over it too often": (FOUND, tried(SEEN, MOST_TRIES), Do.GIVE_UP),
    "the ingest died over a live file's new content": (
        FOUND,
        tried(replace(LIVE, size=9), MOST_TRIES),
        Do.GIVE_UP,
    ),
    "the ingest died over a live file's content before the last": (
        FOUND,
        tried(replace(LIVE, size=8), MOST_TRIES, (9, 1000, "attempts now")),
        Do.EXAMINE,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_decisions(name: str) -> None:
    found, stored, expected = CASES[name]
    assert decide(found, stored, RECIPES).do is expected


def test_a_remembered_reason_is_given_again() -> None:
    assert decide(FOUND, SKIPPED, RECIPES).reason == "a picture"


@pytest.mark.parametrize("stored", [FAILED, SKIPPED, tried(FAILED, MOST_TRIES)])
def test_a_password_makes_files_without_a_document_worth_another_look(stored: StoredFile) -> None:
    do = decide(FOUND, stored, RECIPES, try_again=True).do
    assert do in (Do.EXAMINE, Do.CAREFULLY)
    assert decide(FOUND, LIVE, RECIPES, try_again=True).do is Do.NOTHING


def test_a_live_file_is_never_forgotten_while_it_is_unchanged() -> None:
    """Over all that can be remembered besides: NOTHING or NOTE, exactly when size, time and recipe agree."""
    for size, mtime, recipe, changed, tries in product(
        (10, 11), (1000, 1001), ("documents now", "older"), (0.0, 197.9, 198.1, 250.0), (0, 1, MOST_TRIES)
    ):
        stored = replace(LIVE, size=size, mtime_ns=mtime, document_recipe=recipe)
        if tries:
            stored = tried(stored, tries)
        quiet = decide(replace(FOUND, changed=changed), stored, RECIPES).do in (Do.NOTHING, Do.NOTE)
        assert quiet == (size == 10 and mtime == 1000 and recipe == "documents now" and changed < 198)


names = st.text("abc", min_size=1, max_size=2)
paths = st.lists(names, min_size=1, max_size=3).map(lambda parts: "/" + "/".join(parts))


@given(
    on_disk=st.dictionaries(paths, st.sampled_from(["plain", "skip"]), max_size=8),
    known=st.dictionaries(paths, st.sampled_from([LIVE, FAILED, SKIPPED, SEEN]), max_size=8),
    root=paths,
    keep=st.booleans(),
)
def test_every_file_is_decided_once_and_only_what_is_gone_vanishes(
    on_disk: dict[str, str], known: dict[str, StoredFile], root: str, keep: bool
) -> None:
    found = [
        Found(Source(path, root, path, 10, 1000), 0.0, "unlisted" if kind == "skip" else None)
        for path, kind in on_disk.items()
        if is_under(path, root)
    ]
    stored = {path: replace(entry, location=path) for path, entry in known.items()}
    made = plan([*found, *found], stored, [root], RECIPES, keep_missing=keep)
    assert [decision.source for decision in made.decisions] == [file.source for file in found]
    unlisted = [file.source.location for file in found if file.skip]
    vanished = {entry.location for entry in made.vanished}
    for path in stored:
        gone = is_under(path, root) and path not in on_disk
        hidden = any(is_under(path, folder) for folder in unlisted)
        assert (path in vanished) == (gone and not hidden and not keep)


def test_paths_under_another_are_named_once() -> None:
    assert outermost(["/a/b", "/a", "/ab", "/a", "/c/d/e", "/c/d"]) == ["/a", "/ab", "/c/d"]
    assert outermost(["/", "/a"]) == ["/"]
    assert is_under("/a", "/")
    assert is_under("/a/b", "/a")
    assert not is_under("/ab", "/a")
