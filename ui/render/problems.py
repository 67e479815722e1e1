"""Errors in the reader's language: a sentence from the catalog, and the error's own words as details."""

from __future__ import annotations

import re

from rag.errors import EngineDied, RagError
from ui.filtering import Wanted
from ui.language import Texts

_SIGNAL = re.compile(r"signal (\d+)")


def problem(error: BaseException, texts: Texts) -> tuple[str, str]:
    """(what happened, details). Details are in English, as the rooms below say them, or ""."""
    if not isinstance(error, RagError):
        return texts("problem.unexpected"), ""
    name = next(cls.__name__ for cls in type(error).__mro__ if texts.has(f"problem.{cls.__name__}"))
    if isinstance(error, EngineDied):
        found = _SIGNAL.search(error.message)
        cause = texts("problem.cause.signal", number=found[1]) if found else texts("problem.cause.unknown")
        return texts(f"problem.{name}", cause=cause), str(error)
    return texts(f"problem.{name}"), str(error)


def no_match(wanted: Wanted, texts: Texts) -> str:
    """That no document is as it was asked for."""
    if not wanted.dated:
        return texts("problem.no_match", wanted=wanted.words)
    if not wanted.words:
        return texts("problem.no_match.dates")
    return texts("problem.no_match.both", wanted=wanted.words)
