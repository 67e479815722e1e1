"""What has to be done so that the library mirrors what was found. Decisions only: nothing is touched here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from rag.library.records import Source, StoredFile

MOST_TRIES = 3
"""Readings of one file that may end with the death of its reader."""
CLOCK_SLACK_S = 2.0
"""Changes this close to the last look at the content may have come after it: coarse file times."""


class Do(Enum):
    """What to do about one file that was found."""

    NOTHING = "it is live and unchanged"
    NOTE = "as NOTHING, but it is known by another path now"
    REPEAT = "it gave no document before and is unchanged: say so again"
    EXAMINE = "look at its content; read it if it is new"
    CAREFULLY = "as EXAMINE, but its reader died before: alone, after all others"
    GIVE_UP = "its reader, or the whole ingest, died over it too often"
    LEAVE_OUT = "the walk says that it is not to be read"


@dataclass(frozen=True, slots=True)
class Found:
    """A file under PATH. changed: seconds since 1970 of the last change of anything about it (ctime).

    skip: why it is not to be read, None if it is.
    """

    source: Source
    changed: float = 0.0
    skip: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """members: what is remembered of the files that lie in it. reread: read it even if its bytes are known,
    for the sake of its members."""

    do: Do
    source: Source
    stored: StoredFile | None = None
    reason: str = ""
    members: tuple[StoredFile, ...] = ()
    reread: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """Every file that was found is in `decisions` once. vanished: known, under PATH, and not found."""

    decisions: list[Decision] = field(default_factory=list)
    vanished: list[StoredFile] = field(default_factory=list)

    def those(self, *kinds: Do) -> list[Decision]:
        return [decision for decision in self.decisions if decision.do in kinds]


@dataclass(frozen=True, slots=True)
class Recipes:
    """As the settings are now; see `ingest.sync.recipe`."""

    documents: str
    attempts: str


def plan(
    found: Iterable[Found],
    stored: Mapping[str, StoredFile],
    roots: Sequence[str],
    recipes: Recipes,
    *,
    keep_missing: bool = False,
    try_again: bool = False,
) -> Plan:
    """stored: what the collection knows, by location. roots: the absolute paths that were walked. What lies
    in a file on disk shares its fate: it is found, unchanged or gone when that is.

    try_again: look again at files that gave no document although nothing about them changed (a password
    was given this time).
    """
    made = Plan()
    seen: set[str] = set()
    unlisted: list[str] = []
    inside: dict[str, list[StoredFile]] = {}
    for known in stored.values():
        if known.container is not None:
            inside.setdefault(known.container, []).append(known)
    for file in found:
        location = file.source.location
        if location in seen:
            continue  # under two of the roots
        seen.add(location)
        if file.skip is not None:
            unlisted.append(location + "/")
        members = tuple(inside.get(location, ()))
        made.decisions.append(decide(file, stored.get(location), recipes, members, try_again=try_again))
    if not keep_missing:
        made.vanished.extend(
            known
            for location, known in stored.items()
            if (known.container or location) not in seen
            and any(is_under(location, root) for root in roots)
            # A folder that could not be listed hides its files; that does not mean they are gone.
            and not any(location.startswith(folder) for folder in unlisted)
        )
    return made


def decide(
    file: Found,
    stored: StoredFile | None,
    recipes: Recipes,
    members: Sequence[StoredFile] = (),
    *,
    try_again: bool = False,
) -> Decision:
    """What to do about one file, given what is remembered of its location and of the files that lie in it."""
    source, inside = file.source, tuple(members)
    if file.skip is not None:
        return Decision(Do.LEAVE_OUT, source, stored, file.skip, inside)
    if stored is None:
        return Decision(Do.EXAMINE, source)
    now = (source.size, source.mtime_ns)
    same = (
        now == (stored.size, stored.mtime_ns)
        # An old time can be put on new content (cp -p, a restored backup), not on the inode's own.
        and file.changed < stored.examined - CLOCK_SLACK_S
    )
    tries = stored.tries if stored.tried == (*now, recipes.attempts) else 0
    settled = not tries or tries >= MOST_TRIES
    reread = any(_worth_another_look(member, recipes, try_again) for member in inside)
    if same and stored.live and stored.document_recipe == recipes.documents and not reread:
        moved = (source.root, source.path) != (stored.root, stored.path)
        return Decision(Do.NOTE if moved else Do.NOTHING, source, stored, members=inside)
    if stored.state in ("failed", "skipped") and stored.recipe == recipes.attempts:
        if same and settled and not try_again:
            return Decision(Do.REPEAT, source, stored, stored.reason, inside)
    elif tries >= MOST_TRIES:
        reason = f"the whole ingest ended {tries} times while this file was being read"
        return Decision(Do.GIVE_UP, source, stored, reason, inside)
    do = Do.EXAMINE if settled else Do.CAREFULLY
    return Decision(do, source, stored, members=inside, reread=reread)


def _worth_another_look(member: StoredFile, recipes: Recipes, try_again: bool) -> bool:
    if member.live:
        return member.document_recipe != recipes.documents
    return try_again or member.recipe != recipes.attempts


def is_under(location: str, root: str) -> bool:
    """Whether a path is `root` or somewhere below it."""
    return location == root or location.startswith(root.rstrip("/") + "/")


def outermost(roots: Iterable[str]) -> list[str]:
    """The roots without those that lie under another, in their order."""
    every = list(dict.fromkeys(roots))
    return [root for root in every if not any(is_under(root, other) for other in every if other != root)]
