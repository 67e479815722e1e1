"""Which documents are asked, and how many at most."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from rag.answering.asked import Asked

_NUMBER = re.compile(r"(\d+)")
_HITS_A_DOCUMENT = 8


@dataclass(frozen=True, slots=True)
class Paper:
    """A document under the first of its paths. name: the path, with its collection where two are alike."""

    document: str
    path: str
    collection: str
    name: str = ""


def listed(asked: Asked) -> list[Paper]:
    """All documents that may be asked, in the order of their paths ("part 2" before "part 10")."""
    from rag.retrieval.filters import Filters

    found: dict[str, Paper] = {}
    for file in (asked.where or Filters()).admitted(asked.library, asked.collections):
        if file.sha256:
            found.setdefault(file.sha256, Paper(file.sha256, file.path, file.collection))
    times = Counter(paper.path for paper in found.values())
    return [
        replace(each, name=each.path if times[each.path] == 1 else f"{each.path} ({each.collection})")
        for each in sorted(found.values(), key=lambda paper: natural(paper.path))
    ]


def papers_of(asked: Asked) -> tuple[list[Paper], int]:
    """The documents to ask, in the order of their paths, and how many there are.

    Where there are more than the settings allow, those nearest to the question in meaning are asked.
    """
    papers = listed(asked)
    limit = asked.settings.answering.every_limit
    if len(papers) <= limit:
        return papers, len(papers)
    nearest = _nearest(asked, limit)
    kept = [paper for paper in papers if paper.document in nearest]
    kept += [paper for paper in papers if paper.document not in nearest][: limit - len(kept)]
    return sorted(kept[:limit], key=lambda paper: natural(paper.path)), len(papers)


def _nearest(asked: Asked, limit: int) -> set[str]:
    vector = np.asarray(asked.embedder.embed_queries([asked.search])[0])
    hits = asked.library.dense(asked.collections, vector, limit * _HITS_A_DOCUMENT)
    chunks = asked.library.chunks([hit.chunk_id for hit in hits])
    return set(
        list(dict.fromkeys(chunks[hit.chunk_id].document for hit in hits if hit.chunk_id in chunks))[:limit]
    )


def natural(path: str) -> list[tuple[int, int, str]]:
    """A key that sorts numbers in names by their value."""
    return [
        (0, int(part), "") if part.isdigit() and part.isascii() else (1, 0, part.casefold())
        for part in _NUMBER.split(path)
    ]
