"""Milliseconds of each step of a search: `python -m benchmarks.search [--chunks N…] [--questions N]`.

Libraries of invented chunks (half English, half Chinese; words as frequent as Zipf's law has them, the words
that ask on top; vectors in clusters) are made in a scratch folder and asked with the real embedder: one
question at a time, then by two threads at once, then right after one document was added, then by a process
of its own, from its start to its end. What is measured is time, not what is found. Making 100,000 chunks
takes minutes, most of them Chroma's: `--keep FOLDER` leaves the libraries there for the next time.
"""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from rag.cli import frame
from rag.embedding import load
from rag.embedding.protocol import Embedder, Vectors
from rag.errors import LibraryError
from rag.library import DEFAULT_COLLECTION, Library, LibraryWriter, Source, writing
from rag.library.database import FILE_NAME
from rag.library.embeddings import digest
from rag.records import Chunk, Document, Page
from rag.retrieval import pack, retrieve
from rag.settings import Settings
from rag.text.asking import ASKING

SIZES = (1_000, 10_000, 100_000)
_DOCUMENT = 50
_WORDS, _CHARACTERS = 150, 300
_VOCABULARY, _IDEOGRAPHS = 40_000, 3_000
_CLUSTERS = 200
_ADDED = 1 << 60
"""Number of the document that is added to a finished library."""


class Invented:
    """Texts, words and vectors from a seed. draws: other ones of the same words and the same clusters."""

    def __init__(self, dimension: int, draws: int = 0, seed: int = 7) -> None:
        self._random = np.random.default_rng(seed)
        syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
        asking = sorted(word for word in ASKING if word.isascii())
        made = {"".join(self._random.choice(syllables, self._random.integers(2, 5))) for _ in range(90_000)}
        self._words = np.array([*asking, *sorted(made)[:_VOCABULARY]])
        self._common = len(asking)
        self._word_odds = _zipf(len(self._words))
        self._characters = np.array([chr(0x4E00 + number) for number in range(_IDEOGRAPHS)])
        self._character_odds = _zipf(_IDEOGRAPHS)
        self._centres = self._random.normal(size=(_CLUSTERS, dimension))
        self._random = np.random.default_rng((seed, draws))

    def english(self, count: int) -> list[str]:
        return [str(word) for word in self._random.choice(self._words, count, p=self._word_odds)]

    def chinese(self, count: int) -> str:
        return "".join(self._random.choice(self._characters, count, p=self._character_odds))

    def question(self, number: int) -> str:
        """Some words that tell among some that ask, or a run of Chinese: half of the words and all of the
        Chinese are as frequent as they are in the texts."""
        if number % 2:
            return f"请问{self.chinese(12)}是什么？"
        asking = self._random.choice(self._words[: self._common], 5)
        rare = self._random.choice(self._words[self._common :], 3)
        odds = self._word_odds[self._common :] / self._word_odds[self._common :].sum()
        frequent = self._random.choice(self._words[self._common :], 3, p=odds)
        return " ".join([*asking, *rare, *frequent]) + "?"

    def vectors(self, count: int) -> Vectors:
        rows = self._centres[self._random.integers(0, _CLUSTERS, count)]
        rows = rows + self._random.normal(size=rows.shape)
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    def documents(self, chunks: int) -> Iterator[tuple[Document, list[Chunk], list[str]]]:
        """Documents with their chunks and the words that the keyword index holds of each."""
        for first in range(0, chunks, _DOCUMENT):
            texts, words = [], []
            for number in range(first, min(first + _DOCUMENT, chunks)):
                if number % 2:
                    texts.append(self.chinese(_CHARACTERS))
                    words.append(" ".join(texts[-1][place : place + 2] for place in range(_CHARACTERS - 1)))
                else:
                    words.append(" ".join(self.english(_WORDS)))
                    texts.append(words[-1])
            name = f"{first:064x}"
            starts = np.cumsum([0, *(len(text) + 1 for text in texts)])
            made = [
                Chunk(name, ordinal, int(starts[ordinal]), int(starts[ordinal]) + len(text), text, tokens=300)
                for ordinal, text in enumerate(texts)
            ]
            yield Document(name, "text", (Page(None, "\n".join(texts)),)), made, words


