"""Memory predicted from shapes, against the measured figures of the 27B."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.errors import UsageError
from rag.models.catalogue import entries
from rag.models.ledger import BYTES_PER_ELEMENT, MIB, Kv, largest_context, memory_mib, predict
from rag.models.shape import Shape, shape_of

HEADER = entries()["bonsai-27b"].header
TENSOR_BYTES = int(7262.123 * MIB)
EMBEDDING_BYTES = 248_320 * 5120 // 64 * 18
BIG = shape_of(HEADER, TENSOR_BYTES, EMBEDDING_BYTES)


def plain(**changes: int) -> Shape:
    keys = {
        "block_count": 28,
        "embedding_length": 1024,
        "feed_forward_length": 3072,
        "attention.head_count": 16,
        "attention.head_count_kv": 8,
        "context_length": 40_960,
        "vocabulary": 151_936,
        **changes,
    }
    return shape_of(keys, 600 * MIB, 100 * MIB)


@pytest.mark.parametrize(("kv", "kib"), [("f16", 64), ("q8_0", 34), ("q4_0", 18)])
def test_cache_bytes_a_token_of_the_27b(kv: str, kib: int) -> None:
    assert BIG.kv_elements * BYTES_PER_ELEMENT[kv] == kib * 1024


def test_only_every_fourth_layer_attends_and_the_others_keep_a_state() -> None:
    assert (BIG.layers, BIG.attention_layers) == (64, 16)
    assert BIG.recurrent_bytes / MIB == pytest.approx(149.62, abs=0.01)
    assert plain().recurrent_bytes == 0
    assert plain().attention_layers == 28


@pytest.mark.parametrize(
    ("context", "kv", "ubatch", "sequences", "measured"),
    [
        # Fitted to (H200, the context filled; all 24 of them are in docs/model-on-a-4090.md).
        (8192, "f16", 512, 1, 8431),
        (16_384, "q4_0", 512, 1, 8237),
        (32_768, "q8_0", 512, 1, 9117),
        (32_768, "q8_0", 2048, 1, 9515),
        (65_536, "f16", 2048, 1, 12_651),
        (65_536, "q8_0", 2048, 1, 10_819),
        # Predicted before they were measured.
        (12_288, "q8_0", 1024, 1, 8475),
        (24_576, "f16", 1024, 1, 9627),
        (12_288, "q8_0", 512, 2, 8943),
    ],
)
def test_totals_measured_on_a_gpu(context: int, kv: Kv, ubatch: int, sequences: int, measured: int) -> None:
    ledger = predict(BIG, context=context, kv=kv, ubatch=ubatch, device="gpu", sequences=sequences)
    assert ledger.total_mib == pytest.approx(measured, rel=0.001)


def test_weights_and_cache_follow_from_the_file() -> None:
    ledger = predict(BIG, context=32_768, kv="q8_0", ubatch=512, device="gpu")
    assert ledger.kv_mib == 1088
    assert ledger.weights_mib == pytest.approx(6921.1, abs=0.1)


def test_all_layers_attend_where_the_file_names_no_interval() -> None:
    listed = dict(HEADER) | {"full_attention_interval": 0}
    assert shape_of(listed, 0, 0).attention_layers == 64
    by_layer = dict(HEADER) | {"full_attention_interval": 0, "attention.head_count_kv": (0, 0, 0, 4) * 16}
    assert shape_of(by_layer, 0, 0) == shape_of(HEADER, 0, 0)


def test_a_header_without_its_sizes_is_an_error() -> None:
    for key in ("block_count", "embedding_length", "attention.head_count", "context_length"):
        with pytest.raises(KeyError):
            shape_of({k: v for k, v in HEADER.items() if k != key}, 0, 0)
    with pytest.raises(TypeError):
        shape_of(dict(HEADER) | {"block_count": "many"}, 0, 0)
    with pytest.raises(TypeError):
        shape_of(dict(HEADER) | {"attention.head_count_kv": (1, 2)}, 0, 0)


@settings(max_examples=80, deadline=None)
@given(
    memory=st.integers(1, 40_000),
    kv=st.sampled_from(["f16", "q8_0", "q4_0"]),
    ubatch=st.sampled_from([32, 512, 2048]),
    big=st.booleans(),
)
def test_the_largest_context_fits_and_the_next_one_does_not(
    memory: int, kv: Kv, ubatch: int, big: bool
) -> None:
    shape = BIG if big else plain()
    context = largest_context(shape, memory_mib=memory, kv=kv, ubatch=ubatch, device="gpu")

    def total(tokens: int) -> float:
        return predict(shape, context=tokens, kv=kv, ubatch=ubatch, device="gpu").total_mib

    assert context % 256 == 0
    assert context <= shape.context
    if context:
        assert total(context) <= memory
    if context + 256 <= shape.context:
        assert total(context + 256) > memory


def test_more_sequences_cost_cache_and_state_each_and_the_context_is_not_stretched() -> None:
    one, two = (predict(BIG, context=8192, kv="f16", ubatch=512, device="gpu", sequences=n) for n in (1, 2))
    logits = 4 * 248_320 / MIB
    assert two.total_mib - one.total_mib == pytest.approx(149.625 + 512 + logits)
    assert predict(BIG, context=10**9, kv="f16", ubatch=512, device="gpu").context == 262_144


@pytest.mark.parametrize(
    ("text", "mib"),
    [("24GiB", 24576), ("24 GB", 24576), ("24g", 24576), ("9300MiB", 9300), ("9300", 9300), ("1.5GiB", 1536)],
)
def test_amounts_of_memory(text: str, mib: float) -> None:
    assert memory_mib(text) == mib


@pytest.mark.parametrize("text", ["", "many", "-3GiB", "0", "GiB", "12 apples", "nan"])
def test_what_is_no_amount(text: str) -> None:
    with pytest.raises(UsageError):
        memory_mib(text)
