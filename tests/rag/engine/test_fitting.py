"""What the ledger makes of settings that would not fit, and what it says beside the measured figures."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.engine.fitting import SMALLEST_CONTEXT, device_used_mib, fitted, lines, measured, predicted
from rag.engine.wire import Load
from rag.errors import EngineStartFailed
from tests.rag.models.test_ledger import BIG

WANTED = Load("m.gguf", 65_536, 2048, 2048, "q8_0", True, -1, 8)


def test_what_fits_is_left_as_it_is() -> None:
    assert fitted(WANTED, BIG, 24_000) == (WANTED, "")


def test_first_the_micro_batch_then_the_context() -> None:
    chosen, said = fitted(WANTED, BIG, 10_600)
    assert (chosen.ubatch, chosen.context) == (512, 65_536)
    assert "micro-batch 512 instead of 2,048" in said
    chosen, said = fitted(WANTED, BIG, 9400)
    assert chosen.ubatch == 512
    assert 30_000 < chosen.context < 65_536
    assert "context" in said


def test_no_room_at_all_is_said_with_both_figures() -> None:
    with pytest.raises(EngineStartFailed, match=r"does not fit.*5,000 MiB may be used") as raised:
        fitted(WANTED, BIG, 5000)
    assert "nvidia-smi" in raised.value.fix


@given(st.floats(7000, 30_000), st.sampled_from(["f16", "q8_0", "q4_0"]), st.integers(1, 4))
def test_what_is_chosen_fits_and_is_never_above_the_settings(free: float, kv: str, parallel: int) -> None:
    load = Load("m.gguf", 65_536, 2048, 2048, kv, True, -1, 8, parallel=parallel)
    try:
        chosen, _ = fitted(load, BIG, free)
    except EngineStartFailed:
        return
    assert predicted(chosen, BIG, "gpu").total_mib <= free
    assert SMALLEST_CONTEXT <= chosen.context <= load.context
    assert chosen.ubatch <= load.ubatch


def test_the_lines_of_a_load_log() -> None:
    buffers = {
        "CPU_Mapped model": 340.0, "CUDA0 model": 6921.0, "CUDA0 KV": 1088.0, "CUDA0 RS": 149.6,
        "CUDA0 compute": 616.0, "CUDA_Host compute": 26.0, "CUDA_Host output": 1.0,
    }  # fmt: skip
    found = measured(buffers, on_gpu=True)
    assert found == {"weights": 6921.0, "kv": 1088.0, "recurrent": 149.6, "compute": 616.0}
    rows = lines(predicted(WANTED, BIG, "gpu"), found, 9515.0)
    assert [row[0] for row in rows] == ["weights", "kv", "recurrent", "compute", "overhead", "total"]
    assert rows[4][2] == pytest.approx(740.4)
    assert lines(predicted(WANTED, BIG, "gpu"), found, None)[5][2] is None
    assert measured({"CPU_Mapped model": 92.0, "CPU KV": 95.0}, on_gpu=False)["weights"] == 92.0


def test_the_drivers_own_tool_says_what_is_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert device_used_mib() is None
    tool = tmp_path / "nvidia-smi"
    for said, used in (("echo 1200; echo 34", 1234.0), ("echo no devices", None), ("exit 9", None)):
        tool.write_text(f"#!/bin/sh\n{said}\n")
        tool.chmod(0o755)
        assert device_used_mib() == used
