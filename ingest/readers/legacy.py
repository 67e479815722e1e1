"""DOC and PPT of Office 97 to 2003: turned into today's formats by LibreOffice, where it is installed."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from ingest.errors import GIVE_PASSWORD, LOCKED, Skipped, Unreadable
from ingest.readers.base import Content, Source
from rag import outside

_TARGETS = {"doc": "docx", "ppt": "pptx"}
_SECONDS = 100
_MOST_CPU_SECONDS = 120
_PR_SET_PDEATHSIG = 1
_FIX = (
    "Install LibreOffice (on Debian: libreoffice-writer-nogui and libreoffice-impress-nogui), or save it in "
    "the newer format"
)


def read(source: Source) -> Content:
    from ingest.kinds import recognise

    kind = recognise(source.data, source.name).kind
    data = _unlocked(source)
    program = outside.office_program()
    if program is None:
        what = (
            "a document of Word 97-2003 (DOC)"
            if kind == "doc"
            else "a presentation of PowerPoint 97-2003 (PPT)"
        )
        raise Skipped(f"{what}, which is read through LibreOffice, and that is not installed", fix=f"{_FIX}.")
    converted = _converted(program, data, kind)
    if kind == "doc":
        from ingest.readers.docx import read as read_converted
    else:
        from ingest.readers.pptx import read as read_converted
    return read_converted(Source(converted, f"file.{_TARGETS[kind]}", (), source.limits))


def _unlocked(source: Source) -> bytes:
    from io import BytesIO

    import msoffcrypto

    from ingest.readers.locked_office import decrypted

    try:
        locked = msoffcrypto.OfficeFile(BytesIO(source.data)).is_encrypted()
    except Exception:  # noqa: BLE001 - too damaged to tell; LibreOffice will
        locked = False
    if not locked:
        return source.data
    data = decrypted(source)
    if data is None:
        raise Skipped(LOCKED, fix=GIVE_PASSWORD)
    return data


def _converted(program: str, data: bytes, kind: str) -> bytes:
    """Raises Unreadable if LibreOffice gives nothing within its time."""
    with tempfile.TemporaryDirectory(prefix="bonsai-office-") as folder:
        given = Path(folder, f"file.{kind}")
        given.write_bytes(data)
        command = [
            program,
            # A profile of its own: a running LibreOffice would otherwise take the work and keep its macros.
            f"-env:UserInstallation={Path(folder, 'profile').as_uri()}",
            "--headless", "--invisible", "--norestore", "--nolockcheck", "--nodefault",
            "--nofirststartwizard", "--convert-to", _TARGETS[kind], "--outdir", folder, str(given),
        ]  # fmt: skip
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            cwd=folder, env={**os.environ, "HOME": folder}, start_new_session=True, preexec_fn=_own_bounds,
        ) as process:  # fmt: skip
            try:
                process.wait(_SECONDS)
            except subprocess.TimeoutExpired as error:
                raise Unreadable(f"LibreOffice did not convert it within {_SECONDS} s") from error
            finally:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
        made = Path(folder, f"file.{_TARGETS[kind]}")
        if not made.is_file():
            raise Unreadable("damaged: LibreOffice cannot open it")
        return made.read_bytes()


def _own_bounds() -> None:
    """Runs in the child before it becomes LibreOffice. The bound on address space of the process that reads
    files is not for it, since it reserves far more than it uses; and it must not outlive that process."""
    if sys.platform == "linux":
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CPU, (_MOST_CPU_SECONDS, _MOST_CPU_SECONDS))
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
