"""The ledger: predicted and measured, with the context filled."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, cast

from benchmarks.engine.asking import ask, device_mib, messages, running, text_of
from rag.models import ledger, passport

SPARE = 96


def measure(
    model: str, contexts: list[int], kvs: list[str], ubatches: list[int], *, parallel: int = 1
) -> list[dict[str, Any]]:
    """One engine for each combination. The error is that of the total, in percent of what was measured."""
    shape = passport.read(Path(model)).shape
    assert shape is not None
    rows = []
    for context in contexts:
        for kv in kvs:
            for ubatch in ubatches:
                plan = ledger.predict(
                    shape,
                    context=context,
                    kv=cast(ledger.Kv, kv),
                    ubatch=ubatch,
                    device="gpu",
                    sequences=parallel,
                )
                before, began = device_mib(), time.monotonic()
                with running(model, context=context, kv=kv, ubatch=ubatch, parallel=parallel) as engine:
                    loaded = device_mib() - before
                    ask(engine, messages("", text_of(engine, context - SPARE, seed=context)), 16)
                    full = device_mib() - before
                    info = engine.info()
                rows.append(
                    {
                        "context": context, "kv": kv, "ubatch": ubatch, "parallel": parallel,
                        "predicted": round(plan.total_mib),
                        "measured": full, "loaded": loaded,
                        "error_percent": round(100 * (plan.total_mib / full - 1), 2) if full else None,
                        "lines": [[line.name, line.predicted, line.measured] for line in info.ledger],
                        "seconds": round(time.monotonic() - began, 1),
                    }
                )  # fmt: skip
                print(rows[-1], flush=True)
    return rows
