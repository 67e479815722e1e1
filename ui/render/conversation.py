"""The transcript: questions, answers, what is being waited for, and what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rag.answering.events import Progress
from rag.records import Answer, Evidence
from ui.language import Texts
from ui.render.answer import answer_html, verdict_html
from ui.render.element import Html, button, element, joined

Phase = Literal["searching", "waiting", "reading", "thinking", "writing", "finished", "failed"]

_LONG_S = 4
"""Seconds of waiting from which on their number is told."""


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """One question and what is known of its answer so far.

    progress: the step that is being done, in the modes that take several. phase_s: seconds since the phase
    began. thought, thought_s: what the model has thought so far, and for how long; no part of the text.
    problem: what went wrong, in the page's words: (message, details). error: name of the error's class.
    """

    id: str
    question: str
    phase: Phase
    ahead: int = 0
    text: str = ""
    evidence: tuple[Evidence, ...] = ()
    left_out: int = 0
    progress: Progress | None = None
    answer: Answer | None = None
    problem: tuple[str, str] | None = None
    error: str = ""
    phase_s: float = 0.0
    thought: str = ""
    thought_s: float = 0.0


_LONG_QUESTION = 700
"""Characters; of a longer question the beginning is shown until the reader wants all of it."""


def turn_html(turn: ShownTurn, texts: Texts) -> Html:
    return element(
        "article",
        _question(turn.question, texts),
        element(
            "div",
            _thought(turn, texts),
            _text(turn, texts),
            _progress(turn, texts),
            _problem(turn, texts),
            _foot(turn, texts),
            class_="answer",
        ),
        class_=f"turn {turn.phase}",
        data_turn=turn.id,
    )


def _question(question: str, texts: Texts) -> Html:
    if len(question) <= _LONG_QUESTION:
        return element("div", element("p", question), class_="question")
    more, less = texts("question.whole"), texts("question.beginning")
    return element(
        "div",
        element("p", question),
        button(more, "link whole-question", data_more=more, data_less=less, aria_expanded="false"),
        class_="question long",
    )


def turns_html(turns: Sequence[ShownTurn], texts: Texts, conversation: str | None) -> Html:
    """All of a conversation; the page's script keeps its id in the address."""
    inside = (turn_html(turn, texts) for turn in turns)
    save = None
    if conversation and turns:
        file = f"conversations/{conversation}.md"
        save = element("p", element("a", texts("conversation.save"), href=file, download=True), class_="save")
    return element("div", *inside, save, class_="turns", data_conversation=conversation)


def _text(turn: ShownTurn, texts: Texts) -> Html | None:
    answer = turn.answer
    text = answer.text if answer else turn.text
    if not text:
        return None
    shown = answer_html(
        text,
        answer.evidence if answer else turn.evidence,
        texts,
        citations=answer.citations if answer else (),
        unsupported=answer.unsupported if answer else (),
    )
    return element("div", shown, class_="text not-found" if answer and not answer.found else "text")


def _thought(turn: ShownTurn, texts: Texts) -> Html | None:
    """That the model thinks, and for how long; what, for those who unfold it. Never a part of the answer: no
    number in it is a citation."""
    thought = turn.answer.thought if turn.answer else turn.thought
    seconds = turn.answer.timing.thought_s if turn.answer else turn.thought_s
    thinking = turn.phase == "thinking"
    if not thinking and not thought:
        return None
    line = texts("thought.now" if thinking else "thought.done", n=round(seconds))
    state = element("span", element("i") if thinking else None, line, class_="state")
    if not thought:
        return element("p", state, class_="thought thinking", role="status")
    summary = element("summary", state, element("span", texts("thought.unchecked"), class_="unchecked"))
    return element(
        "details",
        summary,
        element("div", thought.strip(), class_="thoughts"),
        class_="thought thinking" if thinking else "thought",
    )


def _progress(turn: ShownTurn, texts: Texts) -> Html | None:
    if turn.phase in ("finished", "failed"):
        return None
    step = turn.progress
    if step is not None and turn.phase != "waiting":
        return _step(step, texts)
    if turn.phase in ("thinking", "writing"):
        return None
    line = texts("queue.ahead", n=turn.ahead) if turn.phase == "waiting" else texts(f"phase.{turn.phase}")
    if turn.phase == "reading" and turn.phase_s >= _LONG_S:
        line = f"{line} {texts('phase.seconds', n=int(turn.phase_s))}"
    return element("p", element("i"), line, class_=f"progress {turn.phase}", role="status")


def _step(step: Progress, texts: Texts) -> Html:
    """What is being done; how far it is, where that is known."""
    number = min(step.done + 1, step.total)
    line = texts(f"step.{step.step}", n=number, total=step.total, about=step.about)
    counted = step.step in ("document", "chapter")
    bar = element("progress", value=step.done, max=step.total) if counted else None
    return element(
        "div", element("p", element("i"), line, class_="progress step", role="status"), bar, class_="steps"
    )


def _problem(turn: ShownTurn, texts: Texts) -> Html | None:
    if turn.problem is None:
        return None
    message, details = turn.problem
    more = None
    if details:
        more = element("details", element("summary", texts("problem.details")), element("p", details))
    return element("div", element("p", message), more, class_="problem", role="alert")


def _foot(turn: ShownTurn, texts: Texts) -> Html | None:
    answer = turn.answer
    if answer is None:
        return None
    sources = copy = None
    if answer.evidence:
        sources = button(texts("answer.sources", n=len(answer.evidence)), "link sources")
    if answer.text:
        copy = button(
            texts("answer.copy"), "link copy", data_text=answer.text, data_done=texts("answer.copied")
        )
    actions = element("span", sources, copy, class_="actions")
    return element("div", joined(verdict_html(answer, texts), actions), class_="foot")
