"""The folder that holds everything that is made of the documents."""

from __future__ import annotations

from pathlib import Path

from rag.errors import SettingsError


def make_data_folder(home: Path) -> None:
    """Raises SettingsError where there can be none: a file of that name, a disk that may not be written."""
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(
            f"The data folder {home} cannot be made: {error.strerror or error}.",
            fix="Name another one in the environment variable RAG_HOME.",
        ) from error
