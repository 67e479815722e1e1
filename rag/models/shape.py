"""What of a model's structure decides how much memory it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Shape:
    """kv_elements: numbers that one token adds to the key-value cache, over all attention layers.

    recurrent_bytes: state of the layers without attention, for one sequence.
    weight_bytes: all tensors; embedding_bytes: the token embedding among them, which stays in host memory
        when all layers are on a GPU (0 if the model uses it as its output matrix too).
    """

    layers: int
    attention_layers: int
    embedding: int
    feed_forward: int
    vocabulary: int
    context: int
    kv_elements: int
    recurrent_bytes: int
    weight_bytes: int
    embedding_bytes: int


def shape_of(keys: Mapping[str, Any], weight_bytes: int, embedding_bytes: int) -> Shape:
    """The shape that GGUF keys describe; `keys` are without the architecture's prefix.

    Layers that attend: those with key-value heads where the file lists them a layer; every
    `full_attention_interval`-th where it names an interval; else all. Recurrent state a sequence:
    layers × 4 B × ((conv_kernel − 1) × (inner_size + 2 × group_count × state_size) + state_size ×
    inner_size), as llama.cpp allocates it for gated delta nets and Mamba 2.
    Raises KeyError or TypeError if a key that is needed is missing or has another type.
    """
    layers = _integer(keys, "block_count")
    embedding = _integer(keys, "embedding_length")
    heads = _per_layer(keys["attention.head_count"], layers)
    kv_heads = _per_layer(keys.get("attention.head_count_kv", keys["attention.head_count"]), layers)
    interval = keys.get("full_attention_interval")
    if interval:
        kv_heads = [n if (layer + 1) % interval == 0 else 0 for layer, n in enumerate(kv_heads)]
    attending = sum(1 for n in kv_heads if n)
    head_size = embedding // max(1, max(heads))
    key_size = int(keys.get("attention.key_length", head_size))
    value_size = int(keys.get("attention.value_length", head_size))
    recurrent = 0
    if "ssm.state_size" in keys and attending < layers:
        kernel, inner = _integer(keys, "ssm.conv_kernel"), _integer(keys, "ssm.inner_size")
        state, groups = _integer(keys, "ssm.state_size"), int(keys.get("ssm.group_count", 0))
        recurrent = (layers - attending) * 4 * ((kernel - 1) * (inner + 2 * groups * state) + state * inner)
    return Shape(
        layers=layers,
        attention_layers=attending,
        embedding=embedding,
        feed_forward=max(_per_layer(keys.get("feed_forward_length", 0), layers)),
        vocabulary=_integer(keys, "vocabulary"),
        context=_integer(keys, "context_length"),
        kv_elements=sum(kv_heads) * (key_size + value_size),
        recurrent_bytes=recurrent,
        weight_bytes=weight_bytes,
        embedding_bytes=embedding_bytes,
    )


def _integer(keys: Mapping[str, Any], name: str) -> int:
    value = keys[name]
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} is {value!r}, not a whole number")
    return value


def _per_layer(value: Any, layers: int) -> list[int]:
    """One number for all layers, or one a layer, as a list of one a layer."""
    if isinstance(value, int) and not isinstance(value, bool):
        return [value] * layers
    if isinstance(value, tuple | list) and len(value) == layers:
        return [int(item) for item in value]
    raise TypeError(f"{value!r} is neither a number nor {layers} numbers")
