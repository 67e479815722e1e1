"""Fixtures that every room shares. Each test gets its own data folder and a clean environment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rag import settings as settings_module
from rag.settings import Settings

os.environ.update(
    HF_HUB_OFFLINE="1",
    TRANSFORMERS_OFFLINE="1",
    GRADIO_ANALYTICS_ENABLED="False",
    ANONYMIZED_TELEMETRY="False",
)


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No RAG_* variable of the developer's shell reaches a test, and none writes outside tmp_path."""
    for name in list(os.environ):
        if name.startswith("RAG_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("RAG_HOME", str(tmp_path / "home"))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_module.load(home=tmp_path / "home")
