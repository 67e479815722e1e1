from __future__ import annotations

import io
import random

import pytest
from msoffcrypto.format.ooxml import OOXMLFile

from ingest.errors import Skipped
from ingest.readers import read_bytes
from tests.ingest.readers.files import docx, p


def locked(password: str) -> bytes:
    # The library that encrypts writes packages of less than 4 KiB wrongly: text that cannot be packed small.
    filler = random.Random(7).randbytes(6000).hex()
    out = io.BytesIO()
    OOXMLFile(io.BytesIO(docx(p("The cable is on shelf seven.") + p(filler)))).encrypt(password, out)
    return out.getvalue()


def test_the_right_password_among_several_opens_it() -> None:
    document = read_bytes(locked("tika"), "a.docx", password=("wrong", "tika"))
    assert document.kind == "docx"
    assert document.text.startswith("The cable is on shelf seven.")


def test_without_it_the_file_is_named_as_locked() -> None:
    with pytest.raises(Skipped, match=r"locked.*--password"):
        read_bytes(locked("tika"), "a.docx", password=("wrong",))


def test_protection_against_changes_asks_nobody() -> None:
    assert "shelf seven" in read_bytes(locked("VelvetSweatshop"), "a.xlsx").text
