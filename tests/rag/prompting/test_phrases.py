"""The data files are complete and true, and wrong ones are refused with the place named."""

from __future__ import annotations

import re

import pytest

from rag.errors import SettingsError
from rag.prompting.phrases import parse, phrases_in
from rag.text.language import Language

GOOD = """
not_found = "Not there."
system = "Say {not_found}"
short_system = "Be short."
sources = "Sources:"
sources_end = "End."
reminder = "Answer."
question = "Question: {question}"
page = "page {page}"
[[example]]
kind = "fact"
question = "How long is the road to the sea?"
answer = "The road is 12 km long [1]."
source = [{ name = "a.txt", text = "The road to the sea is 12 km long." }]
[[example]]
kind = "unanswerable"
question = "Who built the road?"
answer = "Not there."
source = [{ name = "a.txt", text = "The road to the sea is 12 km long." }]
"""


@pytest.mark.parametrize("of", ["en", "zh"])
def test_the_shipped_files_are_valid_and_alike(of: Language) -> None:
    phrases = phrases_in(of)
    assert 2 <= len(phrases.example) <= 3
    assert [example.kind for example in phrases.example] == ["fact", "procedure", "unanswerable"]
    assert not re.search(r"\{(?!not_found)", phrases.system)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[1].", "[2].", "numbers without a source"),
        ("[1].", "【1】.", "markers other than"),
        (" [1].", ".", "not where they belong"),
        ("is 12 km long [1]", "is 13 km long [1]", "no source supports"),
        ('page = "page {page}"', 'page = "page"', "page must contain {page}"),
        ('reminder = "Answer."', 'remainder = "Answer."', "reminder"),
        ('kind = "fact"', 'kind = "fakt"', "kind"),
        ('kind = "fact"', 'kind = "fact"\ncolour = "red"', "colour"),
        ('answer = "Not there."', 'answer = "No idea."', "unanswerable"),
        ("How long is the road to the sea?", "到海边的路有多长？", "not in the file's language"),
        ("[[example]]", "[example]]", "not valid TOML"),
    ],
)
def test_wrong_files_are_refused(old: str, new: str, complaint: str) -> None:
    assert parse(GOOD, of="en", name="x.toml").not_found == "Not there."
    with pytest.raises(SettingsError) as caught:
        parse(GOOD.replace(old, new, 1), of="en", name="x.toml")
    assert complaint in str(caught.value)
    assert "x.toml" in str(caught.value)
