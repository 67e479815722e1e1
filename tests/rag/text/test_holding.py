from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.text.holding import held
from rag.text.stemming import stem
from rag.text.words import words


@pytest.mark.parametrize(
    ("text", "word", "there"),
    [
        ("The contracts were signed.", "contract", True),
        ("One policy holds.", "policies", True),
        ("Two policies hold.", "policy", True),
        ("CONTRACTOR", "contract", False),
        ("每逾期一日支付违约金", "违约", True),
        ("每逾期一日支付违约金", "约定", False),
        ("HK420控制器", "hk420", True),
        ("Error ERR-4031: valve", "err4031", True),
        ("Error ERR-4031: valve", "4031", True),
        ("in all 19,718 pieces", "19718", True),
        ("ＡＢＣ　Résumé", "resume", True),
        ("its services were re\u2010branded", "rebranded", True),
        ("by e-mail", "email", True),
        ("by e-mails", "email", True),
        ("pages 1 - 2", "12", False),
        ("", "anything", False),
    ],
)
def test_what_is_held(text: str, word: str, there: bool) -> None:
    assert (word in held([word], text)) is there


LETTERS = st.text("abcsy éßÉ-.'12年假违约金\n", max_size=60)


@given(LETTERS, LETTERS)
def test_agrees_with_the_words_of_the_text(question: str, text: str) -> None:
    """Every plain word that the keyword index would find is held."""
    asked = [word for word in words(question) if word.isalpha()]
    plain = {stem(word) for word in words(" ".join(part for part in text.split() if part.isalpha()))}
    assert {word for word in asked if stem(word) in plain} <= held(asked, text)
