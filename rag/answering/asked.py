"""One question on its way: what it needs, what has been shown of its answer so far."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rag.answering.events import Delta, Replaced
from rag.answering.generation import Generation
from rag.answering.pages import Pages
from rag.embedding.protocol import Embedder
from rag.engine.protocol import Engine
from rag.prompting import Phrases
from rag.records import Answer, Citation, Evidence, Timing, Turn, Usage
from rag.settings import Settings
from rag.text.language import Language

if TYPE_CHECKING:
    from rag.library import Library


@dataclass
class Asked:
    """question: as asked. searches: with the words of the conversation that it leans on, and what else may be
    tried if nothing is found so; `search` is the one in use."""

    settings: Settings
    library: Library
    embedder: Embedder
    engine: Engine
    question: str
    searches: Sequence[str]
    collections: Sequence[str]
    history: Sequence[Turn]
    budget: int
    language: Language
    phrases: Phrases
    pages: Pages
    started: float = field(default_factory=time.monotonic)
    retrieve_s: float = 0.0
    first_at: float | None = None
    shown: str = ""
    tried: int = 0

    @property
    def search(self) -> str:
        return self.searches[self.tried]

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
        generation: Generation | None = None,
    ) -> Answer:
        """The answer as it is shown now."""
        now = time.monotonic()
        coverage: dict[str, object] = {"passages": len(evidence), "left_out": left_out}
        if generation is not None and generation.cut and not extractive:
            coverage["cut_at_tokens"] = generation.usage.answer_tokens
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
            usage=generation.usage if generation else Usage(),
            timing=Timing(
                retrieve_s=self.retrieve_s,
                first_token_s=(self.first_at or now) - self.started,
                total_s=now - self.started,
                tokens_per_s=generation.tokens_per_s if generation else 0.0,
            ),
        )
