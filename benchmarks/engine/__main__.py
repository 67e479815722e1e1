"""`python -m benchmarks.engine PART… --model FILE`: measures the engine and writes the figures as JSON.

Figures of a GPU need a llama-cpp-python built for it. Each part appends its result to the output file as
soon as it has one, so that a run that is broken off keeps what it measured.
"""

from __future__ import annotations

import argparse
import json
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

PARTS = ("draws", "speed", "prefix", "parallel", "faults", "memory")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__)
    parser.add_argument("parts", nargs="+", choices=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--model", required=True)
    parser.add_argument("--small", default="", help="a small model, for draws and for the change of models")
    parser.add_argument("--llama-bench", type=Path, default=None)
    parser.add_argument("--depths", default="0,16384,32768")
    parser.add_argument("--contexts", default="8192,16384,32768,65536")
    parser.add_argument("--kvs", default="f16,q8_0,q4_0")
    parser.add_argument("--ubatches", default="512,2048")
    parser.add_argument("--kv", default="q8_0")
    parser.add_argument("--ubatch", type=int, default=512)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=22_900, help="evidence of the prefix measurement")
    parser.add_argument("--parallel", type=int, default=1, help="sequences of the memory measurement")
    parser.add_argument("--draws", type=int, default=20_000)
    parser.add_argument("--gpu-layers", type=int, default=-1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    results: dict[str, Any] = {}
    failed = False
    for part in options.parts:
        began = time.monotonic()
        try:
            found = _measured(part, options)
        except Exception:  # noqa: BLE001 - one part that fails must not cost the others
            failed, found = True, {"failed": traceback.format_exc()}
        results[part] = {"seconds": round(time.monotonic() - began, 1), "result": found}
        options.output.write_text(json.dumps(results, indent=1), encoding="utf-8")
        print(part, json.dumps(results[part], indent=1), flush=True)
    return 1 if failed else 0


def _measured(part: str, options: argparse.Namespace) -> Any:
    numbers: Callable[[str], list[int]] = lambda text: [int(each) for each in text.split(",")]  # noqa: E731
    if part == "draws":
        return _draws(options)
    if part == "speed":
        from benchmarks.engine import speed

        return speed.measure(
            options.model, numbers(options.depths), kv=options.kv, ubatch=options.ubatch,
            tool=options.llama_bench, repeats=options.repeats,
        )  # fmt: skip
    if part == "prefix":
        from benchmarks.engine import prefix

        large = prefix.measure(options.model, options.tokens, kv=options.kv, ubatch=options.ubatch, answer=24)
        if not options.small:
            return large
        small = prefix.measure(
            options.small, min(3000, options.tokens), kv=options.kv, ubatch=options.ubatch, answer=64
        )
        return {"large": large, "small": small}
    if part == "parallel":
        from benchmarks.engine import parallel

        return parallel.measure(
            options.model, min(8000, options.tokens), kv=options.kv, ubatch=options.ubatch
        )
    if part == "faults":
        return _faults(options)
    from benchmarks.engine import memory

    return memory.measure(
        options.model, numbers(options.contexts), options.kvs.split(","), numbers(options.ubatches),
        parallel=options.parallel,
    )  # fmt: skip


def _draws(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Each in a process of its own, which then holds the library."""
    import subprocess
    import sys

    found = []
    for sampling, length in (
        ({}, 48), ({}, 200), ({"repeat_penalty": 1.0}, 48), ({"temperature": 1.5, "top_k": 100}, 96),
        ({"temperature": 0.0}, 48),
    ):  # fmt: skip
        code = (
            "import json,sys;from rag.engine.protocol import Sampling;from benchmarks.engine import draws;"
            f"r=draws.measure({options.small or options.model!r},{options.draws},Sampling(**{sampling!r}),"
            f"gpu_layers={options.gpu_layers},length={length});print(json.dumps(r))"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        if done.returncode:
            found.append({"sampling": sampling, "failed": done.stderr[-2000:]})
        else:
            found.append({"sampling": sampling, **json.loads(done.stdout.splitlines()[-1])})
    return found


def _faults(options: argparse.Namespace) -> dict[str, Any]:
    from benchmarks.engine import faults

    found: dict[str, Any] = {}
    steps: dict[str, Callable[[], Any]] = {
        "killed": lambda: faults.killed(options.model, context=4096),
        "no_room": lambda: faults.no_room(options.model, 5000, context=4096),
        "little_room": lambda: faults.no_room(options.model, 9400, context=65536, ubatch=2048),
        "out_of_memory": lambda: faults.no_room(options.model, 5000, context=4096, gpu_layers=64),
        "fills_up": lambda: faults.fills_up(options.model, 0, 20_000),
        "swapped": lambda: faults.swapped(options.model, options.small, context=4096),
    }
    for name, step in steps.items():
        try:
            found[name] = step()
        except Exception:  # noqa: BLE001 - as above
            found[name] = {"failed": traceback.format_exc()[-1500:]}
        print(name, found[name], flush=True)
    return found


if __name__ == "__main__":
    raise SystemExit(main())
