"""What becomes of each file: stores it, lists it in the report, and frees those that waited for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from ingest.sync.containers import Container
from ingest.sync.embedding import Embedded
from ingest.sync.meter import Meter
from ingest.sync.outcomes import Aside, Prepared, Same, Sealed
from ingest.sync.plan import Decision, Do, Plan, Recipes
from ingest.sync.report import Report
from rag.library import LibraryWriter, Source
from rag.library.records import StoredFile


class Settling:
    """For one run, in the thread that stores. unclaim: see `Preparing.unclaim`."""

    def __init__(
        self,
        writer: LibraryWriter,
        collection: str,
        recipes: Recipes,
        report: Report,
        meter: Meter,
        unclaim: Callable[[str], None],
    ) -> None:
        self._writer = writer
        self._collection = collection
        self._recipes = recipes
        self._report = report
        self._meter = meter
        self._unclaim = unclaim
        self._waiting: dict[str, list[Same]] = {}
        self._settled: dict[str, Aside | None] = {}
        self._again: list[Decision] = []
        self._listed: set[str] = set()

    def without_reading(self, plan: Plan) -> None:
        """All that the plan has decided already."""
        for decision in plan.decisions:
            match decision.do:
                case Do.NOTHING | Do.NOTE | Do.REPEAT:
                    self._list_as_it_was(decision)
                case Do.LEAVE_OUT:
                    self._leave_out(decision)
                case Do.GIVE_UP:
                    self.settle(Aside(decision, decision.source, "failed", decision.reason, died=True))
        noted = [decision.source for decision in plan.those(Do.NOTE)]
        if noted:
            self._writer.touch(self._collection, noted)

    def settle(self, outcome: Same | Aside) -> None:
        match outcome:
            case Same() if outcome.unchanged:
                self._writer.touch(self._collection, [outcome.source])
                self._list_as_it_was(outcome.decision)
                self._meter.gave_nothing(outcome.source)
            case Same() if outcome.claimed and outcome.sha256 not in self._settled:
                self._waiting.setdefault(outcome.sha256, []).append(outcome)
            case Same():
                self._link(outcome)
            case Aside():
                self._set_aside(outcome)

    def embedded(self, work: Embedded) -> None:
        """A document is complete."""
        prepared = work.prepared
        container = prepared.container
        if container is not None and not prepared.is_member:
            container.own = work
            self._close(container)
            return
        self._put(work, inside=container)
        self._release(prepared.document.sha256, None)

    def sealed(self, outcome: Sealed) -> None:
        container = outcome.container
        container.sealed = True
        if not isinstance(outcome.own, Prepared):  # else it comes when it is embedded
            container.own = outcome.own
        self._close(container)

    def release_orphans(self) -> None:
        """Files that wait for bytes which no longer were there when they were read."""
        for sha256, waiting in self._waiting.items():
            self._unclaim(sha256)
            for same in waiting:
                self._read_again(same)
        self._waiting.clear()

    def to_read_again(self) -> list[Decision]:
        """Files to be looked at once more; each is given once."""
        again, self._again = self._again, []
        return again

    # -- one file ----------------------------------------------------------------------------------

    def _put(self, work: Embedded, inside: Container | None, members: Collection[str] = ()) -> None:
        prepared = work.prepared
        self._writer.put(
            self._collection,
            prepared.source,
            prepared.document,
            prepared.chunks,
            work.digests,
            work.vectors,
            recipe=self._recipes.documents,
            pages_without_text=prepared.pages_without_text,
            inside=inside.source.location if inside else None,
            contains=prepared.contains,
            members=members,
            words=prepared.words,
        )
        self._list_live(prepared.decision, members=members)
        pages = len(prepared.document.pages)
        self._done(prepared.source, inside, live=True, pages=pages)

    def _link(self, same: Same) -> None:
        """The content is at hand already, or what is known of it says that nothing comes of it."""
        aside = self._settled.get(same.sha256)
        inside = same.container if same.is_member else None
        if aside is not None:
            self._set_aside(replace(aside, decision=same.decision, source=same.source, container=inside))
        elif not inside and self._writer.contains(same.sha256):
            self._read_again(same)  # what lies in it is to be listed under this path too
        elif self._writer.link(
            self._collection,
            same.source,
            same.sha256,
            inside=inside.source.location if inside else None,
        ):
            self._list_live(same.decision, None if same.claimed else same.sha256)
            self._done(same.source, inside, live=True)
        else:
            # It was replaced in the meantime: this path is now the only one that has it.
            self._unclaim(same.sha256)
            self._read_again(same)

    def _set_aside(self, aside: Aside) -> None:
        inside = aside.container if aside.is_member else None
        self._write_aside(aside, inside)
        if aside.state == "live":
            self._list_live(aside.decision, aside.sha256)
        else:
            self._list_aside(aside.source.path, aside.state, aside.reason, aside.source.location)
            if inside is None:
                self._list_gone(aside.decision.members, ())
        self._done(aside.source, inside, live=aside.state == "live", nothing=True)
        if aside.sha256 is not None and not aside.alone:
            self._release(aside.sha256, aside)

    def _write_aside(self, aside: Aside, inside: Container | None, members: Collection[str] = ()) -> None:
        location = inside.source.location if inside else None
        if aside.state == "live":
            self._writer.put_folder(
                self._collection,
                aside.source,
                aside.reason,
                aside.sha256 or "",
                recipe=self._recipes.documents,
                inside=location,
                members=members,
            )
            return
        self._writer.set_aside(
            self._collection,
            aside.source,
            aside.state,
            aside.reason,
            recipe=self._recipes.attempts,
            sha256=aside.sha256,
            died=aside.died,
            inside=location,
            members=members,
        )

    def _leave_out(self, decision: Decision) -> None:
        self._list_aside(decision.source.path, "skipped", decision.reason)
        self._list_gone(decision.members, ())
        stored = decision.stored
        if stored is None or (stored.state, stored.reason) != ("skipped", decision.reason):
            aside = Aside(decision, decision.source, "skipped", decision.reason)
            self._write_aside(aside, None)

    # -- a file in which others lie ------------------------------------------------------------------

    def _done(
        self, source: Source, inside: Container | None, *, live: bool, pages: int = 0, nothing: bool = False
    ) -> None:
        if inside is not None:
            inside.settled(live=live)
            self._meter.member_done(source, pages)
            self._close(inside)
        elif nothing:
            self._meter.gave_nothing(source)
        else:
            self._meter.file_done(source, pages)

    def _close(self, container: Container) -> None:
        """Store the file itself, if all that lies in it is settled."""
        if not container.complete:
            return
        own, members = container.own, container.locations
        if isinstance(own, Embedded):
            self._put(own, None, members)
            self._release(own.prepared.document.sha256, None)
        elif isinstance(own, Same):
            if not self._writer.link(self._collection, own.source, own.sha256, members=members):
                self._read_again(own)
                return
            self._list_live(own.decision, own.sha256, members)
            self._meter.file_done(own.source)
        elif isinstance(own, Aside):
            self._close_folder(container, own)

    def _close_folder(self, container: Container, own: Aside) -> None:
        members = container.locations
        if container.live:
            own = replace(own, state="live")
        elif own.state == "live":
            reason = (
                f"none of the {len(members):,} files in it gives a text"
                if len(members) > 1
                else ("the one file in it gives no text")
            )
            own = replace(own, state="skipped", reason=reason)
        self._write_aside(own, None, members)
        if own.state == "live":
            self._list_live(own.decision, own.sha256 if own.decision.reread else None, members)
        else:
            self._list_aside(own.source.path, own.state, own.reason)
            self._list_gone(own.decision.members, members)
        self._meter.gave_nothing(own.source)
        if own.sha256 is not None:
            self._release(own.sha256, None)

    # -- those that wait ---------------------------------------------------------------------------

    def _release(self, sha256: str, aside: Aside | None) -> None:
        """What becomes of one file becomes of those with the same bytes."""
        self._settled[sha256] = aside
        for same in self._waiting.pop(sha256, ()):
            self._link(same)

    def _read_again(self, same: Same) -> None:
        container = same.container
        if container is None:
            self._again.append(replace(same.decision, reread=True))
        elif not container.given_up:
            container.given_up = True
            self._again.append(replace(container.decision, reread=True))

    # -- the report ----------------------------------------------------------------------------------

    def _list_live(
        self, decision: Decision, sha256: str | None = None, members: Collection[str] = ()
    ) -> None:
        """sha256: of bytes that were known; if they were live under this very path, nothing has changed."""
        if not self._first_time(decision.source.location):
            return
        stored = decision.stored
        self._list_gone(decision.members, members)
        if stored is None or not stored.live:
            self._report.added.append(decision.source.path)
        elif sha256 is not None and stored.sha256 == sha256:
            self._report.unchanged += 1
        else:
            self._report.updated.append(decision.source.path)

    def _list_as_it_was(self, decision: Decision) -> None:
        """With all that lies in it."""
        assert decision.stored is not None, "only what is remembered can be as it was"
        for path, stored in (
            (decision.source.path, decision.stored),
            *((member.path, member) for member in decision.members),
        ):
            if stored.live:
                self._report.unchanged += 1
            else:
                self._list_aside(path, stored.state, stored.reason)

    def _list_gone(self, members: Sequence[StoredFile], kept: Collection[str]) -> None:
        """Of the files that were known to lie in a file, those that do no more."""
        self._report.removed += [
            member.path for member in members if member.live and member.location not in kept
        ]

    def _list_aside(self, path: str, state: str, reason: str, location: str = "") -> None:
        if location and not self._first_time(location):
            return
        (self._report.skipped if state == "skipped" else self._report.failed).append((path, reason))

    def _first_time(self, location: str) -> bool:
        """False for a member that was stored before the file it lies in had to be read again."""
        first = location not in self._listed
        self._listed.add(location)
        return first
