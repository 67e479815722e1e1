"""Commands as they are called, and two questions: one that the papers answer, one that they do not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rag.cli import main

LEAVE = "How many days of annual leave do employees receive?"
NOWHERE = "What is the colour charge of a gluon in quantum chromodynamics?"


def told(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, dict[str, Any]]:
    code = main([*argv, "--json"])
    value = json.loads(capsys.readouterr().out)
    assert isinstance(value, dict)
    return code, value
