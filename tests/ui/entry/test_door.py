"""Who is let in, by a proxy that knows people or by signing in: what browsers, and attackers, send."""

from __future__ import annotations

import asyncio
import json
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rag.access import Asker
from rag.settings import Settings, UiSettings
from tests.ui.entry.serving import PASSWORD
from ui.entry import passwords
from ui.entry.addresses import Addresses
from ui.entry.door import COOKIE, SECURE_COOKIE, ProxyDoor, UserDoor, door
from ui.entry.telling import who_comes_in
from ui.entry.users import Users
from ui.gate import FREE, Gate
from ui.server import Application
from ui.service import Service

HEADER = "X-Forwarded-User"
BASE = "http://127.0.0.1:7860"


def scope(peer: str, *headers: tuple[str, str | bytes], path: str = "/status") -> dict[str, Any]:
    encoded = [
        (name.encode(), value if isinstance(value, bytes) else value.encode()) for name, value in headers
    ]
    return {
        "type": "http", "method": "GET", "path": path, "scheme": "http", "query_string": b"",
        "client": (peer, 1234), "headers": [(b"host", b"127.0.0.1:7860"), *encoded],
    }  # fmt: skip


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


def client(application: Application, peer: str = "127.0.0.1", base: str = BASE) -> TestClient:
    return TestClient(application, base_url=base, client=(peer, 5000), follow_redirects=False)


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


