"""How the engine's context is shared out between instructions, conversation, evidence and answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rag.errors import PromptTooLong
from rag.prompting.bank import Example
from rag.prompting.messages import build
from rag.prompting.phrases import Phrases
from rag.records import Message, Turn

CountMessages = Callable[[Sequence[Message]], int]

SPARE = 32
"""Tokens that stay free: joined texts may count a little more than their parts."""
_ANSWER_SHARE = 4
_HISTORY_SHARE = 4
"""Answer and conversation get at most this fraction (one over it) of the context each."""
_ENOUGH_EVIDENCE = 1024
_LEAST_EVIDENCE = 96


@dataclass(frozen=True, slots=True)
class Plan:
    """history: the turns that are kept (the latest). examples: those kept. Tokens for evidence and answer."""

    history: tuple[Turn, ...]
    examples: tuple[Example, ...]
    evidence_tokens: int
    answer_tokens: int


def plan(
    phrases: Phrases,
    question: str,
    history: Sequence[Turn],
    *,
    context: int,
    evidence_tokens: int,
    answer_tokens: int,
    count: CountMessages,
    examples: Sequence[Example] = (),
    steps: bool = False,
    then: Sequence[str] = (),
) -> Plan:
    """Make room for `evidence_tokens` of evidence, as far as the context allows.

    Old turns go first, whole ones; then examples; evidence gets what is left. Instructions + conversation +
    question + evidence + answer never exceed `context`. then: the instructions that will stand behind the
    question, one at a time; the longest counts. Raises PromptTooLong if the question itself leaves no room.
    """
    answer = min(answer_tokens, context // _ANSWER_SHARE)
    turns = list(history)
    kept = list(examples)
    wanted = min(evidence_tokens, _ENOUGH_EVIDENCE)
    make = partial(build, phrases, question, (), steps=steps, then=max(then, key=len, default=""))

    def cost() -> int:
        return count(make(history=turns, examples=kept))

    alone = count(make(examples=kept))
    fixed = cost() if turns else alone
    while turns and (fixed - alone > context // _HISTORY_SHARE or context - answer - SPARE - fixed < wanted):
        del turns[0]
        fixed = cost()
    while kept and context - answer - SPARE - fixed < wanted:
        kept.pop()
        fixed = cost()
    room = context - answer - SPARE - fixed
    if room < min(evidence_tokens, _LEAST_EVIDENCE):
        raise PromptTooLong(
            f"The question leaves no room for evidence: it takes {fixed} of the context's {context} tokens.",
            fix="Ask a shorter question, or raise engine.context.",
        )
    return Plan(tuple(turns), tuple(kept), min(evidence_tokens, room), answer)
