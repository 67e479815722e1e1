"""What the guides name exists: files, make targets, commands, options, settings."""

from __future__ import annotations

import functools
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rag.data_files import parse_toml
from rag.glossary.entries import Entries
from rag.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
GUIDES = sorted(
    [*ROOT.glob("README*.md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("examples/**/README.md")]
)
COMMAND = re.compile(r"python -m (ingest|rag|ui|eval)\b([^`\n#]*)")


def text_of(guide: Path) -> str:
    return guide.read_text(encoding="utf-8")


def commands() -> list[tuple[str, str]]:
    """(program and commands, the rest of the line) of every command line in the guides."""
    found = set()
    for guide in GUIDES:
        for program, rest in COMMAND.findall(text_of(guide)):
            words = re.match(r"(?: [a-z]+){0,2}(?= |$)", rest)
            names = words.group().split() if words else []
            depth = {"rag": 2 if names[:1] == ["model"] else 1, "eval": 1}.get(program, 0)
            found.add((" ".join([program, *names[:depth]]), rest))
    return sorted(found)


@functools.cache
def help_of(command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command.split(), "--help"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, f"python -m {command} --help: {done.stderr}"
    return done.stdout


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: str(guide.relative_to(ROOT)))
def test_every_link_leads_somewhere(guide: Path) -> None:
    links = [link for link in re.findall(r"\]\(([^)#\s]+)", text_of(guide)) if "://" not in link]
    assert [link for link in links if not (guide.parent / link).exists()] == []


@pytest.mark.parametrize(("command", "rest"), commands(), ids=lambda value: value.strip())
def test_every_command_and_option_exists(command: str, rest: str) -> None:
    known = help_of(command)
    for option in re.findall(r"(?<![\w-])--?[a-z][\w-]*", rest):
        assert re.search(rf"(?<![\w-]){option}(?![\w-])", known), f"{command} has no {option}"


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: str(guide.relative_to(ROOT)))
def test_settings_that_are_shown_are_settings(guide: Path, tmp_path: Path) -> None:
    text = text_of(guide)
    for block in re.findall(r"```toml\n(.*?)```", text, re.S):
        if block.startswith("# glossary.toml\n"):
            parse_toml(Entries, block, name=str(guide))
        else:
            Settings(home=tmp_path, **tomllib.loads(block))
    sections = Settings.model_fields
    for section, key in re.findall(r"`(engine|embedding|ingest|retrieval|ui)\.(\w+)", text):
        model = sections[section].annotation
        assert model is not None
        assert key in model.model_fields, f"{section}.{key}"
    for section, key in re.findall(r"\bRAG_(ENGINE|EMBEDDING|INGEST|RETRIEVAL|UI)_([A-Z_]+)", text):
        model = sections[section.lower()].annotation
        assert key.lower() in model.model_fields, f"RAG_{section}_{key}"  # type: ignore[union-attr]


def test_make_targets_and_variables_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.M))
    variables = set(re.findall(r"^([A-Z_]+) *[?:]?=", makefile, re.M))
    for guide in GUIDES:
        for line in re.findall(r"^ {4}(?:[A-Z_]+=\S+ )*make .*$|`make [^`]*`", text_of(guide), re.M):
            words = shlex.split(line.strip(" `").split("#")[0], posix=True)
            after = words[words.index("make") + 1 :]
            assert {word for word in after if "=" not in word} <= targets, line
            assert {word.split("=")[0] for word in after if "=" in word} <= variables, line


def test_both_readmes_show_the_same_set_up() -> None:
    def lines(name: str) -> list[str]:
        text = text_of(ROOT / name)
        return [line.split("#")[0].strip() for line in re.findall(r"^ {4}.*\bmake .*$", text, re.M)]

    assert lines("README.md") == lines("README.zh.md")
