"""What the model is told in each language: instructions and worked examples, kept as data files."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rag.citations import cite, clean
from rag.errors import SettingsError
from rag.records import Evidence
from rag.text.language import Language, language

_FILLED_IN = {"system": "not_found", "question": "question", "page": "page"}


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class Source(_Part):
    name: str = Field(min_length=1)
    text: str = Field(min_length=1)
    page: int | None = Field(None, ge=1)
    heading: str = ""


class Example(_Part):
    """A question, its sources (numbered from 1 in their order) and the answer to be imitated."""

    kind: Literal["fact", "list", "procedure", "comparison", "table", "unanswerable"]
    question: str = Field(min_length=1)
    answer: str = Field(min_length=1)
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
        if clean(self.answer, len(self.source)) != self.answer:
            raise ValueError("the answer has markers other than [n], or numbers without a source")
        if self.kind == "unanswerable":
            return self
        cited = cite(self.answer, self.evidence, page_of=lambda evidence, _: evidence.page)
        if cited.unsupported:
            raise ValueError(f"no source supports the sentence {cited.unsupported[0]!r}")
        if cited.text != self.answer:
            raise ValueError(f"the citations are not where they belong; expected: {cited.text!r}")
        return self


class Phrases(_Part):
    """Everything said to the model in one language. Braces name what is filled in."""

    not_found: str = Field(min_length=1)
    system: str
    short_system: str
    sources: str
    sources_end: str
    reminder: str
    question: str
    page: str
    example: tuple[Example, ...] = Field(min_length=2)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        for key, name in _FILLED_IN.items():
            if f"{{{name}}}" not in getattr(self, key):
                raise ValueError(f"{key} must contain {{{name}}}")
        for example in self.example:
            if (example.kind == "unanswerable") != (example.answer == self.not_found):
                raise ValueError(
                    f"an unanswerable example, and no other, is answered with {self.not_found!r}"
                )
        return self


def parse(text: str, *, of: Language, name: str) -> Phrases:
    """Raises SettingsError naming the file, the place in it and what is wrong."""
    try:
        phrases = Phrases.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{name} is not valid TOML: {error}.", fix="Correct that line.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise SettingsError(f"{name}: {place}: {first['msg']}.", fix="Correct it there.") from error
    for example in phrases.example:
        if {language(example.question), language(example.answer)} != {of}:
            raise SettingsError(
                f"{name}: the example {example.question!r} is not in the file's language.",
                fix="Translate question and answer, or move the example to the other file.",
            )
    return phrases


@cache
def phrases_in(of: Language) -> Phrases:
    """The phrases for questions in this language."""
    text = (files("rag.prompting") / "phrases" / f"{of}.toml").read_text(encoding="utf-8")
    return parse(text, of=of, name=f"rag/prompting/phrases/{of}.toml")
