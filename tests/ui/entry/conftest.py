"""What the tests of who comes in share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.entry.serving import PASSWORD
from ui.entry import passwords
from ui.entry.users import Users


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With two people, whose passwords cost little."""
    monkeypatch.setattr(passwords, "_N", 16)
    users = Users(tmp_path / "home")
    for name in ("ann", "bo"):
        users.add(name, PASSWORD)
    return tmp_path / "home"
