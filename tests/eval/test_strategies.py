"""Strategies: what comes along is told in both languages, one's own as one likes, and mistakes are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.conducting import decisive
from eval.report.words import LANGUAGES
from eval.strategies import Strategy, chosen, described, known
from rag.errors import SettingsError, UsageError


def test_those_that_come_along_are_told_in_both_languages() -> None:
    for strategy in known().values():
        told = {language: strategy.told(language) for language in LANGUAGES}
        assert all(told.values()), strategy.name
        assert told["en"].isascii()
        assert not told["zh"].isascii()


def test_ones_own_may_be_told_in_one_language_or_two(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[one]\nabout = "as I like"\n[two]\nabout = { en = "both", zh = "两种" }\n[none]\nbudget = 100\n',
        encoding="utf-8",
    )
    found = known(file)
    assert [found["one"].told(language) for language in LANGUAGES] == ["as I like", "as I like"]
    assert [found["two"].told(language) for language in LANGUAGES] == ["both", "两种"]
    assert found["none"].told("zh") == ""
    # A run's header keeps it as it was written.
    assert described(found["two"].model_dump(mode="json")["about"], "zh") == "两种"


def test_a_language_forgotten_is_told(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[two]\nabout = { en = "half" }\n')
    with pytest.raises(SettingsError, match="strategy two, key about"):
        known(file)


def test_how_a_strategy_is_described_makes_no_other_run() -> None:
    first, second = (Strategy(name="a", about=about) for about in ("as it was", "as it is"))
    heads = [{"strategy": each.model_dump(mode="json"), "created": each.about} for each in (first, second)]
    assert decisive(heads[0]) == decisive(heads[1])
    other = {"strategy": Strategy(name="a", budget=99).model_dump(mode="json")}
    assert decisive(heads[0]) != decisive(other)


def test_another_seed_is_another_strategy() -> None:
    first, second = chosen(["quick:1", "quick:2"])
    assert (first.name, first.seed, second.seed) == ("quick:1", 1, 2)
    for names in (["quick:x"], ["nothing"], ["quick", "quick"]):
        with pytest.raises(UsageError):
            chosen(names)
