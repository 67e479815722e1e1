"""Downloads from a hub that runs in this test, through the command line in a process of its own."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import rag
from rag.models.catalogue import entries
from tests.rag.models import gguf_files as files

ENTRY = entries()["bonsai-1.7b"]
MODEL = files.whole() + b"\0" * 14_000_000


class Hub(BaseHTTPRequestHandler):
    """Serves one file as the hub does; may cut the connection, or lie about the file's digest."""

    contents = MODEL
    sha256 = ""
    cuts: list[int] = []  # noqa: RUF012 - shared by the requests on purpose
    stalls = False
    ranges: list[str] = []  # noqa: RUF012

    def _found(self) -> bool:
        if self.path.startswith(f"/{ENTRY.repo}/resolve/") and self.path.endswith(ENTRY.file):
            return True
        self.send_response(404)
        self.send_header("X-Error-Code", "EntryNotFound")
        self.end_headers()
        return False

    def _headers(self, status: int, length: int, start: int = 0) -> None:
        self.send_response(status)
        self.send_header("ETag", f'"{self.sha256 or hashlib.sha256(self.contents).hexdigest()}"')
        self.send_header("X-Repo-Commit", "a" * 40)
        self.send_header("X-Linked-Size", str(len(self.contents)))
        self.send_header("Accept-Ranges", "bytes")
        if status == 206:
            self.send_header("Content-Range", f"bytes {start}-{len(self.contents) - 1}/{len(self.contents)}")
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def do_HEAD(self) -> None:
        if self._found():
            self._headers(200, len(self.contents))

    def do_GET(self) -> None:
        if not self._found():
            return
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = int(wanted[1]) if wanted else 0
        if wanted:
            self.ranges.append(wanted[0])
        part = self.contents[start:]
        self._headers(206 if wanted else 200, len(part), start)
        if self.cuts:
            self.wfile.write(part[: self.cuts.pop()])
            self.close_connection = True
            if self.stalls:
                self.rfile.read(1)  # nothing more comes until the other side is gone
            return
        self.wfile.write(part)

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@pytest.fixture
def hub() -> Iterator[str]:
    Hub.contents, Hub.sha256, Hub.cuts, Hub.ranges, Hub.stalls = MODEL, "", [], [], False
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def start(home: Path, endpoint: str, name: str = ENTRY.name, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "rag", "model", "pull", name, "--json"],
        env={
            **os.environ,
            "RAG_HOME": str(home),
            "HF_ENDPOINT": endpoint,
            "HF_HUB_OFFLINE": "0",
            "HF_HOME": str(home / "hf"),
            **environment,
        },
        cwd=Path(rag.__file__).parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def pull(home: Path, endpoint: str, name: str = ENTRY.name, **environment: str) -> tuple[int, dict[str, Any]]:
    with start(home, endpoint, name, **environment) as process:
        out, _ = process.communicate(timeout=120)
    return process.returncode, json.loads(out)


def first_byte(range_header: str) -> int:
    return int(range_header.removeprefix("bytes=").rstrip("-"))


def test_a_broken_connection_is_resumed_and_a_complete_file_is_left_alone(hub: str, tmp_path: Path) -> None:
    Hub.cuts = [12_000_000]
    code, told = pull(tmp_path, hub)
    assert code == 0
    path = Path(told["path"])
    assert path.read_bytes() == MODEL
    assert told["downloaded"] is True
    assert told["sha256"] == hashlib.sha256(MODEL).hexdigest()
    assert [first_byte(wanted) > 0 for wanted in Hub.ranges] == [True]
    code, told = pull(tmp_path, hub)
    assert (code, told["downloaded"]) == (0, False)
    assert not list(tmp_path.rglob("*.part"))


def test_a_killed_download_goes_on_where_it_was(hub: str, tmp_path: Path) -> None:
    Hub.cuts, Hub.stalls = [12_000_000], True
    with start(tmp_path, hub) as process:
        while sum(part.stat().st_size for part in tmp_path.rglob("*.part")) < 10_000_000:
            assert process.poll() is None
            time.sleep(0.02)
        code, told = pull(tmp_path, hub)
        assert (code, "Another process" in told["error"]) == (1, True)
        process.kill()
    Hub.stalls = False
    code, told = pull(tmp_path, hub)
    assert code == 0
    assert Path(told["path"]).read_bytes() == MODEL
    assert [first_byte(wanted) >= 10_000_000 for wanted in Hub.ranges] == [True]


def test_a_file_that_is_not_what_the_hub_describes_is_removed(hub: str, tmp_path: Path) -> None:
    Hub.sha256 = "0" * 64
    code, told = pull(tmp_path, hub)
    assert code == 1
    assert "SHA-256" in told["error"]
    assert not list(tmp_path.rglob("*.gguf"))


def test_a_repository_without_the_file(hub: str, tmp_path: Path) -> None:
    code, told = pull(tmp_path, hub, "bonsai-8b")
    assert code == 1
    assert "no Ternary-Bonsai-8B" in told["error"]


def test_without_a_network(tmp_path: Path) -> None:
    code, told = pull(tmp_path, "http://127.0.0.1:9")
    assert code == 1
    assert "cannot be reached" in told["error"]
    assert ENTRY.file in told["fix"]


def test_where_downloads_are_switched_off(tmp_path: Path) -> None:
    code, told = pull(tmp_path, "http://127.0.0.1:9", HF_HUB_OFFLINE="1")
    assert code == 1
    assert "HF_HUB_OFFLINE" in told["error"]
