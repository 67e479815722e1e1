"""What the tab asks the server for. Everything is done with the asker's own rights."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse

from rag.errors import RagError, UsageError
from rag.settings import Settings
from ui.entry.visit import asker_of
from ui.evaluation.job import Job, evaluation
from ui.evaluation.panel import no_report_html, panel_html, state_html
from ui.evaluation.runs import Runs
from ui.language import Texts, language_of, texts
from ui.render.problems import problem
from ui.service import Service
from ui.uploading import Refused, safe_name

MAX_TABLE_BYTES = 5 << 20
_MOST_RUNS = 8


def routes(app: FastAPI, service: Service) -> Job:
    """Adds the tab's routes; the job is to be closed with the service."""
    job = Job()

    def runs_of(request: Request) -> Runs:
        return Runs(service.settings, asker_of(request))

    @app.get("/evaluation/panel")
    def panel(request: Request, dataset: str = "") -> HTMLResponse:
        words = _texts(request)
        try:
            strategies = _suiting(service.settings)
        except RagError as error:  # a mistake in the person's own file of strategies
            raise HTTPException(400, " ".join(problem(error, words))) from error
        return HTMLResponse(
            panel_html(
                runs_of(request).datasets(), _readable(service, request), strategies, words, chosen=dataset
            )
        )

    @app.get("/evaluation/state")
    def state(request: Request) -> dict[str, Any]:
        words = _texts(request)
        progress = job.seen_by(asker_of(request).name)
        known = runs_of(request).known(_readable(service, request))
        return {
            "running": progress.state == "running",
            "version": [
                progress.state,
                progress.done,
                progress.strategy,
                progress.stopping,
                len(known),
                *progress.runs,
            ],
            "html": state_html(progress, known, words),
        }

    @app.put("/evaluation/tables")
    async def table(request: Request, name: str) -> dict[str, Any]:
        content = bytearray()
        async for part in request.stream():
            content += part
            if len(content) > MAX_TABLE_BYTES:
                raise HTTPException(413, _texts(request)("evaluation.table.too_big"))
        try:
            stem, count = runs_of(request).take_table(safe_name(name), bytes(content))
        except Refused as error:
            raise HTTPException(error.status, error.reason) from error
        except RagError as error:
            raise HTTPException(400, str(error)) from error
        return {"dataset": stem, "said": _texts(request)("evaluation.taken", n=count, name=stem)}

    @app.post("/evaluation/run", status_code=202)
    async def run(request: Request) -> dict[str, bool]:
        words, runs = _texts(request), runs_of(request)
        wanted = await request.json()
        try:
            strategies = _chosen(wanted.get("strategies"), service.settings)
            collections = _allowed(wanted.get("collections"), service, request)
            dataset = runs.dataset(str(wanted.get("dataset")))
        except RagError as error:
            raise HTTPException(400, " ".join(problem(error, words))) from error
        if not strategies or not collections:
            raise HTTPException(400, words("evaluation.nothing_chosen"))
        sample = wanted.get("sample")
        work = evaluation(
            dataset,
            strategies,
            int(sample) if str(sample or "").isdecimal() and int(sample) else None,
            collections,
            lambda job: service.laboratory(runs.work, job.stopping),
            runs,
        )
        if not job.start(dataset.name, work, asker_of(request).name):
            raise HTTPException(409, words("evaluation.busy"))
        return {"ok": True}

    @app.post("/evaluation/stop")
    def stop(request: Request) -> dict[str, bool]:
        if job.progress.by == asker_of(request).name:
            job.stop()
        return {"ok": True}

    @app.get("/evaluation/report")
    def report(request: Request) -> HTMLResponse:
        words = _texts(request)
        names = request.query_params.getlist("run")
        try:
            if len(names) > _MOST_RUNS:
                raise UsageError(words("evaluation.too_many", n=_MOST_RUNS))
            return HTMLResponse(_report(runs_of(request), names, _readable(service, request), words))
        except RagError as error:  # it stands in a window of its own, so it is a page
            return HTMLResponse(no_report_html(str(error), words), status_code=400)

    return job


def _report(runs: Runs, names: list[str], readable: list[str], words: Texts) -> str:
    from eval.report.contents import contents
    from eval.report.html import page

    return page(contents([runs.path(name, readable) for name in names]), words.language)


def _readable(service: Service, request: Request) -> list[str]:
    return [each.name for each in service.collections(asker_of(request))]


def _allowed(wanted: Any, service: Service, request: Request) -> list[str]:
    """Raises AccessDenied for one that the asker may not read."""
    names = [str(name) for name in wanted or ()]
    for name in names:
        service.may_read(asker_of(request), name)
    return names


def _suiting(settings: Settings) -> list[Any]:
    """Strategies that need nothing but what the page has loaded."""
    from eval.strategies import known

    own = settings.home / "strategies.toml"
    sections = ("engine", "embedding", "ingest")
    return [
        strategy
        for strategy in known(own if own.is_file() else None).values()
        if not any(section in strategy.settings for section in sections)
    ]


def _chosen(wanted: Any, settings: Settings) -> list[Any]:
    names = {str(name) for name in wanted or ()}
    return [strategy for strategy in _suiting(settings) if strategy.name in names]


def _texts(request: Request) -> Texts:
    return texts(language_of(request.headers.get("accept-language")))
