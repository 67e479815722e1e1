"""Reading and writing speed at several depths, against llama-bench of the same build and file."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from benchmarks.engine.asking import ask, messages, running, text_of

READ, WRITE = 2048, 128


def reference(
    tool: Path, model: str, depths: list[int], kv: str, ubatch: int
) -> dict[tuple[str, int], float]:
    """Tokens a second by ("read" or "write", depth)."""
    done = subprocess.run(
        [
            str(tool), "-m", model, "-ngl", "99", "-fa", "1", "-ctk", kv, "-ctv", kv, "-p", str(READ),
            "-n", str(WRITE), "-d", ",".join(map(str, depths)), "-ub", str(ubatch), "-r", "3", "-o", "json",
        ],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return {
        ("read" if row["n_prompt"] else "write", row["n_depth"]): row["avg_ts"]
        for row in json.loads(done.stdout)
    }


def measure(
    model: str, depths: list[int], *, kv: str, ubatch: int, tool: Path | None, repeats: int, **options: object
) -> list[dict[str, Any]]:
    expected = reference(tool, model, depths, kv, ubatch) if tool else {}
    rows = []
    context = max(depths) + READ + WRITE + 512
    with running(model, context=context, kv=kv, ubatch=ubatch, **options) as engine:
        for depth in depths:
            evidence = text_of(engine, depth - 16, seed=depth + 7)
            # What the template adds behind the evidence is read, too: READ tokens in all, as in llama-bench.
            asked = messages(evidence, "begin")
            more = engine.count_messages(asked) - (engine.count([evidence])[0] if depth else 0)
            ask(engine, asked, 1)
            reads = [
                ask(engine, messages(evidence, text_of(engine, READ - more, seed=100 + n)), 1)
                for n in range(repeats + 1)
            ][1:]
            writes = [ask(engine, messages(evidence, f"go on {n}"), WRITE) for n in range(repeats + 1)][1:]
            # The mean, as llama-bench gives it.
            found = {
                "read": sum(times.reading_speed for times in reads) / repeats,
                "write": sum(times.writing_speed for times in writes) / repeats,
            }
            for kind, speed in found.items():
                beside = expected.get((kind, depth))
                rows.append(
                    {
                        "kind": kind, "depth": depth, "tokens_per_s": round(speed, 1),
                        "llama_bench": round(beside, 1) if beside else None,
                        "ratio": round(speed / beside, 4) if beside else None,
                        "read_tokens": [times.read_tokens for times in reads],
                        "written": [times.usage.answer_tokens for times in writes],
                        "cached": writes[-1].usage.cached_tokens,
                    }
                )  # fmt: skip
    return rows
