"""Quotations from code, bold questions, settings, titles; names in questions written in any way."""

from __future__ import annotations

import pytest

from rag.answering.extractive.units import units
from rag.answering.unmentioned import unmentioned
from tests.rag.answering.extractive.quoting import quoted_of_files, whole_files
from tests.rag.library.samples import WordEmbedder

GUIDE = (
    "# Guide to the ferry server\n\nThe server speaks on channel six.\n\n## Starting\n\n```bash\n"
    "ferryctl begin --slow\n```\n\nThe command needs a key.\n\n## Settings\n\n"
    '[log]\nlevel = "warning"\nkeep_days = 30\n\nAbsent: Mr. Roe'
)
FAQ = (
    "# Questions\n\n**May a ticket be given away?**\nNo, it is bound to a name.\n\n"
    "**问：积分多久过期？**\n答：两年后清零。\n\n**Is there a wharf?** Yes, behind the hall."
)
NOTICE = "Car park rules\n\nThe car park has 320 places. A place costs 8 euros. Telephone: 021-6588."


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("What is the log level?", GUIDE, 'level = "warning"'),
        ("Who is absent?", GUIDE, "Absent: Mr. Roe"),
        ("May a ticket be given away?", FAQ, "No, it is bound to a name."),
        ("积分多久过期？", FAQ, "两年后清零"),
        ("Is there a wharf?", FAQ, "Yes, behind the hall."),
        ("What is the telephone number of the car park?", NOTICE, "021-6588"),
    ],
)
def test_it_is_found_and_whole(question: str, text: str, expected: str) -> None:
    assert expected in quoted_of_files(question, WordEmbedder(), text).text


def test_the_border_of_code_is_not_quoted() -> None:
    for question in ("How is the server started?", "What does the command need?"):
        assert "```" not in quoted_of_files(question, WordEmbedder(), GUIDE).text


def test_bold_type_ends_with_its_question() -> None:
    assert [unit.text for unit in units(whole_files(FAQ))][1:3] == [
        "**May a ticket be given away?**",
        "No, it is bound to a name.",
    ]


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("WHICH KEY DOES THE SERVER NEED?", GUIDE, []),
        ("Which key does the server of Ms. Hollis need?", GUIDE, ["Ms. Hollis"]),
        ("What did the 3rd meeting decide?", "第三次会议决定扩建码头。", []),
        ("What did the 4th meeting decide?", "第三次会议决定扩建码头。", ["4th"]),
        ("Where does Ms. Hollis live?", "霍利斯女士住在苏州。", []),
    ],
)
def test_names_that_nothing_mentions(question: str, text: str, expected: list[str]) -> None:
    assert unmentioned(question, whole_files(text)) == expected
