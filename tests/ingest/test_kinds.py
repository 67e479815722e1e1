from __future__ import annotations

import gzip
import io
import struct
import zipfile
from pathlib import Path

import pytest

from ingest.errors import Skipped, Unreadable
from ingest.kinds import READABLE, kind_of, kind_of_bytes
from ingest.readers import reader_of
from tests.ingest.readers.compound_file import compound_file
from tests.ingest.readers.files import zipped

OLE_START = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 512


def archive(**members: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in members.items():
            file.writestr(name.replace("__", "/"), content)
    return buffer.getvalue()


def types_of(kind: str) -> str:
    return f'<Types><Override PartName="/x.xml" ContentType="application/{kind}.main+xml"/></Types>'


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"%PDF-1.7\n", "a.docx", "pdf"),
        (b"junk before\n%PDF-1.4\n", "a.pdf", "pdf"),
        (archive(**{"[Content_Types].xml": types_of("wordprocessingml.document")}), "a.pdf", "docx"),
        (archive(word__document_xml="x", **{"word/document.xml": "<w/>"}), "a.zip", "docx"),
        (b"<!doctype html><p>x", "a.txt", "html"),
        (b"\xef\xbb\xbf  <!-- x -->\n<HTML><body>x", "noname", "html"),
        (b'<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">', "a.xml", "html"),
        (b"<p>one</p><p>two</p><div>three</div>", "page.htm", "html"),
        (b"just words", "page.html", "text"),
        (b"# Title\n\ntext", "a.md", "markdown"),
        (b"# Title\n\n<p>one</p><p>two</p><p>three</p>", "README.MD", "markdown"),
        (b"# Title\n\ntext", "a.txt", "text"),
        (b"a,b\n1,2\n", "a.csv", "csv"),
        (b"just words, no table\n", "a.csv", "text"),
        (b"name\tage\nAnn\t3\nBob\t4\nCy\t5\n", "export", "csv"),
        (b"Dear Ann, dear Bob,\nthanks, and see you, soon.\nYours, Cy\n\nand more, much more\n", "a", "text"),
        (b"def f():\n    return '<html>'\n", "a.py", "code"),
        (b"#!/usr/bin/env python3\nprint(1)\n", "tool", "code"),
        (b'<?xml version="1.0"?><rss><item>x</item></rss>', "feed.xml", "xml"),
        (b'{"a": [1, 2]}', "noname", "json"),
        (b'{"a": 1}\n{"a": 2}\n{"a": 3}\n', "log.txt", "jsonl"),
        (b"[1] first note\n[2] second note\n", "notes.txt", "text"),
        (b"a:\n  b: 1\n", "x.yml", "yaml"),
        (b"[a]\nb = 1\n", "x.toml", "toml"),
        (b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b", "a.doc", "mhtml"),
        (b"{\\rtf1\\ansi hello}", "a.doc", "rtf"),
        (archive(**{"[Content_Types].xml": types_of("spreadsheetml.sheet")}), "a.docx", "xlsx"),
        (archive(**{"[Content_Types].xml": types_of("presentationml.presentation")}), "a.pptx", "pptx"),
        (archive(mimetype="application/epub+zip"), "a.zip", "epub"),
        (archive(mimetype="application/vnd.oasis.opendocument.text"), "a.odt", "odt"),
        (archive(mimetype="application/vnd.oasis.opendocument.spreadsheet-template"), "a.ots", "ods"),
        (archive(**{"a.txt": "x"}), "a.docx", "zip"),
        (b"Received: from x\nMessage-ID: <1>\nFrom: a\nTo: b\nSubject: c\n\nbody", "a.txt", "eml"),
        (b"From: a\nSubject: c\n\nbody", "a.eml", "eml"),
        (
            b"From a@b Mon Jan  1 10:00:00 2024\nFrom: a\n\nx\n\n"
            b"From c@d Mon Jan  1 10:00:00 2024\nFrom: c\n\ny\n",
            "box",
            "mbox",
        ),
        ("第一章\n内容".encode("gb18030"), "无名", "text"),
        (b"From: a\nTo: b\nSubject: minutes\n\nwe met", "memo.txt", "text"),
    ],
)
def test_by_content(data: bytes, name: str, kind: str) -> None:
    assert kind_of_bytes(data, name) == kind


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (b"", "a.txt", "empty"),
        (b" \r\n\t\n", "a.txt", "empty"),
        (b"\xef\xbb\xbf\n", "a.txt", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a.md", "image (PNG)"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a.txt", "image (JPEG)"),
        (gzip.compress(b"log"), "a.log", "gzip"),
        (b"\x7fELF\x02\x01\x01", "tool", "program"),
        (b"SQLite format 3\x00....", "a.db", "database"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>', "a.svg", "SVG"),
        (archive(mimetype="application/vnd.oasis.opendocument.formula"), "a.odf", "formula"),
        (archive(**{"Index/Document.iwa": "x"}), "a.pages", "Pages"),
        (archive(mimetype="application/hwp+zip", **{"META-INF/container.xml": "x"}), "a.hwpx", "HWPX"),
        (bytes(range(256)) * 8, "a.txt", "binary"),
    ],
)
def test_what_is_not_read_is_named(data: bytes, name: str, reason: str) -> None:
    with pytest.raises(Skipped, match=reason.replace("(", r"\(").replace(")", r"\)")):
        kind_of_bytes(data, name)


