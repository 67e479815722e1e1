"""`python -m rag ask`: an answer from the documents, with citations."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag.cli import frame
from rag.cli.batch import Line, answer_batch
from rag.cli.filtering import add_filter_options, check, filters_of
from rag.cli.opened import Opened, add_collection_option, separate
from rag.errors import UsageError

if TYPE_CHECKING:
    from rag.answering.events import Event
    from rag.records import Answer

MODES = ("quick", "complete", "every")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", nargs="?", metavar="QUESTION")
    add_collection_option(parser)
    parser.add_argument(
        "--mode",
        choices=MODES,
        help="quick: one pass; complete: every part of the question is answered, checked and searched for "
        "once more; every: each document is asked (default: answering.mode of the settings, complete)",
    )
    parser.add_argument(
        "--budget", type=int, metavar="TOKENS", help="evidence in the prompt (default: that of the settings)"
    )
    parser.add_argument(
        "--batch", type=Path, metavar="FILE", help='answer the lines {"id", "question"} of this JSONL file'
    )
    add_filter_options(parser)


def run(arguments: argparse.Namespace) -> int:
    separate(arguments)
    if (arguments.question is None) == (arguments.batch is None):
        raise UsageError("Give either a QUESTION or --batch FILE.", fix="See python -m rag ask --help.")
    if arguments.budget is not None and arguments.budget < 1:
        raise UsageError("--budget must be at least 1.", fix="Give a larger --budget.")
    if arguments.question is not None and not arguments.question.strip():
        raise UsageError("The question is empty.", fix="Write a question.")
    where = filters_of(arguments)
    with Opened(frame.settings_of(arguments)) as opened:
        collections = opened.collections(arguments.collection)
        check(where, opened.library, collections)
        from rag.answering import Answerer

        answerer = Answerer(opened.settings, opened.library, opened.embedder, opened.engine)

        def ask(line: Line) -> Iterator[Event]:
            return answerer.ask(
                line.question,
                collections=collections,
                mode=arguments.mode,
                budget=arguments.budget,
                history=line.history,
                where=where,
            )

        if arguments.batch is not None:
            return answer_batch(arguments.batch, lambda line: as_json(_finished(ask(line))))
        question = Line(None, arguments.question, ())
        if arguments.json:
            frame.write_json(as_json(_finished(ask(question))))
            return frame.DONE
        from rag.cli.spoken import speak

        speak(ask(question), sys.stdout, demo=opened.engine.info().demo, model=opened.engine.info().model)
    return frame.DONE


def as_json(answer: Answer) -> dict[str, Any]:
    """The contract's JSON object."""
    usage, timing = answer.usage, answer.timing
    return {
        "question": answer.question,
        "answer": answer.text,
        "citations": [
            {
                "n": citation.n,
                "document": citation.path,
                "page": citation.page,
                "quote": citation.quote,
                "verified": citation.verified,
            }
            for citation in answer.citations
        ],
        "unsupported": list(answer.unsupported),
        "found": answer.found,
        "coverage": dict(answer.coverage),
        "usage": {
            "prompt_tokens": usage.prompt_tokens,
            "cached_tokens": usage.cached_tokens,
            "answer_tokens": usage.answer_tokens,
        },
        "timing": {
            "retrieve_s": round(timing.retrieve_s, 4),
            "first_token_s": round(timing.first_token_s, 4),
            "total_s": round(timing.total_s, 4),
            "tokens_per_s": round(timing.tokens_per_s, 2),
        },
        **(
            {
                "thought": {
                    "text": answer.thought,
                    "tokens": usage.thought_tokens,
                    "seconds": round(timing.thought_s, 2),
                }
            }
            if timing.thought_s
            else {}
        ),
    }


def _finished(events: Iterator[Event]) -> Answer:
    """The answer at the end of the events; what the engine raises after it is raised."""
    from rag.answering.events import Finished

    answer: Answer | None = None
    for event in events:
        if isinstance(event, Finished):
            answer = event.answer
    assert answer is not None
    return answer
