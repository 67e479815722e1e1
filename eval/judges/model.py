"""The model judge: an engine that may answer with one of three words only, asked several times.

The schema leaves it no other words. Asked `votes` times under different seeds, its majority counts, and how
often it disagrees with itself is part of every verdict: a judge that wavers measures its own noise.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from eval.judges.verdict import SUPPORTS, WORTH, Support, Verdict
from rag.citations.markers import MARKER
from rag.engine.protocol import Sampling
from rag.records import Message
from rag.text.language import language

if TYPE_CHECKING:
    from rag.engine.protocol import Engine

VERSION = 1
VOTES = 3
SCHEMA = {"type": "string", "enum": list(SUPPORTS)}
_MAX_TOKENS = 8
_LONGEST_ANSWER = 6000
"""Characters of an answer that are shown to the model."""
_SAMPLING = Sampling(temperature=0.7, top_p=1.0, top_k=0, min_p=0.0, repeat_penalty=1.0)
_INSTRUCTIONS = {
    "en": (
        "You compare an answer with one fact. Say support if the answer states all of the fact, in any words;"
        " partial if it states a part of it and nothing against it; none if it does not state it, or states"
        " something else in its place. Another number, date or name is something else. Whether the fact is"
        " true does not matter. Answer with one word: support, partial or none.",
        "Question: {question}\nFact: {fact}\nAnswer to be judged: {answer}\n\nVerdict:",
    ),
    "zh": (
        "请比较回答和一条事实。回答用任何说法完整地说出了这条事实，判为 support；"
        "只说出一部分且没有与之矛盾，判为 partial；"
        "没有说出，或者说的是别的内容，判为 none。数字、日期、名称不同就是别的内容。"
        "事实本身是否真实并不重要。只用一个词回答：support、partial 或 none。",
        "问题：{question}\n事实：{fact}\n待判断的回答：{answer}\n\n判断：",
    ),
}


class ModelJudge:
    """engine: any that follows a JSON schema; of one that does not (a server may ignore it), the first of the
    three words that it says is taken. votes: how often each pair is asked (odd)."""

    name = "model"

    def __init__(self, engine: Engine, *, votes: int = VOTES) -> None:
        self._engine = engine
        self._votes = votes

    @property
    def id(self) -> str:
        return f"model@{VERSION}:{self._votes} votes of {self._engine.info().model}"

    def judge(self, question: str, facts: Sequence[str], answer: str) -> list[Verdict]:
        return [self._one(question, fact, answer) for fact in facts]

    def _one(self, question: str, fact: str, answer: str) -> Verdict:
        shown = MARKER.sub("", answer)[:_LONGEST_ANSWER]
        system, form = _INSTRUCTIONS[language(fact)]
        messages = [
            Message("system", system),
            Message("user", form.format(question=question, fact=fact, answer=shown)),
        ]
        seed = zlib.crc32(f"{question}\0{fact}\0{answer}".encode())
        votes = Counter(self._vote(messages, seed + vote) for vote in range(self._votes))
        # A draw goes to the sterner verdict.
        verdict, count = max(votes.items(), key=lambda item: (item[1], -WORTH[item[0]]))
        return Verdict(verdict, agreement=count / self._votes)

    def _vote(self, messages: Sequence[Message], seed: int) -> Support:
        stream = self._engine.stream(
            messages,
            sampling=replace(_SAMPLING, seed=seed % 2**31),
            max_tokens=_MAX_TOKENS,
            schema=SCHEMA,
        )
        return vote_in("".join(token.text for token in stream))


def vote_in(said: str) -> Support:
    """The first of the three words that was said; no vote for anything ("none") if none was."""
    places = {support: said.lower().find(support) for support in SUPPORTS}
    said_ones = {support: place for support, place in places.items() if place >= 0}
    return min(said_ones, key=said_ones.__getitem__) if said_ones else "none"
