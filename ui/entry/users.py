"""Those who may sign in: `users.json` in the data folder, which its owner alone may read."""

from __future__ import annotations

import fcntl
import json
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rag.access import person
from rag.errors import NothingToWorkOn, SettingsError, UsageError
from rag.library.data_folder import make_data_folder
from ui.entry import passwords

FILE_NAME = "users.json"
_LOCK_NAME = "users.lock"
_VERSION = 1


class Users:
    """Names and the lines that ui.entry.passwords keeps of their passwords.

    The file is read again whenever it has changed, so that what a command does holds for a running page at
    once. Any number of processes and threads may use it. Every method raises SettingsError if the file is
    damaged, or open to others.
    """

    def __init__(self, home: Path) -> None:
        self.path = home / FILE_NAME
        self._lock = threading.Lock()
        self._seen: tuple[int, ...] | None = None
        self._lines: dict[str, str] = {}

    def names(self) -> list[str]:
        return sorted(self._read())

    def line(self, name: str) -> str | None:
        """What is kept of the password of that person, spelled exactly so; None if there is nobody."""
        return self._read().get(name)

    def called(self, name: str) -> str | None:
        """The name as it is kept, for one that was typed: capitals do not count. None if there is nobody."""
        try:
            wanted = person(name).casefold()
        except UsageError:
            return None
        return next((each for each in self._read() if each.casefold() == wanted), None)

    def add(self, name: str, password: str) -> str:
        """The name as it is kept. Raises UsageError if there is such a person, or the password is none."""
        made = person(name)
        line = passwords.kept(password)
        with self._changing() as lines:
            self._free(made)
            lines[made] = line
        return made

    def change(self, name: str, password: str) -> str:
        """A new password; whoever is signed in under that name no longer is. Raises NothingToWorkOn."""
        line = passwords.kept(password)
        with self._changing() as lines:
            lines[known := self._known(name)] = line
        return known

    def remove(self, name: str) -> str:
        """Raises NothingToWorkOn. With the last one the file goes."""
        with self._changing() as lines:
            del lines[known := self._known(name)]
        return known

    def check_free(self, name: str) -> None:
        """Raises UsageError if nobody could be added under that name."""
        self._free(person(name))

    def check_known(self, name: str) -> None:
        """Raises NothingToWorkOn if there is nobody of that name."""
        self._known(name)

    def _free(self, name: str) -> None:
        other = self.called(name)
        if other is not None:
            raise UsageError(
                f"There is a {other!r} already.",
                fix=f"`python -m ui users change {other}` sets a new password.",
            )

    def _known(self, name: str) -> str:
        known = self.called(name)
        if known is None:
            raise NothingToWorkOn(
                f"Nobody called {name!r} may sign in.", fix="`python -m ui users list` tells who may."
            )
        return known

    @contextmanager
    def _changing(self) -> Iterator[dict[str, str]]:
        """The names and lines, to be changed; they are written at the end, all or nothing."""
        folder = self.path.parent
        make_data_folder(folder)
        try:
            lock = (folder / _LOCK_NAME).open("w")
        except OSError as error:
            raise SettingsError(
                f"Nothing can be written in {folder}: {error.strerror or error}.",
                fix="Run the command as the user who owns that folder.",
            ) from error
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lines = dict(self._read())
            yield lines
            if not lines:
                self.path.unlink(missing_ok=True)
                return
            written = json.dumps({"version": _VERSION, "users": lines}, ensure_ascii=False, indent=1)
            beside = self.path.with_name(f"{FILE_NAME}.{os.getpid()}")
            try:
                opened = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(opened, "w", encoding="utf-8") as file:
                    file.write(written + "\n")
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(beside, self.path)
            except BaseException:
                beside.unlink(missing_ok=True)
                raise

    def _read(self) -> dict[str, str]:
        with self._lock:
            try:
                now = self.path.stat()
            except FileNotFoundError:
                self._seen, self._lines = None, {}
                return self._lines
            seen = (now.st_ino, now.st_mtime_ns, now.st_size, now.st_mode)
            if seen != self._seen:
                self._lines = self._loaded(now.st_mode)
                self._seen = seen
            return self._lines

    def _loaded(self, mode: int) -> dict[str, str]:
        if stat.S_IMODE(mode) & 0o077:
            raise SettingsError(
                f"{self.path} holds what passwords can be guessed from, and others may read it.",
                fix=f"chmod 600 {self.path}",
            )
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
            if found["version"] != _VERSION:
                raise ValueError(f"its version is {found['version']}")
            return {str(name): str(line) for name, line in found["users"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise SettingsError(
                f"{self.path} cannot be read: {error}.",
                fix="Restore it from a backup, or move it away and add everybody anew.",
            ) from error
