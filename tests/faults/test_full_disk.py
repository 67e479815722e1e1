"""The disk is full in the middle of an ingest: said plainly, nothing lost, and the next run completes."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from rag import settings as settings_module
from rag.library import Library
from rag.settings import Settings
from tests.faults import corpus
from tests.faults.checks import check_as_before_or_after, check_complete, live, on_disk
from tests.faults.small_disk import small_disk

SMALL_BYTES = 700_000


def run(
    settings: Settings, folder: Path, largest_file: int | None = None
) -> subprocess.CompletedProcess[str]:
    """largest_file: the most bytes that a file may grow to, as on a disk that is full then."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({largest_file}, {largest_file}))"
    script = f"""
{limit if largest_file else ""}
import sys
sys.argv[1:] = {[str(settings.home), str(folder)]!r}
from tests.faults.driver import main
sys.exit(main())
"""
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)


def test_a_full_disk(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    with small_disk(tmp_path / "disk", SMALL_BYTES) as mounted:
        settings = settings_module.load(home=tmp_path / "disk" / "home")
        ceiling = None if mounted else SMALL_BYTES
        corpus.make(folder, 60, seed=6)
        failed = run(settings, folder, ceiling)
        assert failed.returncode == 1, failed.stderr
        assert "Make room" in failed.stdout, failed.stdout + failed.stderr
        with closing(Library.open(settings)) as library:
            before = live(library)
        assert len(before) < 60
        check_as_before_or_after(settings, {}, on_disk(folder))
        if mounted:
            subprocess.run(["mount", "-o", "remount,size=200m", str(tmp_path / "disk")], check=True)
        done = run(settings, folder)
        assert done.returncode == 0, done.stdout + done.stderr
        check_complete(settings, folder)


@pytest.mark.parametrize("ceiling", [60_000, 400_000])
def test_a_full_disk_at_other_moments(settings: Settings, tmp_path: Path, ceiling: int) -> None:
    """From the first table to the vector index."""
    folder = tmp_path / "docs"
    corpus.make(folder, 20, seed=7)
    failed = run(settings, folder, ceiling)
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert "Traceback" not in failed.stderr
    done = run(settings, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    check_complete(settings, folder)
