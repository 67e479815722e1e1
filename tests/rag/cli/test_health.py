"""What the doctor says of things that are welcome but not needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag import outside
from rag.cli import health
from rag.settings import Settings


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder with Tesseract's data; empty. Nothing is on PATH."""
    folder = tmp_path / "tessdata"
    folder.mkdir()
    monkeypatch.setenv("TESSDATA_PREFIX", str(folder))
    monkeypatch.setattr(outside, "_FOLDERS", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    return folder


def settings(**ingest: str) -> Settings:
    return Settings.model_validate({"ingest": ingest})


def test_without_data_scans_are_said_to_be_without_text(data: Path) -> None:
    check = health._recognition(settings())
    assert check.ok
    assert "scans are reported as without text" in check.found
    assert "apt install tesseract-ocr-chi-sim tesseract-ocr-eng" in check.fix


def test_the_missing_language_is_named(data: Path) -> None:
    (data / "eng.traineddata").touch()
    (data / "osd.traineddata").touch()
    check = health._recognition(settings())
    assert check.ok
    assert f"data of eng in {data}, none of chi_sim" in check.found
    assert "apt install tesseract-ocr-chi-sim." in check.fix
    (data / "chi_sim.traineddata").touch()
    check = health._recognition(settings())
    assert (check.ok, check.fix) == (True, "")


def test_what_the_settings_ask_for_must_be_there(data: Path) -> None:
    (data / "eng.traineddata").touch()
    check = health._recognition(settings(ocr_languages="deu+eng, fra"))
    assert not check.ok
    assert "none of deu, fra" in check.found
    assert health._recognition(settings(ocr_languages="eng")).ok
    assert not health._recognition(settings(ocr="force")).ok
    assert health._recognition(settings(ocr="off")).fix == ""


def test_libreoffice(data: Path, tmp_path: Path) -> None:
    check = health._libreoffice(settings())
    assert check.ok
    assert "DOC and PPT" in check.found
    assert "libreoffice-writer-nogui" in check.fix
    program = tmp_path / "soffice"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    check = health._libreoffice(settings())
    assert str(program) in check.found
    assert check.fix == ""
