from __future__ import annotations

import pytest

from rag.text.language import language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What was decided?", "en"),
        ("会议决定了什么？", "zh"),
        ("PepsiCo 2023 年度股东大会的投票结果是什么", "zh"),
        ("What does 茶 mean?", "en"),
        ("What is the meaning of 绿水青山就是金山银山?", "en"),
        ("Python 怎么用", "zh"),
        ("GPU 内存", "en"),
        ("内存 GPU", "zh"),
        ("", "en"),
        ("2023", "en"),
        ("Что это?", "en"),
    ],
)
def test_language(text: str, expected: str) -> None:
    assert language(text) == expected
