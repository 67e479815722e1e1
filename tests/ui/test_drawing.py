"""The process that draws pages says why it cannot, and never more than that."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def draw(path: Path, page: int = 1) -> subprocess.CompletedProcess[bytes]:
    wanted = json.dumps({"path": str(path), "page": page, "quotes": []}).encode()
    return subprocess.run(
        [sys.executable, "-m", "ui.drawing"],
        input=wanted,
        capture_output=True,
        cwd=ROOT,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7 torn", b"not a pdf at all"])
def test_what_is_no_pdf_gets_a_reason(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(content)
    done = draw(path)
    assert done.returncode == 3
    assert "cannot be opened" in json.loads(done.stderr)["problem"]
    assert done.stdout == b""


def test_a_whole_page_of_a_file_that_breaks_off(tmp_path: Path) -> None:
    from tests.ingest.readers.files import pdf, tree_first

    whole = tree_first(pdf([[f"Shelf {page} holds cable."] for page in range(3)]))
    path = tmp_path / "torn.pdf"
    path.write_bytes(whole[: whole.rindex(b"trailer")])
    done = draw(path, 2)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stderr.splitlines()[0])["pages"] == 3


def test_a_huge_page_is_drawn_small(tmp_path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    path = tmp_path / "huge.pdf"
    canvas = Canvas(str(path), pagesize=(14000, 14000))
    canvas.drawString(100, 100, "x")
    canvas.save()
    done = draw(path)
    assert done.returncode == 0
    assert done.stdout.startswith(b"\x89PNG")
    assert len(done.stdout) < 1 << 20
