"""Every text of the page exists in both languages, with the same fields."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rag import errors
from ui.language import LANGUAGES, Language, catalog, language_of, texts

UI = Path(__file__).parents[2] / "ui"
FIELD = re.compile(r"{(\w+)(?::,)?}")


def test_the_catalogs_have_the_same_keys_and_fields() -> None:
    english, chinese = catalog("en"), catalog("zh")
    assert list(english) == list(chinese)
    for key in english:
        fields = {name for name in FIELD.findall(english[key]) if not key.endswith(".one")}
        assert fields <= set(FIELD.findall(chinese[key])), key
        assert english[key].strip(), key
        assert chinese[key].strip(), key


def test_every_key_that_the_code_names_exists_and_every_key_is_named() -> None:
    code = "\n".join(
        path.read_text(encoding="utf-8") for path in UI.rglob("*") if path.suffix in (".py", ".js")
    )
    known = set(catalog("en"))
    stems = {key.rsplit(".", 1)[0] for key in known}
    named = set(re.findall(r"""(?:texts|words|both|i18n|text)\(\s*f?["']([a-z_.]+)["']""", code))
    assert named <= known, named - known
    for key in known:
        family = any(
            f"{stem}." in code for stem in {key.rsplit(".", 1)[0], key.removesuffix(".one").rsplit(".", 1)[0]}
        )
        assert f'"{key}"' in code or f'"{key.removesuffix(".one")}"' in code or family, key
    assert stems


def test_every_error_has_a_sentence() -> None:
    classes = [value for value in vars(errors).values() if isinstance(value, type)]
    for language in LANGUAGES:
        for cls in classes:
            assert any(texts(language).has(f"problem.{base.__name__}") for base in cls.__mro__), cls


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("zh-TW", "zh"),
        ("ZH", "zh"),
        ("en-GB,zh;q=0.9", "en"),
        ("de-DE,de;q=0.9", "en"),
        ("de, zh;q=0.2, en;q=0.7", "en"),
        ("de, zh;q=0.7, en;q=0.2", "zh"),
        ("zh;q=0, en;q=0.1", "en"),
        ("zh;q=nonsense", "en"),
        (";;;,,,", "en"),
    ],
)
def test_language_of(header: str | None, language: Language) -> None:
    assert language_of(header) == language


def test_one_is_not_written_as_many() -> None:
    assert texts("en")("queue.ahead", n=1) == "1 question ahead"
    assert texts("en")("queue.ahead", n=2) == "2 questions ahead"
    assert texts("zh")("queue.ahead", n=1) == "前面还有 1 个问题"
