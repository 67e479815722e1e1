from __future__ import annotations

import pytest

from rag.text.names import names, stand_out


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Does Acme Pumps, of Leeds, deliver to Norway?", ["Acme Pumps", "Leeds", "Norway"]),
        ("What did Energex Corporation's board decide?", ["Energex Corporation"]),
        ("Who is the CEO of Foot Locker?", ["Foot Locker"]),
        ("Which host does C. difficile live in?", []),
        ("How long is the notice? What is Dillon paid?", ["Dillon"]),
        ("How many days of leave do I have?", []),
        ("WHO SIGNS THE LEASE OF ACME?", []),
        ("年假有几天？", []),
        ("", []),
    ],
)
def test_names_are_what_has_a_capital_inside_a_sentence(question: str, found: list[str]) -> None:
    assert [name.text for name in names(question)] == found


def test_the_words_of_a_name() -> None:
    (name,) = names("What does the Ternary-Bonsai 8B of it need?")
    assert name.text == "Ternary-Bonsai"
    assert {"ternary", "bonsai"} <= set(name.words)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What are the goals of Energex for 2021?", True),
        ("How do I reset the VPN password in Leeds?", True),
        ("What Is the Refund Policy of the House", False),  # a title
        ("Wie hoch ist die Kündigungsfrist im Vertrag?", False),  # German nouns
        ("Quel est le délai de préavis chez Acme ?", False),
        ("Acme Leeds", False),
        ("请问 Acme 的地址？", False),
    ],
)
def test_where_capitals_tell_names(question: str, told: bool) -> None:
    assert stand_out(question) is told
