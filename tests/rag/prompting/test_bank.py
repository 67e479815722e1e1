"""Worked examples: ours hold, a user's come first, wrong ones are refused, and few of them are chosen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rag.errors import SettingsError
from rag.prompting import Example, bank, chosen, kind_of
from rag.prompting.bank import ours, parse
from rag.text.language import Language

KINDS = {"fact", "list", "procedure", "comparison", "table", "unanswerable"}
GOOD = """
[[example]]
kind = "fact"
question = "How long is the road to the sea?"
answer = "The road is 12 km long [1]."
source = [{ name = "a.txt", text = "The road to the sea is 12 km long." }]
"""


def size(examples: Sequence[Example]) -> int:
    return 100 * len(examples)


@pytest.mark.parametrize("of", ["en", "zh"])
def test_every_kind_has_an_example_in_each_language(of: Language) -> None:
    assert {example.kind for example in bank(of)} == KINDS


def test_the_languages_have_the_same_kinds() -> None:
    assert len(ours()) == len(bank("en")) + len(bank("zh"))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How do I claim travel expenses?", "procedure"),
        ("What is the difference between the HK-420 and the HK-430?", "comparison"),
        ("Which suppliers deliver sensors?", "list"),
        ("What is the total of all invoices?", "table"),
        ("When was the company founded?", "fact"),
        ("怎么报销差旅费？", "procedure"),
        ("两份合同有什么区别？", "comparison"),
        ("有哪些供应商？", "list"),
        ("表格里金额的合计是多少？", "table"),
        ("公司什么时候成立？", "fact"),
    ],
)
def test_the_kind_of_a_question_chooses_the_last_example(question: str, kind: str) -> None:
    assert kind_of(question) == kind
    of: Language = "en" if question.isascii() else "zh"
    kinds = [example.kind for example in chosen(bank(of), kind_of(question), tokens=1000, cost=size)]
    assert kinds == ["fact", "unanswerable", "list" if kind == "fact" else kind]


def test_the_allowance_is_kept() -> None:
    for tokens, expected in ((1000, 3), (200, 2), (150, 1), (0, 0)):
        assert len(chosen(bank("en"), "list", tokens=tokens, cost=size)) == expected


def test_a_users_examples_come_first(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "roads.toml").write_text(GOOD, encoding="utf-8")
    picked = chosen(bank("en", tmp_path), "procedure", tokens=1000, cost=size)
    assert picked[0].question == "How long is the road to the sea?"
    assert [example.kind for example in picked] == ["fact", "unanswerable", "procedure"]
    assert bank("zh", tmp_path) == bank("zh")
    assert bank("en", tmp_path / "nowhere") == bank("en")
    # A changed file is read again.
    (tmp_path / "mine" / "roads.toml").write_text(GOOD.replace("12 km", "13 kilometres"), encoding="utf-8")
    assert "13" in bank("en", tmp_path)[0].answer


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[1].", "[2].", "numbers without a source"),
        ("[1].", "【1】.", "markers other than"),
        (" [1].", ".", "not where they belong"),
        ("is 12 km long [1]", "is 13 km long [1]", "no source supports"),
        ('kind = "fact"', 'kind = "fakt"', "kind"),
        ('kind = "fact"', 'kind = "fact"\ncolour = "red"', "colour"),
        ("How long is the road to the sea?", "到海边的路有多长？", "another language"),
        ("[[example]]", "[example]]", "not valid TOML"),
        ('answer = "The road is 12 km long [1]."\n', "", "needs an answer"),
    ],
)
def test_wrong_examples_are_refused(old: str, new: str, complaint: str, tmp_path: Path) -> None:
    assert parse(GOOD, name="x.toml")[0].kind == "fact"
    path = tmp_path / "x.toml"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        bank("en", tmp_path)
    assert complaint in str(caught.value)
    assert "x.toml" in str(caught.value)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match=r"x\.toml"):
        bank("en", tmp_path)
