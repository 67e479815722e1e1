"""What happens on each event of the page's conversations. Everything is asked for with the asker's own
rights."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import gradio as gr

from rag.access import Asker
from rag.answering import MAX_QUESTION, MODES
from rag.errors import RagError
from ui.asking import TooMany
from ui.document_handlers import DocumentHandlers
from ui.filtering import NothingMatches, wanted
from ui.language import Texts
from ui.render.conversation import ShownTurn, turns_html
from ui.render.dates import dates_html
from ui.render.documents import collection_choices
from ui.render.evidence import evidence_html, no_evidence_html
from ui.render.opening import opening_html
from ui.render.problems import no_match
from ui.render.recent import recent_html
from ui.requests import data_of, message, session, texts_of, toast, told, whose_turn
from ui.run import Run, new_turn
from ui.service import Service

_SETTLES_S = 4.0
"""A reloaded window waits so long for what it was shown before to be kept."""


class Handlers:
    """Bound to one service; no state of its own."""

    def __init__(self, service: Service, documents: DocumentHandlers) -> None:
        self._service = service
        self._documents = documents

    # ---- opening, switching and forgetting conversations

    @told
    def opened(self, conversation: str, mode: str, request: gr.Request) -> list[Any]:
        """transcript, live, evidence, collections, recent, files, mode, dates

        mode: the one that this browser's reader chose last, "" if they never did.
        """
        words, asker = texts_of(request), self._asker(request)
        if conversation:
            self._service.asking.settle(conversation, _SETTLES_S)
        shown = self._conversation(conversation, asker, words)
        collections = self._service.collections(asker)
        return [
            *shown,
            gr.CheckboxGroup(
                choices=collection_choices(collections, words), value=[each.name for each in collections]
            ),
            self._recent(asker, words),
            self._documents.table(asker, words),
            gr.Radio(
                choices=[(words(f"mode.{each}"), each) for each in MODES],
                value=mode if mode in MODES else self._service.settings.answering.mode,
            ),
            dates_html(words),
        ]

    @told
    def new(self, request: gr.Request) -> list[Any]:
        words, asker = texts_of(request), self._asker(request)
        self._service.asking.abandon(session(request))
        return [*self._conversation("", asker, words), self._recent(asker, words)]

    @told
    def pick(self, event: gr.EventData, request: gr.Request) -> list[Any]:
        words, asker = texts_of(request), self._asker(request)
        self._service.asking.abandon(session(request))
        wanted = str(data_of(event).get("id", ""))
        return [*self._conversation(wanted, asker, words), self._recent(asker, words)]

    @told
    def forget(self, current: str, event: gr.EventData, request: gr.Request) -> list[Any]:
        words, asker = texts_of(request), self._asker(request)
        wanted = str(data_of(event).get("id", ""))
        if wanted == current:
            self._service.asking.abandon(session(request))
        self._service.conversations.forget(wanted, asker)
        if wanted != current:
            return [gr.skip(), gr.skip(), gr.skip(), self._recent(asker, words)]
        return [*self._conversation("", asker, words), self._recent(asker, words)]

    @told
    def rename(self, event: gr.EventData, request: gr.Request) -> str:
        words, asker = texts_of(request), self._asker(request)
        data = data_of(event)
        self._service.conversations.rename(str(data.get("id", "")), asker, str(data.get("title", "")))
        return self._recent(asker, words)

    def left(self, request: gr.Request) -> None:
        """The window was closed or reloaded: nobody reads the answer any more."""
        self._service.asking.abandon(session(request))

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
        words, asker = texts_of(request), self._asker(request)
        question = (question or "").strip()
        if not question:
            yield [gr.skip()] * 7
            return
        if len(question) > MAX_QUESTION:
            line = words("problem.too_long", n=len(question), limit=MAX_QUESTION)
            raise message(line)
        if not collections:
            raise message(words("problem.no_collection"))
        try:
            which = wanted(only, days)
        except ValueError:
            raise message(words("problem.dates")) from None
        run = Run(new_turn(question), session(request), words, whose_turn(request))
        try:
            conversation, earlier = await asyncio.to_thread(
                self._service.begin, run, conversation, collections, asker, mode, which
            )
        except RagError as error:
            raise toast(error, words) from error
        except NothingMatches:
            raise message(no_match(which, words)) from None
        except TooMany:
            raise message(words("problem.busy")) from None
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
        self._service.asking.stop(session(request))

    @told
    def cite(self, conversation: str, event: gr.EventData, request: gr.Request) -> str:
        """The evidence of an earlier turn."""
        words = texts_of(request)
        data = data_of(event)
        for turn in self._service.conversations.turns(conversation, self._asker(request)):
            if turn.id == data.get("turn"):
                return _panel(turn, words, focus=int(data.get("n") or 0) or None)
        return no_evidence_html(words)

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
            words,
            documents=documents,
            examples=self._service.examples(asker, words.language),
            changeable=self._service.changeable,
        )
        return [f'<div data-conversation="">{opening}</div>', "", no_evidence_html(words)]

    def _recent(self, asker: Asker, words: Texts) -> str:
        return recent_html(self._service.conversations.recent(asker), words)


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
