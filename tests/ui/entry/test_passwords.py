"""How passwords are kept."""

from __future__ import annotations

import pytest

from rag.errors import UsageError
from ui.entry.passwords import LEAST, MOST, NOBODYS, fits, kept


def test_a_password_fits_its_own_line_only() -> None:
    line = kept("correct horse battery")
    assert fits("correct horse battery", line)
    assert not fits("correct horse batterz", line)
    assert "correct" not in line
    assert kept("correct horse battery") != line
    assert not fits("correct horse battery", NOBODYS)


def test_it_is_the_same_from_every_keyboard() -> None:
    assert fits("mo\u0301t de passe", kept("m\u00f3t de passe"))


@pytest.mark.parametrize(
    "line", ["", "scrypt", "plain:1:2:3:4:5", "scrypt:x:8:3:AA==:AA==", "scrypt:3:8:1:AA==:AA=="]
)
def test_what_is_no_line_fits_nothing(line: str) -> None:
    assert not fits("correct horse battery", line)


@pytest.mark.parametrize("password", ["", "x" * (LEAST - 1), "x" * (MOST + 1)])
def test_a_password_of_no_use_is_refused(password: str) -> None:
    with pytest.raises(UsageError):
        kept(password)
