"""What happens on each event of the page. Everything is asked for with the asker's own rights."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import gradio as gr

from rag.access import Asker
from rag.answering import MAX_QUESTION, MODES
from rag.errors import RagError
from ui.asking import Run, TooMany, new_turn
from ui.filtering import NothingMatches, wanted
from ui.language import Texts, language_of, texts
from ui.render.conversation import ShownTurn, turns_html
from ui.render.dates import dates_html
from ui.render.documents import PAGE_SIZE, collection_choices, documents_html
from ui.render.element import escaped
from ui.render.evidence import evidence_html, no_evidence_html
from ui.render.opening import opening_html
from ui.render.problems import no_match, problem
from ui.render.recent import recent_html
from ui.service import Service
from ui.visitor import visitor

P = ParamSpec("P")
R = TypeVar("R")


def _told(handler: Callable[P, R]) -> Callable[P, R]:
    """Expected errors become a message on the page in the reader's language, not a stack trace."""

    @wraps(handler)
    def inner(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return handler(*args, **kwargs)
        except RagError as error:
            request = next(value for value in [*args, *kwargs.values()] if isinstance(value, gr.Request))
            raise _toast(error, _texts(request)) from error

    return inner


class Handlers:
    """Bound to one service; no state of its own."""

    def __init__(self, service: Service) -> None:
        self._service = service

    # ---- opening, switching and forgetting conversations

    @_told
    def opened(self, conversation: str, request: gr.Request) -> list[Any]:
        """transcript, live, evidence, collections, recent, files, mode, dates"""
        words, asker = _texts(request), self._asker(request)
        shown = self._conversation(conversation, asker, words)
        collections = self._service.collections(asker)
        return [
            *shown,
            gr.CheckboxGroup(
                choices=collection_choices(collections, words), value=[each.name for each in collections]
            ),
            self._recent(asker, words),
            self._files(asker, words),
            gr.Radio(
                choices=[(words(f"mode.{mode}"), mode) for mode in MODES],
                value=self._service.settings.answering.mode,
            ),
            dates_html(words),
        ]

    @_told
    def new(self, request: gr.Request) -> list[Any]:
        words, asker = _texts(request), self._asker(request)
        self._service.asking.abandon(_session(request))
        return [*self._conversation("", asker, words), self._recent(asker, words)]

    @_told
    def pick(self, event: gr.EventData, request: gr.Request) -> list[Any]:
        words, asker = _texts(request), self._asker(request)
        self._service.asking.abandon(_session(request))
        wanted = str(_data(event).get("id", ""))
        return [*self._conversation(wanted, asker, words), self._recent(asker, words)]

    @_told
    def forget(self, current: str, event: gr.EventData, request: gr.Request) -> list[Any]:
        words, asker = _texts(request), self._asker(request)
        wanted = str(_data(event).get("id", ""))
        if wanted == current:
            self._service.asking.abandon(_session(request))
        self._service.conversations.forget(wanted, asker)
        if wanted != current:
            return [gr.skip(), gr.skip(), gr.skip(), self._recent(asker, words)]
        return [*self._conversation("", asker, words), self._recent(asker, words)]

    @_told
    def rename(self, event: gr.EventData, request: gr.Request) -> str:
        words, asker = _texts(request), self._asker(request)
        data = _data(event)
        self._service.conversations.rename(str(data.get("id", "")), asker, str(data.get("title", "")))
        return self._recent(asker, words)

    def left(self, request: gr.Request) -> None:
        """The window was closed or reloaded: nobody reads the answer any more."""
        self._service.asking.abandon(_session(request))

    # ---- asking

    async def ask(
        self,
        question: str,
        conversation: str,
        days: str,
        collections: Sequence[str],
        mode: str | None,
        only: str,
        request: gr.Request,
    ) -> AsyncIterator[list[Any]]:
        """question, transcript, live, evidence, recent, send, stop: again and again until it is answered."""
        words, asker = _texts(request), self._asker(request)
        question = (question or "").strip()
        if not question:
            yield [gr.skip()] * 7
            return
        if len(question) > MAX_QUESTION:
            line = words("problem.too_long", n=len(question), limit=MAX_QUESTION)
            raise _message(line)
        if not collections:
            raise _message(words("problem.no_collection"))
        try:
            which = wanted(only, days)
        except ValueError:
            raise _message(words("problem.dates")) from None
        run = Run(new_turn(question), _session(request), words, _who(request))
        try:
            conversation, earlier = await asyncio.to_thread(
                self._service.begin, run, conversation, collections, asker, mode, which
            )
        except RagError as error:
            raise _toast(error, words) from error
        except NothingMatches:
            raise _message(no_match(which, words)) from None
        except TooMany:
            raise _message(words("problem.busy")) from None
        try:
            yield [
                "",
                turns_html(earlier, words, conversation),
                turns_html([run.turn], words, None),
                no_evidence_html(words),
                gr.skip(),
                gr.Button(visible=False),
                gr.Button(visible=True),
            ]
            shown: tuple[Any, ...] = ()
            async for turn in run.turns():
                if run.abandoned or run.done:
                    break
                panel = (turn.evidence, turn.answer)
                evidence = gr.skip() if panel == shown else _panel(turn, words)
                shown = panel
                yield [gr.skip(), gr.skip(), turns_html([turn], words, None), evidence, *[gr.skip()] * 3]
        finally:
            # The reader has gone, or the answer is complete (then this does nothing).
            run.stop()
        if run.abandoned:
            yield [*[gr.skip()] * 5, gr.Button(visible=True), gr.Button(visible=False)]
            await run.end()
            yield [*[gr.skip()] * 4, self._recent(asker, words), gr.skip(), gr.skip()]
            return
        # Another window may have asked in this conversation meanwhile.
        every = await asyncio.to_thread(
            self._service.conversations.with_turn, conversation, asker, run.turn, earlier
        )
        yield [
            gr.skip(),
            turns_html(every, words, conversation),
            "",
            _panel(run.turn, words),
            self._recent(asker, words),
            gr.Button(visible=True),
            gr.Button(visible=False),
        ]

    def stop(self, request: gr.Request) -> None:
        self._service.asking.stop(_session(request))

    @_told
    def cite(self, conversation: str, event: gr.EventData, request: gr.Request) -> str:
        """The evidence of an earlier turn."""
        words = _texts(request)
        data = _data(event)
        for turn in self._service.conversations.turns(conversation, self._asker(request)):
            if turn.id == data.get("turn"):
                return _panel(turn, words, focus=int(data.get("n") or 0) or None)
        return no_evidence_html(words)

    # ---- documents

    @_told
    def refresh(self, wanted: str, chosen: Sequence[str], request: gr.Request) -> list[Any]:
        """The library has changed: the table, and the collections with what was chosen of them."""
        words, asker = _texts(request), self._asker(request)
        collections = self._service.collections(asker)
        names = [each.name for each in collections]
        kept = [name for name in names if name in chosen]
        return [
            self._files(asker, words, wanted),
            gr.CheckboxGroup(choices=collection_choices(collections, words), value=kept or names),
        ]

    @_told
    def filter(self, wanted: str, request: gr.Request) -> str:
        return self._files(self._asker(request), _texts(request), wanted)

    @_told
    def more(self, wanted: str, event: gr.EventData, request: gr.Request) -> str:
        limit = min(100_000, int(_data(event).get("limit") or PAGE_SIZE))
        return self._files(self._asker(request), _texts(request), wanted, limit)

    @_told
    def remove(self, wanted: str, event: gr.EventData, request: gr.Request) -> str:
        words, asker = _texts(request), self._asker(request)
        collection, location = json.loads(str(_data(event)["key"]))
        self._service.remove(asker, collection, location)
        gr.Info(words("documents.removed", name=escaped(Path(location).name)))
        return self._files(asker, words, wanted)

    # ---- parts

    def _asker(self, request: gr.Request) -> Asker:
        return self._service.asker(request.username)

    def _conversation(self, number: str, asker: Asker, words: Texts) -> list[Any]:
        """transcript, live, evidence"""
        turns = self._service.conversations.turns(number, asker) if number else []
        if turns:
            return [turns_html(turns, words, number), "", _panel(turns[-1], words)]
        documents = sum(each.documents for each in self._service.collections(asker))
        opening = opening_html(
            words, documents=documents, examples=self._service.examples(asker, words.language)
        )
        return [f'<div data-conversation="">{opening}</div>', "", no_evidence_html(words)]

    def _recent(self, asker: Asker, words: Texts) -> str:
        return recent_html(self._service.conversations.recent(asker), words)

    def _files(self, asker: Asker, words: Texts, wanted: str = "", limit: int = PAGE_SIZE) -> str:
        names = [each.name for each in self._service.collections(asker)]
        files = self._service.library.files(names) if names else []
        return documents_html(
            files,
            words,
            wanted=wanted or "",
            limit=limit,
            several=len(names) > 1,
            own=self._service.uploads.holds,
        )


def _panel(turn: ShownTurn, words: Texts, focus: int | None = None) -> str:
    evidence = turn.answer.evidence if turn.answer else turn.evidence
    if not evidence:
        searched = turn.answer is not None and not turn.answer.stopped
        return no_evidence_html(words, "evidence.nothing" if searched else "evidence.empty")
    return evidence_html(
        evidence,
        turn.question,
        words,
        turn=turn.id,
        citations=turn.answer.citations if turn.answer else (),
        finished=turn.answer is not None and not turn.answer.stopped,
        left_out=turn.left_out,
        focus=focus,
    )


def _toast(error: RagError, words: Texts) -> gr.Error:
    return _message(" ".join(problem(error, words)).strip())


def _message(line: str) -> gr.Error:
    # Its text is taken for HTML by the page.
    return gr.Error(escaped(line), print_exception=False)


def _texts(request: gr.Request) -> Texts:
    return texts(language_of(request.headers.get("accept-language")))


def _session(request: gr.Request) -> str:
    return request.session_hash or ""


def _who(request: gr.Request) -> str:
    """Whose place in the queue a question takes: all windows of a person, or of a browser, count as one."""
    return request.username or visitor(request.headers.get("cookie", "")) or _session(request)


def _data(event: gr.EventData) -> dict[str, Any]:
    data = event._data
    return data if isinstance(data, dict) else {}