@pytest.mark.parametrize(
    ("stream", "kind"),
    [
        ("EncryptedPackage", "locked-office"),
        ("WordDocument", "doc"),
        ("PowerPoint Document", "ppt"),
        ("Workbook", "xls"),
        ("__properties_version1.0", "msg"),
    ],
)
def test_old_office_files_are_told_apart_even_if_damaged(stream: str, kind: str) -> None:
    assert kind_of_bytes(OLE_START + stream.encode("utf-16-le"), "a.bin") == kind


@pytest.mark.parametrize(("stream", "reason"), [("VisioDocument", "Visio"), ("Something", "OLE")])
def test_other_ole_files_are_named(stream: str, reason: str) -> None:
    with pytest.raises(Skipped, match=reason):
        kind_of_bytes(OLE_START + stream.encode("utf-16-le"), "a.doc")


@pytest.mark.parametrize(("flags", "locked"), [(1, False), (3, True)])
def test_a_password_of_hangul_is_named(flags: int, locked: bool) -> None:
    header = b"HWP Document File".ljust(32, b"\0") + struct.pack("<II", 0x05000300, flags) + bytes(216)
    with pytest.raises(Skipped, match=r"Hangul \(HWP\)") as caught:
        kind_of_bytes(compound_file({"FileHeader": header, "DocInfo": bytes(700)}), "a.hwp")
    assert ("password" in caught.value.reason) == locked
    manifest = "<manifest><encryption-data/></manifest>" if locked else "<manifest/>"
    with pytest.raises(Skipped, match="HWPX") as caught:
        kind_of_bytes(
            archive(mimetype="application/hwp+zip", **{"META-INF/manifest.xml": manifest}), "a.hwpx"
        )
    assert ("password" in caught.value.reason) == locked


def test_a_damaged_archive_is_unreadable() -> None:
    with pytest.raises(Unreadable, match="damaged"):
        kind_of_bytes(archive(**{"word/document.xml": "x" * 1000})[:-40], "a.docx")


def test_of_a_path(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# x")
    assert kind_of(tmp_path / "a.md") == "markdown"
    with pytest.raises(Unreadable, match="cannot be opened"):
        kind_of(tmp_path / "missing.md")


def test_every_readable_kind_has_a_reader() -> None:
    # What is locked has the reader of what it is once it has been opened.
    for kind in set(READABLE) - {"locked-office"}:
        assert callable(reader_of(kind).read)


def test_an_archive_behind_the_program_that_unpacks_it() -> None:
    data = bytes(range(128, 256)) * 3 + zipped({"a.txt": "The pump is cold."})
    assert kind_of_bytes(data, "setup.run") == "zip"


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\0" * 32769 + b"CD001" + b"\0" * 100, "ISO"),
        (b"\xd4\xc3\xb2\xa1\x02\x00\x04\x00" + b"\0" * 16, "pcap"),
        (b"\xa7\x0d\x0d\x0a" + b"\0" * 12 + b"\xe3", "Python"),
        (b"\x85\x02\x0c\x03" + bytes(range(200, 250)), "OpenPGP"),
    ],
)
def test_more_kinds_that_are_named(data: bytes, what: str) -> None:
    with pytest.raises(Skipped, match=what):
        kind_of_bytes(data, "a.bin")
