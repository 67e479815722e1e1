"""The system view: every line of the ledger in both languages, predicted beside measured."""

from __future__ import annotations

import pytest

from rag.engine.protocol import EngineInfo, Line
from ui.language import LANGUAGES, Texts
from ui.render.system import frame_html, system_html

LINES = tuple(
    Line(name, 1234.4, None if name == "overhead" else 1235.6)
    for name in ("weights", "kv", "recurrent", "compute", "overhead", "total")
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_ledger_stands_line_by_line(language: str) -> None:
    texts = Texts(language)
    info = EngineInfo("bonsai-27b", 32_768, "ready", ledger=LINES, adjusted="context <1,024>", parallel=2)
    shown = str(system_html(info, texts))
    assert shown.count("<tr") == 7
    assert shown.count("1,234") == 6
    assert shown.count("1,236") == 5
    assert "–" in shown
    assert "32,768" in shown
    assert "context &lt;1,024&gt;" in shown
    assert "system." not in shown


def test_before_the_model_is_loaded() -> None:
    texts = Texts("en")
    assert "table" not in str(system_html(EngineInfo("bonsai-27b", 8192, "stopped"), texts))
    assert str(system_html(None, texts))
    assert "live" in str(frame_html())
