from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ingest import reading
from ingest.readers import Limits
from ingest.reading import Bounds
from ingest.text_command import run_text
from tests.ingest.boxes_worker import box

BOUNDS = Bounds(seconds=60, memory_bytes=512 << 20, limits=Limits())


def lines(*paths: Path) -> tuple[int, list[dict[str, object]]]:
    out = io.StringIO()
    code = run_text(list(paths), out, BOUNDS, as_json=True)
    return code, [json.loads(line) for line in out.getvalue().splitlines()]


def test_one_json_line_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("仓库\n", encoding="gb18030")
    (tmp_path / "b.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    code, got = lines(tmp_path / "a.txt")
    assert code == 0
    assert got == [
        {
            "path": str(tmp_path / "a.txt"),
            "kind": "text",
            "title": None,
            "pages": [{"page": None, "label": None, "text": "仓库\n", "quality": 1.0, "ocr": False}],
        }
    ]
    code, got = lines(tmp_path / "a.txt", tmp_path / "b.png", tmp_path / "gone.txt")
    assert code == 3
    assert [line.get("skipped") is None for line in got] == [True, False, False]
    assert "PNG" in str(got[1]["skipped"])


def test_a_folder_stands_for_its_files(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.md").write_text("# Title")
    (tmp_path / ".DS_Store").write_text("x")
    code, got = lines(tmp_path)
    assert code == 3
    assert [line["path"] for line in got] == [str(tmp_path / ".DS_Store"), str(tmp_path / "sub/a.md")]


def test_what_lies_in_a_file_follows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "WORKER", "tests.ingest.boxes_worker")
    (tmp_path / "a.box").write_bytes(box("mail", a_txt="terms", b_png={"skip": "an image"}))
    (tmp_path / "b.box").write_bytes(box(None, c_txt="words", d_txt="CRASH"))
    code, got = lines(tmp_path)
    assert code == 3
    shown = {str(line["path"]).removeprefix(f"{tmp_path}/"): line for line in got}
    assert list(shown) == ["a.box", "a.box/a.txt", "a.box/b.png", "b.box", "b.box/c.txt", "b.box/d.txt"]
    assert shown["a.box/b.png"]["skipped"] == "an image"
    assert (shown["b.box"]["kind"], shown["b.box"]["pages"]) == ("folder", [])
    assert "crashed" in str(shown["b.box/d.txt"]["skipped"])


def test_nothing_at_all(tmp_path: Path) -> None:
    assert lines(tmp_path)[0] == 4
    assert lines(tmp_path / "missing")[0] == 4


def test_plain_output_shows_pages_and_reasons(tmp_path: Path) -> None:
    (tmp_path / "a\nb.txt").write_text("text of it")
    (tmp_path / "empty.txt").touch()
    out = io.StringIO()
    assert run_text([tmp_path], out, BOUNDS) == 3
    assert "a\\nb.txt (text)\ntext of it" in out.getvalue()
    assert "skipped: empty" in out.getvalue()


def test_names_that_are_not_text(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))
    path.write_text("x")
    out = io.StringIO()
    assert run_text([path], out, BOUNDS, as_json=True) == 0
    assert json.loads(out.getvalue())["pages"][0]["text"] == "x"


def test_reading_needs_no_heavy_library() -> None:
    code = (
        "import sys; from pathlib import Path; from ingest.text_command import run_text; import ingest.walk;"
        "import ingest.readers.pdf, ingest.readers.docx, ingest.readers.html, ingest.readers.markdown;"
        "heavy = {'torch', 'transformers', 'chromadb', 'gradio', 'onnxruntime', 'numpy', 'langchain_core'};"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
