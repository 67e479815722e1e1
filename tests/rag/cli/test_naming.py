from __future__ import annotations

import pytest

from rag.cli.naming import plain


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("合同　终稿 (2).docx", "合同　终稿 (2).docx"),
        ("👩\u200d🔧.md", "👩\u200d🔧.md"),
        ("two\nlines.txt", "two\\nlines.txt"),
        ("\x1b[2Jgone.txt", "\\x1b[2Jgone.txt"),
        ("\u202egpj.txt", "\\u202egpj.txt"),
    ],
)
def test_names_at_a_terminal(name: str, shown: str) -> None:
    assert plain(name) == shown
