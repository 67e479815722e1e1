"""The bank of worked examples: data files by language, ours and those of a user's folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from rag.citations import cite, clean
from rag.data_files import Stamp, Strict, parse_toml, read_text, stamps
from rag.errors import SettingsError
from rag.prompting.kinds import Kind
from rag.records import Evidence
from rag.text.language import Language, language

MOST = 3
"""Examples in a prompt, at most: more cost tokens and teach no more."""


class Source(Strict):
    name: str = Field(min_length=1)
    text: str = Field(min_length=1)
    page: int | None = Field(None, ge=1)
    heading: str = ""


class Example(Strict):
    """A question, its sources (numbered from 1 in their order) and the answer to be imitated.

    The answer of the kind "unanswerable" is the sentence that says so, and may be left out.
    """

    kind: Literal["fact", "list", "procedure", "comparison", "table", "unanswerable"]
    question: str = Field(min_length=1)
    answer: str = ""
    source: tuple[Source, ...] = Field(min_length=1)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return tuple(
            Evidence(
                n=n,
                document="",
                path=source.name,
                collection="",
                text=source.text,
                start=0,
                end=len(source.text),
                pages=(source.page,) if source.page else (),
                heading=(source.heading,) if source.heading else (),
                score=0.0,
                tokens=0,
            )
            for n, source in enumerate(self.source, start=1)
        )

    @model_validator(mode="after")
    def _citations_hold(self) -> Self:
        if self.kind == "unanswerable":
            return self
        if not self.answer:
            raise ValueError("an example needs an answer")
        if clean(self.answer, len(self.source)) != self.answer:
            raise ValueError("the answer has markers other than [n], or numbers without a source")
        cited = cite(self.answer, self.evidence, page_of=lambda evidence, _: evidence.page)
        if cited.unsupported:
            raise ValueError(f"no source supports the sentence {cited.unsupported[0]!r}")
        if cited.text != self.answer:
            raise ValueError(f"the citations are not where they belong; expected: {cited.text!r}")
        return self


class _File(Strict):
    example: tuple[Example, ...] = Field(min_length=1)


def parse(text: str, *, name: str) -> tuple[Example, ...]:
    """The examples of one file. Raises SettingsError naming the file, the place in it and what is wrong."""
    found = parse_toml(_File, text, name=name)
    for example in found.example:
        if example.answer and language(example.question) != language(example.answer):
            raise SettingsError(
                f"{name}: the example {example.question!r} is answered in another language.",
                fix="Write question and answer in the same language.",
            )
    return found.example


def bank(of: Language, folder: Path | None = None) -> tuple[Example, ...]:
    """The examples whose questions are in a language: a user's first, then ours, in the order of the files.

    folder: the user's; one that does not exist holds none. Raises SettingsError for a file that is wrong.
    """
    return tuple(example for example in _read(folder) + ours() if language(example.question) == of)


def _read(folder: Path | None) -> tuple[Example, ...]:
    if folder is None or not folder.is_dir():
        return ()
    return _parsed(stamps(sorted(folder.rglob("*.toml"))))


@cache
def _parsed(files: tuple[Stamp, ...]) -> tuple[Example, ...]:
    return tuple(example for name, _ in files for example in parse(read_text(name), name=name))


@cache
def ours() -> tuple[Example, ...]:
    """The examples that come with the program."""
    found: list[Example] = []
    for of in ("en", "zh"):
        folder = files("rag.prompting") / "examples" / of
        for file in sorted(folder.iterdir(), key=lambda each: each.name):
            if file.name.endswith(".toml"):
                name = f"rag/prompting/examples/{of}/{file.name}"
                found += parse(file.read_text(encoding="utf-8"), name=name)
    return tuple(found)


def chosen(
    among: Sequence[Example], kind: Kind, *, tokens: int, cost: Callable[[Sequence[Example]], int]
) -> list[Example]:
    """Two or three examples for a question: of a fact, of an honest silence, and of the question's kind.

    The first two stand first whatever is asked, so that prompts of different kinds begin alike and the
    prefix cache pays. tokens: what they may cost together, by `cost`; what goes beyond is left out, the
    last first.
    """
    order = ["fact", "unanswerable", kind if kind != "fact" else "list"]
    picked: list[Example] = []
    for wanted in order:
        first = next((each for each in among if each.kind == wanted and each not in picked), None)
        if first is not None:
            picked.append(first)
    del picked[MOST:]
    while picked and cost(picked) > tokens:
        picked.pop()
    return picked
