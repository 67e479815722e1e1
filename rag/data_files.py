"""Data that people write and the program reads: TOML files of a known shape, checked to the last key."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from rag.errors import SettingsError


class Strict(BaseModel):
    """What a data file holds: unknown keys are refused, white space at the ends of texts is cut."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


Shape = TypeVar("Shape", bound=Strict)
Stamp = tuple[str, int]
"""A file's path and when it was changed, in nanoseconds: what a cache of its content goes by."""


def parse_toml(shape: type[Shape], text: str, *, name: str) -> Shape:
    """Raises SettingsError naming the file, the place in it and what is wrong."""
    try:
        return shape.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{name} is not valid TOML: {error}.", fix="Correct that line.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise SettingsError(f"{name}: {place}: {first['msg']}.", fix="Correct it there.") from error


def read_text(path: str | Path) -> str:
    """Raises SettingsError for a file that cannot be read, or is no UTF-8."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{path} cannot be read: {error}.", fix="Save it as UTF-8, or remove it."
        ) from error


def stamps(paths: Sequence[Path]) -> tuple[Stamp, ...]:
    return tuple((str(path), path.stat().st_mtime_ns) for path in paths)
