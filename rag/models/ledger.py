"""Where every MiB of the device's memory goes, predicted from a model's shape before it is loaded.

The sizes of weights, cache and recurrent state follow from the file. The other two lines are measured
constants: llama.cpp at the version that this project pins, one row of logits a batch, flash attention, all
layers on one GPU (H200, CUDA 12), the 27B shape; for plain attention models the 135M one on a CPU.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rag.errors import UsageError
from rag.models.shape import Shape

Kv = Literal["f16", "q8_0", "q4_0"]
Device = Literal["gpu", "cpu"]

MIB = 1 << 20
CONTEXT_STEP = 256
"""llama.cpp reserves cache for multiples of this many tokens."""

BYTES_PER_ELEMENT: Mapping[str, float] = {"f16": 2.0, "q8_0": 34 / 32, "q4_0": 18 / 32}
"""A block of 32 elements of q8_0 has 34 bytes, of q4_0 18."""

RUNTIME_MIB: Mapping[str, float] = {"gpu": 806.0, "cpu": 45.0}
"""What a process needs before the model: driver, kernels, workspaces; on a CPU the interpreter."""

ACTIVATIONS_HYBRID = 3.9
ACTIVATIONS_PLAIN = 6.8
"""Floats of scratch memory a token of the micro-batch, as a multiple of the feed-forward width."""

DEQUANTISED_FROM = 16_384
DEQUANTISED_BYTES = 0.9
"""Beyond that context a quantised cache needs scratch memory: bytes a token and element of one layer."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """MiB of device memory. largest_context: tokens that would fit (0: not even the shortest)."""

    context: int
    kv: Kv
    ubatch: int
    device: Device
    weights_mib: float
    kv_mib: float
    recurrent_mib: float
    compute_mib: float
    overhead_mib: float

    @property
    def total_mib(self) -> float:
        return self.weights_mib + self.kv_mib + self.recurrent_mib + self.compute_mib + self.overhead_mib


def predict(shape: Shape, *, context: int, kv: Kv, ubatch: int, device: Device, sequences: int = 1) -> Ledger:
    """The ledger of one engine. context: tokens over all sequences; not more than the model's own is used."""
    context = min(context, shape.context)
    reserved = -(-context // CONTEXT_STEP) * CONTEXT_STEP
    host = shape.embedding_bytes if device == "gpu" else 0
    return Ledger(
        context=context,
        kv=kv,
        ubatch=ubatch,
        device=device,
        weights_mib=(shape.weight_bytes - host) / MIB,
        kv_mib=reserved * shape.kv_elements * BYTES_PER_ELEMENT[kv] / MIB,
        recurrent_mib=sequences * shape.recurrent_bytes / MIB,
        compute_mib=_compute_bytes(shape, reserved, kv, min(ubatch, reserved)) / MIB,
        overhead_mib=RUNTIME_MIB[device],
    )


def largest_context(
    shape: Shape, *, memory_mib: float, kv: Kv, ubatch: int, device: Device, sequences: int = 1
) -> int:
    """The longest context (a multiple of CONTEXT_STEP, at most the model's own) within that memory."""

    def fits(steps: int) -> bool:
        context = steps * CONTEXT_STEP
        ledger = predict(shape, context=context, kv=kv, ubatch=ubatch, device=device, sequences=sequences)
        return ledger.total_mib <= memory_mib

    low, high = 0, shape.context // CONTEXT_STEP
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low * CONTEXT_STEP


def _compute_bytes(shape: Shape, context: int, kv: Kv, ubatch: int) -> float:
    factor = ACTIVATIONS_HYBRID if shape.recurrent_bytes else ACTIVATIONS_PLAIN
    scratch = ubatch * 4 * factor * shape.feed_forward
    if kv != "f16" and shape.attention_layers:
        elements = shape.kv_elements / shape.attention_layers
        scratch += max(0, context - DEQUANTISED_FROM) * elements * DEQUANTISED_BYTES
    return scratch + 4 * shape.vocabulary


_UNITS = {"": MIB, "k": 1 << 10, "m": MIB, "g": 1 << 30, "t": 1 << 40}


def memory_mib(text: str) -> float:
    """ "24GiB", "24 GB", "9300MiB", "24g" or plain MiB, in MiB. GB counts as GiB, as on the boxes of cards.

    Raises UsageError.
    """
    plain = text.strip().lower().removesuffix("b").removesuffix("i")
    unit = plain[-1:] if plain[-1:] in _UNITS and not plain[-1:].isdigit() else ""
    try:
        number = float(plain.removesuffix(unit))
    except ValueError:
        number = -1.0
    if not 0 < number < 1e9:
        raise UsageError(f"{text!r} is not an amount of memory.", fix="Write it like 24GiB or 9300MiB.")
    return number * _UNITS[unit] / MIB
