"""What is shown while an ingest goes on."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import pty
import re
import sys

import pytest

from ingest import progress
from ingest.progress import Progress, duration, line, shown
from ingest.sync.forecast import Forecast
from ingest.sync.meter import Meter
from ingest.sync.plan import Decision, Do, Plan
from rag.library import Source


def test_lines_say_files_pages_chunks_speed_and_time_left() -> None:
    moment = Progress(
        "reading", files=1200, files_done=30, pages=90, chunks=250, seconds=50.0, seconds_left=200.0
    )
    assert line(moment) == "30 of 1,200 files, 90 pages, 250 chunks (5.0/s), 3 min left"
    assert line(Progress("looking")) == "looking for changes"
    assert line(Progress("indexing", steps=2000, steps_done=500)) == "indexing vectors: 500 of 2,000"
    assert line(Progress("indexing")) == "indexing vectors"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "1 s"), (59, "59 s"), (61, "1 min"), (3599, "1 h 0 min"), (5000, "1 h 23 min")],
)
def test_durations(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_no_time_is_promised_without_a_ground() -> None:
    forecast = Forecast()
    assert forecast.left(0.0, 0, 1000) is None
    assert forecast.left(60.0, 8, 1000) is None  # the model took a minute to load
    assert forecast.left(61.0, 80, 1000) is None
    assert forecast.left(90.0, 20, 1000) is None
    left = Forecast()
    left.left(60.0, 10, 1000)
    assert left.left(70.0, 110, 1110) == pytest.approx(100)


def test_the_time_left_does_not_jump() -> None:
    """Whatever the estimate of the rest does, what is said changes slowly, and is right in the end."""
    forecast = Forecast()
    said = []
    for second in range(1, 100):
        expected = 2000 if second % 2 else 500  # a large file, a small file
        left = forecast.left(float(second), 10 * second, expected)
        if left is not None:
            said.append(left)
    assert max(abs(b - a) for a, b in itertools.pairwise(said)) < 15
    steady = Forecast()
    every = [steady.left(float(second), 10 * second, 1000) for second in range(1, 101)]
    assert every[-1] == pytest.approx(0, abs=0.5)
    assert all(
        left is None or left == pytest.approx(100 - second, abs=1) for second, left in enumerate(every, 1)
    )


def test_plain_lines_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    out = io.StringIO()
    with shown(out) as show:
        for second in range(25):
            now[0] = float(second)
            show(Progress("reading", files=9, files_done=second // 3, chunks=second, seconds=now[0]))
    lines = out.getvalue().splitlines()
    assert len(lines) == 2
    assert "\x1b" not in out.getvalue()
    assert lines[0].startswith("  3 of 9 files")


def test_a_bar_on_a_terminal_shows_names_as_they_are() -> None:
    leader, follower = pty.openpty()
    with os.fdopen(follower, "w") as terminal, shown(terminal) as show:
        show(
            Progress(
                "reading",
                files=4,
                files_done=2,
                chunks=5,
                chunks_expected=10,
                current="[bold]【报告】\x1b[2J.txt",
                seconds=3.0,
            )
        )
    data = b""
    with contextlib.suppress(OSError):  # how the end looks from this side
        while piece := os.read(leader, 1 << 16):
            data += piece
    os.close(leader)
    text = data.decode()
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    assert "50 %" in plain
    assert "2 of 4 files" in plain
    assert "[bold]" in plain or "…" in plain
    assert "\x1b[2J" not in text


def test_progress_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert not sys.stderr.isatty()
    with shown() as show:
        show(Progress("done"))
    assert capsys.readouterr().out == ""


def test_the_meter_estimates_from_what_is_read() -> None:
    seen: list[Progress] = []
    sources = [Source(f"/d/{number}", "/d", str(number), 100, 0) for number in range(4)]
    meter = Meter(Plan([Decision(Do.EXAMINE, source) for source in sources]), seen.append)
    meter.prepared(sources[0], 10)
    meter.embedded(5)
    meter.gave_nothing(sources[1])
    meter.file_done(sources[0], pages=3)
    meter.tell("reading", force=True)
    last = seen[-1]
    assert (last.files, last.files_done, last.pages, last.chunks) == (4, 2, 3, 5)
    assert last.chunks_expected == 30  # of the three files that give any
