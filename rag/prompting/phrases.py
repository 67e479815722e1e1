"""What the model is told in each language, kept as data files."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Self

from pydantic import Field, model_validator

from rag.data_files import Strict, parse_toml
from rag.text.language import Language

_FILLED_IN = {
    "system": "not_found",
    "question": "question",
    "page": "page",
    "part": "part",
    "unanswered": "part",
    "document": "not_stated",
    "chapter": "title",
}


class Phrases(Strict):
    """Everything said to the model in one language. Braces name what is filled in."""

    not_found: str = Field(min_length=1)
    system: str
    short_system: str
    sources: str
    sources_end: str
    reminder: str
    question: str
    page: str
    excerpt: str = Field(min_length=1)
    steps: str
    part: str
    unanswered: str
    document: str
    not_stated: str = Field(min_length=1)
    chapter: str
    parts_system: str
    reword_system: str

    @model_validator(mode="after")
    def _complete(self) -> Self:
        for key, name in _FILLED_IN.items():
            if f"{{{name}}}" not in getattr(self, key):
                raise ValueError(f"{key} must contain {{{name}}}")
        return self


def parse(text: str, *, name: str) -> Phrases:
    """Raises SettingsError naming the file, the place in it and what is wrong."""
    return parse_toml(Phrases, text, name=name)


@cache
def phrases_in(of: Language) -> Phrases:
    """The phrases for questions in this language."""
    text = (files("rag.prompting") / "phrases" / f"{of}.toml").read_text(encoding="utf-8")
    return parse(text, name=f"rag/prompting/phrases/{of}.toml")
