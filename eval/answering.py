"""One strategy over the questions of a data set: answers, verdicts and figures, a line a question."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from eval.datasets import Question, QuestionFile
from eval.judges.verdict import Judge, Verdict
from eval.measures import facts_of, figures, recalls
from eval.strategies import Strategy
from eval.tuned import HeldBack, TunedEngine, withheld
from rag.errors import (
    EngineStartFailed,
    LibraryError,
    ModelError,
    RagError,
    SettingsError,
)

if TYPE_CHECKING:
    from eval.journal import Journal
    from rag.embedding.protocol import Embedder
    from rag.engine.protocol import Engine
    from rag.library import Library
    from rag.records import Answer
    from rag.settings import Settings

Key = tuple[str, str]
"""Name of the question file, id of the question."""

_FAILS_FOR_ALL = (SettingsError, ModelError, LibraryError, EngineStartFailed)


@dataclass
class Runner:
    """What every question of one strategy needs. judges: the first one's verdicts make the recall figures."""

    strategy: Strategy
    settings: Settings
    library: Library
    embedder: Embedder
    engine: Engine
    collections: Sequence[str]
    judges: Sequence[Judge]
    _paths: dict[str, frozenset[str]] = field(default_factory=dict)

    def run(
        self,
        files: Sequence[QuestionFile],
        journal: Journal,
        progress: Callable[[int, int], None] = lambda done, total: None,
        stopping: Callable[[], bool] = lambda: False,
    ) -> int:
        """Asks what the journal lacks, in order; returns how many questions failed.

        A failure of one question is its line ({"error", "fix"}); what fails for all alike is raised.
        """
        from rag.answering import Answerer

        engine = TunedEngine(self.engine, self.strategy)
        library = HeldBack(self.library, self.strategy, self.collections)
        answerer = Answerer(self.settings, library, self.embedder, engine)  # type: ignore[arg-type]
        wanted = [(file.name, question) for file in files for question in file.questions]
        hidden = withheld(self.strategy, [f"{name}\0{question.id}" for name, question in wanted])
        failed = done = 0
        for name, question in wanted:
            done += 1
            if (name, question.id) in journal.lines:
                continue
            if stopping():
                break
            is_hidden = f"{name}\0{question.id}" in hidden
            library.hidden = self._documents(question) if is_hidden else frozenset()
            engine.reseed(question.id)
            try:
                answer = self._answered(answerer, question)
                line = self._line(name, question, answer, is_hidden)
            except _FAILS_FOR_ALL:
                raise
            except RagError as error:
                failed += 1
                line = {**_asked(name, question), "error": error.message, "fix": error.fix, "figures": {}}
            journal.add(line)
            progress(done, len(wanted))
        return failed

    def _answered(self, answerer: Any, question: Question) -> Answer:
        from rag.answering.events import Finished

        answer: Answer | None = None
        for event in answerer.ask(
            question.question,
            collections=self.collections,
            mode=self.strategy.mode,
            budget=self.strategy.budget,
            history=question.history,
        ):
            if isinstance(event, Finished):
                answer = event.answer
        assert answer is not None
        return answer

    def _line(self, name: str, question: Question, answer: Answer, hidden: bool) -> dict[str, Any]:
        verdicts = {judge.name: judged(judge, question, answer.text, answer.found) for judge in self.judges}
        found = figures(question, answer, self._paths_of(answer))
        first = next(iter(verdicts.values()), [])
        return {
            **_asked(name, question),
            **({"withheld": True} if hidden else {}),
            "answer": answer.text,
            "found": answer.found,
            "extractive": answer.extractive,
            "stopped": answer.stopped,
            "citations": [
                {
                    "n": one.n,
                    "document": one.path,
                    "page": one.page,
                    "quote": one.quote,
                    "verified": one.verified,
                }
                for one in answer.citations
            ],
            "unsupported": list(answer.unsupported),
            "coverage": dict(answer.coverage),
            "evidence": [
                {
                    "n": one.n,
                    "document": one.path,
                    "pages": list(one.pages),
                    "tokens": one.tokens,
                    "text": one.text,
                }
                for one in answer.evidence
            ],
            "facts": facts_with(question, verdicts),
            "figures": {**recalls(question, first), **found},
            "timing": {
                "retrieve_s": round(answer.timing.retrieve_s, 4),
                "tokens_per_s": round(answer.timing.tokens_per_s, 2),
                "cached_tokens": answer.usage.cached_tokens,
            },
        }

    def _documents(self, question: Question) -> frozenset[str]:
        wanted = {gold.doc for gold in question.evidence}
        return frozenset(
            file.sha256
            for file in self.library.files(self.collections)
            if file.state == "live" and file.path in wanted and file.sha256 is not None
        )

    def _paths_of(self, answer: Answer) -> Mapping[str, frozenset[str]]:
        for one in answer.evidence:
            if one.document not in self._paths:
                files = self.library.files_of(one.document, self.collections)
                self._paths[one.document] = frozenset(file.path for file in files)
        return self._paths


def judged(judge: Judge, question: Question, answer: str, found: bool) -> list[Verdict]:
    """A verdict for each fact; "none" for all where nothing was answered. None for unanswerable questions."""
    facts = facts_of(question) if question.answerable else ()
    if not found:
        return [Verdict("none") for _ in facts]
    return judge.judge(question.question, [fact.text for fact in facts], answer) if facts else []


def facts_with(question: Question, verdicts: Mapping[str, Sequence[Verdict]]) -> list[dict[str, Any]]:
    """The facts of a question, each with the verdict of every judge."""
    if not question.answerable:
        return []
    return [
        {
            "text": fact.text,
            "vital": fact.vital,
            "verdicts": {
                name: {
                    "support": given[place].support,
                    "where": given[place].where,
                    "agreement": round(given[place].agreement, 3),
                }
                for name, given in verdicts.items()
            },
        }
        for place, fact in enumerate(facts_of(question))
    ]


def sampled(files: Sequence[QuestionFile], count: int | None) -> tuple[QuestionFile, ...]:
    """At most `count` questions of each file, always the same ones, in their order."""
    if count is None:
        return tuple(files)
    result = []
    for file in files:
        ranked = sorted(file.questions, key=lambda question: zlib.crc32(f"sample\0{question.id}".encode()))
        kept = {question.id for question in ranked[:count]}
        result.append(QuestionFile(file.path, tuple(q for q in file.questions if q.id in kept)))
    return tuple(result)


def _asked(name: str, question: Question) -> dict[str, Any]:
    return {
        "file": name,
        "id": question.id,
        "question": question.question,
        "lang": question.lang,
        "kind": question.kind,
        "answerable": question.answerable,
        "reference": list(question.answers),
    }
