"""The web server: our own routes, the gate before them, and gradio's page mounted behind."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import date
from typing import Any
from urllib.parse import quote

import gradio as gr
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse, Response

from rag.errors import AccessDenied, LibraryError
from ui.entry.door import ProxyDoor, UserDoor
from ui.entry.door import door as door_of
from ui.entry.routes import routes as entry_routes
from ui.entry.visit import asker_of, visit_of
from ui.evaluation.routes import routes as evaluation_routes
from ui.gate import Gate, allowed_hosts
from ui.jobs import whose
from ui.language import Texts, language_of, texts
from ui.page import blocks, translations
from ui.pageimage import PageUnavailable
from ui.render.element import element, joined
from ui.render.exported import exported_md, file_name
from ui.render.frame import head_html, logo_svg
from ui.render.place import place_html
from ui.render.reasons import reason_text
from ui.render.status import banner_html, engine_html, jobs_html
from ui.render.system import system_html
from ui.render.who import who_html
from ui.service import Service
from ui.theme import theme
from ui.uploading import Refused, safe_name


class Application:
    """The whole ASGI application. The service starts to load when the server is up, and is closed with it.

    release: to be called when the server is told to end: questions under way stop, and the connections
    that open windows keep for news are closed, so that nothing has to be waited for or cut off.
    """

    def __init__(self, service: Service, host: str, door: ProxyDoor | UserDoor | None = None) -> None:
        """door: knows who asks; None: as the settings want it."""
        self._service = service
        door = door or door_of(service.settings)
        app = _application(service, door)
        self._gradio = app.routes[-1].app  # type: ignore[attr-defined]
        self._gate = Gate(app, allowed_hosts(host, service.settings.ui.names), door)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._gate(scope, receive, send)

    def release(self) -> None:
        self._service.asking.close()
        self._gradio.stop_event.set()


def _application(service: Service, door: ProxyDoor | UserDoor) -> FastAPI:

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service.start()
        try:
            yield
        finally:
            await asyncio.to_thread(evaluating.close)
            await asyncio.to_thread(service.close)

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    _routes(app, service)
    if isinstance(door, UserDoor):
        entry_routes(app, door)
    evaluating = evaluation_routes(app, service)
    i18n = translations()
    gr.mount_gradio_app(
        app,
        blocks(service, i18n),
        path="/",
        footer_links=[],
        run_history=False,
        enable_monitoring=False,
        show_error=False,
        max_file_size="1kb",  # files come through our own route; gradio's is shut by the gate
        ssr_mode=False,
        mcp_server=False,
        auth_dependency=_name_for_gradio,
        i18n=i18n,
        theme=theme(),
        head=head_html(),
    )
    return app


def _name_for_gradio(request: Request) -> str | None:
    """What handlers find in their request's `username`: the asker's name, "" if names are not known. For None
    gradio refuses the request."""
    asker = visit_of(request.scope).asker
    return None if asker is None else asker.name or ""


def _routes(app: FastAPI, service: Service) -> None:
    @app.get("/healthz")
    def healthz(request: Request) -> JSONResponse:
        asker = visit_of(request.scope).asker
        health = service.health(asker)
        if asker is None:  # for a monitor that has no name; whatever else there is, is nobody's business
            health = {key: health[key] for key in ("ok", "loading")}
        return JSONResponse(health, status_code=200 if health["ok"] else 503)

    @app.get("/favicon.ico")
    def favicon() -> Response:
        return Response(logo_svg(), media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})

    @app.get("/status")
    def status(request: Request) -> dict[str, Any]:
        words, visit, asker = _texts(request), visit_of(request.scope), asker_of(request)
        collections = service.collections(asker)
        names = [each.name for each in collections]
        info = service.engine_info()
        mine = whose(asker, names)
        return {
            # A window that is another person's now, or has lost a collection, must not stay as it is.
            "asker": asker.name,
            "readable": names,
            "who": who_html(asker.name, words, leaves=bool(visit.token)),
            # Changes with everything that the documents table shows.
            "version": [
                service.library.generation,
                service.jobs.finished,
                *([each.name, each.files, each.chunks] for each in collections),
            ],
            "max_upload_mib": service.settings.ui.max_upload_mib,
            "engine": engine_html(info, service.loading, words),
            "banner": banner_html(info, service.problems(words), words),
            "jobs": jobs_html(service.jobs.files(names), words, mine),
            "system": system_html(info, words),
            "collections": len(collections),
            "targets": joined(*(element("option", each.name, value=each.name) for each in collections)),
        }

    @app.put("/uploads", status_code=202)
    async def upload(
        request: Request, name: str, collection: str = "default", modified: int = 0
    ) -> dict[str, str]:
        """modified: milliseconds since 1970 of the file's last change, as its sender says."""
        try:
            asker = asker_of(request)
            service.may_change(asker, collection)
            name = safe_name(name)
            waiting = await service.uploads.receive(
                name, collection, request.stream(), modified_s=modified / 1000
            )
        except Refused as error:
            raise HTTPException(error.status, reason_text(error.reason, _texts(request))) from error
        except AccessDenied as error:
            raise HTTPException(403, str(error)) from error
        service.jobs.add(name, collection, waiting, asker.name)
        return {"name": name}

    @app.post("/jobs/{what}")
    def jobs(request: Request, what: str) -> dict[str, bool]:
        asker = asker_of(request)
        mine = whose(asker, [each.name for each in service.collections(asker)])
        if what == "stop":
            service.jobs.stop(mine)
        else:
            service.jobs.clear(mine)
        return {"ok": True}

    @app.get("/conversations/{number}.md")
    def conversation(request: Request, number: str) -> Response:
        asker, words = asker_of(request), _texts(request)
        turns = service.conversations.turns(number, asker)
        if not turns:
            raise HTTPException(404)
        title = service.conversations.title(number, asker)
        today = date.today().isoformat()
        name = quote(file_name(title, today))
        headers = {
            "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
            "Cache-Control": "private, no-store",
        }
        return Response(exported_md(title, turns, words, today), media_type="text/markdown", headers=headers)

    @app.get("/pages/{sha256}/{number}.png")
    async def page_image(request: Request, sha256: str, number: int) -> Response:
        collections = [each.name for each in service.collections(asker_of(request))]
        try:
            drawn = await service.pages.page(
                sha256, number, _spans(request.query_params.getlist("span")), collections
            )
        except PageUnavailable as error:
            raise HTTPException(error.status, reason_text(error.reason, _texts(request))) from error
        headers = {
            "X-Pages": str(drawn.pages),
            "X-Boxes": str(drawn.boxes),
            "Cache-Control": "private, no-store",
        }
        return Response(drawn.png, media_type="image/png", headers=headers)

    @app.get("/places/{sha256}")
    def place(request: Request, sha256: str) -> JSONResponse:
        """What stands around a place of a document, for those whose pages cannot be drawn."""
        words = _texts(request)
        spans = _spans(request.query_params.getlist("span"))
        collections = [each.name for each in service.collections(asker_of(request))]
        try:
            if not collections or not service.library.files_of(sha256, collections):
                raise PageUnavailable("there is no such document", 404)
            document = service.library.document(sha256)
        except PageUnavailable as error:
            raise HTTPException(error.status, reason_text(error.reason, words)) from error
        except LibraryError as error:  # it went between the two calls
            raise HTTPException(404, reason_text("there is no such document", words)) from error
        return JSONResponse(
            {"html": place_html(document, spans, words)}, headers={"Cache-Control": "private, no-store"}
        )


def _texts(request: Request) -> Texts:
    return texts(language_of(request.headers.get("accept-language")))


def _spans(written: list[str]) -> list[tuple[int, int]]:
    """ "12-40" → (12, 40). Raises HTTPException for anything else."""
    spans = []
    for text in written[:32]:
        first, _, last = text.partition("-")
        if not (first.isdecimal() and last.isdecimal() and len(text) < 24):
            raise HTTPException(400, "a span is two numbers, like 12-40")
        spans.append((int(first), int(last)))
    return spans
