"""`python -m rag search`: the passages that fit a question, without a model's answer."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag.cli import frame
from rag.cli.amounts import amount
from rag.cli.batch import Line, answer_batch
from rag.cli.filtering import add_filter_options, check, filters_of
from rag.cli.naming import plain
from rag.cli.opened import Opened, add_collection_option, separate
from rag.cli.room import room_note
from rag.errors import LibraryError, UsageError

if TYPE_CHECKING:
    from rag.records import Chunk, Copy, Evidence, Passage
    from rag.retrieval import Packed
    from rag.retrieval.filters import Filters

_TOKENS_A_PASSAGE = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", nargs="?", metavar="QUESTION")
    add_collection_option(parser)
    parser.add_argument("--limit", type=int, metavar="N", help="at most this many passages (default: 8)")
    parser.add_argument(
        "--budget",
        type=int,
        metavar="TOKENS",
        help="show the evidence that a prompt of this budget would hold, counted by the model's tokenizer",
    )
    parser.add_argument(
        "--batch", type=Path, metavar="FILE", help='answer the lines {"id", "question"} of this JSONL file'
    )
    add_filter_options(parser)


def run(arguments: argparse.Namespace) -> int:
    separate(arguments)
    if (arguments.question is None) == (arguments.batch is None):
        raise UsageError("Give either a QUESTION or --batch FILE.", fix="See python -m rag search --help.")
    for name in ("limit", "budget"):
        if getattr(arguments, name) is not None and getattr(arguments, name) < 1:
            raise UsageError(f"--{name} must be at least 1.", fix=f"Give a larger --{name}.")
    where = filters_of(arguments)
    with Opened(frame.settings_of(arguments)) as opened:
        collections = opened.collections(arguments.collection)
        check(where, opened.library, collections)
        if arguments.batch is not None:

            def answer(line: Line) -> dict[str, Any]:
                from rag.answering.continuing import continuing
                from rag.answering.followup import search_questions

                continues = continuing(opened.library, opened.embedder, opened.settings, collections, where)
                asked = search_questions(line.question, line.history, continues)[0]
                found = _search(opened, asked, collections, arguments.limit, arguments.budget, where)
                return {**found, "question": line.question}

            return answer_batch(arguments.batch, answer)
        found = _search(opened, arguments.question, collections, arguments.limit, arguments.budget, where)
    if arguments.json:
        frame.write_json(found)
    else:
        _print(found)
    return frame.DONE if found["passages"] else frame.NOTHING_FOUND


def _search(
    opened: Opened,
    question: str,
    collections: Sequence[str],
    limit: int | None,
    budget: int | None,
    where: Filters,
) -> dict[str, Any]:
    """The contract's JSON object. `tokens`: by the model's tokenizer with a budget, else the embedder's.

    With a budget it also tells what was shortened and what was left out; where the question names what the
    glossary knows, by which other names it was searched for.
    """
    from rag.retrieval import retrieve

    if not question.strip():
        raise UsageError("The question is empty.", fix="Write a question.")
    started = time.monotonic()
    settings = opened.settings
    most = limit or settings.retrieval.limit
    if budget is not None and limit is None:
        most = max(most, min(settings.retrieval.candidates, budget // _TOKENS_A_PASSAGE))
    retrieval = retrieve(
        opened.library,
        opened.embedder,
        question,
        collections,
        limit=most,
        settings=settings,
        where=where,
    )
    passages = retrieval.passages
    if budget is None:
        rows = [_passage(opened, question, rank, passage) for rank, passage in enumerate(passages, start=1)]
        tokens = sum(passage.chunk.tokens for passage in passages)
        room = {}
    else:
        packed = _packed(opened, question, passages, budget)
        rows = [_evidence(opened, question, item) for item in packed.evidence]
        tokens = packed.tokens
        room = {"excerpts": packed.excerpts, "left_out": packed.left_out}
    also = {thing.name: list(thing.others) for thing in retrieval.named}
    return {
        "question": question,
        "passages": rows,
        "tokens": tokens,
        **room,
        **({"also_searched_for": also} if also else {}),
        "seconds": round(time.monotonic() - started, 4),
    }


def _packed(opened: Opened, question: str, passages: Sequence[Passage], budget: int) -> Packed:
    """Evidence as the prompt for this question would show it."""
    from functools import partial

    from rag.prompting import fenced, phrases_in
    from rag.retrieval import Packed, pack
    from rag.text.language import language

    if not passages:
        return Packed((), 0, 0)  # without a model's tokenizer, which takes seconds to come
    render = partial(fenced, phrases=phrases_in(language(question)))
    return pack(opened.library, passages, budget, opened.engine.count, render=render, question=question)


def _page(opened: Opened, question: str, place: Chunk | Evidence) -> int | None:
    """Of several pages the one to look at; the first, if the document has left the library meanwhile."""
    from rag.retrieval import telling_page

    if len(place.pages) > 1:
        with suppress(LibraryError):
            document = opened.library.document(place.document)
            return telling_page(document, place.start, place.end, question)
    return place.pages[0] if place.pages else None


def _passage(opened: Opened, question: str, rank: int, passage: Passage) -> dict[str, Any]:
    chunk = passage.chunk
    return {
        "rank": rank,
        "document": passage.path,
        "collection": passage.collection,
        "page": _page(opened, question, chunk),
        "pages": list(chunk.pages),
        "heading": " › ".join(chunk.heading),
        "score": float(passage.score),
        "scores": {name: float(score) for name, score in passage.scores.items()},
        "text": chunk.text,
        "copies": _copies(passage.copies),
        **({"table_header": chunk.table_header} if chunk.table_header else {}),
    }


def _evidence(opened: Opened, question: str, item: Evidence) -> dict[str, Any]:
    return {
        "rank": item.n,
        "document": item.path,
        "collection": item.collection,
        "page": _page(opened, question, item),
        "pages": list(item.pages),
        "heading": " › ".join(item.heading),
        "score": float(item.score),
        "scores": {name: float(score) for name, score in item.scores.items()},
        "text": item.text,
        "copies": _copies(item.copies),
        **({"table_header": item.table_header} if item.table_header else {}),
        **({"excerpt": True} if item.excerpt else {}),
    }


def _copies(copies: Sequence[Copy]) -> list[dict[str, Any]]:
    """Where else it stands. part: what stands there is a part of it."""
    return [
        {
            "document": copy.path,
            "collection": copy.collection,
            "page": copy.page,
            "pages": list(copy.pages),
            **({} if copy.whole else {"part": True}),
        }
        for copy in copies
    ]


def _print(found: dict[str, Any]) -> None:
    for name, others in found.get("also_searched_for", {}).items():
        print(f"{name}: searched for {', '.join(others)}, too.", file=sys.stderr)
    if not found["passages"]:
        print("Nothing in the documents is relevant to this question.", file=sys.stderr)
        return
    for row in found["passages"]:
        pages = f", page {row['page']}" if row["page"] is not None else ""
        heading = f"  ({row['heading']})" if row["heading"] else ""
        excerpt = "  [excerpt]" if "excerpt" in row else ""
        print(f"{row['rank']}. {plain(row['document'])}{pages}{heading}{excerpt}")
        repeated = [*row["table_header"].splitlines(), "…"] if "table_header" in row else []
        for line in (*repeated, *row["text"].splitlines()):
            print(f"   {line}")
        if row["copies"]:
            elsewhere = (_place(copy, row["collection"]) for copy in row["copies"])
            print(f"   [also in: {'; '.join(elsewhere)}]")
        print()
    _print_count(found)


def _place(copy: dict[str, Any], collection: str) -> str:
    """With its collection, if that is another than the passage's."""
    pages = f", page {', '.join(map(str, copy['pages']))}" if copy["pages"] else ""
    there = "" if copy["collection"] == collection else f" in {plain(copy['collection'])}"
    return f"{plain(copy['document'])}{pages}{there}{' (a part of it)' if 'part' in copy else ''}"


def _print_count(found: dict[str, Any]) -> None:
    number = len(found["passages"])
    print(
        f"{amount(number, 'passage')}, {amount(found['tokens'], 'token')}, {found['seconds']:.2f} s",
        file=sys.stderr,
    )
    room = room_note(found)
    if room:
        print(room, file=sys.stderr)
