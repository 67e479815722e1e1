"""One question against a library: what each leg finds, what the search makes of them, what is packed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from statistics import fmean
from typing import TYPE_CHECKING, Any

from eval.datasets import Gold, Question
from eval.matching import Shown, first_ranks, found
from eval.ranking import ndcg, reciprocal_rank
from eval.summary import Outcome
from rag.retrieval.packing import Packed

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder
    from rag.library import Library
    from rag.records import Copy, Evidence, Passage
    from rag.retrieval import Retrieval
    from rag.settings import Settings

FIRST = 8
"""Passages that the contract's figure counts, whatever --limit says."""

SHORT_PASSAGE = 100
"""Tokens of a short passage: as many passages are asked for as a budget could hold of these."""

Count = Callable[[Sequence[str]], list[int]]


@dataclass(frozen=True, slots=True)
class Measured:
    """outcome: for the summary. line: for the run file."""

    outcome: Outcome
    line: dict[str, Any]


class Measurement:
    """Asks the library the way the product does, and each leg of the search alone.

    limit: passages counted beside the first 8. budgets: token budgets to pack for. counts: what the
    tokens of a measure are called ("tokens", "embedder tokens") → how that tokenizer counts texts; needed
    only if there are budgets.
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
        counts: Mapping[str, Count] | None = None,
    ) -> None:
        if budgets and not counts:
            raise ValueError("budgets cannot be measured without counting tokens")
        self._library = library
        self._embedder = embedder
        self._settings = settings
        self._collections = list(collections)
        self._cutoffs = sorted({FIRST, limit})
        self._budgets = sorted(set(budgets))
        self._counts = {unit: remembering(count) for unit, count in (counts or {}).items()}
        self._documents = {
            file.path: file.sha256 for file in library.files(self._collections) if file.state == "live"
        }

    def ask(self, file: str, question: Question) -> Measured:
        took: dict[str, float] = {}
        text, product = self._searched(question, took)
        legs = self._legs(text)
        took |= product.steps
        refused = not product.passages
        # Each figure is that of the search which the product makes for it, not of a longer one cut short.
        ranked = {cutoff: self._retrieved(text, cutoff).passages for cutoff in self._cutoffs}
        packed = {
            f"{budget} {unit}": self._packed(text, budget, unit, took) if not refused else Packed((), 0, 0)
            for unit in self._counts
            for budget in self._budgets
        }

        golds = [gold for gold in question.evidence if gold.quote]
        ranks = {leg: first_ranks(golds, self._shown_chunks(ids)) for leg, ids in legs.items()}
        for cutoff, given in ranked.items():
            ranks[f"ranked@{cutoff}"] = first_ranks(golds, self._shown_passages(given))
            ranks[f"fused@{cutoff}"] = [None] * len(golds) if refused else ranks[f"ranked@{cutoff}"]
        in_budget = {
            name: found(golds, self._shown_evidence(result.evidence)) for name, result in packed.items()
        }
        held = [self._held(gold) for gold in golds]
        outcome = Outcome(
            file=file,
            id=question.id,
            lang=question.lang,
            kind=question.kind,
            answerable=question.answerable,
            evidence=len(product.passages),
            shares=self._shares(held, ranks, in_budget) if golds and question.answerable else {},
            milliseconds=took,
            documents=self._documents_found(question, product.passages),
        )
        line = {
            "file": file,
            "id": question.id,
            "question": question.question,
            **({"searched_for": text} if text != question.question else {}),
            "lang": question.lang,
            "kind": question.kind,
            "answerable": question.answerable,
            "evidence": len(product.passages),
            "signals": asdict(product.signals) if product.signals else {},
            "shares": {name: round(share, 4) for name, share in outcome.shares.items()},
            "documents_found": outcome.documents,
            "quotes": [
                {
                    "doc": gold.doc,
                    "page": gold.page,
                    "quote": gold.quote,
                    "in_a_chunk": held[index],
                    "ranks": {leg: places[index] for leg, places in ranks.items()},
                    "budgets": {name: hits[index] for name, hits in in_budget.items()},
                }
                for index, gold in enumerate(golds)
            ],
            "passages": [_described(passage) for passage in ranked[self._cutoffs[-1]]],
            "packed": {
                name: {"tokens": result.tokens, "evidence": len(result.evidence)}
                for name, result in packed.items()
            },
            "milliseconds": {step: round(value, 2) for step, value in took.items()},
        }
        return Measured(outcome, line)

    def _searched(self, question: Question, took: dict[str, float]) -> tuple[str, Retrieval]:
        """What is searched for, words of the conversation included, and what the product finds: if nothing
        is found so, it tries other words, as an answer would. The time is that of the first search."""
        from rag.answering.continuing import continuing
        from rag.answering.followup import search_questions

        continues = continuing(self._library, self._embedder, self._settings, self._collections)
        searches = search_questions(question.question, question.history, continues)
        with _timed(took, "search"):
            first = self._retrieved(searches[0], FIRST, test=True)
        for text in searches if not first.passages else ():
            other = self._retrieved(text, FIRST, test=True)
            if other.passages:
                return text, other
        return searches[0], first

    def _documents_found(self, question: Question, passages: Iterable[Passage]) -> float | None:
        """The share of the documents named by the evidence that the passages come from; None without any."""
        wanted = {gold.doc for gold in question.evidence}
        if not wanted or not question.answerable:
            return None
        shown = self._shown_passages(passages)
        there = {path for one in shown for each in (one, *one.copies) for path in each.paths}
        return len(wanted & there) / len(wanted)

    def _legs(self, text: str) -> dict[str, list[int]]:
        """Chunk ids of each leg alone, as deep as the search itself looks: a run says where a quote was
        lost. The legs are plain: the question's own vector, all of its words."""
        from rag.text.words import words

        depth = max(self._settings.retrieval.candidates, *self._cutoffs)
        vector = self._embedder.embed_queries([text])[0]
        dense = self._library.dense(self._collections, vector, depth)
        keyword = self._library.keyword(self._collections, words(text), depth)
        return {"dense": [hit.chunk_id for hit in dense], "keyword": [hit.chunk_id for hit in keyword]}

    def _retrieved(self, text: str, limit: int, *, test: bool = False) -> Retrieval:
        from rag.retrieval import retrieve

        return retrieve(
            self._library,
            self._embedder,
            text,
            self._collections,
            limit=limit,
            settings=self._settings,
            test=test,
        )

    def _packed(self, text: str, budget: int, unit: str, took: dict[str, float]) -> Packed:
        """What the prompt would show: as many passages asked for, and as they are rendered there."""
        from rag.prompting import fenced, phrases_in
        from rag.retrieval import pack
        from rag.text.language import language

        retrieval = self._settings.retrieval
        limit = max(retrieval.limit, min(retrieval.candidates, budget // SHORT_PASSAGE))
        passages = self._retrieved(text, limit).passages
        render = partial(fenced, phrases=phrases_in(language(text)))
        with _timed(took, f"pack {budget} {unit}"):
            return pack(self._library, passages, budget, self._counts[unit], render=render, question=text)

    def _held(self, gold: Gold) -> bool:
        """Whether any chunk of the document holds the quote: without it no search can find it."""
        return found([gold], self._all_of(gold.doc))[0]

    @lru_cache(maxsize=64)  # noqa: B019 - a measurement lives as long as the process
    def _all_of(self, path: str) -> list[Shown]:
        document = self._documents.get(path)
        if document is None:
            return []
        chunks = self._library.neighbours(document, 0, sys.maxsize)
        return [Shown(frozenset({path}), chunk.pages, chunk.text) for chunk in chunks]

    def _shares(
        self,
        held: Sequence[bool],
        ranks: dict[str, list[int | None]],
        in_budget: dict[str, list[bool]],
    ) -> dict[str, float]:
        shares = {"in chunks": fmean(held)}
        for cutoff in self._cutoffs:
            for leg in ("dense", "keyword", f"ranked@{cutoff}", f"fused@{cutoff}"):
                hits = [rank is not None and rank <= cutoff for rank in ranks[leg]]
                shares[f"{leg.partition('@')[0]}@{cutoff}"] = fmean(hits)
            shares[f"refused@{cutoff}"] = shares[f"ranked@{cutoff}"] - shares[f"fused@{cutoff}"]
        shares[f"mrr@{FIRST}"] = reciprocal_rank(ranks[f"fused@{FIRST}"], FIRST)
        shares[f"ndcg@{FIRST}"] = ndcg(ranks[f"fused@{FIRST}"], FIRST)
        return shares | {name: fmean(hits) for name, hits in in_budget.items()}

    def _shown_chunks(self, ids: Sequence[int]) -> list[Shown]:
        chunks = self._library.chunks(ids)
        places = self._library.paths(ids, self._collections)
        return [
            Shown(frozenset(path for _, path in places[id]), chunks[id].pages, chunks[id].text)
            for id in ids
            if id in chunks and id in places
        ]

    def _shown_passages(self, passages: Iterable[Passage]) -> list[Shown]:
        return [
            Shown(self._paths(one.chunk.document), one.chunk.pages, one.chunk.text, self._copies(one.copies))
            for one in passages
        ]

    def _shown_evidence(self, evidence: Iterable[Evidence]) -> list[Shown]:
        return [
            Shown(self._paths(one.document), one.pages, one.text, self._copies(one.copies))
            for one in evidence
        ]

    def _copies(self, copies: Iterable[Copy]) -> tuple[Shown, ...]:
        """What stands at each copy's own place: a copy may hold a part of its passage only."""
        return tuple(
            Shown(
                frozenset({copy.path}),
                copy.pages,
                self._library.document(copy.document).text[copy.start : copy.end],
            )
            for copy in copies
        )

    def _paths(self, document: str) -> frozenset[str]:
        return frozenset(file.path for file in self._library.files_of(document, self._collections))


def _described(passage: Passage) -> dict[str, Any]:
    return {
        "document": passage.path,
        "pages": list(passage.chunk.pages),
        "ordinal": passage.chunk.ordinal,
        "score": round(float(passage.score), 6),
        "copies": [{"document": copy.path, "pages": list(copy.pages)} for copy in passage.copies],
        "scores": {name: round(float(score), 6) for name, score in passage.scores.items()},
    }


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
