"""Strategies: named ways of answering, from TOML (strategies.toml has those that come along)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rag.errors import SettingsError, UsageError
from rag.settings import Settings

Leg = Literal["dense", "keyword"]


class SamplingTable(BaseModel):
    """As rag.engine.protocol.Sampling, without its seed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float = Field(0.65, ge=0, le=5)
    top_p: float = Field(0.92, gt=0, le=1)
    top_k: int = Field(40, ge=0)
    min_p: float = Field(0.05, ge=0, le=1)
    repeat_penalty: float = Field(1.1, gt=0)


class About(BaseModel):
    """One line for the report, in both of its languages."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    en: str
    zh: str


class Strategy(BaseModel):
    """What strategies.toml says in its head. Equal dumps, `about` aside, mean the same strategy."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    about: str | About = ""
    mode: Literal["quick", "complete", "every"] = "quick"
    budget: int | None = Field(None, ge=64)
    seed: int = Field(0, ge=0)
    sampling: str | SamplingTable | None = None
    legs: tuple[Leg, ...] = Field(("dense", "keyword"), min_length=1)
    own_words: bool = False
    withhold: float = Field(0.0, ge=0, le=1)
    settings: dict[str, dict[str, Any]] = {}

    def told(self, language: Literal["en", "zh"]) -> str:
        return described(self.about.model_dump() if isinstance(self.about, About) else self.about, language)

    def applied(self, settings: Settings) -> Settings:
        """`settings` with those of the strategy. Raises SettingsError naming section and key."""
        changed = {}
        for section, values in self.settings.items():
            current = getattr(settings, section, None)
            if not isinstance(current, BaseModel):
                raise SettingsError(
                    f"The strategy {self.name} sets {section!r}, which is no section of the settings.",
                    fix="Write settings.<section>.<key>, as in rag.toml.",
                )
            try:
                changed[section] = type(current)(**{**current.model_dump(), **values})
            except ValidationError as error:
                first = error.errors()[0]
                key = ".".join([section, *map(str, first["loc"])])
                raise SettingsError(
                    f"The strategy {self.name} sets {key!r} wrongly: {first['msg']} "
                    f"(found {first.get('input')!r}).",
                    fix="Correct it in the file of strategies.",
                ) from error
        return settings.model_copy(update=changed)


def described(about: str | Mapping[str, str], language: Literal["en", "zh"]) -> str:
    """What a strategy, or the head of a run, says about it."""
    return about if isinstance(about, str) else about[language]


def known(file: Path | None = None) -> dict[str, Strategy]:
    """Strategies by name: ours, and those of `file` over them. Raises SettingsError."""
    own = files("eval") / "strategies.toml"
    found = _parsed(own.read_text(encoding="utf-8"), "strategies.toml")
    if file is not None:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(
                f"{file} cannot be read: {error}.", fix="Name a TOML file of strategies."
            ) from error
        found |= _parsed(text, str(file))
    return found


def chosen(names: Sequence[str], file: Path | None = None) -> list[Strategy]:
    """The strategies of these names. "quick:3" is quick with seed 3. Raises UsageError, SettingsError."""
    strategies = known(file)
    result = []
    for name in names:
        plain, _, seed = name.partition(":")
        if plain not in strategies or (seed and not seed.isdecimal()):
            raise UsageError(
                f"There is no strategy {name!r}.",
                fix=f"Use one of: {', '.join(strategies)}; or NAME:SEED for another seed.",
            )
        strategy = strategies[plain]
        result.append(strategy.model_copy(update={"name": name, "seed": int(seed)}) if seed else strategy)
    if len({strategy.name for strategy in result}) < len(result):
        raise UsageError("A strategy is named twice.", fix="Name each once, or give it another seed: NAME:1.")
    return result


def _parsed(text: str, place: str) -> dict[str, Strategy]:
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{place} is not valid TOML: {error}.", fix="Correct that line.") from error
    found = {}
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise SettingsError(
                f"{place}: {name!r} is no strategy.", fix="Write a table for each: [name], then its keys."
            )
        try:
            found[name] = Strategy(name=name, **table)
        except (ValidationError, TypeError) as error:
            what = error.errors()[0] if isinstance(error, ValidationError) else None
            key = ".".join(map(str, what["loc"])) if what else "name"
            problem = what["msg"] if what else "the name is the table's own"
            raise SettingsError(
                f"{place}, strategy {name}, key {key}: {problem}.",
                fix="The head of eval/strategies.toml lists the keys.",
            ) from error
    return found
