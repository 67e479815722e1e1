"""Question, evidence and conversation → the messages for the model.

The order is what the prefix cache wants: what never changes first (system, examples), then what changes
with the evidence, then the conversation, the question last.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rag.citations.markers import MARKER
from rag.prompting.fence import fenced, quotation
from rag.prompting.phrases import Example, Phrases
from rag.records import Evidence, Message, Turn


def front(phrases: Phrases, examples: int) -> list[Message]:
    """System message and the first `examples` worked examples: the same for every question."""
    messages = [Message("system", phrases.system.format(not_found=phrases.not_found))]
    for example in phrases.example[:examples]:
        messages += [Message("user", _asked(phrases, example)), Message("assistant", example.answer)]
    return messages


def build(
    phrases: Phrases,
    question: str,
    evidence: Sequence[Evidence],
    *,
    history: Sequence[Turn] = (),
    examples: int = 3,
) -> list[Message]:
    """The whole prompt. Evidence stands before the conversation, under its own numbers.

    The markers of earlier answers are left out: they counted other evidence.
    """
    questions = [*(turn.question for turn in history), question]
    users = [phrases.question.format(question=quotation(text)) for text in questions]
    users[-1] = f"{phrases.reminder}\n{users[-1]}"
    users[0] = f"{_sources(phrases, evidence)}{users[0]}"
    messages = front(phrases, examples)
    for turn, user in zip(history, users[:-1], strict=True):
        messages += [Message("user", user), Message("assistant", _without_markers(turn.answer))]
    return [*messages, Message("user", users[-1])]


def build_short(phrases: Phrases, question: str, texts: Sequence[str]) -> list[Message]:
    """A prompt for very small models: one instruction, the texts as they are, the question."""
    shown = "\n".join(quotation(text) for text in texts)
    asked = phrases.question.format(question=quotation(question))
    return [Message("system", phrases.short_system), Message("user", f"{shown}\n\n{asked}")]


def _sources(phrases: Phrases, evidence: Sequence[Evidence]) -> str:
    shown = "".join(map(partial(fenced, page_phrase=phrases.page), evidence))
    return f"{phrases.sources}\n\n{shown}{phrases.sources_end}\n\n"


def _asked(phrases: Phrases, example: Example) -> str:
    asked = phrases.question.format(question=example.question)
    return f"{_sources(phrases, example.evidence)}{phrases.reminder}\n{asked}"


def _without_markers(answer: str) -> str:
    return MARKER.sub("", answer).strip() or "…"
