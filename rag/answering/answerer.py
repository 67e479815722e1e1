"""Question → answer: retrieve, pack, generate, cite."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, Literal

from rag.answering.asked import Asked
from rag.answering.by_model import from_model, shares_of
from rag.answering.by_quotation import from_quotations
from rag.answering.calculations import calculation, from_table
from rag.answering.chapters import by_chapters, chapters, choice
from rag.answering.compared import with_compared
from rag.answering.complete import complete
from rag.answering.complete_quotations import complete_quotations
from rag.answering.continuing import continuing
from rag.answering.contradictions import with_differences
from rag.answering.courtesy import courtesy
from rag.answering.events import Delta, Event, Finished, Retrieved
from rag.answering.every import MOST as MOST_ALIKE
from rag.answering.every import alike, asks_over_documents, every
from rag.answering.every.documents import Paper
from rag.answering.followup import search_questions
from rag.answering.further import asks_for_more, further
from rag.answering.leaning import AGREED
from rag.answering.named_pages import pages_named, without_pages
from rag.answering.pages import Pages
from rag.answering.partial import with_partial
from rag.answering.parts import parts_of
from rag.answering.retrieving import packed, passages_for, searched, untested
from rag.answering.silence import nearest_documents, not_found_text, unheard_of
from rag.answering.summing_up import table_summed_up
from rag.embedding.protocol import Embedder
from rag.engine.protocol import Engine
from rag.errors import UsageError
from rag.prompting import phrases_in
from rag.records import Passage, Turn
from rag.settings import Settings
from rag.text.language import Language, language

if TYPE_CHECKING:
    from rag.library import Library
    from rag.retrieval.filters import Filters

Mode = Literal["quick", "complete", "every"]
_SIGN_OF_LIFE_S = 0.25

MAX_QUESTION = 4000
"""Characters; a question is not the place for a document."""
MODES: tuple[Mode, ...] = ("quick", "complete", "every")


class Answerer:
    """Answers questions from a library. Safe to use from several threads at once.

    >>> answerer = Answerer(settings, library, embedder, engine)              # doctest: +SKIP
    >>> for event in answerer.ask("How long is parental leave?", collections=["default"]):
    ...     print(event)                                                      # doctest: +SKIP
    """

    def __init__(self, settings: Settings, library: Library, embedder: Embedder, engine: Engine) -> None:
        self._settings = settings
        self._library = library
        self._embedder = embedder
        self._engine = engine

    def ask(
        self,
        question: str,
        *,
        collections: Sequence[str],
        mode: Mode | None = None,
        budget: int | None = None,
        history: Sequence[Turn] = (),
        where: Filters | None = None,
    ) -> Iterator[Event]:
        """Events up to Finished; closing the iterator stops the engine.

        collections: those that the asker may read (rag.access.readable). mode: how thorough; None: as the
        settings say. budget: tokens of evidence, at most; None: as the settings say. history: earlier turns
        of the conversation, oldest first. where: which documents; None: all.

        Raises UsageError at once for an empty question, one of more than MAX_QUESTION characters, a budget
        below 1 or a mode that is not there; while iterated, PromptTooLong and what library, embedder and
        engine raise. If the engine fails after text was shown, Finished comes with that text before the
        error is raised.
        """
        question = question.strip()
        if not question:
            raise UsageError("The question is empty.", fix="Write a question.")
        if len(question) > MAX_QUESTION:
            raise UsageError(
                f"The question has {len(question):,} characters.",
                fix=f"Ask with at most {MAX_QUESTION:,}; a longer text belongs into a document.",
            )
        mode = mode or self._settings.answering.mode
        if mode not in MODES:
            raise UsageError(f"There is no mode {mode!r}.", fix=f"Use one of: {', '.join(MODES)}.")
        if budget is not None and budget < 1:
            raise UsageError(f"A budget of {budget} tokens holds nothing.", fix="Give a larger budget.")
        return self._answered(
            question,
            mode,
            list(collections),
            budget,
            list(history),
            where if where is not None and where.restrict else None,
        )

    def _answered(
        self,
        question: str,
        mode: Mode,
        collections: list[str],
        budget: int | None,
        history: list[Turn],
        where: Filters | None,
    ) -> Iterator[Event]:
        """As `ask`, for what has been checked. What is searched for may take a search to know, so that, too,
        begins with the first event."""
        started = time.monotonic()
        in_language = _language_of(question, history)
        continues = continuing(self._library, self._embedder, self._settings, collections, where)
        searches = search_questions(question, history, continues)
        asked = Asked(
            settings=self._settings,
            library=self._library,
            embedder=self._embedder,
            engine=self._engine,
            question=question,
            searches=[without_pages(search) for search in searches],
            collections=collections,
            history=history,
            budget=budget or self._settings.retrieval.budget_tokens,
            bounded=budget is not None,
            language=in_language,
            phrases=phrases_in(in_language),
            pages=Pages(self._library),
            where=where,
            started=started,
            on_pages=pages_named(searches[0]),
        )
        yield from with_differences(asked, with_partial(asked, _events(asked, mode)))


def _language_of(question: str, history: Sequence[Turn]) -> Language:
    """That of the question; of the one before it if it has no letters ("2023?") or is an "ok", which people
    say in every language."""
    for text in [question, *(turn.question for turn in reversed(history))]:
        if any(map(str.isalpha, text)) and not (text.isascii() and AGREED.fullmatch(text)):
            return language(text)
    return language(question)


def _events(asked: Asked, mode: Mode) -> Iterator[Event]:
    polite = courtesy(asked.question, asked.history, asked.language)
    if polite:
        yield asked.show(polite)
        yield Finished(asked.answer(()))
        return
    if mode != "every" or by_chapters(asked.question):
        table_of = table_summed_up(asked)
        if table_of is not None:
            yield from from_table(asked, table_of)
            return
        whole = choice(asked)
        if whole is not None:
            if whole.papers:
                yield from _loaded(asked.engine)
            yield from chapters(asked, whole)
            return
    if mode == "every":
        yield from _loaded(asked.engine)
        yield from every(asked)
        return
    passages = with_compared(asked, passages_for(asked))
    form = _form(asked, passages) if mode == "complete" else []
    if form:
        yield from _loaded(asked.engine)
        if (yield from every(asked, form)):
            return
        yield asked.replace("")
    if not passages and not (mode == "complete" and _any_part_is_found(asked)):
        table = calculation(asked, asked.searches[0], ()) if _is_one(asked.searches[0]) else None
        yield from (_not_found(asked) if table is None else from_table(asked, table))
        return
    yield from _loaded(asked.engine)
    demo = asked.engine.info().demo
    if demo and asks_for_more(asked):
        yield from further(asked, packed(asked, passages, asked.budget))
        return
    if mode == "complete":
        yield from (complete_quotations if demo else complete)(asked, passages)
        return
    table = calculation(asked, asked.search, passages) if _is_one(asked.search) else None
    if table is not None:
        yield from from_table(asked, table)
    elif demo:
        yield from from_quotations(asked, packed(asked, passages, asked.budget))
    else:
        shares = shares_of(asked)
        yield from from_model(asked, shares, packed(asked, passages, shares.evidence_tokens))


def _form(asked: Asked, passages: Sequence[Passage]) -> list[Paper]:
    """The documents of one form over all of which a question asks something, if they are few enough to be
    asked one by one; [] for any other question."""
    if not (_is_one(asked.search) and asks_over_documents(asked.search)):
        return []
    nearest = passages or untested(asked, asked.search)
    found = alike(asked, dict.fromkeys(passage.chunk.document for passage in nearest))
    return found if len(found) <= MOST_ALIKE else []


def _any_part_is_found(asked: Asked) -> bool:
    """Whether the documents speak of a part of a question of which, as a whole, they do not speak."""
    parts = parts_of(asked.search)
    return len(parts) > 1 and any(searched(asked, part.search) for part in parts)


def _is_one(question: str) -> bool:
    return len(parts_of(question)) == 1


def _loaded(engine: Engine) -> Iterator[Event]:
    """Signs of life until the engine is ready. Closing the iterator leaves it loading: it is wanted soon."""
    if engine.info().state in ("ready", "busy"):
        return
    done: Future[None] = Future()

    def start() -> None:
        try:
            engine.start()
        except BaseException as error:  # noqa: BLE001 - raised again where the result is asked for
            done.set_exception(error)
        else:
            done.set_result(None)

    threading.Thread(target=start, name="engine-start", daemon=True).start()
    while not wait([done], timeout=_SIGN_OF_LIFE_S).done:
        yield Delta("")
    done.result()


def _not_found(asked: Asked) -> Iterator[Event]:
    """Nothing is relevant: said at once, without asking the model."""
    yield Retrieved(())
    nearest = nearest_documents(asked.library, asked.embedder, asked.search, asked.collections)
    unheard = unheard_of(asked.library, asked.question, asked.collections)
    yield asked.show(not_found_text(asked.language, nearest, unheard, empty=not nearest))
    yield Finished(asked.answer((), found=False))
