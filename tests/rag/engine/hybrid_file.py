"""A tiny hybrid model (qwen35: three gated delta nets and one layer that attends) with random weights.

Its vocabulary is the 256 bytes and a few control words, so it answers any text with nonsense, and differently
for different prompts: what is needed to see whether kept state is the right one.
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from tests.rag.models.gguf_files import padded, pair, string

EMBEDDING, FEED_FORWARD, HEADS, KV_HEADS, HEAD, INTERVAL, LAYERS = 64, 128, 2, 1, 32, 4, 4
STATE, GROUPS, RANK, KERNEL = 16, 2, 4, 4
INNER = STATE * RANK
TEMPLATE = (
    "{%- for m in messages %}{{- '<|im_start|>' + m.role + '\\n' }}"
    "{{- m.content + '<|im_end|>\\n' }}{%- endfor %}"
    "{{- '<|im_start|>assistant\\n' }}"
    "{%- if enable_thinking %}{{- '<think>\\n' }}{%- else %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}"
)
WORDS = ["<|im_start|>", "<|im_end|>", "<think>", "</think>"]
F32 = 0


def byte_letters() -> list[str]:
    """How the byte-level vocabulary of GPT-2 writes the 256 bytes."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    other = iter(range(256, 512))
    return [chr(byte) if byte in plain else chr(next(other)) for byte in range(256)]


def integers(key: str, values: list[int]) -> bytes:
    return string(key) + struct.pack("<IIQ", 9, 5, len(values)) + struct.pack(f"<{len(values)}i", *values)


def shapes(vocabulary: int) -> list[tuple[str, tuple[int, ...]]]:
    convolution = 2 * STATE * GROUPS + INNER
    found: list[tuple[str, tuple[int, ...]]] = [
        ("token_embd.weight", (EMBEDDING, vocabulary)),
        ("output_norm.weight", (EMBEDDING,)),
        ("output.weight", (EMBEDDING, vocabulary)),
    ]
    for layer in range(LAYERS):
        names: list[tuple[str, tuple[int, ...]]] = [
            ("attn_norm.weight", (EMBEDDING,)),
            ("post_attention_norm.weight", (EMBEDDING,)),
            ("ffn_gate.weight", (EMBEDDING, FEED_FORWARD)),
            ("ffn_up.weight", (EMBEDDING, FEED_FORWARD)),
            ("ffn_down.weight", (FEED_FORWARD, EMBEDDING)),
        ]
        if (layer + 1) % INTERVAL == 0:
            names += [
                ("attn_q.weight", (EMBEDDING, 2 * HEAD * HEADS)),
                ("attn_k.weight", (EMBEDDING, HEAD * KV_HEADS)),
                ("attn_v.weight", (EMBEDDING, HEAD * KV_HEADS)),
                ("attn_output.weight", (HEAD * HEADS, EMBEDDING)),
                ("attn_q_norm.weight", (HEAD,)),
                ("attn_k_norm.weight", (HEAD,)),
            ]
        else:
            names += [
                ("attn_qkv.weight", (EMBEDDING, convolution)),
                ("attn_gate.weight", (EMBEDDING, INNER)),
                ("ssm_conv1d.weight", (KERNEL, convolution)),
                ("ssm_dt.bias", (RANK,)),
                ("ssm_a", (RANK,)),
                ("ssm_beta.weight", (EMBEDDING, RANK)),
                ("ssm_alpha.weight", (EMBEDDING, RANK)),
                ("ssm_norm.weight", (STATE,)),
                ("ssm_out.weight", (INNER, EMBEDDING)),
            ]
        found += [(f"blk.{layer}.{name}", shape) for name, shape in names]
    return found


def write(path: Path, seed: int = 1) -> Path:
    tokens = [*byte_letters(), *WORDS]
    kinds = [1] * 256 + [3, 3, 4, 4]
    arch = "qwen35"
    values: dict[str, object] = {
        "general.architecture": arch,
        "general.name": "tiny hybrid",
        f"{arch}.block_count": LAYERS,
        f"{arch}.context_length": 4096,
        f"{arch}.embedding_length": EMBEDDING,
        f"{arch}.feed_forward_length": FEED_FORWARD,
        f"{arch}.attention.head_count": HEADS,
        f"{arch}.attention.head_count_kv": KV_HEADS,
        f"{arch}.attention.key_length": HEAD,
        f"{arch}.attention.value_length": HEAD,
        f"{arch}.attention.layer_norm_rms_epsilon": 1e-6,
        f"{arch}.full_attention_interval": INTERVAL,
        f"{arch}.rope.dimension_count": 16,
        f"{arch}.rope.freq_base": 10000.0,
        f"{arch}.ssm.conv_kernel": KERNEL,
        f"{arch}.ssm.state_size": STATE,
        f"{arch}.ssm.group_count": GROUPS,
        f"{arch}.ssm.time_step_rank": RANK,
        f"{arch}.ssm.inner_size": INNER,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.merges": ["Ġ Ġ"],
        "tokenizer.ggml.eos_token_id": 257,
        "tokenizer.ggml.add_bos_token": False,
        "tokenizer.chat_template": TEMPLATE,
    }
    pairs = [pair(key, value) for key, value in values.items()]
    pairs.append(integers("tokenizer.ggml.token_type", kinds))
    pairs.append(integers(f"{arch}.rope.dimension_sections", [3, 3, 2, 0]))
    rng = np.random.default_rng(seed)
    listed, data, offset = b"", b"", 0
    wanted = shapes(len(tokens))
    for name, shape in wanted:
        weights = tensor(name, shape, rng).astype("<f4").tobytes()
        listed += string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, F32, offset)
        data += weights + b"\0" * (padded(len(weights)) - len(weights))
        offset += padded(len(weights))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(wanted), len(pairs)) + b"".join(pairs) + listed
    path.write_bytes(head + b"\0" * (padded(len(head)) - len(head)) + data)
    return path


def tensor(name: str, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    if "norm" in name:
        return np.ones(shape[::-1])
    if name.endswith("ssm_a"):
        return -rng.uniform(0.05, 1.0, shape)
    if name.endswith("dt.bias"):
        return rng.uniform(-4, -1, shape)
    scale = 3.0 if name == "output.weight" else 1.0
    return rng.normal(0, scale / np.sqrt(shape[0]), shape[::-1])
