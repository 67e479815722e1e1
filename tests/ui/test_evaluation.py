"""The tab Evaluation: what it shows, what it takes, and whose runs it gives away."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ingest.sync import run
from rag.embedding.protocol import Embedder
from rag.errors import RagError
from rag.library import writing
from rag.settings import Settings
from ui.evaluation.job import Job, Progress
from ui.evaluation.panel import state_html
from ui.evaluation.runs import KnownRun
from ui.language import texts
from ui.server import Application
from ui.service import Service

TABLE = "question,answer\nWhen does the gate open?,at seven\n"


@pytest.fixture(scope="module")
def client(embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A whole server: it loads its own embedder and engine, as the product does."""
    tmp_path = tmp_path_factory.mktemp("evaluation")
    settings = Settings(home=tmp_path / "home")
    for name, text in (("default", "The gate opens at seven in the morning."), ("secret", "Number 4711.")):
        paper = tmp_path / name / f"{name}.txt"
        paper.parent.mkdir()
        paper.write_text(text)
        run(settings, [paper], name, embedder=embedder)
    with writing(settings) as writer:
        writer.set_readers("secret", ["anna"])
    service = Service(settings)
    with TestClient(Application(service, "127.0.0.1"), base_url="http://127.0.0.1:7860") as client:
        client.home = settings.home  # type: ignore[attr-defined]
        yield client


def finished(client: TestClient) -> dict[str, object]:
    while True:
        state: dict[str, object] = client.get("/evaluation/state").json()
        if not state["running"]:
            return state
        time.sleep(0.1)


def test_a_table_is_taken_asked_in_two_ways_and_compared(client: TestClient) -> None:
    taken = client.put("/evaluation/tables?name=mine.csv", content=TABLE.encode())
    assert taken.json() == {"dataset": "mine", "said": "1 question is ready under the name mine."}
    panel = client.get("/evaluation/panel?dataset=mine").text
    assert '<option value="mine" selected>' in panel
    assert "secret" not in panel
    assert 'value="quick" checked' in panel
    assert "kv-q4" not in panel
    wanted = {"dataset": "mine", "strategies": ["quick", "one-passage"], "collections": ["default"]}
    assert client.post("/evaluation/run", json=wanted).status_code == 202
    state = finished(client)
    assert "mine: done" in str(state["html"])
    names = [Path(path).stem for path in sorted((client.home / "eval" / "runs").glob("mine-*"))]  # type: ignore[attr-defined]
    assert len(names) == 2
    report = client.get("/evaluation/report", params={"run": names}, headers={"accept-language": "zh"})
    assert report.status_code == 200
    assert "评测：mine" in report.text
    again = client.post("/evaluation/run", json=wanted)
    assert again.status_code == 202
    finished(client)


def test_mistakes_are_told(client: TestClient) -> None:
    bad = client.put("/evaluation/tables?name=bad.csv", content=b"what,who\n1,2\n")
    assert bad.status_code == 400
    assert "no column is called question" in bad.json()["detail"]
    assert client.put("/evaluation/tables?name=.x", content=b"").status_code == 400
    nothing = client.post("/evaluation/run", json={"dataset": "samples", "strategies": []})
    assert nothing.status_code == 400
    unknown = client.post("/evaluation/run", json={"dataset": "x", "strategies": ["quick"]})
    assert unknown.status_code == 400
    for name in ("nothing", "../../secrets"):
        assert client.get("/evaluation/report", params={"run": name}).status_code == 400


def test_a_report_that_cannot_be_made_is_a_page_that_says_why(client: TestClient) -> None:
    page = client.get("/evaluation/report", params={"run": "<b>none</b>"}, headers={"accept-language": "zh"})
    assert page.status_code == 400
    assert page.text.startswith("<!doctype html>")
    assert "无法为这些运行生成报告" in page.text
    assert "&lt;b&gt;none" in page.text
    many = client.get("/evaluation/report", params={"run": [f"r{n}" for n in range(9)]})
    assert "at most 8 runs" in many.text


def test_a_mistake_in_ones_own_strategies_is_told_where_they_would_stand(client: TestClient) -> None:
    own = client.home / "strategies.toml"  # type: ignore[attr-defined]
    own.write_text("[mine]\nnothing = 1\n")
    try:
        panel = client.get("/evaluation/panel")
        assert panel.status_code == 400
        assert "strategy mine, key nothing" in panel.json()["detail"]
        own.write_text('[mine]\nabout = { en = "my way", zh = "我的做法" }\n')
        assert "我的做法" in client.get("/evaluation/panel", headers={"accept-language": "zh"}).text
        assert "my way" in client.get("/evaluation/panel").text
    finally:
        own.unlink()


def test_what_is_going_on_is_said() -> None:
    words = texts("en")
    loading = state_html(Progress("running", "set"), [], words)
    assert "set: loading" in loading
    running = Progress("running", "set", "quick", 1, 5)
    assert "stop-evaluation" in state_html(running, [], words)
    assert "stop-evaluation" not in state_html(replace(running, stopping=True), [], words)
    run = KnownRun("r", "set", "quick", "2026-01-01", 5, 2, None, False)
    told = state_html(Progress("failed", "set", "quick", problem=RagError("no room")), [run], words)
    for text in ("no room", "2 failed", "unfinished"):
        assert text in told


def test_collections_of_others_are_neither_asked_nor_shown(client: TestClient) -> None:
    wanted = {"dataset": "samples", "strategies": ["quick"], "collections": ["secret"]}
    assert client.post("/evaluation/run", json=wanted).status_code == 400
    folder = client.home / "eval" / "runs"  # type: ignore[attr-defined]
    head = {"run": 1, "command": "answers", "dataset": "vault", "created": "2026-01-01"}
    head |= {"strategy": {"name": "quick"}, "collections": ["secret"]}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vault.jsonl").write_text(json.dumps(head) + "\n")
    assert "vault" not in client.get("/evaluation/state").text
    assert client.get("/evaluation/report", params={"run": "vault"}).status_code == 400


def test_another_page_cannot_start_anything(client: TestClient) -> None:
    headers = {"origin": "http://elsewhere.example"}
    assert client.post("/evaluation/stop", headers=headers).status_code == 403
    assert client.get("/evaluation/secrets").status_code == 404


def test_one_evaluation_at_a_time_and_failures_are_kept() -> None:
    job = Job()

    def wait(job: Job) -> None:
        while not job.stopping():
            time.sleep(0.01)

    assert job.start("a", wait)
    assert not job.start("b", wait)
    job.close()
    assert job.progress.state == "stopped"

    def fail(job: Job) -> None:
        raise RuntimeError("broken")

    assert job.start("c", fail)
    job.close()
    assert job.progress.state == "failed"
    assert "broken" in str(job.progress.problem)