def _zipf(count: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    odds = 1 / np.arange(1, count + 1)
    return odds / odds.sum()


def make(settings: Settings, embedder: Embedder, invented: Invented, chunks: int) -> None:
    with writing(settings) as writer:
        writer.use_embedder(embedder.id, embedder.dimension)
        for document, made, words in invented.documents(chunks):
            _put(writer, invented, document, made, words)
        writer.publish()


def _put(
    writer: LibraryWriter, invented: Invented, document: Document, made: list[Chunk], words: list[str]
) -> None:
    path = f"{document.sha256[-12:]}.txt"
    writer.put(
        DEFAULT_COLLECTION,
        Source(f"/invented/{path}", "/invented", path, 1, 1, examined=1.0),
        document,
        made,
        [digest(chunk.text) for chunk in made],
        invented.vectors(len(made)),
        recipe="invented",
        words=words,
    )


def measure(settings: Settings, embedder: Embedder, chunks: int, questions: int) -> dict[str, Any]:
    began = time.perf_counter()
    if not (settings.home / FILE_NAME).exists():
        make(settings, embedder, Invented(embedder.dimension), chunks)
    made = time.perf_counter() - began
    invented = Invented(embedder.dimension, draws=1)
    asked = [invented.question(number) for number in range(questions)]
    library = Library.open(settings)
    try:
        problem = library.warm()
        if problem:
            raise LibraryError(f"The library in {settings.home}: {problem}.", fix="Remove that folder.")

        def once(question: str) -> tuple[float, dict[str, float]]:
            began = time.perf_counter()
            found = retrieve(
                library, embedder, question, [DEFAULT_COLLECTION], limit=8, settings=settings, test=False
            )
            took = (time.perf_counter() - began) * 1000
            began = time.perf_counter()
            pack(library, found.passages, 4096, lambda texts: [len(text) // 3 for text in texts])
            return took, {**found.steps, "pack 4096": (time.perf_counter() - began) * 1000}

        first = [once(question)[0] for question in asked[:2]]  # the first of each language makes what is kept
        alone = [once(question) for question in asked]
        began = time.perf_counter()
        with ThreadPoolExecutor(2) as threads:
            together = [took for took, _ in threads.map(once, asked)]
        both = time.perf_counter() - began
        changed = [once(question)[0] for question in _after_changes(settings, invented, asked[:2])]
    finally:
        library.close()
    fresh = [_fresh(settings, question) for question in asked[:2]]
    return {
        "chunks": chunks,
        "made_s": round(made, 1),
        "first_ms": [round(took, 1) for took in first],
        "steps_ms": {
            step: _percentiles([steps[step] for _, steps in alone if step in steps]) for step in alone[0][1]
        },
        "search_ms": _percentiles([took for took, _ in alone]),
        "two_at_once_ms": _percentiles(together),
        "two_at_once_per_s": round(len(asked) / both, 1),
        "after_a_change_ms": [round(took, 1) for took in changed],
        "fresh_process": fresh,
    }


def _after_changes(settings: Settings, invented: Invented, questions: Sequence[str]) -> Iterator[str]:
    """Each question after a document was added; afterwards the library is as it was."""
    added = f"{_ADDED:064x}"
    for question in questions:
        with writing(settings) as writer:
            document, made, words = next(invented.documents(1))
            of = [dataclasses.replace(chunk, document=added) for chunk in made]
            _put(writer, invented, dataclasses.replace(document, sha256=added), of, words)
        yield question
        with writing(settings) as writer:
            writer.remove(DEFAULT_COLLECTION, [f"/invented/{added[-12:]}.txt"])


def _fresh(settings: Settings, question: str) -> dict[str, float]:
    """Seconds and MiB that `rag search` takes as a process of its own."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "rag", "search", question, "--json"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "RAG_HOME": str(settings.home)},
    )
    _, status, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - began
    code = process.returncode = os.waitstatus_to_exitcode(status)
    if code not in (frame.DONE, frame.NOTHING_FOUND):
        raise LibraryError(f"`rag search` ended with exit code {code}.", fix="Run it by hand to see why.")
    return {
        "s": round(took, 2),
        "processor_s": round(usage.ru_utime + usage.ru_stime, 2),
        "mib": round(usage.ru_maxrss / 1024),
    }


def _percentiles(values: Sequence[float]) -> dict[str, float]:
    return {f"p{rank}": round(float(np.percentile(values, rank)), 2) for rank in (50, 95)}


def main(argv: Sequence[str] | None = None) -> int:
    argv = list(sys.argv[1:] if argv is None else argv)
    return frame.execute(lambda: _measure(argv), as_json="--json" in argv)


def _measure(argv: list[str]) -> int:
    parser = frame.Parser(prog="python -m benchmarks.search", parents=[frame.shared_options()])
    parser.add_argument("--chunks", type=int, nargs="+", default=list(SIZES), metavar="N")
    parser.add_argument("--questions", type=int, default=60, metavar="N")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="make the libraries there, if they are not"
    )
    arguments = parser.parse_args(argv)
    settings = frame.settings_of(arguments)
    embedder = load(settings)
    results = []
    try:
        for chunks in arguments.chunks:
            with tempfile.TemporaryDirectory(prefix="bench-search-") as scratch:
                own = settings.model_copy(update={"home": (arguments.keep or Path(scratch)) / str(chunks)})
                results.append(measure(own, embedder, chunks, arguments.questions))
            if not arguments.json:
                _print(results[-1])
    finally:
        embedder.close()
    if arguments.json:
        frame.write_json({"sizes": results})
    return frame.DONE


def _print(result: dict[str, Any]) -> None:
    print(f"{result['chunks']:,} chunks (made in {result['made_s']} s)", flush=True)
    rows = {**result["steps_ms"], "search": result["search_ms"], "two at once": result["two_at_once_ms"]}
    for step, times in rows.items():
        print(f"  {step:>12}  p50 {times['p50']:8.2f} ms   p95 {times['p95']:8.2f} ms")
    first, rate = result["first_ms"], result["two_at_once_per_s"]
    print(f"  the first of each language: {first} ms; two at once: {rate} a second")
    print(f"  the first after a document was added: {result['after_a_change_ms']} ms")
    for one in result["fresh_process"]:
        print(f"  a process of its own: {one['s']} s ({one['processor_s']} of a processor), {one['mib']} MiB")


if __name__ == "__main__":
    sys.exit(main())
