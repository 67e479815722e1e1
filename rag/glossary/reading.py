"""The glossary of an installation: the names that come with the program, and a team's own."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from rag.data_files import Stamp, parse_toml, read_text, stamps
from rag.errors import SettingsError
from rag.glossary.entries import Columns, Entries
from rag.glossary.glossary import Glossary

if TYPE_CHECKING:
    from rag.settings import Settings

FILE = "glossary.toml"
"""In the data folder."""
_OURS = ("names", "measures", "work", "places")


def glossary_of(settings: Settings) -> Glossary:
    """Ours and the team's, read again when that file has changed.

    Raises SettingsError for a file that is wrong, or one that the settings name and that does not exist.
    """
    named = settings.retrieval.glossary
    path = Path(named).expanduser() if named else settings.home / FILE
    if path.is_file():
        return _joined(stamps([path]))
    if named:
        raise SettingsError(
            f"There is no glossary at {path}.", fix="Correct retrieval.glossary, or leave it empty."
        )
    return _joined(())


@cache
def _joined(own: tuple[Stamp, ...]) -> Glossary:
    entries = ours()
    for path, _ in own:
        entries += parse_toml(Entries, read_text(path), name=path)
    return Glossary(entries)


@cache
def columns() -> Columns:
    """The words that tell what columns of tables hold."""
    name = "rag/glossary/terms/columns.toml"
    text = (files("rag.glossary") / "terms" / "columns.toml").read_text(encoding="utf-8")
    return parse_toml(Columns, text, name=name)


@cache
def ours() -> Entries:
    """What comes with the program."""
    entries = Entries()
    for name in _OURS:
        text = (files("rag.glossary") / "terms" / f"{name}.toml").read_text(encoding="utf-8")
        entries += parse_toml(Entries, text, name=f"rag/glossary/terms/{name}.toml")
    return entries
