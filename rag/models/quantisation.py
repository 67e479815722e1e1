"""The formats in which GGUF files store weights: id, name, weights a block, bytes a block.

Ids up to 42 are those of ggml; 142 and 143 exist in PrismML's llama.cpp only. Ids of formats that were
withdrawn (4, 5, 31-33, 36-38) are missing on purpose: files that use them cannot be run.
"""

from __future__ import annotations

from typing import NamedTuple


class Quantisation(NamedTuple):
    name: str
    block: int
    block_bytes: int

    def size(self, weights: int) -> int:
        """Bytes of that many weights; whole blocks only (callers check divisibility)."""
        return weights // self.block * self.block_bytes


Q2_0 = 42
Q2_0_OLD_BLOCK = Quantisation("q2_0 (group 128)", 128, 34)
"""What files from before the official format stored under id 42."""

PRISM_TYPES = frozenset({142, 143})

KNOWN: dict[int, Quantisation] = {
    0: Quantisation("f32", 1, 4),
    1: Quantisation("f16", 1, 2),
    2: Quantisation("q4_0", 32, 18),
    3: Quantisation("q4_1", 32, 20),
    6: Quantisation("q5_0", 32, 22),
    7: Quantisation("q5_1", 32, 24),
    8: Quantisation("q8_0", 32, 34),
    9: Quantisation("q8_1", 32, 36),
    10: Quantisation("q2_K", 256, 84),
    11: Quantisation("q3_K", 256, 110),
    12: Quantisation("q4_K", 256, 144),
    13: Quantisation("q5_K", 256, 176),
    14: Quantisation("q6_K", 256, 210),
    15: Quantisation("q8_K", 256, 292),
    16: Quantisation("iq2_xxs", 256, 66),
    17: Quantisation("iq2_xs", 256, 74),
    18: Quantisation("iq3_xxs", 256, 98),
    19: Quantisation("iq1_s", 256, 50),
    20: Quantisation("iq4_nl", 32, 18),
    21: Quantisation("iq3_s", 256, 110),
    22: Quantisation("iq2_s", 256, 82),
    23: Quantisation("iq4_xs", 256, 136),
    24: Quantisation("i8", 1, 1),
    25: Quantisation("i16", 1, 2),
    26: Quantisation("i32", 1, 4),
    27: Quantisation("i64", 1, 8),
    28: Quantisation("f64", 1, 8),
    29: Quantisation("iq1_m", 256, 56),
    30: Quantisation("bf16", 1, 2),
    34: Quantisation("tq1_0", 256, 54),
    35: Quantisation("tq2_0", 256, 66),
    39: Quantisation("mxfp4", 32, 17),
    40: Quantisation("nvfp4", 64, 36),
    41: Quantisation("q1_0", 128, 18),
    Q2_0: Quantisation("q2_0", 64, 18),
    142: Quantisation("pq2_0", 128, 34),
    143: Quantisation("ptq1_0", 128, 28),
}
