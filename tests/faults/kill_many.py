"""Kill an ingest of a whole folder many times: `python -m tests.faults.kill_many FOLDER`.

First the folder is ingested undisturbed; that library is what every other one has to be like. Then in each
round an ingest of the whole folder begins from nothing and is killed with SIGKILL at a moment of its own:
the moments are spread evenly over the time that the undisturbed run took, with chance within each stretch,
so they fall into reading, embedding, storing and publishing. After each kill

 - every file is either not there at all, or there exactly as in the undisturbed library: same chunks, same
   places, same vectors;
 - `verify` finds no disagreement between manifest, keyword index and Chroma, so nothing is orphaned;
 - the next run ends by itself; then all files, chunks and vectors are those of the undisturbed library, none
   lost and none doubled, and `verify` is clean again.

In the last round the disk is full instead: the library is on a file system of its own with half of the room
that it needs (a tmpfs; where mounting one is not permitted, a limit on the size of every file).

Embedding is done by a deterministic stand-in that takes --pause seconds a chunk, so that a round takes
seconds; reading, cutting, storing and publishing are the real ones. With --real the embedder of the settings
is used, and a round takes as long as two ingests of the folder: give a smaller --kills.

How long it takes: about 2.5 times an undisturbed run for each round; for 879 files (5.8 MB) on two free cores
some 20 seconds a round, 20 minutes for 60. Prints a line a round; stops at the first thing that is wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.faults.rounds import Rounds


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults.kill_many",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=60, help="rounds, the one with the full disk included")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=float, default=0.003, help="seconds that embedding a chunk takes")
    parser.add_argument("--real", action="store_true", help="with the embedder of the settings")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="kill-many-") as scratch:
        rounds = Rounds(
            arguments.folder.resolve(), Path(scratch), None if arguments.real else arguments.pause
        )
        begin = time.monotonic()
        seconds = rounds.undisturbed()
        print(
            f"undisturbed: {seconds:.1f} s, {len(rounds.expected)} files live, "
            f"{rounds.chunks} chunks, {rounds.left_out} files give no document",
            flush=True,
        )
        kills = arguments.kills - 1
        moments = [(number + chance.random()) / kills * seconds for number in range(kills)]
        chance.shuffle(moments)
        phases: Counter[str] = Counter()
        for number, moment in enumerate(moments, start=1):
            done = rounds.kill(moment)
            phases[done.phase] += 1
            print(f"{number}: killed after {moment:.2f} s while {done}", flush=True)
        print(f"{arguments.kills}: {rounds.full_disk()}", flush=True)
        spread = ", ".join(f"{count} while {phase}" for phase, count in phases.most_common())
        print(
            f"{kills} kills ({spread}) and one full disk in {(time.monotonic() - begin) / 60:.1f} min: after "
            "each the next run completed, nothing lost, doubled or orphaned"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
