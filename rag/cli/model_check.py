"""`rag model check`: is this a whole model that this engine can run, and the one that was meant?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag.cli import frame

if TYPE_CHECKING:
    from rag.models.digests import Digests
    from rag.models.passport import Passport
    from rag.models.problem import Problem
    from rag.settings import Settings


def check(file: str, wanted: str | None, settings: Settings, *, as_json: bool) -> int:
    """file: a path or the name of a known model. wanted: its SHA-256. Exit code 3 where it has problems."""
    from rag.engine.library import types_named_in
    from rag.errors import ModelMissing, UsageError
    from rag.models import catalogue, passport
    from rag.models.digests import Digests, is_digest
    from rag.models.problem import Problem

    if wanted is not None and not is_digest(wanted):
        raise UsageError(
            f"{wanted!r} is not a SHA-256.", fix="Give 64 hexadecimal digits, as the model's page shows them."
        )
    path = Path(file).expanduser().absolute()
    found: Passport | None = None
    try:
        if file in catalogue.entries():
            path = catalogue.locate(file, settings).path
        found, problems = passport.check(path, known_types=types_named_in(settings.engine))
    except ModelMissing as error:
        problems = [Problem("missing", error.message, error.fix)]
    sha256 = None
    if found is not None and not problems:
        digests = Digests(settings.models_dir)
        sha256 = _hashed(digests, path)
        problems = _checksum_problems(path, sha256, digests, wanted)
    report = {
        "file": file if found is None and file in catalogue.entries() else str(path),
        "ok": not problems,
        "problems": [problem._asdict() for problem in problems],
        **(_described(found) if found is not None else {}),
        "sha256": sha256,
    }
    if as_json:
        frame.write_json(report)
    else:
        _print_check(report)
    return frame.SOME_FAILED if problems else frame.DONE


def _described(passport: Passport) -> dict[str, Any]:
    return {
        "name": passport.name,
        "architecture": passport.architecture,
        "parameters": passport.parameters,
        "types": passport.types,
        "size": passport.file_size,
        "context": passport.context,
        "vocabulary": passport.vocabulary,
        "tokenizer": passport.tokenizer,
        "layers": passport.shape.layers if passport.shape else None,
        "attention_layers": passport.shape.attention_layers if passport.shape else None,
        "chat_template": bool(passport.template),
        "thinks": passport.thinks,
        "rotated": passport.rotated,
    }


def _hashed(digests: Digests, path: Path) -> str:
    """With a progress bar on a terminal when the file has to be read."""
    if digests.is_remembered(path) or not sys.stderr.isatty():
        return digests.sha256(path)
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("SHA-256"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=path.stat().st_size)
        return digests.sha256(path, lambda count: progress.advance(task, count))


def _checksum_problems(path: Path, sha256: str, digests: Digests, wanted: str | None) -> list[Problem]:
    """Against --sha256, a file FILE.sha256 beside the model, and what the hub said at its download."""
    from rag.models.digests import written_beside
    from rag.models.problem import DOWNLOAD_AGAIN, Problem

    sources = (
        ("The file is not the one that --sha256 describes", wanted.lower() if wanted else None),
        (f"The file is not the one that {path.name}.sha256 describes", written_beside(path)),
        ("The file has changed since its download", digests.expected(path)),
    )
    for what, expected in sources:
        if expected is not None and expected != sha256:
            return [Problem("checksum", f"{what}: SHA-256 {sha256} instead of {expected}.", DOWNLOAD_AGAIN)]
    return []


def _print_check(report: dict[str, Any]) -> None:
    print(f"{report['file']}: {'ok' if report['ok'] else 'cannot be used'}")
    for problem in report["problems"]:
        print(f"  {problem['message']}\n  fix: {problem['fix']}")
    if "architecture" in report:
        types = ", ".join(f"{name} × {count}" for name, count in report["types"].items())
        print(f"  {report['name']}; {report['architecture']}, {report['parameters'] / 1e9:.2f}e9 weights")
        print(f"  {report['layers']} layers, {report['attention_layers']} of them attend; tensors: {types}")
        print(f"  context {report['context']}, vocabulary {report['vocabulary']}")
    if report["sha256"]:
        print(f"  SHA-256 {report['sha256']}")
