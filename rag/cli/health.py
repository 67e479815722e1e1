"""What `rag doctor` looks at. Each check really does the thing in small; none needs a network."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from rag import outside
from rag.errors import RagError
from rag.settings import Settings

DISTRIBUTION = "bonsai-rag"
OLDEST_PYTHON = (3, 11)
LOW_SPACE_GIB = 2.0
_USUAL_LANGUAGES = frozenset({"eng", "chi_sim"})


@dataclass(frozen=True, slots=True)
class Check:
    """fix: what to do if it is not ok, or to have more; "" if there is nothing to do."""

    name: str
    ok: bool
    found: str
    fix: str = ""


def checks(settings: Settings) -> Iterator[Check]:
    """One after the other, in the order in which a newcomer needs them."""
    steps: list[tuple[str, Callable[[Settings], Check]]] = [
        ("python", _python),
        ("packages", _packages),
        ("data folder", _data_folder),
        ("sqlite", _sqlite),
        ("vectors", _vectors),
        ("embedder", _embedder),
        ("engine", _engine),
        ("model", _model),
        ("recognition", _recognition),
        ("libreoffice", _libreoffice),
    ]
    failed = []
    for name, step in steps:
        try:
            check = step(settings)
        except RagError as error:
            check = Check(name, False, error.message, error.fix)
        except (OSError, ImportError, sqlite3.Error, RuntimeError, ValueError) as error:
            check = Check(name, False, f"{type(error).__name__}: {error}", "Run the set-up again: make setup")
        if not check.ok:
            failed.append(name)
        yield check
    yield _network({"embedder", "engine", "model"} & set(failed))


def _python(_: Settings) -> Check:
    found = f"{sys.version.split()[0]} at {sys.executable}"
    ok = sys.version_info[:2] >= OLDEST_PYTHON
    return Check("python", ok, found, "" if ok else "Install Python 3.11 or 3.12 and run: make setup")


def _packages(_: Settings) -> Check:
    from packaging.requirements import Requirement

    try:
        listed = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return Check("packages", False, f"{DISTRIBUTION} itself is not installed", "Run: make setup")
    wrong, right = [], 0
    for requirement in map(Requirement, listed):
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            version = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            wrong.append(f"{requirement.name} is missing")
            continue
        if requirement.specifier.contains(version, prereleases=True):
            right += 1
        else:
            wrong.append(f"{requirement.name} {version} is not {requirement.specifier}")
    if wrong:
        return Check("packages", False, "; ".join(wrong), "Run: make setup")
    return Check("packages", True, f"all {right} in the versions asked for")


def _data_folder(settings: Settings) -> Check:
    home = settings.home
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=home, prefix=".doctor-") as file:
        file.write(b"written")
        file.flush()
        os.fsync(file.fileno())
    free = shutil.disk_usage(home).free / 2**30
    found = f"{home} can be written to; {free:.1f} GiB free"
    if free < LOW_SPACE_GIB:
        return Check("data folder", False, found, "Make room, or set RAG_HOME to a folder on another disk.")
    return Check("data folder", True, found)


def _sqlite(_: Settings) -> Check:
    with sqlite3.connect(":memory:") as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE words USING fts5(text)")
        except sqlite3.OperationalError as error:
            return Check(
                "sqlite",
                False,
                f"{sqlite3.sqlite_version}, without full-text search: {error}",
                "Use a Python whose sqlite3 has FTS5.",
            )
    return Check("sqlite", True, f"{sqlite3.sqlite_version} with FTS5")


def _vectors(_: Settings) -> Check:
    """Stores three vectors in a scratch folder and finds the nearest."""
    import numpy as np

    from rag.library.vectors.chroma import ChromaFolder

    with tempfile.TemporaryDirectory(prefix="doctor-") as folder:
        chroma = ChromaFolder(Path(folder))
        try:
            vectors = np.eye(3, dtype=np.float32)
            chroma.adding(1)
            chroma.add(1, [1, 2, 3], vectors)
            nearest = chroma.nearest(1, vectors[1:2], 1)
        finally:
            chroma.close()
    ok = [found[0] for found in nearest] == [2]
    found = f"chromadb {metadata.version('chromadb')} stores and finds vectors"
    return Check("vectors", ok, found if ok else f"chromadb found {nearest}", "" if ok else "Run: make setup")


def _embedder(settings: Settings) -> Check:
    from rag.embedding.packaged import PACKAGED, ready

    name = settings.embedding.model
    if name in PACKAGED:
        ok = ready(PACKAGED[name], settings.packaged_models_dir)
        found = f"{name} ({'made at set-up' if ok else 'not made yet'})"
        return Check("embedder", ok, found, "" if ok else "Run: python -m rag.embedding")
    from rag.embedding.sentence import locate

    return Check("embedder", True, f"{name} in {locate(name, settings.models_dir)}")


def _engine(settings: Settings) -> Check:
    if settings.engine.server:
        return _server(settings)
    from rag.engine.library import probe

    library = probe(settings.engine)
    offload = "keeps layers on a GPU" if library.gpu else "CPU only"
    found = f"llama-cpp-python {library.version}, {offload}; devices: {', '.join(library.devices)}"
    return Check("engine", True, found)


def _server(settings: Settings) -> Check:
    """Asks it for its models, and to count the tokens of a word."""
    from rag.engine import load

    engine = load(settings)
    engine.start()
    engine.count(["hello"])
    info = engine.info()
    return Check(
        "engine", True, f"the server at {settings.engine.server}: {info.model}, context {info.context:,}"
    )


def _model(settings: Settings) -> Check:
    if settings.engine.server:
        return Check("model", True, f"{settings.engine.model}, on the server")
    from rag.engine.library import types_named_in
    from rag.models import catalogue, passport

    located = catalogue.locate(settings.engine.model, settings)
    found, problems = passport.check(located.path, known_types=types_named_in(settings.engine))
    for problem in problems:
        return Check("model", False, f"{located.path}: {problem.message}", problem.fix)
    assert found is not None
    weak = "; for demonstration only" if located.entry is not None and located.entry.demo else ""
    return Check("model", True, f"{located.name}, {found.parameters / 1e9:.2f}e9 weights{weak}")


def _recognition(settings: Settings) -> Check:
    """Only what was asked for in the settings must be there: without it scans are reported, not lost."""
    chosen = settings.ingest
    if chosen.ocr == "off":
        return Check("recognition", True, "switched off (ingest.ocr); scans are reported as without text")
    data = outside.tesseract_data()
    have = data.languages if data else ()
    wanted = {part for code in re.split(r"[\s,]+", chosen.ocr_languages) for part in code.split("+") if part}
    missing = sorted((wanted or _USUAL_LANGUAGES) - set(have))
    languages = [code for code in have if code not in outside.NO_LANGUAGE]
    found = f"Tesseract's data of {', '.join(languages)} in {data.folder}" if data else "no data of Tesseract"
    if missing:
        lost = f", none of {', '.join(missing)}; scans in it" if data else "; scans"
        found += f"{lost} are reported as without text"
    packages = " ".join(f"tesseract-ocr-{code.lower().replace('_', '-')}" for code in missing)
    fix = f"To have scans recognised, on Debian and Ubuntu: apt install {packages}. Then ingest again."
    ok = not missing or not (wanted or chosen.ocr == "force")
    return Check("recognition", ok, found, fix if missing else "")


def _libreoffice(_: Settings) -> Check:
    program = outside.office_program()
    if program is None:
        return Check(
            "libreoffice",
            True,
            "not installed; DOC and PPT of Office 97 to 2003 are skipped with that reason",
            "To have them read, on Debian and Ubuntu: apt install libreoffice-writer-nogui "
            "libreoffice-impress-nogui. Then ingest again.",
        )
    return Check("libreoffice", True, f"{program} (reads DOC and PPT of Office 97 to 2003)")


def _network(missing: set[str]) -> Check:
    if missing:
        return Check(
            "network",
            False,
            f"may be needed once, to get: {', '.join(sorted(missing))}",
            "See the fixes above.",
        )
    return Check("network", True, "not needed: model and embedder are on this machine")
