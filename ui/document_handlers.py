"""What happens on each event of the page's tab of documents, with the asker's own rights."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from rag.access import Asker
from ui.language import Texts
from ui.render.documents import PAGE_SIZE, collection_choices, documents_html
from ui.render.element import escaped
from ui.requests import data_of, texts_of, told
from ui.service import Service


class DocumentHandlers:
    """Bound to one service; no state of its own."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @told
    def refresh(self, wanted: str, chosen: Sequence[str], request: gr.Request) -> list[Any]:
        """The library has changed: the table, and the collections with what was chosen of them."""
        words, asker = texts_of(request), self._service.asker(request.username)
        collections = self._service.collections(asker)
        names = [each.name for each in collections]
        kept = [name for name in names if name in chosen]
        return [
            self.table(asker, words, wanted),
            gr.CheckboxGroup(choices=collection_choices(collections, words), value=kept or names),
        ]

    @told
    def filter(self, wanted: str, request: gr.Request) -> str:
        return self.table(self._service.asker(request.username), texts_of(request), wanted)

    @told
    def more(self, wanted: str, event: gr.EventData, request: gr.Request) -> str:
        limit = min(100_000, int(data_of(event).get("limit") or PAGE_SIZE))
        return self.table(self._service.asker(request.username), texts_of(request), wanted, limit)

    @told
    def remove(self, wanted: str, event: gr.EventData, request: gr.Request) -> str:
        words, asker = texts_of(request), self._service.asker(request.username)
        collection, location = json.loads(str(data_of(event)["key"]))
        self._service.remove(asker, collection, location)
        gr.Info(words("documents.removed", name=escaped(Path(location).name)))
        return self.table(asker, words, wanted)

    def table(self, asker: Asker, words: Texts, wanted: str = "", limit: int = PAGE_SIZE) -> str:
        """The files that the asker may see; those whose names hold `wanted`, at most `limit`."""
        names = [each.name for each in self._service.collections(asker)]
        files = self._service.library.files(names) if names else []
        return documents_html(
            files,
            words,
            wanted=wanted or "",
            limit=limit,
            several=len(names) > 1,
            own=self._service.uploads.holds,
            removable=self._service.changeable,
        )
