"""kill -9 at random moments: each file is as before or as after, and the next run completes."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from rag.library import Library
from rag.settings import Settings
from tests.faults import corpus
from tests.faults.checks import check_as_before_or_after, check_complete, live, on_disk

KILLS = 4
PAUSE_S = 0.004


def start(settings: Settings, folder: Path, pause_s: float = PAUSE_S) -> subprocess.Popen[str]:
    """Running, with its imports done."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.driver", str(settings.home), str(folder), str(pause_s)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "started\n"
    return process


def finish(process: subprocess.Popen[str]) -> float:
    begin = time.monotonic()
    with process:
        assert process.wait() == 0
    return time.monotonic() - begin


def test_killed_at_random_moments(settings: Settings, tmp_path: Path) -> None:
    chance = random.Random(4031)
    folder = tmp_path / "docs"
    corpus.make(folder, 12, seed=1)
    seconds = finish(start(settings, folder))
    killed = 0
    for round_ in range(KILLS):
        with closing(Library.open(settings)) as library:
            before = live(library)
        corpus.change(folder, seed=100 + round_)
        after = on_disk(folder)
        process = start(settings, folder)
        time.sleep(chance.uniform(0.0, 0.9) * seconds)
        killed += process.poll() is None
        process.kill()
        process.communicate()
        check_as_before_or_after(settings, before, after)
        begin = time.monotonic()
        finish(start(settings, folder))
        seconds = time.monotonic() - begin
        check_complete(settings, folder)
    assert killed


def test_killed_again_and_again_it_still_gets_there(settings: Settings, tmp_path: Path) -> None:
    """Never allowed to finish: what is stored stays stored, and no file is given up for it."""
    folder = tmp_path / "docs"
    corpus.make(folder, 16, seed=2)
    stored = 0
    for _ in range(3):
        process = start(settings, folder)
        deadline = time.monotonic() + 60
        with closing(Library.open(settings)) as library:
            while len(live(library)) <= stored and process.poll() is None:
                assert time.monotonic() < deadline
                time.sleep(0.01)
            process.kill()
            process.communicate()
            now = len(live(library))
        assert now > stored or now == 16
        stored = now
    finish(start(settings, folder))
    check_complete(settings, folder)
