"""What else reading can make use of where it is installed: Tesseract's language data, and LibreOffice.

Neither is needed. Nothing is installed or downloaded here.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

NO_LANGUAGE = frozenset({"osd", "equ", "snum"})
"""Data that stands beside that of languages: for orientation, formulas and numbers."""

_FOLDERS = (
    "/usr/share/tesseract-ocr",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
    "/usr/local/share/tesseract-ocr",
)
_OFFICE = ("soffice", "libreoffice")


@dataclass(frozen=True, slots=True)
class LanguageData:
    """folder: where the files lie. languages: those that it holds, by their codes ("chi_sim")."""

    folder: Path
    languages: tuple[str, ...]


def tesseract_data() -> LanguageData | None:
    """What there is of language data; None if nothing. $TESSDATA_PREFIX stands above the usual places."""
    for folder in _candidates():
        try:
            names = sorted(path.stem for path in folder.glob("*.traineddata"))
        except OSError:
            continue
        if set(names) - NO_LANGUAGE:
            return LanguageData(folder, tuple(names))
    return None


def office_program() -> str | None:
    """The path of LibreOffice; None if it is not installed."""
    return next((found for name in _OFFICE if (found := shutil.which(name))), None)


def _candidates() -> Iterator[Path]:
    prefix = os.environ.get("TESSDATA_PREFIX")
    for root in (prefix, *_FOLDERS) if prefix else _FOLDERS:
        folder = Path(root)
        yield folder
        yield folder / "tessdata"
        # Debian: …/tesseract-ocr/5/tessdata
        yield from sorted(folder.glob("*/tessdata"), reverse=True)
