"""Where else a passage stands, and which of several equal places is the one that is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rag.records import Chunk, Copy, Passage
from rag.text.holding import held

if TYPE_CHECKING:
    from rag.library import Library
    from rag.retrieval.duplicates import Alike

MOST = 20
"""Copies that are told of one passage; a notice may stand in thousands of files."""
_GAP = 8
"""Characters between two copies that still stand one behind the other: white space cut between chunks."""

_PUT_ASIDE = re.compile(
    r"(?<![^\W_])(?:copy|copies|backups?|bak|archived?|old|obsolete|superseded|drafts?)(?![^\W_])"
    r"|副本|备份|归档|旧版|作废|草稿",
    re.IGNORECASE,
)

Paths = Mapping[int, Sequence[tuple[str, str]]]
"""chunk id → (collection, path) of every place where the asker may read it."""


@dataclass(frozen=True, order=True, slots=True)
class Standing:
    """What speaks for one of several places that hold the same words; the greatest is shown.

    named: how much of the question its path and headings say, since who asks for the contract of 2021 wants
    that one. original: its path does not say that it was put aside. found: other passages found in the same
    document: the contract has more to say about a contract's question than the minutes that quote it, and
    one file is easier to read than two. changed: the file's last change, in seconds: of two versions of a
    handbook the newer one holds. rank: minus its place in the ranking, where all of that is equal.
    """

    named: float
    original: bool
    found: int
    changed: float
    rank: int


def settled(
    groups: Sequence[Alike[int]],
    chunks: Mapping[int, Chunk],
    paths: Paths,
    rarity: Mapping[str, float],
    changed: Mapping[str, float],
) -> list[int]:
    """The item of each group that is shown; `groups` are changed so that it is their first.

    rarity: weights of the question's words. changed: document → its file's last change.
    """
    documents = [chunks[group.first].document for group in groups]
    for place, group in enumerate(groups):
        if not group.equal:
            continue
        others = documents[:place] + documents[place + 1 :]

        def standing(rank: int, number: int, others: Sequence[str] = others) -> Standing:
            chunk = chunks[number]
            name = "\n".join([paths[number][0][1], *chunk.heading])
            return Standing(
                named=round(sum(rarity[word] for word in held(rarity, name)), 6),
                original=not put_aside(paths[number][0][1]),
                found=others.count(chunk.document),
                changed=changed.get(chunk.document, 0.0),
                rank=-rank,
            )

        members = [group.first, *group.equal]
        best = max(range(len(members)), key=lambda rank: standing(rank, members[rank]))
        group.first = members.pop(best)
        group.equal = members
        documents[place] = chunks[group.first].document
    return [group.first for group in groups]


def put_aside(path: str) -> bool:
    """Whether a path calls what lies there a copy, a backup, an archive, something old.

    >>> put_aside("archive/offer (copy).pdf"), put_aside("offers/golden.pdf"), put_aside("备份/合同.docx")
    (True, False, True)
    """
    return _PUT_ASIDE.search(path) is not None


def changes(library: Library, documents: Iterable[str], collections: Sequence[str]) -> dict[str, float]:
    """Document → the last change of the newest of its files, in seconds since 1970."""
    return {
        document: max((file.modified for file in library.files_of(document, collections)), default=0.0)
        for document in documents
    }


def copies(
    group: Alike[int], same: Sequence[int], chunks: Mapping[int, Chunk], paths: Paths
) -> tuple[Copy, ...]:
    """The copies of a group's first item, whole ones first, at most MOST.

    same: further chunks with the same text. paths: what is not in them is not told.
    """
    first = chunks[group.first]
    whole = dict.fromkeys([group.first, *group.equal, *same, *group.longer], True)
    places: dict[tuple[str, str, tuple[int, ...], int], Copy] = {}
    shown = paths[group.first][0]
    for number, all_of_it in [*whole.items(), *((number, False) for number in group.parts)]:
        chunk = chunks.get(number)
        if chunk is None:
            continue
        for collection, path in paths.get(number, ()):
            # Where the reader is already is no other place.
            if (collection, path) == shown and set(chunk.pages) <= set(first.pages):
                continue
            places.setdefault(
                (collection, path, chunk.pages, chunk.start),
                Copy(chunk.document, path, collection, chunk.pages, chunk.start, chunk.end, all_of_it),
            )
    return tuple(places.values())[:MOST]


def copies_of_run(chunks: Sequence[Chunk], passages: Mapping[int, Passage]) -> tuple[Copy, ...]:
    """The copies of neighbouring chunks merged into one run, those that stand one behind the other as one.

    passages: by chunk id; chunks without one were added to the run, and nothing is known of their copies.
    """
    told = [copy for chunk in chunks if chunk.id in passages for copy in passages[chunk.id].copies]
    joined: list[tuple[Copy, int]] = []
    for copy in sorted(told, key=lambda copy: (copy.collection, copy.path, copy.start)):
        before, members = joined[-1] if joined else (None, 0)
        if (
            before is not None
            and (before.collection, before.path, before.document)
            == (copy.collection, copy.path, copy.document)
            and copy.start - before.end <= _GAP
        ):
            pages = tuple(sorted({*before.pages, *copy.pages}))
            end, whole = max(before.end, copy.end), before.whole and copy.whole
            joined[-1] = (replace(before, pages=pages, end=end, whole=whole), members + 1)
        else:
            joined.append((copy, 1))
    order = {(copy.collection, copy.path): place for place, copy in reversed(list(enumerate(told)))}
    found = [replace(copy, whole=copy.whole and members >= len(chunks)) for copy, members in joined]
    return tuple(sorted(found, key=lambda copy: (not copy.whole, order[copy.collection, copy.path])))[:MOST]
