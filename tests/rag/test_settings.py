"""Where settings come from, and that a slip of the pen is told with what was probably meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag import settings
from rag.errors import SettingsError


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAG_HOME", str(tmp_path))
    return tmp_path


def test_the_environment_stands_above_the_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "rag.toml").write_text('[engine]\nmodel = "a"\ncontext = 512\n', encoding="utf-8")
    monkeypatch.setenv("RAG_ENGINE_MODEL", "b")
    found = settings.load()
    assert (found.home, found.engine.model, found.engine.context) == (home, "b", 512)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[engine]\nmodell = "a"', "There is no setting 'engine.modell'. Did you mean 'engine.model'?"),
        ('[engin]\nmodel = "a"', "There is no setting 'engin'. Did you mean 'engine'?"),
        ("[ui]\nxyzzy = 1", "There is no setting 'ui.xyzzy'."),
        ('[engine]\ncontext = "long"', "The setting 'engine.context' is not right"),
        ("[engine", "not valid TOML"),
    ],
)
def test_what_is_wrong_in_the_file(home: Path, text: str, complaint: str) -> None:
    (home / "rag.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as told:
        settings.load()
    assert complaint in told.value.message
    assert told.value.fix


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("RAG_ENGIN_MODEL", "Did you mean RAG_ENGINE_MODEL?"),
        ("RAG_HOM", "Did you mean RAG_HOME?"),
        ("RAG_ENGINE_MODELL", "Did you mean 'engine.model'?"),
        ("RAG_ENGINE", "names a section"),
    ],
)
def test_what_is_wrong_in_the_environment(name: str, complaint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "x")
    with pytest.raises(SettingsError) as told:
        settings.load()
    assert complaint in told.value.message
    assert told.value.fix


def test_variables_of_other_programs_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_TOP_K", "7")
    monkeypatch.setenv("RAGTIME", "x")
    settings.load()
