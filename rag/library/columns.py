"""How Python values stand in the manifest's columns."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def path_column(path: Path | str) -> str | bytes:
    """A path as text; as bytes where its name is not text in the file system's encoding."""
    text = str(path)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return os.fsencode(text)
    return text


def path_value(column: str | bytes) -> Path:
    return Path(os.fsdecode(column))


def json_column(values: Sequence[Any]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))
