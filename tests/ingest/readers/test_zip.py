from __future__ import annotations

import io
import zipfile

import pytest

from ingest.errors import Skipped
from ingest.readers import Limits, find_in_bytes, read_bytes
from tests.ingest.readers.files import zipped


def test_files_are_members_and_the_archive_says_so() -> None:
    found = find_in_bytes(zipped({"a/b.txt": "one", "c.txt": "two", "empty/": ""}), "a.zip")
    assert found.document is None
    assert "2 files" in found.reason
    assert [(member.name, member.data) for member in found.members] == [
        ("a/b.txt", b"one"),
        ("c.txt", b"two"),
    ]
    with pytest.raises(Skipped, match="2 files"):
        read_bytes(zipped({"a/b.txt": "one", "c.txt": "two"}), "a.zip")
    with pytest.raises(Skipped, match="without files"):
        find_in_bytes(zipped({"empty/": ""}), "a.zip")


@pytest.mark.parametrize("encoding", ["gb18030", "cp932", "utf-8"])
def test_names_in_the_encoding_of_another_system(encoding: str) -> None:
    meant = {
        "gb18030": "合同/采购合同说明.txt",
        "cp932": "資料/こんにちは世界.txt",
        "utf-8": "合同/说明.txt",
    }[encoding]
    raw = meant.encode(encoding)
    data = zipped({"x" * len(raw): "text"}).replace(b"x" * len(raw), raw)
    (member,) = find_in_bytes(data, "a.zip").members
    assert (member.name, member.data) == (meant, b"text")


def test_names_that_leave_the_folder_or_come_twice() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("../../etc/passwd", "one")
        archive.writestr("/etc/passwd", "two")
        archive.writestr("a.txt", "three")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.txt", "three again")
        archive.writestr("__MACOSX/._a.txt", "four")
    members = find_in_bytes(buffer.getvalue(), "a.zip").members
    assert [member.name for member in members][:4] == ["etc/passwd", "etc/passwd (2)", "a.txt", "a (2).txt"]
    assert members[4].skip == "a system file of macOS"


def test_what_unpacks_too_far_is_named_and_the_rest_is_read() -> None:
    data = zipped({"bomb.txt": b"0" * (40 << 20), "fine.txt": "text"})
    bomb, fine = find_in_bytes(data, "a.zip").members
    assert bomb.data == b""
    assert "zip bomb" in str(bomb.skip)
    assert fine.data == b"text"
    limited = find_in_bytes(
        zipped({"a": "x" * 600, "b": "y" * 600}), "a.zip", limits=Limits(expanded_bytes=1000)
    )
    assert [member.skip for member in limited.members] == [None, "the archive unpacks to more than the limit"]


def test_locked_files_are_named() -> None:
    data = bytearray(zipped({"a.txt": "text", "b.txt": "more"}))
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        place = data.index(mark) + (6 if mark[2] == 3 else 8)
        data[place] |= 1
    locked, open_ = find_in_bytes(bytes(data), "a.zip", password=("wrong",)).members
    assert "locked" in str(locked.skip)
    assert open_.data == b"more"
