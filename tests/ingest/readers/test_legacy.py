"""DOC and PPT go through LibreOffice. It need not be installed here: a script stands in for it, which takes
the same arguments and leaves its result at the same place."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from ingest.errors import Skipped, Unreadable
from ingest.readers import legacy, read_bytes
from rag import outside
from tests.ingest.readers.compound_file import compound_file
from tests.ingest.readers.files import docx, p
from tests.ingest.readers.office_files import pptx, shape, slide

DOC = compound_file({"WordDocument": b"\xec\xa5" + b"\0" * 600})
PPT = compound_file({"PowerPoint Document": b"\0" * 600})


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is all of PATH but for the shell's own tools."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setattr(outside, "_OFFICE", ("soffice-stand-in",))
    return folder


def script(folder: Path, body: str) -> None:
    program = folder / "soffice-stand-in"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


def test_without_libreoffice_the_file_is_named_with_the_way_out(office: Path) -> None:
    with pytest.raises(Skipped, match=r"Word 97-2003.*not installed.*Install LibreOffice"):
        read_bytes(DOC, "a.doc")
    with pytest.raises(Skipped, match="PowerPoint 97-2003"):
        read_bytes(PPT, "a.ppt")


def test_what_it_makes_is_read(office: Path, tmp_path: Path) -> None:
    (tmp_path / "made.docx").write_bytes(docx(p("From a document.")))
    (tmp_path / "made.pptx").write_bytes(pptx([slide(shape("From a slide."))]))
    # The arguments end with: --convert-to KIND --outdir FOLDER FILE
    script(
        office,
        'for last in "$@"; do :; done\n'
        'while [ "$1" != "--convert-to" ]; do shift; done\n'
        'test -s "$last" && test "$HOME" = "$4" && cp ' + f'"{tmp_path}/made.$2" "$4/file.$2"',
    )
    document = read_bytes(DOC, "a.doc")
    assert (document.kind, document.text) == ("doc", "From a document.")
    document = read_bytes(PPT, "a.ppt")
    assert (document.kind, document.text, document.pages[0].number) == ("ppt", "From a slide.", 1)


def test_it_may_fail_or_hang(office: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(office, "exit 1")
    with pytest.raises(Unreadable, match="LibreOffice cannot open it"):
        read_bytes(DOC, "a.doc")
    monkeypatch.setattr(legacy, "_SECONDS", 0.2)
    script(office, "sleep 600 & wait")
    with pytest.raises(Unreadable, match=r"within 0\.2 s"):
        read_bytes(DOC, "a.doc")
