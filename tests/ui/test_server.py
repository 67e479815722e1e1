"""The application behind the gate: its own routes, what of gradio is left, and the rights of the asker."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ingest.sync import run
from rag.access import Asker
from rag.embedding.protocol import Embedder
from rag.errors import AccessDenied
from rag.library import writing
from rag.records import Answer
from rag.settings import Settings, UiSettings
from ui.jobs import Jobs, Outcome, whose
from ui.render.conversation import ShownTurn
from ui.server import Application
from ui.service import Service

SECRET = "The vault opens with the number 4711 on Tuesdays."


@pytest.fixture(scope="module")
def service(embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Service:
    """Two collections, one of them for anna only. Nothing is loaded: these tests ask no questions."""
    tmp_path = tmp_path_factory.mktemp("server")
    settings = Settings(home=tmp_path / "home", ui=UiSettings(max_upload_mib=1))
    for name, text in (("default", "The gate opens at seven."), ("secret", SECRET)):
        paper = tmp_path / name / f"{name}.txt"
        paper.parent.mkdir()
        paper.write_text(text)
        run(settings, [paper], name, embedder=embedder)
    with writing(settings) as writer:
        writer.set_readers("secret", ["anna"])
    return Service(settings)


@pytest.fixture(scope="module")
def client(service: Service) -> TestClient:
    return TestClient(Application(service, "127.0.0.1"), base_url="http://127.0.0.1:7860")


def test_health(client: TestClient) -> None:
    health = client.get("/healthz").json()
    assert health["ok"] is True
    assert health["loading"] is True
    assert health["documents"] == 1  # of those that whoever asks may read
    assert health["generation"] >= 2


def test_the_page_asks_nobody_else(client: TestClient) -> None:
    page = client.get("/")
    assert 'class=\\"drop\\"' in client.get("/config").text
    assert page.status_code == 200
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert page.headers["referrer-policy"] == "no-referrer"
    loaded = re.findall(r'(?:src|href)="(https?:[^"]+)"', page.text)
    assert loaded == []


def test_most_of_gradios_routes_do_not_exist(client: TestClient) -> None:
    for path in (
        "gradio_api/upload",
        "gradio_api/file=/etc/passwd",
        "gradio_api/info/x",
        "gradio_api/openapi.json",
        "gradio_api/runs",
        "gradio_api/vibe-code",
        "monitoring",
        "login",
    ):
        assert client.get(f"/{path}").status_code == 404, path
        assert client.post(f"/{path}").status_code == 404, path


def test_the_queue_cannot_be_skipped_or_entered_by_name(client: TestClient) -> None:
    assert client.post("/gradio_api/call/ask", json={"data": []}).status_code == 404
    asked = client.post("/gradio_api/run/predict", json={"data": ["", "", []], "fn_index": 1})
    assert asked.status_code in (404, 422, 500)
    assert "answer" not in asked.text


def test_status_speaks_the_language_that_is_asked_for(client: TestClient) -> None:
    english = client.get("/status").json()
    chinese = client.get("/status", headers={"Accept-Language": "zh-CN"}).json()
    assert "Starting" in english["engine"]
    assert "正在启动" in chinese["engine"]
    assert english["version"] == chinese["version"]


def test_a_collection_of_others_does_not_exist(client: TestClient, service: Service) -> None:
    status = client.get("/status").json()
    assert status["collections"] == 1
    assert "secret" not in str(status)
    (file,) = service.library.files(["secret"])
    assert client.get(f"/pages/{file.sha256}/1.png").status_code == 404
    assert client.get(f"/places/{file.sha256}", params={"span": "0-20"}).status_code == 404
    refused = client.put("/uploads", params={"name": "a.txt", "collection": "secret"}, content=b"x")
    assert refused.status_code == 403
    missing = client.put("/uploads", params={"name": "a.txt", "collection": "nowhere"}, content=b"x")
    assert missing.json()["detail"].replace("nowhere", "secret") == refused.json()["detail"]
    with pytest.raises(AccessDenied):
        service.remove(service.asker(None), "secret", str(file.absolute))
    assert [each.name for each in service.collections(Asker("anna"))] == ["default", "secret"]


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("..", b"x", 400),
        (".profile", b"x", 400),
        ("a\nb.txt", b"x", 400),
        ("big.txt", b"x" * ((1 << 20) + 1), 413),
    ],
)
def test_uploads_that_are_refused(client: TestClient, name: str, content: bytes, status: int) -> None:
    refused = client.put("/uploads", params={"name": name}, content=content)
    assert refused.status_code == status
    assert refused.json()["detail"]
    chinese = client.put(
        "/uploads", params={"name": name}, content=content, headers={"Accept-Language": "zh"}
    )
    assert re.search("[\u4e00-\u9fff]", chinese.json()["detail"])


def test_other_sites_cannot_upload_or_stop(client: TestClient) -> None:
    elsewhere = {"Origin": "http://evil.example"}
    assert client.put("/uploads?name=a.txt", content=b"x", headers=elsewhere).status_code == 403
    assert client.post("/jobs/stop", headers=elsewhere).status_code == 403
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 403


def test_spans_are_numbers(client: TestClient) -> None:
    for span in ("x", "1", "1-2-3", "-1-5", "1-" + "9" * 40):
        assert client.get(f"/pages/{'0' * 64}/1.png", params={"span": span}).status_code == 400, span
        assert client.get(f"/places/{'0' * 64}", params={"span": span}).status_code == 400, span


def test_what_is_no_pdf_has_no_pages(client: TestClient, service: Service) -> None:
    (file,) = service.library.files(["default"])
    answer = client.get(f"/pages/{file.sha256}/1.png")
    assert answer.status_code == 404
    assert "PDF" in answer.json()["detail"]


def test_a_place_of_a_document_is_shown_with_its_words_marked(client: TestClient, service: Service) -> None:
    (file,) = service.library.files(["default"])
    answer = client.get(f"/places/{file.sha256}", params={"span": "4-8"})
    assert answer.status_code == 200
    assert '<mark class="quoted">gate</mark> opens at seven' in answer.json()["html"]
    assert answer.headers["cache-control"] == "private, no-store"
    missing = client.get(f"/places/{'0' * 64}", params={"span": "0-4"})
    assert missing.status_code == 404


def test_a_browser_gets_one_number_that_keeps_the_queue_fair(service: Service) -> None:
    client = TestClient(Application(service, "127.0.0.1"), base_url="http://127.0.0.1:7860")
    first = client.get("/")
    assert first.headers["set-cookie"].startswith("bonsai-visitor=")
    assert "set-cookie" not in client.get("/").headers
    assert "set-cookie" not in client.get("/healthz").headers


def test_a_conversation_is_saved_by_its_owner_only(service: Service, client: TestClient) -> None:
    answer = Answer("什么时候开门？", "At seven.", (), (), found=True)
    turn = ShownTurn("0", answer.question, "finished", answer=answer)
    kept = {}
    for name in (None, "anna"):
        kept[name], _ = service.conversations.begin("", Asker(name))
        service.conversations.keep(kept[name], Asker(name), turn)
    saved = client.get(f"/conversations/{kept[None]}.md", headers={"Accept-Language": "zh-CN"})
    assert saved.text.startswith("# 什么时候开门？\n")
    assert saved.headers["content-type"].startswith("text/markdown")
    assert "filename*=UTF-8''%E4%BB%80%E4%B9%88" in saved.headers["content-disposition"]
    assert client.get(f"/conversations/{kept['anna']}.md").status_code == 404
    assert client.get(f"/conversations/{'0' * 32}.md").status_code == 404


def test_a_page_through_which_nobody_changes_anything(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", ui=UiSettings(changes="nobody"))
    service = Service(settings)
    page = TestClient(Application(service, "127.0.0.1"), base_url="http://127.0.0.1:7860")
    refused = page.put("/uploads", params={"name": "a.txt"}, content=b"x")
    assert refused.status_code == 403
    assert "not added or removed" in refused.json()["detail"]
    assert 'class=\\"drop\\"' not in page.get("/config").text
    with pytest.raises(AccessDenied):
        service.remove(service.asker(None), "default", "/a.txt")
    assert not (settings.home / "incoming").exists()


def test_uploads_are_stopped_by_whoever_sent_them(service: Service, tmp_path: Path) -> None:
    jobs = Jobs(
        lambda job, stopping, tell: Outcome("added" if stopping.wait(60) else "failed"), lambda job: None
    )
    for name, collection, by in (("1", "default", "bo"), ("2", "secret", "anna"), ("3", "secret", None)):
        jobs.add(name, collection, tmp_path, by)
    assert [job.name for job in jobs.files(["default"])] == ["1"]
    jobs.stop(whose(Asker("anna"), ["default", "secret"]))
    assert {job.name: job.state == "cancelled" for job in jobs.files()} == {"1": False, "2": True, "3": True}
    jobs.clear(whose(Asker("bo"), ["default"]))
    assert {job.name for job in jobs.files()} == {"1", "2", "3"}
    jobs.clear(whose(Asker("anna"), ["default", "secret"]))
    assert {job.name for job in jobs.files()} == {"1"}
    jobs.stop(whose(Asker("bo"), ["default"]))
    jobs.close()
