"""Settings made to fit the memory that is there, and the ledger's lines beside what was measured."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast

from rag.engine.wire import Load
from rag.errors import EngineStartFailed
from rag.models import ledger
from rag.models.ledger import Kv, Ledger
from rag.models.shape import Shape

USUAL_UBATCH, SMALLEST_UBATCH = 512, 128
MARGIN = 0.01
"""Of the prediction: what another driver or card may need beyond it."""
SMALLEST_CONTEXT = 2048
"""Tokens: instructions, a question and some evidence. With less there is no point in starting."""

Place = Literal["gpu", "cpu"]


def fitted(load: Load, shape: Shape, free_mib: float) -> tuple[Load, str]:
    """The load with a smaller micro-batch, and then a shorter context, if it would not fit; what was changed.

    free_mib: device memory before anything of this process is there. Raises EngineStartFailed if not even
    SMALLEST_CONTEXT fits.
    """
    room = free_mib - load.reserve_mib
    wanted = min(load.context, shape.context)
    least = min(SMALLEST_CONTEXT, wanted)
    chosen = replace(load, context=wanted)
    for ubatch in (load.ubatch, USUAL_UBATCH, SMALLEST_UBATCH):
        # A long context is worth more than a large micro-batch; a usable one comes before the last token.
        chosen = replace(load, ubatch=min(ubatch, chosen.ubatch), context=wanted)
        if _needed(chosen, shape) <= room:
            break
        if ubatch > USUAL_UBATCH:
            continue
        chosen = replace(chosen, context=min(wanted, _largest(chosen, shape, room)))
        if chosen.context >= least:
            break
    else:
        needed = _needed(replace(chosen, context=least), shape)
        raise EngineStartFailed(
            f"The model does not fit: with {least:,} tokens of context it needs {needed:,.0f} MiB of device "
            f"memory; {room:,.0f} MiB may be used.",
            fix="Free device memory (nvidia-smi shows who holds it), lower engine.parallel, use a smaller "
            "model, or keep layers in host memory with engine.gpu_layers.",
        )
    changes = [
        f"{name} {new:,} instead of {old:,}"
        for name, new, old in (
            ("micro-batch", chosen.ubatch, load.ubatch),
            ("context", chosen.context, wanted),
        )
        if new != old
    ]
    said = f"{' and '.join(changes)}, because {room:,.0f} MiB are free" if changes else ""
    return chosen, said


def _needed(load: Load, shape: Shape) -> float:
    return predicted(load, shape, "gpu").total_mib * (1 + MARGIN)


def _largest(load: Load, shape: Shape, room: float) -> int:
    return ledger.largest_context(
        shape,
        memory_mib=room / (1 + MARGIN),
        kv=cast(Kv, load.kv),
        ubatch=load.ubatch,
        device="gpu",
        sequences=load.parallel,
    )


def predicted(load: Load, shape: Shape, device: Place) -> Ledger:
    return ledger.predict(
        shape,
        context=load.context,
        kv=cast(Kv, load.kv),
        ubatch=min(load.ubatch, load.context),
        device=device,
        sequences=load.parallel,
    )


def measured(buffers_mib: Mapping[str, float], *, on_gpu: bool) -> dict[str, float]:
    """MiB of each of the ledger's lines, from the buffers that the library reported.

    On a GPU what lies in host memory (CPU…, …_Host) does not count.
    """
    found = {"weights": 0.0, "kv": 0.0, "recurrent": 0.0, "compute": 0.0}
    for name, mib in buffers_mib.items():
        if on_gpu and (name.startswith("CPU") or "_Host" in name):
            continue
        for ending, line in (
            (" model", "weights"), (" KV", "kv"), (" RS", "recurrent"), (" compute", "compute"),
        ):  # fmt: skip
            if name.endswith(ending):
                found[line] += mib
    return found


def lines(plan: Ledger, found: Mapping[str, float], total: float | None) -> list[list[object]]:
    """[name, predicted, measured] of every line. total: what the whole process takes, if that is known."""
    rows: list[list[object]] = [
        [name, round(getattr(plan, f"{name}_mib"), 1), round(found[name], 1)]
        for name in ("weights", "kv", "recurrent", "compute")
    ]
    rest = None if total is None else round(total - sum(found.values()), 1)
    rows.append(["overhead", round(plan.overhead_mib, 1), rest])
    rows.append(["total", round(plan.total_mib, 1), None if total is None else round(total, 1)])
    return rows


def device_used_mib() -> float | None:
    """Memory in use on all devices, by everybody, as the driver's own tool says; None without that tool."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return None
    try:
        done = subprocess.run(
            [tool, "--query-gpu=memory.used", "--format=csv,noheader,nounits"],
            capture_output=True, text=True, timeout=10, check=True,
        )  # fmt: skip
        return sum(float(line) for line in done.stdout.split())
    except (OSError, subprocess.SubprocessError, ValueError):
        return None  # the figure is for the reader's eyes only; everything works without it
