"""The engine measured for real, in two small combinations, and one that cannot be loaded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval import __main__ as command
from eval import runs
from eval.enginebench import Setup, setups


def test_every_combination_is_measured_logged_and_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "engine.html"
    asked = ["engine", "--context", "256", "--kv", "f16", "q8_0", "--batch", "64", "--json"]
    assert command.main([*asked, "-o", str(drawn), "--work", str(tmp_path)]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [(line["context"], line["kv"], line["batch"]) for line in result["lines"]] == [
        (256, "f16", 64),
        (256, "q8_0", 64),
    ]
    for line in result["lines"]:
        assert line["problem"] == ""
        assert 0 < line["prompt_tokens"] < 256
        assert line["prompt_per_s"] > 0
        assert line["decode_per_s"] > 0
        # The second prompt differs in its last words only.
        assert line["cached_tokens"] > line["prompt_tokens"] / 2
        assert line["used_mib"] == pytest.approx(line["predicted_mib"], rel=0.25)
    head, lines = runs.read(Path(result["run"]))
    assert len(head["hashes"]["model"]) == 64
    assert lines == result["lines"]
    html = drawn.read_text(encoding="utf-8")
    assert html.count("<svg") == 4
    assert "<script" not in html


def test_a_model_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["engine", "--model", str(tmp_path / "no.gguf"), "--work", str(tmp_path)]) == 1
    assert "no model file" in capsys.readouterr().err


def test_setups_are_all_combinations() -> None:
    assert setups([512, 256], ["f16"], [64, 32]) == [
        Setup(256, "f16", 32),
        Setup(256, "f16", 64),
        Setup(512, "f16", 32),
        Setup(512, "f16", 64),
    ]