# ---- signing in


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With two people, whose passwords cost little."""
    monkeypatch.setattr(passwords, "_N", 16)
    users = Users(tmp_path / "home")
    for name in ("ann", "bo"):
        users.add(name, PASSWORD)
    return tmp_path / "home"


@pytest.fixture
def page(home: Path) -> TestClient:
    return client(Application(Service(Settings(home=home)), "127.0.0.1"))


def enter(
    page: TestClient, name: str = "ann", password: str = PASSWORD, base: str = BASE, **more: str
) -> Any:
    fields = {"name": name, "password": password, **more}
    return page.post("/sign-in", data=fields, headers={"Origin": base})


def who(page: TestClient) -> str | int | None:
    answer = page.get("/status")
    return answer.json()["asker"] if answer.status_code == 200 else answer.status_code


def test_in_and_out(page: TestClient) -> None:
    first = page.get("/")
    assert (first.status_code, first.headers["location"]) == (303, "/sign-in")
    form = page.get("/sign-in")
    assert form.status_code == 200
    assert "<script" not in form.text
    assert form.headers["referrer-policy"] == "same-origin"
    assert form.headers["cache-control"] == "private, no-store"
    assert "default-src 'self'" in form.headers["content-security-policy"]
    assert "登录" in page.get("/sign-in", headers={"Accept-Language": "zh"}).text
    assert who(page) == 401
    entered = enter(page, "ANN")
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    cookie = entered.headers["set-cookie"]
    for word in (f"{COOKIE}=", "HttpOnly", "SameSite=strict", "Path=/"):
        assert word in cookie
    assert "Secure" not in cookie
    assert "Max-Age" not in cookie
    assert who(page) == "ann"
    assert page.get("/sign-in").status_code == 303
    assert page.get("/").status_code == 200
    assert page.get("/").headers["cache-control"] == "private, no-store"
    token = page.cookies[COOKIE]
    assert page.post("/sign-out", headers={"Origin": BASE}).status_code == 303
    assert who(page) == 401
    page.cookies.clear()
    page.cookies.set(COOKIE, token)  # kept aside by somebody
    assert who(page) == 401


def test_everything_but_the_way_in_asks_for_it(page: TestClient) -> None:
    for path in (
        "/status", "/config", "/gradio_api/info", "/gradio_api/queue/data?session_hash=a",
        "/gradio_api/heartbeat/a", f"/pages/{'a' * 64}/1.png", f"/conversations/{'a' * 32}.md", "/theme.css",
        "/assets/index.js", "/evaluation/panel", "/evaluation/report", "/uploads", "/healthz/", "/sign-in/",
        "/sign-in%0a", "/sign-in/../status", "/healthz%0a", "/favicon.ico/../status", "/SIGN-IN",
    ):  # fmt: skip
        assert page.get(path).status_code in (401, 404), path
    for path in (
        "/gradio_api/queue/join",
        "/gradio_api/run/predict",
        "/jobs/stop",
        "/evaluation/run",
        "/sign-out",
    ):
        assert page.post(path, json={}, headers={"Origin": BASE}).status_code == 401, path
    assert page.get("/healthz").json().keys() == {"ok", "loading"}
    assert page.get("/favicon.ico").status_code == 200
    assert {"/healthz", "/sign-in", "/favicon.ico"} == FREE


def test_wrong_names_and_wrong_passwords_look_the_same(page: TestClient) -> None:
    said = {}
    for name, password in (("ann", "not her password"), ("eve", PASSWORD), ("eve", ""), ("", PASSWORD)):
        answer = enter(page, name, password)
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers
        said[name, password] = answer.text.replace(f'value="{name}"', "").replace(" autofocus", "")
    assert len(set(said.values())) == 1
    assert PASSWORD not in enter(page, "<b>eve</b>").text
    # The fifth failure in a row is not looked at any more; neither is what would have been right.
    slowed = enter(page)
    assert slowed.status_code == 429
    assert int(slowed.headers["retry-after"]) >= 1
    assert who(page) == 401


def test_another_sites_form_signs_nobody_in(page: TestClient) -> None:
    fields = {"name": "ann", "password": PASSWORD}
    for headers in ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
        assert page.post("/sign-in", data=fields, headers=headers).status_code == 403
    enter(page)
    for headers in ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
        assert page.post("/sign-out", headers=headers).status_code == 403
    assert who(page) == "ann"


def test_a_session_that_somebody_else_put_there_is_not_taken_over(page: TestClient) -> None:
    chosen = "of-somebody-elses-choosing-0123456789abcdefghij"
    page.cookies.set(COOKIE, chosen)
    assert who(page) == 401
    assert chosen not in enter(page, "bo").headers["set-cookie"]
    assert who(page) == 401, "of two cookies neither counts"
    page.cookies.clear()
    enter(page, "bo")
    assert who(page) == "bo"
    before = page.cookies[COOKIE]
    enter(page, "ann")
    assert page.cookies[COOKIE] != before
    assert who(page) == "ann"
    page.cookies.clear()
    page.cookies.set(COOKIE, before)
    assert who(page) == 401


def test_under_https_the_cookie_is_bound_to_it(home: Path) -> None:
    settings = Settings(home=home, ui=UiSettings(names="papers.example.org"))
    page = client(Application(Service(settings), "127.0.0.1"), base="https://papers.example.org")
    page.headers["X-Forwarded-Proto"] = "https"
    cookie = enter(page, base="https://papers.example.org").headers["set-cookie"]
    assert cookie.startswith(f"{SECURE_COOKIE}=")
    assert "Secure" in cookie
    token = cookie.partition("=")[2].partition(";")[0]
    assert who(page) == "ann"
    page.cookies.clear()
    page.cookies.set(COOKIE, token)  # the name that a page without https could have set
    assert who(page) == 401


@pytest.mark.parametrize(
    ("carried", "address"),
    [("a" * 32, f"/?c={'a' * 32}"), ("//evil.example", "/"), ("a" * 31, "/"), (f"{'a' * 32}\r\nX: y", "/")],
)
def test_one_comes_back_to_ones_conversation_and_nowhere_else(
    page: TestClient, carried: str, address: str
) -> None:
    assert enter(page, c=carried).headers["location"] == address
    page.cookies.clear()
    asked = page.get("/", params={"c": carried, "next": "//evil.example"})
    assert asked.headers["location"] == ("/sign-in" + address[1:] if address != "/" else "/sign-in")


def test_whoever_follows_a_link_from_elsewhere_is_asked_for_the_cookie_once_more(page: TestClient) -> None:
    address = f"/?c={'a' * 32}"
    arrived = page.get(address, headers={"Sec-Fetch-Site": "cross-site"})
    assert arrived.status_code == 200
    assert f'content="0; url={address}"' in arrived.text
    assert page.get(address, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 303
    evil = page.get("/?c=//evil.example", headers={"Sec-Fetch-Site": "cross-site"})
    assert "evil" not in evil.text
    assert page.get("/status", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 401


def test_what_the_commands_do_holds_at_once(page: TestClient, home: Path) -> None:
    users = Users(home)
    enter(page, "ann")
    assert who(page) == "ann"
    users.change("ann", PASSWORD + " 2")
    assert who(page) == 401
    assert enter(page, "ann").status_code == 401
    assert enter(page, "ann", PASSWORD + " 2").status_code == 303
    users.remove("ann")
    assert who(page) == 401
    users.add("ann", PASSWORD + " 2")  # somebody else of that name
    assert who(page) == 401
    enter(page, "bo")
    users.path.write_text("damaged")
    assert who(page) == 401
    assert enter(page, "bo").status_code == 503
    users.path.unlink()
    assert who(page) == 401, "the way in was shut when the server began, and stays so"


def test_the_first_person_shuts_a_running_page(tmp_path: Path) -> None:
    page = client(Application(Service(Settings(home=tmp_path / "home")), "127.0.0.1"))
    assert who(page) is None
    assert page.get("/sign-in").status_code == 404
    assert page.post("/sign-out", headers={"Origin": BASE}).status_code == 404
    Users(tmp_path / "home").add("ann", PASSWORD)
    assert who(page) == 401
    assert enter(page).status_code == 303
    assert who(page) == "ann"


def test_a_stream_ends_with_the_session() -> None:
    """What is on its way to a window when its person is signed out does not reach it."""
    sent: list[MutableMapping[str, Any]] = []
    here = True

    async def app(scope: Any, receive: Any, send: Any) -> None:
        nonlocal here
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"one", "more_body": True})
        here = False
        await send({"type": "http.response.body", "body": b"two", "more_body": True})
        await send({"type": "http.response.body", "body": b"three", "more_body": True})

    class Guard(ProxyDoor):
        def look(self, scope: Any) -> Any:
            from ui.entry.visit import Visit

            return Visit(Asker("ann"), named=True, still=lambda: here)

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": b""}

    gate = Gate(app, None, Guard(HEADER, Addresses("")))
    asyncio.run(gate(scope("10.0.0.1", path="/gradio_api/queue/data"), receive, send))
    assert [message.get("body") for message in sent[1:]] == [b"one", b""]
    assert sent[-1]["more_body"] is False


def test_nobody_takes_part_in_anothers_window(home: Path) -> None:
    application = Application(Service(Settings(home=home)), "127.0.0.1")
    ann, bo = client(application), client(application)
    enter(ann, "ann")
    enter(bo, "bo")

    def stop(page: TestClient, window: Any, path: str = "/gradio_api/run/predict") -> int:
        body = {"fn_index": 2, "data": [], "session_hash": window, "event_id": "x"}
        return page.post(path, json=body, headers={"Origin": BASE}).status_code

    assert stop(ann, "window1") == 200
    assert stop(bo, "window1") == 403
    assert stop(bo, "window1", "/gradio_api/cancel") == 403
    assert stop(bo, "window1", "/gradio_api/queue/join") == 403
    assert bo.get("/gradio_api/queue/data", params={"session_hash": "window1"}).status_code == 403
    assert bo.get("/gradio_api/heartbeat/window1").status_code == 403
    assert bo.get("/gradio_api/queue/data?session_hash=window2&session_hash=window1").status_code == 400
    twice = '{"fn_index": 2, "data": [], "session_hash": "window2", "session_hash": "window1"}'
    sent = bo.post("/gradio_api/run/predict", content=twice, headers={"Content-Type": "application/json"})
    assert sent.status_code == 400
    long = json.dumps({"session_hash": "window2", "data": ["x" * (1 << 20)]})
    assert bo.post("/gradio_api/run/predict", content=long).status_code == 413
    assert stop(bo, 7) == 400
    assert stop(bo, "window2") == 200


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
