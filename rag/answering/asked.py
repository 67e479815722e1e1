"""One question on its way: what it needs, what has been shown of its answer so far."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rag.answering.events import Delta, Replaced, Thought
from rag.answering.extractive.earlier import Earlier
from rag.answering.generation import Generation
from rag.answering.leaning import orders
from rag.answering.named_pages import without_pages
from rag.answering.pages import Pages
from rag.embedding.protocol import Embedder
from rag.engine.protocol import Engine, Sampling, Thinking
from rag.errors import EngineError
from rag.glossary import Named, glossary_of
from rag.models.catalogue import entry_of
from rag.prompting import Example, Phrases, bank, chosen, front, kind_of
from rag.records import Answer, Citation, Evidence, Message, Timing, Turn, Usage
from rag.settings import Settings
from rag.text.language import Language

if TYPE_CHECKING:
    from rag.library import Library
    from rag.retrieval.filters import Filters


@dataclass
class Asked:
    """question: as asked. searches: with the words of the conversation that it leans on, and what else may be
    tried if nothing is found so; `search` is the one in use. bounded: the asker gave the budget.
    where: which documents, None means all. on_pages: the numbers of pages that the question names.
    coverage: what an answer will say of how complete it is."""

    settings: Settings
    library: Library
    embedder: Embedder
    engine: Engine
    question: str
    searches: Sequence[str]
    collections: Sequence[str]
    history: Sequence[Turn]
    budget: int
    bounded: bool
    language: Language
    phrases: Phrases
    pages: Pages
    where: Filters | None = None
    started: float = field(default_factory=time.monotonic)
    retrieve_s: float = 0.0
    first_at: float | None = None
    shown: str = ""
    tried: int = 0
    on_pages: frozenset[int] = frozenset()
    coverage: dict[str, object] = field(default_factory=dict)
    generations: list[Generation] = field(default_factory=list)

    @property
    def search(self) -> str:
        return self.searches[self.tried]

    @cached_property
    def examples(self) -> tuple[Example, ...]:
        """The worked examples for this question, within the settings' allowance."""
        wanted = self.settings.answering
        folder = Path(wanted.examples).expanduser() if wanted.examples else self.settings.home / "examples"
        count = self.engine.count_messages
        bare = count(front(self.phrases, ()))
        return tuple(
            chosen(
                bank(self.language, folder),
                kind_of(self.question),
                tokens=wanted.example_tokens,
                cost=lambda examples: count(front(self.phrases, examples)) - bare,
            )
        )

    @property
    def leans(self) -> bool:
        """Whether the question is searched for with words of the conversation before it."""
        return self.searches[0] != without_pages(self.question)

    @property
    def earlier(self) -> Earlier:
        """What the conversation has said, if the question leans on it and asks for more than the same again
        ("in a table, please")."""
        if not self.leans or orders(self.question):
            return Earlier()
        return Earlier(tuple(turn.answer for turn in self.history), self.question)

    def named(self, question: str) -> list[Named]:
        """What a question names that the glossary knows by other names, too."""
        return glossary_of(self.settings).named(question)

    @property
    def steps(self) -> bool:
        """Whether the model is told to go step by step: as the settings say; else, if it is ternary."""
        wanted = self.settings.answering.steps
        if wanted != "auto":
            return wanted == "on"
        entry = entry_of(self.settings.engine.model)
        return entry is None or entry.sampling == "ternary"

    def generation(
        self,
        messages: Sequence[Message],
        max_tokens: int,
        *,
        sampling: Sampling | None = None,
        stop: Sequence[str] = (),
        thinks: bool = False,
    ) -> Generation:
        """A generation whose cost the answer will report. thinks: if the settings let the model think."""
        options = self.settings.engine
        thinking = None
        if thinks and options.thinking:
            thinking = Thinking(True, options.thinking_tokens, options.reasoning_effort)
        made = Generation(
            self.engine,
            messages,
            max_tokens,
            sampling=sampling,
            stop=stop,
            thinking=thinking,
            tells=thinks,
        )
        self.generations.append(made)
        return made

    def show(self, text: str) -> Delta:
        """More text behind what is shown."""
        if text:
            self.first_at = self.first_at or time.monotonic()
            self.shown += text
        return Delta(text)

    def replace(self, text: str) -> Replaced:
        """Other text in place of what is shown."""
        self.first_at = self.first_at or time.monotonic()
        self.shown = text
        return Replaced(text)

    def think(self, thought: Thought) -> Thought:
        """What is told of a thought."""
        return thought if self.settings.answering.thoughts else Thought("", thought.begins)

    def said_nothing(self) -> EngineError:
        """The error for a model that ends without an answer."""
        if any(each.thought and each.cut and not each.text.strip() for each in self.generations):
            return EngineError(
                "The model thought until its tokens were used up, and wrote no answer.",
                fix="Raise engine.thinking_tokens, set engine.thinking = false, or ask a simpler question.",
            )
        return EngineError("The model ended without an answer.", fix="Ask again, or in other words.")

    def answer(
        self,
        evidence: Sequence[Evidence],
        *,
        citations: Sequence[Citation] = (),
        unsupported: Sequence[str] = (),
        left_out: int = 0,
        found: bool = True,
        extractive: bool = False,
        stopped: bool = False,
    ) -> Answer:
        """The answer as it is shown now. Its usage is the sum of all generations that it took."""
        now = time.monotonic()
        coverage: dict[str, object] = {
            "passages": len(evidence),
            "excerpts": sum(item.excerpt for item in evidence),
            "left_out": left_out,
            **self.coverage,
        }
        cut = [each.usage.answer_tokens for each in self.generations if each.cut]
        if cut and not extractive:
            coverage["cut_at_tokens"] = max(cut)
        return Answer(
            question=self.question,
            text=self.shown,
            evidence=tuple(evidence),
            citations=tuple(citations),
            unsupported=tuple(unsupported),
            found=found,
            extractive=extractive,
            stopped=stopped,
            coverage=coverage,
            usage=Usage(
                prompt_tokens=sum(each.usage.prompt_tokens for each in self.generations),
                cached_tokens=sum(each.usage.cached_tokens for each in self.generations),
                answer_tokens=sum(each.usage.answer_tokens for each in self.generations),
                thought_tokens=sum(each.usage.thought_tokens for each in self.generations),
            ),
            timing=Timing(
                retrieve_s=self.retrieve_s,
                first_token_s=(self.first_at or now) - self.started,
                total_s=now - self.started,
                tokens_per_s=_speed(self.generations),
                thought_s=sum(each.thought_s for each in self.generations if each.tells),
            ),
            thought=self._thought(),
        )

    def _thought(self) -> str:
        if not self.settings.answering.thoughts:
            return ""
        told = [each.thought.strip() for each in self.generations if each.tells]
        return "\n\n".join(filter(None, told))


def _speed(generations: Sequence[Generation]) -> float:
    """Tokens a second over all generations, each from its first token on."""
    seconds = sum(each.decode_s for each in generations)
    return sum(each.decoded for each in generations) / seconds if seconds else 0.0
