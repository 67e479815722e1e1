"""The real server and a real browser: started once, with a library that these tests write and ingest."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, Request, sync_playwright

from tests.browser import corpus

ROOT = Path(__file__).parents[2]
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
NO_BROWSER = (
    "There is no browser to test the page with. Install Debian's (apt-get install chromium) or playwright's "
    "own (python -m playwright install --with-deps chromium), then run the tests again."
)


@dataclass
class Server:
    """`python -m ui` on a scratch data folder.

    first: what a window showed that was open while the library was empty, and while the first papers were
    ingested at the command line.
    """

    url: str
    home: Path
    process: subprocess.Popen[str]
    first: dict[str, Any] = field(default_factory=dict)

    def health(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.url}/healthz", timeout=30) as answer:
            return dict(json.load(answer))

    def wait_for(self, what: Callable[[dict[str, Any]], bool], seconds: float) -> dict[str, Any]:
        """The first health that satisfies `what`; asked for every 20 ms."""
        end = time.monotonic() + seconds
        while True:
            health = self.health()
            if what(health):
                return health
            assert time.monotonic() < end, f"not within {seconds} s: {health}"
            time.sleep(0.02)

    @contextmanager
    def slow_engine(self, page: Page, question: str) -> Iterator[None]:
        """Asks, and lets the engine's process run only a small part of the time until the block ends.

        Whatever happens inside happens while it is busy with that question, however fast this machine is.
        """
        self.idle()
        page.fill("#question textarea", question)
        page.press("#question textarea", "Enter")
        pid = self.wait_for(lambda health: health["engine"] == "busy", 20)["pid"]
        os.kill(pid, signal.SIGSTOP)
        fast = threading.Event()
        brake = threading.Thread(target=_slow_down, args=(pid, fast))
        brake.start()
        try:
            assert self.health()["engine"] == "busy"
            yield
        finally:
            fast.set()
            brake.join()

    def idle(self) -> bool:
        return self.wait_for(lambda health: health["engine"] == "ready" and not health["under_way"], 60) != {}


def _slow_down(pid: int, fast: threading.Event) -> None:
    # If the process is killed meanwhile there is nothing left to slow down.
    with suppress(ProcessLookupError):
        while not fast.wait(0.2):
            os.kill(pid, signal.SIGCONT)
            time.sleep(0.01)
            os.kill(pid, signal.SIGSTOP)
        os.kill(pid, signal.SIGCONT)


def start_server(home: Path, *arguments: str) -> Server:
    process = subprocess.Popen(
        [sys.executable, "-m", "ui", "--port", "0", "--json", *arguments],
        cwd=ROOT,
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=(home.parent / "server.log").open("w"),
        text=True,
    )
    assert process.stdout is not None
    # If it never speaks, it ends, and so does the wait.
    watchdog = threading.Timer(90, process.kill)
    watchdog.start()
    line = process.stdout.readline()
    watchdog.cancel()
    assert line, (home.parent / "server.log").read_text()
    return Server(json.loads(line)["url"], home, process)


def environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAG_")}
    return {**kept, "RAG_HOME": str(home), "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}


def ingest(home: Path, *paths: Path, collection: str = "default") -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ingest", *map(str, paths), "--collection", collection, "--json"],
        cwd=ROOT,
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode in (0, 3), done.stderr


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "home").mkdir()
    started = start_server(folder / "home")
    with sync_playwright() as playwright:
        _first_look(_launched(playwright), started, corpus.write(folder / "papers"))
    yield started
    pid = started.wait_for(lambda health: health["pid"], 60)["pid"]
    started.process.send_signal(signal.SIGTERM)
    assert started.process.wait(timeout=20) == 0, (folder / "server.log").read_text()
    # The engine's process went with the server.
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def _first_look(browser: Browser, server: Server, papers: Path) -> None:
    page = browser.new_page(locale="en-US")
    begin = time.monotonic()
    page.goto(server.url)
    page.wait_for_selector(".opening")
    server.first["seconds"] = time.monotonic() - begin
    server.first["opening"] = page.inner_text(".opening")
    page.click(".go-documents")
    server.first["documents"] = page.inner_text("#documents")
    ingest(server.home, papers)
    page.wait_for_selector("#files .row", timeout=5_000)
    server.first["rows"] = page.locator("#files .row").count()
    page.close()


# Not for longer than a module: while Playwright is started its event loop counts as this thread's running
# one, and no later test could start another.
@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def browser(server: Server, playwright: Playwright) -> Iterator[Browser]:
    """After the server, which looks at itself with a browser of its own first."""
    started = _launched(playwright)
    yield started
    started.close()


def _launched(playwright: Playwright) -> Browser:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or playwright.chromium.executable_path
    if not Path(path).exists():
        pytest.fail(NO_BROWSER, pytrace=False)
    return playwright.chromium.launch(executable_path=path, args=ARGUMENTS)


@dataclass
class Windows:
    """Opens windows of the page, and remembers what they asked for and complained about."""

    browser: Browser
    server: Server
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    opened: list[Page] = field(default_factory=list)

    def __call__(
        self,
        address: str = "/",
        *,
        language: str = "en-US",
        dark: bool = False,
        width: int = 1280,
        height: int = 860,
        server: Server | None = None,
    ) -> Page:
        context = self.browser.new_context(
            locale=language,
            color_scheme="dark" if dark else "light",
            viewport={"width": width, "height": height},
            permissions=["clipboard-read", "clipboard-write"],
        )
        context.set_default_timeout(30_000)
        page = context.new_page()
        page.on("request", lambda request: self._note(request))
        page.on("console", lambda message: message.type == "error" and self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))
        page.goto((server or self.server).url + address)
        page.wait_for_selector("#transcript :is(.opening, .turn)", state="attached")
        self.opened.append(page)
        return page

    def _note(self, request: Request) -> None:
        self.requests.append(request.url)

    def close(self) -> None:
        for page in self.opened:
            page.context.close()


@pytest.fixture
def window(browser: Browser, server: Server) -> Iterator[Windows]:
    """Opens windows; at the end no window has asked another machine for anything, or complained."""
    windows = Windows(browser, server)
    yield windows
    windows.close()
    outside = [url for url in windows.requests if not url.startswith(("http://127.0.0.1:", "data:", "blob:"))]
    assert outside == []
    assert windows.complaints == []
