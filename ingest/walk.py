"""Every file under a path, once, in a fixed order, with a reason where it is not to be read.

Names are kept as they are. Only a name that is not valid in the file system's encoding is written with
its bytes as `\\xNN`, since it could otherwise be neither stored nor printed; `FoundFile.path` still
opens it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rag.errors import NothingToWorkOn

_DROPPINGS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\.DS_Store|\._.+|Icon\r", re.S), "a system file of macOS"),
    (re.compile(r"(?:ehthumbs|thumbs)\.db|desktop\.ini", re.I), "a system file of Windows"),
    (
        re.compile(r"\.directory|\.nfs[0-9a-f]+|\.fuse_hidden[0-9a-f]+"),
        "a system file of the desktop or file system",
    ),
    (re.compile(r"~\$.+|\.~lock\..+#", re.S), "a lock file of an office program"),
    (re.compile(r"\.#.+|#.+#|.+~|\..+\.sw[a-p]", re.S), "a backup or lock file of an editor"),
    (re.compile(r".+\.(?:crdownload|part|partial)", re.I | re.S), "an unfinished download"),
)


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One file under PATH.

    path: absolute, opens the file. relative: with "/" from PATH on; the file's name if PATH is a file.
    size: bytes. mtime_ns: last change. skip: why it is not to be read, None if it is.
    A folder that cannot be listed or followed stands here too, with its reason and size 0.
    """

    path: Path
    relative: str
    size: int
    mtime_ns: int
    skip: str | None = None


def walk(path: Path) -> Iterator[FoundFile]:
    """Files under `path`, sorted by name folder by folder; `path` itself may be a file or a link.

    Links inside are not followed: what they point to is read where it is, or lies outside. The one
    exception is a link to a file in a hidden folder of the same tree (as git-annex keeps them), which
    would otherwise be lost. Raises NothingToWorkOn if there is nothing at `path`.
    """
    root = Path(os.path.abspath(path))
    try:
        about = os.stat(root)
    except OSError as error:
        raise NothingToWorkOn(
            f"There is no file or folder at {printable(str(root))} ({error.strerror}).", fix="Check the path."
        ) from error
    if stat.S_ISDIR(about.st_mode):
        yield from _folder(root)
    else:
        yield _examined(root, printable(root.name), about)


def printable(name: str) -> str:
    """`name` with bytes that are not text in the file system's encoding written as `\\xNN`.

    The identity for every name that is valid text. In the others a real backslash is doubled, so that
    the result says which bytes the name has.
    """
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raw = name.replace("\\", "\\\\").encode("utf-8", "surrogateescape")
        return raw.decode("utf-8", "backslashreplace")
    return name


def dropping(path: str) -> str | None:
    """Why a file of this name (or path with "/") is none of its owner's: what systems and programs leave
    behind. None for every other."""
    if "__MACOSX" in path.split("/")[:-1]:
        return "a system file of macOS"
    name = path.rpartition("/")[2]
    for pattern, reason in _DROPPINGS:
        if pattern.fullmatch(name):
            return reason
    return None


def _folder(root: Path) -> Iterator[FoundFile]:
    real_root = os.path.realpath(root)
    # Each entry: a folder's path, its relative name, and whether it is hidden or inside a hidden one.
    waiting: list[tuple[str, str, str | None]] = [(str(root), "", None)]
    while waiting:
        folder, prefix, hidden = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            name = prefix.rstrip("/") or printable(root.name)
            yield FoundFile(Path(folder), name, 0, 0, f"the folder cannot be listed: {error.strerror}")
            continue
        folders: list[tuple[str, str, str | None]] = []
        taken = {entry.name for entry in entries}
        for entry in entries:
            name = printable(entry.name)
            relative = prefix + name
            if name != entry.name and name in taken:
                yield FoundFile(
                    Path(entry.path), relative, 0, 0, "its name is another file's name when printed"
                )
                continue
            try:
                if entry.is_symlink():
                    yield _link(entry, relative, real_root, hidden)
                elif entry.is_dir(follow_symlinks=False):
                    inside = hidden or (relative if entry.name.startswith(".") else None)
                    folders.append((entry.path, relative + "/", inside))
                else:
                    found = _examined(Path(entry.path), relative, entry.stat(follow_symlinks=False))
                    if hidden is not None:
                        found = FoundFile(
                            found.path, relative, found.size, found.mtime_ns, f"in the hidden folder {hidden}"
                        )
                    yield found
            except OSError as error:
                yield FoundFile(Path(entry.path), relative, 0, 0, f"cannot be examined: {error.strerror}")
        waiting.extend(reversed(folders))


def _link(entry: os.DirEntry[str], relative: str, real_root: str, hidden: str | None) -> FoundFile:
    path = Path(entry.path)
    about = entry.stat(follow_symlinks=False)
    found = FoundFile(path, relative, 0, about.st_mtime_ns)
    if hidden is not None:
        return _because(found, f"in the hidden folder {hidden}")
    if not os.path.exists(path):
        return _because(found, f"a link to {printable(os.readlink(path))}, which does not exist")
    target = os.path.realpath(path)
    if target != real_root and not target.startswith(real_root.rstrip("/") + "/"):
        return _because(found, f"a link that leaves the folder, to {printable(target)}")
    inside = os.path.relpath(target, real_root)
    if os.path.isdir(target):
        return _because(found, f"a link to the folder {printable(inside)}, which is read where it is")
    if not any(part.startswith(".") for part in Path(inside).parts[:-1]):
        return _because(found, f"a link to {printable(inside)}, which is read where it is")
    return _examined(path, relative, os.stat(path))


def _examined(path: Path, relative: str, about: os.stat_result) -> FoundFile:
    found = FoundFile(path, relative, about.st_size, about.st_mtime_ns)
    if not stat.S_ISREG(about.st_mode):
        return _because(found, "not a regular file but a pipe, socket or device")
    left_behind = dropping(path.name)
    if left_behind is not None:
        return _because(found, left_behind)
    if about.st_size == 0:
        return _because(found, "empty")
    if not os.access(path, os.R_OK):
        return _because(found, "no permission to read it")
    return found


def _because(found: FoundFile, reason: str) -> FoundFile:
    return FoundFile(found.path, found.relative, found.size, found.mtime_ns, reason)
