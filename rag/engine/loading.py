"""Brings up the library, the model and its memory, within what the device has. Worker process only."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from rag.engine import fitting, wire
from rag.engine.chain import Candidates
from rag.engine.context import NativeContext, Part
from rag.engine.devices import devices, free_and_total_mib, known_types, library_folder
from rag.engine.loop import DecodeLoop
from rag.engine.memory import Memory
from rag.engine.native import NativeModel
from rag.engine.native_log import NativeLog
from rag.models import passport
from rag.models.quantisation import KNOWN

MIB = 1 << 20


class Loaded:
    """Everything that is made of one `wire.Load`. Raises ModelUnfit or EngineStartFailed."""

    def __init__(self, load: wire.Load) -> None:
        self._began = time.monotonic()
        # Before the library is there: its mere presence takes memory on the device.
        self._used_before = fitting.device_used_mib() if load.gpu_layers else None
        import llama_cpp.llama_cpp as llama

        self._log = NativeLog()
        self._log.attach(llama)
        folder = library_folder(llama)
        found = passport.read(Path(load.path))
        passport.refuse_if_unfit(found, known_types=known_types(folder, KNOWN))
        self.thinks = found.thinks
        self._shape = found.shape
        self._devices = devices(folder)
        self._folder = folder
        self.on_gpu = load.gpu_layers != 0 and bool(llama.llama_supports_gpu_offload())
        self.adjusted = ""
        if self.on_gpu and found.shape is not None and _all_layers(load, found.shape.layers):
            load, self.adjusted = fitting.fitted(load, found.shape, self._room_mib())
        self._load = load = replace(load, context=min(load.context, found.context or load.context))
        self._say_plan()
        self.model = NativeModel(load, self._log)
        self.context = NativeContext(self.model, load)
        memory = Memory(self.context, recurrent=self.model.recurrent, cache_bytes=load.cache_mib * MIB)
        there = load.device_sampling == "on" or (load.device_sampling == "auto" and self.on_gpu)
        candidates = Candidates(llama, self.context, on_device=there)
        self.loop = DecodeLoop(self.model, self.context, memory, candidates, overlap=self.on_gpu)
        if self.on_gpu:
            self._warm_up()
        self._total_at_load = self._total()
        self._free_at_load = self._free_mib() if self.on_gpu else 0.0

    def ready(self) -> wire.Ready:
        lines: list[list[Any]] = []
        if self._shape is not None:
            place: fitting.Place = "gpu" if self.on_gpu else "cpu"
            found = fitting.measured(self._log.buffers_mib, on_gpu=self.on_gpu)
            plan = fitting.predicted(self._load, self._shape, place)
            lines = fitting.lines(plan, found, self._total_at_load)
        return wire.Ready(
            context=self.context.context,
            trained_context=self.model.trained_context,
            buffers_mib=self._log.buffers_mib,
            seconds=time.monotonic() - self._began,
            devices=self._devices,
            lines=lines,
            adjusted=self.adjusted,
            thinks=self.thinks,
        )

    def total_mib(self) -> float | None:
        """Memory of the device that this process takes now (on a CPU: of the machine); None if unknown."""
        if not self.on_gpu:
            return self._total()
        if self._total_at_load is None:
            return None
        return self._total_at_load + self._free_at_load - self._free_mib()

    def _total(self) -> float | None:
        if not self.on_gpu:
            return _resident_mib()
        used = fitting.device_used_mib()
        return None if used is None or self._used_before is None else used - self._used_before

    def _room_mib(self) -> float:
        """Device memory that this process may take, all told."""
        devices = free_and_total_mib(self._folder)
        if self._used_before is None:
            return sum(free for free, _ in devices)
        return sum(total for _, total in devices) - self._used_before

    def _free_mib(self) -> float:
        return sum(free for free, _ in free_and_total_mib(self._folder))

    def _say_plan(self) -> None:
        """Into the log, before the model is loaded: what will be taken, line by line."""
        if self._shape is None:
            return
        plan = fitting.predicted(self._load, self._shape, "gpu" if self.on_gpu else "cpu")
        for name in ("weights", "kv", "recurrent", "compute", "overhead", "total"):
            self._log.say(f"ledger: {name} {getattr(plan, f'{name}_mib'):,.0f} MiB predicted")
        if self.adjusted:
            self._log.say(f"ledger: {self.adjusted}")

    def _warm_up(self) -> None:
        """One micro-batch, so that what a device allocates at its first use is there and is measured."""
        tokens = [token % self.model.vocabulary_size for token in range(1, self.context.ubatch + 1)]
        self.context.decode([Part(0, 0, tokens, True)])
        self.context.synchronize()
        self.context.clear_all()


def _all_layers(load: wire.Load, layers: int) -> bool:
    return load.gpu_layers < 0 or load.gpu_layers > layers


def _resident_mib() -> float | None:
    """Memory of this process that lies in the machine's own, mapped files included."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return float(line.split()[1]) / 1024
    except OSError:
        return None  # not Linux
    return None
