"""The instructions are complete, and wrong files are refused with the place named."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from rag.errors import SettingsError
from rag.prompting.phrases import parse, phrases_in
from rag.text.language import Language, language

GOOD = (files("rag.prompting") / "phrases" / "en.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("of", ["en", "zh"])
def test_the_shipped_files_are_valid_and_in_their_language(of: Language) -> None:
    phrases = phrases_in(of)
    assert not re.search(r"\{(?!not_found)", phrases.system)
    for name, text in phrases:
        assert language(re.sub(r"\{\w+\}|<[^>]*>", "", text)) == of, name


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('page = "page {page}"', 'page = "page"', "page must contain {page}"),
        ("now: {part}", "now.", "part must contain {part}"),
        ("reminder = ", "remainder = ", "reminder"),
        ("not_stated = ", "colour = 1\nnot_stated = ", "colour"),
        ('question = "', "question = ", "not valid TOML"),
    ],
)
def test_wrong_files_are_refused(old: str, new: str, complaint: str) -> None:
    assert old in GOOD
    with pytest.raises(SettingsError) as caught:
        parse(GOOD.replace(old, new, 1), name="x.toml")
    assert complaint in str(caught.value)
    assert "x.toml" in str(caught.value)
