"""Reasons of other rooms are said in Chinese on the Chinese page."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ingest
from ingest import kinds, kinds_containers, kinds_signatures
from ingest.errors import ReadError
from ui.language import texts
from ui.render import reasons
from ui.render.reasons import reason_text

EN, ZH = texts("en"), texts("zh")


@pytest.mark.parametrize(
    ("reason", "chinese"),
    [
        ("locked: it needs a password. Give it with --password.", "已加密：需要密码"),
        ("300 MiB large; the limit is 256 MiB", "文件大小为 300 MiB，上限是 256 MiB"),
        ("damaged PDF: PdfiumError: bad", "PDF 文件已损坏，无法读取"),
        (
            "damaged PDF: Failed to load document (PDFium: Data format error).",
            "PDF 文件已损坏或不完整，无法打开",
        ),
        ("damaged workbook: bad magic", "工作簿文件已损坏，无法读取"),
        ("cannot be opened: Permission denied", "无法打开：没有权限"),
        ("cannot be opened: Strange device error", "无法打开：Strange device error"),
        ("in the hidden folder Permission", "位于隐藏文件夹 Permission 中"),
        ("a document of Word 2, a kind that is not read", "不支持的类型：Word 2 文档"),
        ("a video or photo (MP4, HEIC), a kind that is not read", "不支持的类型：MP4, HEIC"),
        ("a presentation (PPTX), a kind that is not read yet", "不支持的类型：PPTX"),
        (
            "no text layer: its 3 pages are empty or images only (a scan)",
            "没有文字层：全部页面为空白或只有图像（扫描件）",
        ),
        ("something nobody has said before", "something nobody has said before"),
    ],
)
def test_reasons(reason: str, chinese: str) -> None:
    assert reason_text(reason, ZH) == chinese
    assert reason_text(reason, EN) == reason


@pytest.mark.parametrize(
    "data", [b"", b"\x89PNG\r\n\x1a\n" + bytes(64), b"MZ" + bytes(64), bytes(range(256)) * 9]
)
def test_what_is_no_document_has_a_chinese_reason(data: bytes) -> None:
    with pytest.raises(ReadError) as refused:
        kinds.recognise(data)
    assert reason_text(refused.value.reason, ZH) != refused.value.reason


def test_every_template_has_the_groups_it_needs() -> None:
    for pattern, template in json.loads(reasons._CHINESE.read_text(encoding="utf-8"))["reasons"]:
        wanted = {int(number) for number in re.findall(r"{(\d)}", template)}
        assert not wanted or max(wanted) < re.compile(pattern).groups


REASONED = {"Skipped", "Unreadable", "FoundFile", "_because", "Reading", "Aside"}
"""Whatever is called so in `ingest` is given the reason why a file was left out."""


def said_in_ingest() -> Iterator[tuple[str, str]]:
    """(place, reason) of every reason that is written out where it is given; values inside are a 7."""
    folder = Path(ingest.__file__).parent
    for module in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in REASONED:
                given = [*node.args, *(word.value for word in node.keywords if word.arg != "fix")]
                for argument in given:
                    reason = written_out(argument)
                    if reason and " " in reason:
                        yield f"{module.relative_to(folder)}:{node.lineno}", reason


def written_out(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values)
    return None


def test_every_reason_has_its_chinese() -> None:
    reasons_given = list(said_in_ingest())
    assert len(reasons_given) > 30
    assert [(place, reason) for place, reason in reasons_given if reason_text(reason, ZH) == reason] == []


NAMES = {
    "Apple", "Java", "Keynote", "LibreOffice", "Outlook", "Pages", "Numbers", "Photoshop", "PostScript",
    "OpenDocument", "Pro", "Quattro", "Tesseract", "WebP", "Windows", "Word", "WordPerfect", "Works", "Write",
    "Matroska", "MiB", "Office", "Ogg", "Flash", "Media", "Mobipocket", "Access", "Parquet",
    "Arrow", "Avro", "NumPy", "SQLite",
    "WebAssembly", "OneNote", "Android", "Hangul", "Publisher", "Visio", "DjVu", "for", "compress", "gzip",
    "bzip", "lzip", "zstd", "cpio", "tar", "macOS", "pcap", "pcapng", "OpenPGP",
}  # fmt: skip
"""What is written in Latin letters in Chinese as well: names of programs and formats."""


def kinds_that_are_not_read() -> Iterator[str]:
    told = [
        *(what for _, _, what in kinds_signatures._MAGIC),
        *(what for _, what in (*kinds_containers._OTHER_ZIPS, *kinds_containers._OTHER_OLE)),
    ]
    yield from (f"{what}, a kind that is not read" for what in told)


def test_no_chinese_reason_has_english_words_in_it() -> None:
    english = []
    for reason in [*(reason for _, reason in said_in_ingest()), *kinds_that_are_not_read()]:
        words = re.findall("[A-Za-z]{3,}", reason_text(reason, ZH))
        if any(word not in NAMES and not word.isupper() for word in words):
            english.append((reason, reason_text(reason, ZH)))
    assert english == []
