"""The engine measured for real, in two small combinations, and one that cannot be loaded."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

import pytest

from eval import __main__ as command
from eval import runs
from eval.enginebench import Line as Measured
from eval.enginebench import Setup, of_engine, refuse_other_than_asked, setups, speeds
from eval.report.engine import page
from eval.report.enginecharts import CHARTS, drawn
from eval.report.words import Words
from rag.engine.protocol import Engine, EngineInfo, Line, Token
from rag.errors import EngineError
from rag.records import Message, Usage


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
        assert line["used_mib"] == line["host_mib"] == pytest.approx(line["predicted_mib"], rel=0.25)
        assert line["engine"].startswith("llama-cpp-python ")
        assert line["model"] == "smollm2-135m"
        assert line["device"] == "cpu"
    head, lines = runs.read(Path(result["run"]))
    assert len(head["hashes"]["model"]) == 64
    assert lines == result["lines"]
    html = drawn.read_text(encoding="utf-8")
    assert html.count("<svg") == 5
    assert "<script" not in html


def test_a_model_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["engine", "--model", str(tmp_path / "no.gguf"), "--work", str(tmp_path)]) == 1
    assert "no model file" in capsys.readouterr().err


def test_a_context_that_the_model_does_not_have_is_a_line_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "new folder" / "engine.html"
    asked = ["engine", "--context", "1000000", "--kv", "q8_0", "--json", "-o", str(drawn)]
    assert command.main([*asked, "--work", str(tmp_path)]) == 3
    (line,) = json.loads(capsys.readouterr().out)["lines"]
    assert "8,192 tokens of context only" in line["problem"]
    assert line["first_cold_s"] is None
    assert "8,192 tokens of context only" in drawn.read_text(encoding="utf-8")


def test_a_server_is_not_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAG_ENGINE_SERVER", "http://127.0.0.1:9/v1")
    assert command.main(["engine", "--work", str(tmp_path)]) == 2
    assert "local engine" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("buffers", "device", "used"),
    [
        ({"CUDA0 model": 7000.0, "CPU_Mapped model": 600.0, "CUDA_Host compute": 20.0}, "gpu", 8600.0),
        ({"CPU_Mapped model": 600.0, "CPU KV": 20.0}, "cpu", None),
    ],
)
def test_memory_is_the_devices_where_weights_lie_there(
    buffers: dict[str, float], device: str, used: float | None
) -> None:
    """In a container the driver's list of processes has other numbers or none: the ledger has the figure."""
    ledger = (Line("weights", 7000.0, 7000.0), Line("total", 8700.0, 8600.0))
    info = EngineInfo("m", 8192, "ready", pid=os.getpid(), buffers_mib=buffers, ledger=ledger)
    found = of_engine(info)
    assert (found["device"], found["predicted_mib"]) == (device, 8700.0)
    assert found["used_mib"] == (found["host_mib"] if used is None else used)
    assert found["host_mib"] > 1


def test_an_engine_that_made_itself_smaller_is_not_what_was_asked() -> None:
    setup = Setup(8192, "q8_0", 512)
    smaller = EngineInfo(
        "m", 4096, "ready", adjusted="context 4,096 instead of 8,192, because 9 MiB are free"
    )
    with pytest.raises(EngineError, match="instead of 8,192"):
        refuse_other_than_asked(setup, smaller)
    with pytest.raises(EngineError, match="4,096 tokens"):
        refuse_other_than_asked(setup, EngineInfo("m", 4096, "ready"))
    refuse_other_than_asked(setup, EngineInfo("m", 8192, "ready"))


class LateText:
    """An engine whose text comes all at once, at the end: its tokens are parts of one character."""

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def stream(self, messages: Sequence[Message], **options: object) -> Iterator[Token]:
        yield Token("", read=(50, 100))
        yield Token("", read=(100, 100))
        yield Token("检", usage=Usage(prompt_tokens=100, cached_tokens=50, answer_tokens=64))


def test_the_first_token_is_drawn_when_the_prompt_is_read_whatever_its_text() -> None:
    found = speeds(cast(Engine, LateText()), Setup(1024, "f16", 64), 0.75)
    assert found["answer_tokens"] == 64
    assert found["decode_per_s"] > 0
    assert 0 < found["first_warm_s"] < 1


def test_a_row_for_each_context_and_a_column_for_each_cache() -> None:
    lines = [
        Measured("m", "e", context, kv, 512, "cpu", 100.0, used_mib=90.0, problem=problem)
        for context, kv, problem in ((256, "f16", ""), (256, "q8_0", ""), (512, "f16", "no <room>"))
    ]
    charts, words = {chart.key: chart for chart in CHARTS}, Words("en")
    picture = drawn(charts["engine_memory"], lines, words)
    assert picture.count('class="head"') == 2
    assert picture.count('class="name"') == 2
    assert picture.count('class="gain"') == 2
    assert "no &lt;room&gt;" in picture
    assert drawn(charts["engine_writing"], lines, words) == ""


def test_the_page_speaks_either_language() -> None:
    head = {
        "created": "2026-01-02T03:04:05",
        "filled": 0.75,
        "dataset": "m",
        "system": {"machine": "x86_64", "cpus": 2, "gpus": []},
    }
    lines = [
        Measured("m", "e", 256, "f16", 512, "gpu", 100.0, used_mib=90.0, prompt_per_s=50.0),
        Measured("m", "e", 512, "f16", 512, "gpu", 100.0, problem="no <room>"),
    ]
    english, chinese = page(head, lines, "en"), page(head, lines, "zh")
    for text in (
        "Engine: m",
        "<h2>Memory</h2>",
        "on the GPU",
        "prompts fill 75%",
        "✕ not run",
        "predicted 100",
    ):
        assert text in english
    for text in ("引擎：m", "<h2>内存</h2>", "在 GPU 上运行", "提示占上下文的 75%", "✕ 未运行", "预测 100"):
        assert text in chinese
    assert '<html lang="zh-Hans">' in chinese
    shown = re.sub(r"(?s)<style>.*?</style>|<[^>]*>", " ", chinese)
    assert set(re.findall(r"[A-Za-z]{3,}", shown)) <= {"MiB", "GPU", "CPU", "token", "room"}


def test_setups_are_all_combinations() -> None:
    assert setups([512, 256], ["f16"], [64, 32]) == [
        Setup(256, "f16", 32),
        Setup(256, "f16", 64),
        Setup(512, "f16", 32),
        Setup(512, "f16", 64),
    ]
