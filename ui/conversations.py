"""Kept conversations as turns of the page, and turns as what is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from rag.access import Asker
from rag.errors import AccessDenied
from rag.history import ASKED, WITHHELD
from rag.history import Conversations as Kept
from rag.library import Library
from rag.records import Answer, Turn
from rag.settings import Settings
from ui.render.conversation import ShownTurn

RECENT = 300
"""Conversations listed in the rail, which scrolls: an older one could not be reached at all."""


class Conversations:
    """The conversations of every asker. A turn's id is its number in the conversation, from 0."""

    def __init__(self, settings: Settings, library: Library) -> None:
        self._kept = Kept(settings.home)
        self._library = library

    def begin(self, conversation: str, asker: Asker) -> tuple[str, list[ShownTurn]]:
        """The conversation of a question, a new one if that is not the asker's, and its earlier turns."""
        turns = self.turns(conversation, asker)
        return (conversation, turns) if turns else (self._kept.new(asker), [])

    def turns(self, conversation: str, asker: Asker) -> list[ShownTurn]:
        """[] if the asker has no such conversation."""
        if not conversation:
            return []
        try:
            answers = self._kept.answers(asker, conversation, self._library)
        except AccessDenied:
            return []
        return [
            ShownTurn(
                str(number),
                answer.question,
                "finished",
                left_out=cast("int", answer.coverage.get("left_out", 0)),
                answer=answer,
            )
            for number, answer in enumerate(answers)
        ]

    def keep(
        self, conversation: str, asker: Asker, turn: ShownTurn, collections: Sequence[str] = ()
    ) -> str | None:
        """The id that the turn has from now on: another window may have ended one before it.

        A turn that failed is kept as one that was stopped: its question is not lost. What was forgotten in
        the meantime stays forgotten: None. collections: those that were asked, which are kept with it.
        """
        answer = turn.answer or Answer(turn.question, turn.text, turn.evidence, (), stopped=True)
        try:
            coverage = {**answer.coverage, ASKED: list(collections)}
            answer = replace(answer, question=turn.question, coverage=coverage)
            return str(self._kept.add(asker, conversation, answer) - 1)
        except AccessDenied:
            return None

    def with_turn(
        self, conversation: str, asker: Asker, turn: ShownTurn, earlier: Sequence[ShownTurn]
    ) -> list[ShownTurn]:
        """The conversation as it is kept now, this turn as it was shown. earlier: what it had before, if
        nothing of it is kept."""
        kept = self.turns(conversation, asker)
        if not any(each.id == turn.id for each in kept):
            return [*earlier, turn]
        return [turn if each.id == turn.id else each for each in kept]

    def forget(self, conversation: str, asker: Asker) -> None:
        try:
            self._kept.delete(asker, conversation)
        except AccessDenied:
            return

    def rename(self, conversation: str, asker: Asker, title: str) -> None:
        """Blank titles, and conversations that were forgotten meanwhile, change nothing."""
        if not title.strip():
            return
        try:
            self._kept.rename(asker, conversation, title)
        except AccessDenied:
            return

    def title(self, conversation: str, asker: Asker) -> str:
        """ "" if the asker has no such conversation."""
        return next((each.title for each in self._kept.all(asker) if each.id == conversation), "")

    def recent(self, asker: Asker) -> list[tuple[str, str]]:
        """(id, title), the newest first."""
        return [(each.id, each.title) for each in self._kept.all(asker)[:RECENT]]


def history(turns: Sequence[ShownTurn]) -> list[Turn]:
    """What the next answer should know of the earlier ones. Questions without an answer are left out, and
    those whose answer is withheld."""
    return [
        Turn(turn.question, turn.answer.text)
        for turn in turns
        if turn.answer and turn.answer.text and WITHHELD not in turn.answer.coverage
    ]
