"""The rooms joined for one server: what is loaded, who may see what, and the questions under way."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag.access import Asker, readable
from rag.answering import MODES, Answerer
from rag.answering.events import Event
from rag.errors import AccessDenied, EmbedderChanged, RagError
from rag.library import CollectionInfo, Library
from rag.settings import Settings
from ui.asking import Asking
from ui.conversations import Conversations, history
from ui.filtering import Wanted, filters
from ui.jobs import FileJob, Jobs, Outcome, Tell
from ui.language import Language, Texts
from ui.offered import offered
from ui.pageimage import PageImages
from ui.publishing import Publishing
from ui.render.conversation import ShownTurn
from ui.render.problems import problem
from ui.run import Run
from ui.uploading import Uploads

if TYPE_CHECKING:
    from eval.laboratory import Resident
    from rag.embedding.protocol import Embedder
    from rag.engine.protocol import Engine, EngineInfo

_LOOKED_AT_S = 1.0
"""So often it is looked at again, while an answer is written, whether its asker may still read."""
log = logging.getLogger("bonsai.ui")


@dataclass(slots=True)
class _Loaded:
    """What the loading thread has made so far, and what kept it from making the rest."""

    embedder: Embedder | None = None
    engine: Engine | None = None
    answerer: Answerer | None = None
    loading_error: BaseException | None = None
    engine_error: RagError | None = None


class Service:
    """Made when the server starts; `start` loads the heavy parts in the background, `close` ends them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.library = Library.open(settings)
        self.uploads = Uploads(settings)
        self.pages = PageImages(self.library)
        self.asking = Asking()
        self.jobs = Jobs(self._take_in, self.uploads.discard)
        self.publishing = Publishing(settings)
        self.conversations = Conversations(settings, self.library)
        self._loaded = _Loaded()
        self._ready = threading.Event()
        self._closing = threading.Event()

    # ---- loading

    def start(self) -> None:
        """Loads embedder and engine in a thread; the page is served meanwhile, questions wait for it."""
        for name, collection, waiting in self.uploads.left_over():
            self.jobs.add(name, collection, waiting)
        self.publishing.soon()
        threading.Thread(target=self._load, name="loading", daemon=True).start()

    def close(self) -> None:
        """Stops everything under way and ends the engine's process."""
        self._closing.set()
        self.asking.close()
        self.uploads.closing = True
        self.jobs.close()
        self.publishing.close()
        loaded = self._loaded
        if loaded.engine is not None:
            loaded.engine.close()
        if loaded.embedder is not None:
            loaded.embedder.close()
        self.library.close()

    def _load(self) -> None:
        from rag import embedding, engine

        loaded = self._loaded
        try:
            loaded.engine = engine.load(self.settings)
            loaded.embedder = embedding.load(self.settings)
            loaded.answerer = Answerer(self.settings, self.library, loaded.embedder, loaded.engine)
        except BaseException as error:
            log.error("Loading failed: %s", error, exc_info=not isinstance(error, RagError))
            loaded.loading_error = error
        self._ready.set()
        try:
            if loaded.engine is not None and not self._closing.is_set():
                # So that the first question need not wait for it.
                loaded.engine.start()
        except RagError as error:
            log.error("The engine does not start: %s", error)
            loaded.engine_error = error
        if self._closing.is_set() and loaded.engine is not None:
            loaded.engine.close()

    @property
    def loading(self) -> bool:
        return not self._ready.is_set()

    def engine_info(self) -> EngineInfo | None:
        return self._loaded.engine.info() if self._loaded.engine is not None else None

    def problems(self, texts: Texts) -> list[tuple[str, str]]:
        """What stands in the way of answering, for the banner: (what, details)."""
        return [problem(error, texts) for error in self._errors()]

    def health(self, asker: Asker | None) -> dict[str, Any]:
        """For GET /healthz. ok: questions can be answered, now or when loading has finished.

        asker: whose documents are counted; None: nobody's.
        """
        info = self.engine_info()
        collections = self.collections(asker) if asker is not None else []
        errors = self._errors()
        return {
            "ok": not errors,
            "loading": self.loading,
            "engine": info.state if info else "stopped",
            "model": info.model if info else self.settings.engine.model,
            "demo": info.demo if info else None,
            "pid": info.pid if info else None,
            "generation": self.library.generation,
            "documents": sum(each.documents for each in collections),
            "chunks": sum(each.chunks for each in collections),
            "under_way": self.asking.count,
            "problems": [str(error) for error in errors],
        }

    def _errors(self) -> list[BaseException]:
        loaded = self._loaded
        errors: list[BaseException] = []
        if loaded.loading_error is not None:
            errors.append(loaded.loading_error)
        changed = self._embedder_changed()
        if changed is not None:
            errors.append(changed)
        info = self.engine_info()
        if loaded.engine_error is not None and info is not None and info.state in ("stopped", "dead"):
            errors.append(loaded.engine_error)
        return errors

    def _failed_to_load(self) -> BaseException:
        return self._loaded.loading_error or RagError("The server is closing.")

    def _embedder_changed(self) -> EmbedderChanged | None:
        """Looked at anew each time: a rebuild at the command line mends it while the page is served."""
        embedder, made_by = self._loaded.embedder, self.library.embedder_id
        if embedder is None or made_by in (None, embedder.id):
            return None
        return EmbedderChanged(
            f"The library was made with {made_by}, the settings name {embedder.id}.",
            fix="Run `python -m ingest --rebuild`, or set the embedder back.",
        )

    # ---- who may see what

    def asker(self, username: str | None) -> Asker:
        """username: as the gate knows it; None or "" where names are not known."""
        return Asker(username or None)

    def collections(self, asker: Asker) -> list[CollectionInfo]:
        every = self.library.collections()
        names = readable(asker, every)
        return [each for each in every if each.name in names]

    def may_read(self, asker: Asker, collection: str) -> None:
        """Raises AccessDenied."""
        readable(asker, self.library.collections(), [collection])

    def may_change(self, asker: Asker, collection: str) -> None:
        """Whether they may add to a collection and remove from it through the page: its readers may, unless
        the settings say that nobody does. Raises AccessDenied."""
        self.may_read(asker, collection)
        if not self.changeable:
            raise AccessDenied(
                "Documents are not added or removed through this page.",
                fix="Ask whoever looks after this server.",
            )

    @property
    def changeable(self) -> bool:
        """Whether anybody may add and remove documents through the page."""
        return self.settings.ui.changes == "readers"

    # ---- questions

    def begin(
        self,
        run: Run,
        conversation: str,
        collections: Sequence[str],
        asker: Asker,
        mode: str | None = None,
        wanted: Wanted | None = None,
    ) -> tuple[str, list[ShownTurn]]:
        """Starts to answer. Gives the conversation (a new one if there was none) and its earlier turns.

        mode: one of rag.answering.MODES, None for that of the settings. wanted: which documents are
        searched, all if None.

        Raises AccessDenied, NothingMatches, or TooMany.
        """
        names = readable(asker, self.library.collections(), collections)
        where = filters(wanted, self.library.files(names)) if wanted else None
        chosen = next((each for each in MODES if each == mode), None)
        conversation, earlier = self.conversations.begin(conversation, asker)
        run.name(conversation, str(len(earlier)))
        question = run.turn.question

        def events(stopping: threading.Event) -> Iterator[Event]:
            while not self._ready.wait(0.1):
                if stopping.is_set():
                    return iter(())
            changed = self._embedder_changed()
            if changed is not None:
                raise changed
            if self._loaded.answerer is None:
                raise self._failed_to_load()
            told = self._loaded.answerer.ask(
                question, collections=names, mode=chosen, history=history(earlier), where=where
            )
            return self._while_readable(told, asker, names)

        self.asking.begin(run, events, lambda turn: self.conversations.keep(conversation, asker, turn, names))
        return conversation, earlier

    def _while_readable(self, told: Iterator[Event], asker: Asker, names: Sequence[str]) -> Iterator[Event]:
        """The events of an answer, until the asker may not read one of its collections any longer: an answer
        over many documents takes minutes. Raises AccessDenied then."""
        seen = time.monotonic()
        with closing(told) as events:  # type: ignore[type-var]
            for event in events:
                if time.monotonic() - seen >= _LOOKED_AT_S:
                    readable(asker, self.library.collections(), names)
                    seen = time.monotonic()
                yield event

    def laboratory(self, work: Path, stopping: Callable[[], bool]) -> tuple[Settings, Resident | None]:
        """What evaluations run with: all that is loaded here. Waits for it; None if told to stop meanwhile.

        Raises what kept the page from loading, EmbedderChanged.
        """
        from eval.laboratory import Resident

        while not self._ready.wait(0.1):
            if stopping():
                return self.settings, None
        loaded = self._loaded
        changed = self._embedder_changed()
        if changed is not None:
            raise changed
        if loaded.embedder is None or loaded.engine is None:
            raise self._failed_to_load()
        return self.settings, Resident(work, self.settings, self.library, loaded.embedder, loaded.engine)

    def examples(self, asker: Asker, language: Language) -> list[str]:
        """Questions on the sample corpus for the opening page, where the asker has the papers for them."""
        names = [each.name for each in self.collections(asker)]
        return offered({file.path for file in self.library.files(names) if file.state == "live"}, language)

    # ---- documents

    def remove(self, asker: Asker, collection: str, location: str) -> None:
        """Raises AccessDenied, LibraryBusy. What is not there any more is no error."""
        self.may_change(asker, collection)
        known = {str(file.absolute): file for file in self.library.files([collection])}
        # What lies in a file goes with it only.
        if location in known and not known[location].container:
            self.uploads.forget(collection, known[location].absolute)
            self.publishing.soon()

    def _take_in(self, job: FileJob, stopping: threading.Event, tell: Tell) -> Outcome:
        while not self._ready.wait(0.1):
            if stopping.is_set():
                if not self.uploads.closing:
                    self.uploads.discard(job)
                return Outcome("cancelled")
        if self._loaded.embedder is None:
            raise self._failed_to_load()
        return self.uploads.take_in(job, self._loaded.embedder, stopping, tell)
