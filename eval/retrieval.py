"""One question against a library: what each leg finds, what the search makes of them, what is packed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eval.datasets import Gold, Question
from eval.matching import Shown, first_ranks, found
from eval.summary import Outcome

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder
    from rag.library import Library
    from rag.records import Chunk, Evidence
    from rag.settings import Settings

FIRST = 8
"""Passages that the contract's figure counts, whatever --limit says."""

Count = Callable[[Sequence[str]], list[int]]


@dataclass(frozen=True, slots=True)
class Measured:
    """outcome: for the summary. line: for the run file."""

    outcome: Outcome
    line: dict[str, Any]


class Measurement:
    """Asks the library the way the product does, and each leg of the search alone.

    limit: passages counted beside the first 8. budgets: token budgets to pack for. count: tokens of texts
    by the engine's own tokenizer; needed only if there are budgets.
    """

    def __init__(
        self,
        library: Library,
        embedder: Embedder,
        settings: Settings,
        collections: Sequence[str],
        *,
        limit: int = FIRST,
        budgets: Sequence[int] = (),
        count: Count | None = None,
    ) -> None:
        self._library = library
        self._embedder = embedder
        self._settings = settings
        self._collections = list(collections)
        self._cutoffs = sorted({FIRST, limit})
        self._budgets = sorted(set(budgets))
        self._count = remembering(count) if count else None
        # The legs are looked at as deep as the fusion looks, so that a run says where a quote was lost.
        self._depth = max(settings.retrieval.candidates, *self._cutoffs)

    def ask(self, file: str, question: Question) -> Measured:
        from rag.retrieval import pack, search
        from rag.text.words import words

        took: dict[str, float] = {}
        with _timed(took, "embed"):
            vector = self._embedder.embed_queries([question.question])[0]
        with _timed(took, "dense"):
            dense = self._library.dense(self._collections, vector, self._depth)
        with _timed(took, "keyword"):
            keyword = self._library.keyword(self._collections, words(question.question), self._depth)
        with _timed(took, "search"):
            passages = search(
                self._library,
                self._embedder,
                question.question,
                self._collections,
                limit=self._limit(),
                settings=self._settings,
            )
        golds = [gold for gold in question.evidence if gold.quote]
        fused = self._cutoffs[-1]
        ranks = {
            "dense": first_ranks(golds, self._shown_chunks([hit.chunk_id for hit in dense])),
            "keyword": first_ranks(golds, self._shown_chunks([hit.chunk_id for hit in keyword])),
            "fused": first_ranks(golds, self._shown_chunks([p.chunk.id for p in passages])[:fused]),
        }
        packed = {}
        for budget in self._budgets:
            assert self._count is not None
            with _timed(took, f"pack {budget}"):
                packed[budget] = pack(self._library, passages, budget, self._count)
        in_budget = {
            budget: found(golds, self._shown_evidence(result.evidence)) for budget, result in packed.items()
        }
        shares = self._shares(golds, ranks, in_budget)
        outcome = Outcome(
            file=file,
            id=question.id,
            lang=question.lang,
            kind=question.kind,
            answerable=question.answerable,
            evidence=len(passages),
            shares=shares if question.answerable else {},
            milliseconds=took,
        )
        line = {
            "file": file,
            "id": question.id,
            "question": question.question,
            "lang": question.lang,
            "kind": question.kind,
            "answerable": question.answerable,
            "evidence": len(passages),
            "shares": {name: round(share, 4) for name, share in outcome.shares.items()},
            "quotes": [
                {
                    "doc": gold.doc,
                    "page": gold.page,
                    "quote": gold.quote,
                    "ranks": {leg: places[index] for leg, places in ranks.items()},
                    "budgets": {str(budget): hits[index] for budget, hits in in_budget.items()},
                }
                for index, gold in enumerate(golds)
            ],
            "passages": [
                {
                    "document": passage.path,
                    "pages": list(passage.chunk.pages),
                    "ordinal": passage.chunk.ordinal,
                    "score": round(passage.score, 6),
                    "scores": {name: round(score, 6) for name, score in passage.scores.items()},
                }
                for passage in passages[: self._cutoffs[-1]]
            ],
            "packed": {
                str(budget): {"tokens": result.tokens, "evidence": len(result.evidence)}
                for budget, result in packed.items()
            },
            "milliseconds": {step: round(value, 2) for step, value in took.items()},
        }
        return Measured(outcome, line)

    def _shares(
        self, golds: Sequence[Gold], ranks: dict[str, list[int | None]], in_budget: dict[int, list[bool]]
    ) -> dict[str, float]:
        if not golds:
            return {}
        shares = {
            f"{leg}@{cutoff}": sum(rank is not None and rank <= cutoff for rank in places) / len(golds)
            for cutoff in self._cutoffs
            for leg, places in ranks.items()
        }
        shares |= {f"{budget} tokens": sum(hits) / len(golds) for budget, hits in in_budget.items()}
        return shares

    def _limit(self) -> int:
        """Passages to ask for: enough for the cutoffs and, by far, for the largest budget."""
        return max(self._cutoffs[-1], *(budget // 64 for budget in self._budgets), FIRST)

    def _shown_chunks(self, ids: Sequence[int]) -> list[Shown]:
        chunks = self._library.chunks(ids)
        paths = self._library.paths(ids, self._collections)
        return [self._shown(chunks[id], paths.get(id, [])) for id in ids if id in chunks]

    @staticmethod
    def _shown(chunk: Chunk, places: Iterable[tuple[str, str]]) -> Shown:
        return Shown(frozenset(path for _, path in places), chunk.pages, chunk.text)

    def _shown_evidence(self, evidence: Iterable[Evidence]) -> list[Shown]:
        return [
            Shown(
                frozenset(file.path for file in self._library.files_of(one.document, self._collections)),
                one.pages,
                one.text,
            )
            for one in evidence
        ]


def remembering(count: Count) -> Count:
    """`count`, asked once for each text: the same passages are packed for every budget."""
    known: dict[str, int] = {}

    def counted(texts: Sequence[str]) -> list[int]:
        missing = list(dict.fromkeys(text for text in texts if text not in known))
        if missing:
            known.update(zip(missing, count(missing), strict=True))
        return [known[text] for text in texts]

    return counted


@contextmanager
def _timed(took: dict[str, float], step: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    took[step] = (time.perf_counter() - began) * 1000
