"""Two documents that a question compares: of each what says the same kind of thing."""

from __future__ import annotations

import pytest

from rag.embedding.protocol import Embedder
from rag.settings import Settings
from tests.rag.answering.answers import answered
from tests.rag.library.samples import fill

PAPERS = {
    "adr-0007.md": "# ADR 0007: Queue for outgoing mail\n\nStatus: accepted\n\n## Context\n\nA slow mail "
    "server made customers wait for half a minute.\n\n## Decision\n\nOutgoing mail goes into a queue in "
    "PostgreSQL.\n\n## Consequences\n\nThe worker has to be monitored.",
    "adr-0012.md": "# ADR 0012: Queue moves to Redis\n\nStatus: accepted, replaces ADR 0007\n\n## Context\n\n"
    "The queue grew to forty million rows.\n\n## Decision\n\nJobs go into Redis streams.\n\n## Consequences"
    "\n\nRedis must be backed up every hour.",
    "adr-0009.md": "# ADR 0009: One log format\n\nStatus: rejected\n\n## Decision\n\nLogs stay as they are.",
    "rotterdam.md": "# Handbook Rotterdam\n\n## Leave\n\nEmployees have 27 days of paid leave.\n\n## Hours"
    "\n\nA week has 36 hours.\n\n## Parking\n\nParking costs 40 euros a month.",
    "lisbon.md": "# Handbook Lisbon\n\n## Working time\n\nThe working week has 38 hours.\n\n## Holidays\n\n"
    "Everybody gets 24 days of paid leave.\n\n## Canteen\n\nLunch is free on Fridays.",
    "sheet-TK2.md": "# Conveyor TK-2\n\n| Property | Value |\n|---|---|\n"
    "| Belt width | 600 mm |\n| Noise | 62 dB |\n",
    "sheet-TK5.md": "# Conveyor TK-5\n\n| Property | Value |\n|---|---|\n"
    "| Belt width | 800 mm |\n| Noise | 68 dB |\n",
    "甲方案.md": "# 甲方案\n\n## 费用\n\n总费用为四十八万元。\n\n## 工期\n\n工期为九十天。",
    "乙方案.md": "# 乙方案\n\n## 费用\n\n总费用为六十二万元。\n\n## 工期\n\n工期为六十天。",
}


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Settings:
    return fill(tmp_path_factory.mktemp("sides"), embedder, PAPERS)


@pytest.mark.parametrize("mode", ["quick", "complete"])
@pytest.mark.parametrize(
    ("question", "said", "not_said"),
    [
        ("Compare ADR 0007 and ADR 0012.", ["queue in PostgreSQL", "Redis streams"], ["Logs stay"]),
        (
            "What is the difference between ADR 0007 and ADR 0012?",
            ["queue in PostgreSQL", "Redis streams", "forty million"],
            ["Logs stay"],
        ),
        (
            "How does the decision of ADR 0012 differ from that of ADR 0007?",
            ["queue in PostgreSQL", "Redis streams"],
            ["forty million"],
        ),
        ("比较 ADR 0007 和 ADR 0012", ["queue in PostgreSQL", "Redis streams"], []),
        ("Compare the handbooks of Rotterdam and Lisbon.", ["36 hours", "38 hours", "27", "24"], []),
        ("How does the working week differ between Rotterdam and Lisbon?", ["36", "38"], ["Parking"]),
        ("比较甲方案和乙方案", ["四十八万", "六十二万", "九十天", "六十天"], []),
        ("甲方案和乙方案的费用有什么区别？", ["四十八万", "六十二万"], ["九十天"]),
    ],
)
def test_both_are_quoted(
    settings: Settings, embedder: Embedder, question: str, said: list[str], not_said: list[str], mode: str
) -> None:
    answer = answered(settings, embedder, question, mode=mode)  # type: ignore[arg-type]
    assert all(each in answer.text for each in said)
    assert not any(each in answer.text for each in not_said)


def test_each_quotation_tells_its_document(settings: Settings, embedder: Embedder) -> None:
    answer = answered(settings, embedder, "Is the working week in Rotterdam longer than in Lisbon?")
    assert "rotterdam" in answer.text
    assert "lisbon" in answer.text
    answer = answered(settings, embedder, "Compare TK-2 and TK-5")
    assert "sheet-TK2: Belt width: 600 mm" in answer.text
    assert "sheet-TK5: Belt width: 800 mm" in answer.text
