"""`python -m benchmarks`: the benchmarks that need nothing but the sample corpus, one after the other."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks import ingest

SAMPLES = Path(__file__).resolve().parents[1] / "examples" / "corpus"


def main() -> int:
    print("ingest of the sample corpus against the bare embedder:", flush=True)
    return ingest.main([str(SAMPLES)])


if __name__ == "__main__":
    sys.exit(main())
