"""A file and everything that lies in it, one part after the other, in the process that reads it.

The attachments of a mail, the files of an archive, the files embedded in a PDF: each is a part of its own,
with a path inside the file on disk. One that cannot be read is named with its reason; the others go on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ingest.errors import ReadError, Skipped
from ingest.readers import Limits, Member, find, find_in_bytes
from rag.records import Document

_LONGEST_NAME = 200
_MORE = "…"
"""Stands for the members that are too many to be named one by one."""


@dataclass(frozen=True, slots=True)
class Part:
    """What became of one file inside another, or, under the name "", of the file on disk itself.

    name: its path in the file on disk. size: bytes. sha256: of its bytes, "" for the file on disk.
    document: None if it gives none, for `reason`; it is then skipped, a folder (its members are parts
    themselves, it has no text), or else failed. contains: how many files lie directly in it.
    """

    name: str
    size: int = 0
    sha256: str = ""
    document: Document | None = None
    reason: str = ""
    skipped: bool = False
    folder: bool = False
    contains: int = 0


def parts(
    path: Path,
    passwords: Sequence[str],
    limits: Limits,
    *,
    without: Collection[str] = (),
    begun: Callable[[str], None] = lambda name: None,
) -> Iterator[Part]:
    """The file at `path` first, then what lies in it, each container before its members.

    without: names of parts that are not to be read. begun: told the name before a member is read, so that
    it is known which of them ended the process. Raises Skipped or Unreadable if the file itself gives
    nothing, MemoryError at the bound of the process.
    """
    try:
        found = find(path, password=passwords, limits=limits)
    except ReadError as error:
        _out_of_memory(error)
        raise
    yield Part(
        "",
        document=found.document,
        reason=found.reason,
        folder=found.document is None,
        contains=len(found.members),
    )
    if found.members:
        used = len(found.document.text) if found.document else 0
        yield from _Walk(passwords, limits, without, begun, used).inside(found.members, "", 1)


class _Walk:
    """What is left of the limits of one file on disk, through all that lies in it."""

    def __init__(
        self,
        passwords: Sequence[str],
        limits: Limits,
        without: Collection[str],
        begun: Callable[[str], None],
        text_chars: int,
    ) -> None:
        self._passwords = passwords
        self._limits = limits
        self._without = without
        self._begun = begun
        self._members = limits.members
        self._bytes = limits.expanded_bytes
        self._chars = limits.text_chars - text_chars

    def inside(self, members: Sequence[Member], folder: str, depth: int) -> Iterator[Part]:
        """folder: what stands before their names. depth: how many files they lie in."""
        self._bytes -= sum(len(member.data) for member in members)
        for count, (name, member) in enumerate(zip(member_names(members), members, strict=True)):
            if self._members <= 0:
                more = f"{len(members) - count} more files: the limit is {self._limits.members} in one file"
                yield Part(folder + _MORE, reason=more, skipped=True)
                return
            self._members -= 1
            yield from self._one(folder + name, member, depth)

    def _one(self, name: str, member: Member, depth: int) -> Iterator[Part]:
        if name in self._without:
            return
        size, sha256 = len(member.data), hashlib.sha256(member.data).hexdigest()
        aside = Part(name, size, sha256)
        if member.skip is not None:
            yield replace(aside, reason=member.skip, skipped=True)
            return
        if depth > self._limits.depth:
            yield replace(aside, reason=f"it lies in more than {self._limits.depth} files", skipped=True)
            return
        if self._bytes < 0:
            most = f"{self._limits.expanded_bytes >> 20} MiB"
            yield replace(aside, reason=f"more than {most} unpacked from one file")
            return
        if self._chars <= 0:
            most = f"{self._limits.text_chars >> 20} million characters"
            yield replace(aside, reason=f"more than {most} of text in one file")
            return
        self._begun(name)
        limits = replace(self._limits, expanded_bytes=max(1, self._bytes), text_chars=self._chars)
        try:
            found = find_in_bytes(
                member.data, PurePosixPath(name).name, password=self._passwords, limits=limits
            )
        except ReadError as error:
            _out_of_memory(error)
            yield replace(aside, reason=error.reason, skipped=isinstance(error, Skipped))
            return
        if found.document is not None:
            self._chars -= len(found.document.text)
        yield replace(
            aside,
            document=found.document,
            reason=found.reason,
            folder=found.document is None,
            contains=len(found.members),
        )
        yield from self.inside(found.members, name + "/", depth + 1)


def member_names(members: Sequence[Member]) -> list[str]:
    """Their paths inside the container, fit to stand behind its own path: no way up or out, nothing that
    cannot be shown, and no two the same."""
    taken: set[str] = set()
    names = []
    for member in members:
        parts = [
            _shown(part) for part in member.name.replace("\\", "/").split("/") if part not in ("", ".", "..")
        ]
        wanted = name = "/".join(parts) or "unnamed"
        count = 1
        while name in taken:
            count += 1
            path = PurePosixPath(wanted)
            name = str(path.with_name(f"{path.stem} ({count}){path.suffix}"))
        taken.add(name)
        names.append(name)
    return names


def _shown(part: str) -> str:
    part = "".join(character if character.isprintable() else "\ufffd" for character in part)
    if len(part) <= _LONGEST_NAME:
        return part
    suffix = PurePosixPath(part).suffix[-20:]
    return part[: _LONGEST_NAME - len(suffix)] + suffix


def _out_of_memory(error: ReadError) -> None:
    if isinstance(error.__cause__, MemoryError):
        raise error.__cause__ from error
