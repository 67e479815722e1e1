"""Documents of one form ("contract 01" to "contract 60"), for a question that asks something of all of them.

A search shows the nearest few of them. Which of them meet a condition, and what their figures come to, only
reading each of them tells.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from rag.answering.every.documents import Paper, listed
from rag.answering.every.values import chooses
from rag.answering.tables.operations import wanted as calculation_of
from rag.answering.tables.operations import without_calculation
from rag.answering.tables.whole import tables_of
from rag.citations.wording import content_words
from rag.errors import LibraryError
from rag.text.asking import without_asking

if TYPE_CHECKING:
    from rag.answering.asked import Asked

MOST = 60
"""Documents of one form that the mode `complete` asks one by one; each is a short pass of the model. Of more,
an answer says that the mode `every` asks them all."""
_LOOKED_INTO = 400
"""Documents whose texts are compared, at most."""
_FEWEST = 3
_SAMPLE = 8
"""Of the documents that a question calls by their name so many are compared first."""
_MOSTLY = 0.6
"""Share of the documents that a search finds that must be of one form, the nearest among them, unless the
question calls them by their name."""
_ALIKE = 0.45
"""Share of the words of two documents of one form that both have, at least; the beginnings are compared."""
_BEGINNING = 2000
_SOME = 0.5
"""A word of the question that at most this share of them have tells some from others."""
_FEW_ROWS = 3


def asks_over_documents(question: str) -> bool:
    """Whether a question chooses among things by a limit, or wants one figure of all of them.

    >>> asks_over_documents("Which contracts run longer than 24 months?")
    True
    >>> asks_over_documents("所有合同的租金合计"), asks_over_documents("How long does the contract run?")
    (True, False)
    """
    return chooses(question) or calculation_of(question) in ("sum", "average", "max", "min")


def alike(asked: Asked, looked: Collection[str]) -> list[Paper]:
    """The documents of the form that most of those have which a search found, or of those that the question
    calls by their name ("which contracts …"); in the order of their paths. [] if there are none of one form,
    or if the question names some of them.

    looked: their hashes, the nearest first.
    """
    every = {paper.document: paper for paper in listed(asked)}
    nearest = [each for each in looked if each in every]
    called = _called(asked.search, list(every.values()))
    words: dict[str, frozenset[str]] = {}
    for each in [*nearest, *(paper.document for paper in called[:_SAMPLE])]:
        words[each] = words.get(each) or _words(asked, each)
    words = {each: found for each, found in words.items() if found}
    if not words:
        return []
    form = max(words, key=lambda each: sum(_are_alike(words[each], other) for other in words.values()))
    of_it = {each for each, own in words.items() if _are_alike(words[form], own)}
    most = len(of_it & {*nearest}) >= _MOSTLY * len(nearest) and nearest[0] in of_it
    if len(of_it) < _FEWEST or not (most or of_it <= {paper.document for paper in called}):
        return []
    if _has_long_table(asked, form):
        return []  # its rows are what is asked about
    candidates = [paper for paper in every.values() if _kind(paper) == _kind(every[form])][:_LOOKED_INTO]
    papers: list[Paper] = []
    for paper in candidates:
        own = words.get(paper.document) or _words(asked, paper.document)
        if own and _are_alike(words[form], own):
            words[paper.document] = own
            papers.append(paper)
    return [] if _names_some(asked.search, papers, [words[paper.document] for paper in papers]) else papers


def _called(question: str, papers: Sequence[Paper]) -> list[Paper]:
    """Those that have the same word of the question in their paths, the word that most of them have."""
    asked = set(content_words(without_asking(without_calculation(question))))
    by_word: dict[str, list[Paper]] = {}
    for paper in papers:
        for word in asked & {*content_words(paper.path)}:
            by_word.setdefault(word, []).append(paper)
    found = max(by_word.values(), key=len, default=[])
    return found if len(found) >= _FEWEST else []


def _kind(paper: Paper) -> tuple[str, str]:
    """The folder and the ending of a path."""
    folder, _, name = paper.path.rpartition("/")
    return folder, name.rpartition(".")[2].lower()


def _words(asked: Asked, document: str) -> frozenset[str]:
    """The words at the beginning of a document; none if it has gone."""
    try:
        text = asked.library.document(document).text
    except LibraryError:
        return frozenset()
    return frozenset(word for word in content_words(text[:_BEGINNING]) if not any(map(str.isdigit, word)))


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _ALIKE * len(one | other)


def _has_long_table(asked: Asked, document: str) -> bool:
    try:
        tables = tables_of(asked.library.document(document))
    except LibraryError:
        return True
    return any(len(table.rows) > _FEW_ROWS for table in tables)


def _names_some(question: str, papers: Sequence[Paper], words: Sequence[frozenset[str]]) -> bool:
    """Whether a question has a word that some of the documents have and most have not."""
    asked = content_words(without_asking(without_calculation(question)))
    texts = [own | {*content_words(paper.path)} for own, paper in zip(words, papers, strict=True)]
    shares = (sum(word in text for text in texts) / (len(texts) or 1) for word in asked)
    return any(0 < share <= _SOME for share in shares)
