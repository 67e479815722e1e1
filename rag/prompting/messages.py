"""Question, evidence and conversation → the messages for the model.

The order is what the prefix cache wants: what never changes first (system, examples), then what changes
with the evidence, then the conversation, the question last.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rag.citations.markers import MARKER
from rag.prompting.bank import Example
from rag.prompting.fence import fenced, quotation
from rag.prompting.order import at_both_ends
from rag.prompting.phrases import Phrases
from rag.records import Evidence, Message, Turn


def front(phrases: Phrases, examples: Sequence[Example]) -> list[Message]:
    """System message and worked examples: the same for every question of a kind."""
    messages = [Message("system", phrases.system.format(not_found=phrases.not_found))]
    for example in examples:
        answer = example.answer or phrases.not_found
        messages += [Message("user", _asked(phrases, example)), Message("assistant", answer)]
    return messages


def build(
    phrases: Phrases,
    question: str,
    evidence: Sequence[Evidence],
    *,
    history: Sequence[Turn] = (),
    examples: Sequence[Example] = (),
    steps: bool = False,
    then: str = "",
) -> list[Message]:
    """The whole prompt. Evidence stands before the conversation, under its own numbers, the strongest at
    both ends.

    steps: whether the model is asked to go step by step. then: an instruction behind the question (which
    part of it to answer); two prompts that differ in it alone differ at their end alone.

    The markers of earlier answers are left out: they counted other evidence.
    """
    questions = [*(turn.question for turn in history), question]
    users = [phrases.question.format(question=quotation(text)) for text in questions]
    reminder = f"{phrases.steps}\n{phrases.reminder}" if steps else phrases.reminder
    users[-1] = "\n".join(filter(None, [reminder, users[-1], quotation(then)]))
    sources = _sources(phrases, evidence)
    users[0] = f"{sources}{users[0]}"
    # The engine keeps what it evaluated of the evidence: the next question is often about the same.
    stable = [len(sources), *(0 for _ in history)]
    messages = front(phrases, examples)
    for turn, user, same in zip(history, users[:-1], stable[:-1], strict=True):
        messages += [Message("user", user, same), Message("assistant", _without_markers(turn.answer))]
    return [*messages, Message("user", users[-1], stable[-1])]


def build_task(phrases: Phrases, system: str, question: str) -> list[Message]:
    """A prompt for a small task on the question itself (taking it apart, finding other words for it)."""
    asked = phrases.question.format(question=quotation(question))
    return [Message("system", system), Message("user", asked)]


def build_short(phrases: Phrases, question: str, texts: Sequence[str]) -> list[Message]:
    """A prompt for very small models: one instruction, the texts as they are, the question."""
    shown = "\n".join(quotation(text) for text in texts)
    asked = phrases.question.format(question=quotation(question))
    return [Message("system", phrases.short_system), Message("user", f"{shown}\n\n{asked}")]


def _sources(phrases: Phrases, evidence: Sequence[Evidence]) -> str:
    shown = "".join(map(partial(fenced, phrases=phrases), at_both_ends(evidence)))
    return f"{phrases.sources}\n\n{shown}{phrases.sources_end}\n\n"


def _asked(phrases: Phrases, example: Example) -> str:
    asked = phrases.question.format(question=example.question)
    return f"{_sources(phrases, example.evidence)}{phrases.reminder}\n{asked}"


def _without_markers(answer: str) -> str:
    return MARKER.sub("", answer).strip() or "…"
