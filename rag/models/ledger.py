"""Where every MiB of the device's memory goes, predicted from a model's shape before it is loaded.

The sizes of weights, cache, recurrent state and attention mask follow from the file. The constants were
fitted to measurements: llama.cpp at the version that this project pins, one row of logits a sequence, flash
attention, all layers on one GPU (H200, CUDA 13), the 27B shape at 8K to 64K tokens, three types of cache and
two micro-batches; for models of plain attention the 135M one on a CPU. Another driver or card has another
overhead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
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

RUNTIME_MIB: Mapping[str, float] = {"gpu": 711.0, "cpu": 45.0}
"""What a process needs before the model: driver, kernels, workspaces; on a CPU the interpreter."""

WORKSPACE_BYTES = 0.86
"""On a GPU, a token of the micro-batch and unit of the feed-forward width: activations in 8 bits."""

ACTIVATIONS_HYBRID, ACTIVATIONS_PLAIN = 3.588, 4.07
"""Floats of scratch memory a token of the micro-batch, as a multiple of the feed-forward width."""

BESIDE_ATTENTION = 2.36
"""The same while a layer attends over a quantised cache, which is first turned into f16 on a GPU."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """MiB of device memory. context: tokens of each sequence."""

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
    """The ledger of one engine. context: tokens of each sequence; not more than the model's own is used."""
    context = min(context, shape.context)
    reserved = -(-context // CONTEXT_STEP) * CONTEXT_STEP
    host = shape.embedding_bytes if device == "gpu" else 0
    workspace = WORKSPACE_BYTES * min(ubatch, reserved) * shape.feed_forward if device == "gpu" else 0.0
    return Ledger(
        context=context,
        kv=kv,
        ubatch=ubatch,
        device=device,
        weights_mib=(shape.weight_bytes - host) / MIB,
        kv_mib=sequences * reserved * shape.kv_elements * BYTES_PER_ELEMENT[kv] / MIB,
        recurrent_mib=sequences * shape.recurrent_bytes / MIB,
        compute_mib=_compute_bytes(shape, reserved, kv, min(ubatch, reserved), device, sequences) / MIB,
        overhead_mib=RUNTIME_MIB[device] + workspace / MIB,
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


def _compute_bytes(shape: Shape, context: int, kv: Kv, ubatch: int, device: Device, sequences: int) -> float:
    """The library's compute buffer: mask and the largest set of tensors that are alive together.

    The attention mask has two bytes for each pair of micro-batch and context tokens. A quantised cache is
    turned into f16 for one layer at a time (on a GPU). One row of logits a sequence, and one to spare.
    """
    mask = 2.0 * ubatch * context if shape.attention_layers else 0.0
    factor = ACTIVATIONS_HYBRID if shape.recurrent_bytes else ACTIVATIONS_PLAIN
    scratch = 4.0 * ubatch * factor * shape.feed_forward
    if kv != "f16" and shape.attention_layers and device == "gpu":
        elements = shape.kv_elements / shape.attention_layers
        converted = 2.0 * sequences * context * elements
        scratch = max(scratch, converted + 4.0 * ubatch * BESIDE_ATTENTION * shape.feed_forward)
    return mask + scratch + 4.0 * sequences * shape.vocabulary


ENCODER_MIB = 1100.0
"""Beside its weights, what an embedder or reranker takes on a device: PyTorch's own context and the numbers
of one batch. Measured with multilingual-e5-small's shape on an H200: 840 MiB with batches of 4,096 tokens,
1,090 with 16,384. Larger models take more for a batch."""


def encoder_mib(folder: Path) -> float:
    """Device memory of an embedder or reranker, from the size of the weights in its folder.

    0 if there are none (nothing has been downloaded).
    """
    sizes = [file.stat().st_size for file in folder.rglob("*.safetensors")]
    return sum(sizes) / MIB + ENCODER_MIB if sizes else 0.0


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
