"""Kill an ingest of a real folder many times: `python -m tests.faults.kill_many FOLDER`.

Each round changes some files of a copy (removed, brought back, moved), starts the ingest, kills it with
SIGKILL at a random moment, looks at the library as it was left, lets the next run finish, and compares
everything. The last round has its disk full instead. Prints a line a round; stops at the first thing that
is wrong. --real: with the embedder of the settings instead of the deterministic stand-in (slow).
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from rag import settings as settings_module
from rag.library import Library
from rag.settings import Settings
from tests.faults.checks import check_as_before_or_after, check_complete, live, on_disk

PAUSE_S = 0.002


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.kill_many")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--changes", type=int, default=40, help="files changed in each round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kill-many-") as scratch:
        _rounds(arguments, Path(scratch))
    return 0


def _rounds(arguments: argparse.Namespace, scratch: Path) -> None:
    chance = random.Random(arguments.seed)
    docs = scratch / "docs"
    shutil.copytree(arguments.folder, docs)
    settings = settings_module.load(home=scratch / "home")
    seconds = _finish(settings, docs, arguments.real)
    left_out = _check(settings, docs)
    print(f"ingested in {seconds:.1f} s, {left_out} files give no document", flush=True)
    for round_ in range(1, arguments.kills + 1):
        with closing(Library.open(settings)) as library:
            before = live(library)
        _change(arguments.folder, docs, arguments.changes, chance)
        process = _start(settings, docs, arguments.real)
        if round_ < arguments.kills:
            moment = chance.uniform(0, 1) * seconds
            time.sleep(moment)
            how = f"killed after {moment:.2f} s" if process.poll() is None else "had ended before"
            process.kill()
        else:
            process.kill()
            process.wait()
            full = _start(settings, docs, arguments.real, largest_file=_largest(settings.home) + 20_000)
            how = f"disk full: exit code {full.wait()}"
        process.wait()
        check_as_before_or_after(settings, before, on_disk(docs))
        seconds = _finish(settings, docs, arguments.real)
        _check(settings, docs)
        print(f"{round_}: {how}; the next run took {seconds:.1f} s, all in step", flush=True)


def _start(
    settings: Settings, docs: Path, real: bool, largest_file: int | None = None
) -> subprocess.Popen[bytes]:
    limit = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({largest_file},) * 2)" if largest_file else ""
    module, arguments = (
        ("ingest.__main__", [str(docs)])
        if real
        else ("tests.faults.driver", [str(settings.home), str(docs), str(PAUSE_S)])
    )
    script = f"import resource, sys; {limit}\nfrom {module} import main\nsys.exit(main())"
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "RAG_HOME": str(settings.home)},
    )


def _finish(settings: Settings, docs: Path, real: bool) -> float:
    begin = time.monotonic()
    code = _start(settings, docs, real).wait()
    assert code in (0, 3), f"the run ended with {code}"
    return time.monotonic() - begin


def _check(settings: Settings, docs: Path) -> int:
    """Returns how many files give no document; they are left out of the comparison, each with a reason."""
    with closing(Library.open(settings)) as library:
        aside = {info.path for info in library.files() if info.state in ("skipped", "failed") and info.reason}
    check_complete(settings, docs, aside)
    return len(aside)


def _change(original: Path, docs: Path, count: int, chance: random.Random) -> None:
    names = sorted(path.relative_to(original) for path in original.rglob("*") if path.is_file())
    for name in chance.sample(names, min(count, len(names))):
        here = docs / name
        if not here.exists():
            here.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(original / name, here)
        elif chance.random() < 0.3:
            moved = docs / "moved" / f"{chance.randrange(10**6)}-{name.name}"
            moved.parent.mkdir(exist_ok=True)
            here.rename(moved)
        else:
            here.unlink()


def _largest(home: Path) -> int:
    return max(path.stat().st_size for path in home.rglob("*") if path.is_file())


if __name__ == "__main__":
    sys.exit(main())
