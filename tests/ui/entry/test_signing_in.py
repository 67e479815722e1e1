"""Who is let in by signing in: what browsers, and attackers, send."""

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
from tests.ui.entry.serving import BASE, PASSWORD, client, scope
from ui.entry.addresses import Addresses
from ui.entry.door import COOKIE, SECURE_COOKIE, ProxyDoor
from ui.entry.users import Users
from ui.gate import FREE, Gate
from ui.server import Application
from ui.service import Service


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

    gate = Gate(app, None, Guard("X-Forwarded-User", Addresses("")))
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
