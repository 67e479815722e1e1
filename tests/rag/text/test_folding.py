from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.text.folding import fold, fold_with_origin
from rag.text.radicals import RADICALS
from rag.text.scripts import is_han


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＡＢＣ　１２３", "abc 123"),
        ("Résumé", "resume"),
        ("Re\u0301sume\u0301", "resume"),
        ("STRASSE Straße", "strasse strasse"),
        ("ﬁnance", "finance"),
        ("⼀⺠⻅", "一民见"),
        ("“a” ‘b’ «c»", '"a" \'b\' "c"'),
        ("1–2—3−4", "1-2-3-4"),
        ("soft\u00adhyphen\u200b\ufeff", "softhyphen"),
        ("İstanbul", "istanbul"),
        ("be\x07ll\tand\nline", "bell\tand\nline"),
        ("شَمْس", "شمس"),
        ("한국", "한국"),
        ("ｶﾞ", "ガ"[0:0] + unicodedata.normalize("NFKC", "ｶ") + unicodedata.normalize("NFKC", "ﾞ")),
    ],
)
def test_folds(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize("number", ["10²", "1½", "10①"])
def test_numbers_keep_their_value(number: str) -> None:
    assert fold(number) == number


@given(st.text())
def test_folding_is_stable(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(), st.text())
def test_folding_needs_no_neighbours(a: str, b: str) -> None:
    assert fold(a + b) == fold(a) + fold(b)


@given(st.text())
def test_every_folded_character_has_its_origin(text: str) -> None:
    folded = fold_with_origin(text)
    assert folded.text == fold(text)
    assert len(folded.origin) == len(folded.text)
    for place, origin in enumerate(folded.origin):
        assert folded.text[place] in fold(text[origin])
    assert list(folded.origin) == sorted(folded.origin)


def test_radicals_are_repaired_one_for_one() -> None:
    assert all(len(char) == 1 for char in RADICALS.values())
    assert "⼀⽇⻚a\n".translate(RADICALS) == "一日页a\n"
    # Every radical of both blocks has its character, but for the few that none resembles.
    missing = [
        code
        for code in [*range(0x2E80, 0x2EF4), *range(0x2F00, 0x2FD6)]
        if unicodedata.category(chr(code)) != "Cn" and not is_han(RADICALS.get(code, " "))
    ]
    assert len(missing) <= 6, [chr(code) for code in missing]
