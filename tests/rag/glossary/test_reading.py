from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from rag.errors import SettingsError
from rag.glossary import glossary_of
from rag.glossary.reading import FILE, ours
from rag.settings import Settings
from rag.text.folding import fold


def others(settings: Settings, question: str) -> list[str]:
    return [name for thing in glossary_of(settings).named(question) for name in thing.others]


def write(path: Path, names: str, changed: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"[[same]]\nnames = {names}\n", encoding="utf-8")
    os.utime(path, ns=(changed, changed))


def test_the_program_brings_names_of_its_own(settings: Settings) -> None:
    assert "chief executive officer" in others(settings, "Who is the CEO?")
    assert {"operating income", "net sales"} <= set(others(settings, "Did the operating margin rise?"))


def test_no_entry_of_ours_stands_twice() -> None:
    groups = [entry.names for entry in ours().same] + [entry.names for entry in ours().measure]
    inside = [name for names in groups for name, n in Counter(map(fold, names)).items() if n > 1]
    assert not inside
    shared = [name for name, n in Counter(fold(name) for names in groups for name in names).items() if n > 1]
    assert shared == ["dpo"]  # a person and a number of days


def test_a_team_adds_its_own_and_changes_them(settings: Settings) -> None:
    own = settings.home / FILE
    assert others(settings, "What is Project Heron?") == []
    write(own, '["Project Heron", "苍鹭项目", "order line 7"]', 1_000)
    assert others(settings, "What is project heron?") == ["苍鹭项目", "order line 7"]
    assert "chief executive officer" in others(settings, "Who is the CEO?")
    write(own, '["Project Heron", "line seven"]', 2_000)
    assert others(settings, "What is Project Heron?") == ["line seven"]


def test_a_file_that_the_settings_name(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "words.toml"
    elsewhere = settings.model_copy(
        update={"retrieval": settings.retrieval.model_copy(update={"glossary": str(path)})}
    )
    with pytest.raises(SettingsError, match="no glossary at"):
        glossary_of(elsewhere)
    write(path, '["Heron", "苍鹭"]', 1_000)
    assert others(elsewhere, "Heron?") == ["苍鹭"]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"[[same]\n", "not valid TOML"),
        (b'[[same]]\nnames = ["alone"]\n', r"same\.0\.names"),
        (b'[[same]]\nname = ["a b", "c d"]\n', r"same\.0\.names"),
        (b'[[measure]]\nnames = ["share of heron"]\nparts = [[]]\n', r"measure\.0\.parts\.0"),
        (b'[[same]]\nnames = ["??", "heron"]\n', r"same\.0\.names\.0"),
        (b"\xff\xfe", "cannot be read"),
    ],
)
def test_a_wrong_file_is_told_with_its_place(settings: Settings, content: bytes, fault: str) -> None:
    settings.home.mkdir(parents=True, exist_ok=True)
    (settings.home / FILE).write_bytes(content)
    with pytest.raises(SettingsError, match=fault) as caught:
        glossary_of(settings)
    assert FILE in caught.value.message
    assert caught.value.fix
