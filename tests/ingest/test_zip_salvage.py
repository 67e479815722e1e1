"""Archives and Office documents that break off: what came through whole is read, and the loss is named."""

from __future__ import annotations

import io
import random
import zipfile

import pytest

from ingest.errors import Unreadable
from ingest.readers import find_in_bytes
from ingest.zip_salvage import LOST, breaks_off, salvaged
from tests.ingest.readers.files import docx, p, zipped
from tests.ingest.readers.office_files import pptx, rows, shape, slide, xlsx

MOST = 1 << 20
NOISE = random.Random(7).randbytes(3000)


def members(data: bytes | None) -> dict[str, bytes]:
    assert data is not None
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_members_before_the_break_at_every_place() -> None:
    meant = {"a.txt": b"Cable on shelf seven.", "仓库/b.txt": "电缆".encode() * 50, "c.bin": NOISE}
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", method) as archive:
            for name, content in meant.items():
                archive.writestr(name, content)
        whole = buffer.getvalue()
        assert not breaks_off(whole)
        counts = []
        for end in range(40, whole.index(b"PK\x01\x02"), 13):
            cut = whole[:end]
            assert breaks_off(cut)
            rest = salvaged(cut, MOST)
            found = members(rest) if rest else {}
            assert found == {name: meant[name] for name in list(meant)[: len(found)]}
            counts.append(len(found))
        assert counts == sorted(counts)
        assert {0, 1, 2} <= set(counts)


def test_sizes_behind_the_bytes_and_wrong_check_sums() -> None:
    class Pipe(io.RawIOBase):
        """Takes bytes and cannot go back, so that sizes are written behind the members."""

        def __init__(self) -> None:
            self.written = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, data: bytes) -> int:  # type: ignore[override]
            self.written += data
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[arg-type]
        archive.writestr("a.txt", b"Cable on shelf seven.")
        archive.writestr("b.bin", NOISE)
    cut = bytes(pipe.written[:500])
    assert members(salvaged(cut, MOST)) == {"a.txt": b"Cable on shelf seven."}
    damaged = bytearray(zipped({"a.txt": "Cable on shelf seven.", "b.txt": "x" * 90}))[:-60]
    damaged[14] ^= 1  # the first check sum
    assert list(members(salvaged(bytes(damaged), MOST))) == ["b.txt"]


def test_what_is_encrypted_or_too_large_is_left_alone() -> None:
    data = bytearray(zipped({"a.txt": "Cable on shelf seven.", "b.txt": "x"})[:-60])
    data[6] |= 1
    assert salvaged(bytes(data), MOST) is None
    assert salvaged(zipped({"a.txt": "x" * 5000, "b.txt": "y"})[:-60], 1000) is not None
    assert list(members(salvaged(zipped({"a.txt": "x" * 5000, "b.txt": "y"})[:-60], 1000))) == ["b.txt"]


def test_a_document_of_which_the_body_is_whole() -> None:
    whole = docx(p("Cable on shelf seven."), zz_dot_bin="later")
    found = find_in_bytes(whole[: whole.index(b"PK\x01\x02") - 1], "a.docx")
    assert found.document is not None
    assert found.document.text == "Cable on shelf seven."
    assert (found.members[-1].name, found.members[-1].skip) == ("…", LOST)


def test_slides_that_are_lost_are_pages_without_text() -> None:
    whole = pptx([slide(shape("First.")), slide(shape("Second."))])
    # The second slide's part comes first, whatever its name: cut where the last part begins.
    cut = whole[: whole.rindex(b"PK\x03\x04") + 40]
    found = find_in_bytes(cut, "a.pptx")
    assert found.document is not None
    assert sorted(page.text for page in found.document.pages)[0] == ""
    assert len(found.document.pages) == 2


def test_a_workbook_without_the_texts_of_its_cells_is_not_read() -> None:
    whole = xlsx({"One": rows(["Cable", 420])})
    cut = whole[: whole.index(b"xl/sharedStrings.xml") - 30]
    with pytest.raises(Unreadable, match="zip archive"):
        find_in_bytes(cut, "a.xlsx")
