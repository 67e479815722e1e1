"""A question for the summary of a table ("summarise the orders", 总结出货表) → what all its rows say."""

from __future__ import annotations

import re

from rag.answering.asked import Asked
from rag.answering.chapters.choosing import choice
from rag.answering.chapters.wanting import by_chapters, named_words, sums_up
from rag.answering.every.documents import Paper, papers_of
from rag.answering.tables import Calculated
from rag.answering.tables.concepts import concepts
from rag.answering.tables.overview import overview
from rag.answering.tables.whole import Whole, tables_of
from rag.errors import LibraryError
from rag.records import Citation, Document, Evidence

_SAYS_TABLE = re.compile(
    r"(?i)\b(?:tables?|spreadsheets?|sheets?|csv|tsv|xlsx?|ods|lists?|rows|data ?sets?|data)\b"
    r"|表|清单|明细|台账|名单|数据"
)
_OF_TABLES = frozenset([".csv", ".tsv", ".xlsx", ".xls", ".ods", ".xlsm"])
_MOSTLY = 0.7
"""Share of a document's characters that its tables have, if it is one of tables."""
_FEWEST_ROWS = 3
_MOST_TABLES = 5
_SHOWN = 6000
"""Characters of each table that the evidence holds; the calculation has read all of it."""


def table_summed_up(asked: Asked) -> Calculated | None:
    """None if the question asks for no summary, or if what it names is no document of tables."""
    if not sums_up(asked.question) or by_chapters(asked.question):
        return None
    found = choice(asked)
    papers = list(found.papers) if found is not None else _by_table(asked)
    if len(papers) != 1:
        return None
    (paper,) = papers
    document = _document(asked, paper)
    tables = _tables(document) if document is not None else []
    if document is None or not tables:
        return None
    if sum(table.end - table.start for table in tables) < _MOSTLY * len(document.text):
        return None
    return _answer(asked, paper, document, tables)


def _by_table(asked: Asked) -> list[Paper]:
    """The files of tables whose names, titles and columns hold every word that may name one."""
    if not _SAYS_TABLE.search(asked.question):
        return []
    papers, _ = papers_of(asked)
    files = [paper for paper in papers if paper.path.lower()[paper.path.rfind(".") :] in _OF_TABLES]
    words = concepts(" ".join(named_words(_SAYS_TABLE.sub(" ", asked.search))))
    if not words:
        return files
    return [paper for paper in files if words <= _names(asked, paper)]


def _names(asked: Asked, paper: Paper) -> set[str]:
    names = [re.sub(r"[_\-./\d]+", " ", paper.path)]
    document = _document(asked, paper)
    for table in tables_of(document) if document is not None else []:
        names += [table.title, *table.header]
    return concepts(" | ".join(names))


def _document(asked: Asked, paper: Paper) -> Document | None:
    try:
        return asked.library.document(paper.document)
    except LibraryError:
        return None  # it went this moment


def _tables(document: Document) -> list[Whole]:
    found = [table for table in tables_of(document) if table.header and len(table.rows) >= _FEWEST_ROWS]
    return found[:_MOST_TABLES]


def _answer(asked: Asked, paper: Paper, document: Document, tables: list[Whole]) -> Calculated:
    name = paper.path.rsplit("/", 1)[-1]
    texts, evidence, citations = [], [], []
    for n, table in enumerate(tables, start=1):
        first = table.rows[0]
        ends = [row.end for row in table.rows if row.end - table.start <= _SHOWN] or [first.end]
        pages = document.pages_between(table.start, ends[-1])
        evidence.append(
            Evidence(
                n=n,
                document=paper.document,
                path=paper.path,
                collection=paper.collection,
                text=document.text[table.start : ends[-1]],
                start=table.start,
                end=ends[-1],
                pages=pages,
                heading=(table.title,) if table.title else (),
                score=1.0,
                tokens=0,
            )
        )
        citations.append(
            Citation(
                n=n,
                path=paper.path,
                page=pages[0] if pages else None,
                quote=document.text[first.start : first.end],
                verified=True,
                start=first.start,
                end=first.end,
            )
        )
        texts.append(overview(table, name, asked.language, f"[{n}]"))
    rows = sum(len([row for row in table.rows if not row.is_total]) for table in tables)
    return Calculated(
        text="\n\n".join(texts),
        evidence=tuple(evidence),
        citations=tuple(citations),
        coverage={
            "table": {
                "document": paper.path,
                "operation": "summary",
                "rows": rows,
                "rows_counted": rows,
                "pages": sorted({page for item in evidence for page in item.pages}),
            }
        },
    )
