"""Who is let in by way of a proxy that knows people: what browsers, and attackers, send."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rag.access import Asker
from rag.settings import Settings, UiSettings
from tests.ui.entry.serving import client, scope
from ui.entry.addresses import Addresses
from ui.entry.door import ProxyDoor, UserDoor, door
from ui.entry.telling import who_comes_in
from ui.server import Application
from ui.service import Service

HEADER = "X-Forwarded-User"


# ---- a proxy that knows people


@pytest.mark.parametrize(
    ("peer", "headers", "name"),
    [
        ("127.0.0.1", [(HEADER, "ann")], "ann"),
        ("::1", [("x-forwarded-user", " ann@example.org ")], "ann@example.org"),
        ("::ffff:127.0.0.1", [(HEADER, "安娜")], "安娜"),
        ("10.1.2.3", [(HEADER, "Rene\u0301")], "Ren\u00e9"),
        ("10.2.0.1", [(HEADER, "ann")], None),
        ("", [(HEADER, "ann")], None),
        ("unix", [(HEADER, "ann")], None),
        ("10.2.0.1", [(HEADER, "ann"), ("X-Forwarded-For", "127.0.0.1")], None),
        ("10.2.0.1", [(HEADER, "ann"), ("Forwarded", "for=127.0.0.1")], None),
        ("127.0.0.1", [], None),
        ("127.0.0.1", [(HEADER, "")], None),
        ("127.0.0.1", [(HEADER, " ")], None),
        ("127.0.0.1", [(HEADER, "ann"), (HEADER, "ann")], None),
        ("127.0.0.1", [(HEADER, "eve"), ("x-forwarded-user", "ann")], None),
        ("127.0.0.1", [("X_Forwarded_User", "ann")], None),
        ("127.0.0.1", [("X-Forwarded-Users", "ann")], None),
        ("127.0.0.1", [(HEADER, b"\xff\xfe")], None),
        ("127.0.0.1", [(HEADER, "a\x00b")], None),
        ("127.0.0.1", [(HEADER, "everyone")], None),
        ("127.0.0.1", [(HEADER, "x" * 300)], None),
    ],
)
def test_a_proxys_word_counts_and_nobody_elses(
    peer: str, headers: list[tuple[str, str | bytes]], name: str | None
) -> None:
    visit = ProxyDoor(HEADER, Addresses("127.0.0.1 ::1 10.1.0.0/16")).look(scope(peer, *headers))
    assert visit.named
    assert visit.asker == (Asker(name) if name else None)
    assert visit.status == (0 if name else 403)


def test_what_only_a_proxy_may_say_is_taken_from_all_others() -> None:
    addresses = Addresses("127.0.0.1")
    sent = [("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "https"), ("Accept", "*/*")]
    kept = addresses.without_hearsay(scope("10.0.0.9", *sent))["headers"]
    assert [name for name, _ in kept] == [b"host", b"Accept"]
    assert not addresses.https(scope("10.0.0.9", *sent))
    assert addresses.https(scope("127.0.0.1", *sent))
    many = [("X-Forwarded-For", "1.2.3.4"), ("X-Forwarded-For", "9.9.9.9, 10.5.5.5")]
    assert addresses.browser(scope("127.0.0.1", *many)) == "10.5.5.5"
    assert addresses.browser(scope("10.0.0.9", *many)) == "10.0.0.9"
    assert addresses.browser(scope("127.0.0.1", ("X-Forwarded-For", "nonsense"))) == "127.0.0.1"


@pytest.fixture
def proxied(tmp_path: Path) -> Application:
    ui = UiSettings(proxy_header=HEADER, names="papers.example.org")
    return Application(Service(Settings(home=tmp_path, ui=ui)), "127.0.0.1")


def test_the_page_behind_a_proxy(proxied: Application) -> None:
    page = client(proxied, base="https://papers.example.org")
    named = {HEADER: "ann", "X-Forwarded-Proto": "https"}
    status = page.get("/status", headers=named)
    assert status.json()["asker"] == "ann"
    assert ">ann<" in status.json()["who"]
    assert "sign-out" not in status.json()["who"]
    assert status.headers["cache-control"] == "private, no-store"
    assert page.get("/", headers=named).status_code == 200
    origin = {**named, "Origin": "https://papers.example.org"}
    assert page.post("/jobs/clear", headers=origin).status_code == 200
    assert page.post("/jobs/clear", headers={**named, "Origin": "https://evil.example"}).status_code == 403
    assert page.get("/sign-in", headers=named).status_code == 404
    assert client(proxied, base="https://other.example.org").get("/status", headers=named).status_code == 403


def test_past_the_proxy_nobody_comes_in(proxied: Application) -> None:
    for page, headers in ((client(proxied, "10.0.0.7"), {HEADER: "ann"}), (client(proxied), {})):
        first = page.get("/", headers=headers)
        assert first.status_code == 403
        assert "You cannot come in this way" in first.text
        assert "<script" not in first.text
        assert page.get("/status", headers=headers).status_code == 403
        assert page.get("/config", headers=headers).status_code == 403
        assert set(page.get("/healthz", headers=headers).json()) == {"ok", "loading"}
    chinese = client(proxied).get("/", headers={"Accept-Language": "zh-CN"})
    assert "您不能从这里进入" in chinese.text


# ---- what is said at the start


@pytest.mark.parametrize(
    ("host", "ui", "said"),
    [
        ("127.0.0.1", {}, ""),
        ("localhost", {}, ""),
        ("::1", {}, ""),
        ("0.0.0.0", {}, "everybody who reaches 0.0.0.0 reads every open collection and may add and remove"),
        ("192.168.1.5", {"changes": "nobody"}, "reads every open collection: nobody is asked"),
        ("0.0.0.0", {"proxy_header": HEADER}, f"header {HEADER}, from 127.0.0.1 ::1 only"),
    ],
)
def test_the_start_says_who_comes_in(tmp_path: Path, host: str, ui: dict[str, Any], said: str) -> None:
    settings = Settings(home=tmp_path, ui=UiSettings(**ui))
    line = who_comes_in(door(settings), host, settings)
    assert said in line
    assert bool(line) == bool(said)


def test_the_start_names_those_who_sign_in(home: Path) -> None:
    settings = Settings(home=home)
    made = door(settings)
    assert isinstance(made, UserDoor)
    assert "ann, bo" in who_comes_in(made, "0.0.0.0", settings)
