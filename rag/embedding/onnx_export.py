"""sentence-transformers folder → ONNX with int8 weights. Imports torch: run at set-up only."""

from __future__ import annotations

import logging
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag.errors import EmbeddingError

OPSET = 17
LEAST_COSINE = 0.98

PROBE = (
    "query: How much paid leave does a new employee get?",
    "passage: 新员工入职满一年后，每年享有十天带薪年假；未满一年的按月折算。",
    "passage: The pump is serviced every 500 hours; filters are changed at the same time.",
    "合同",
)


def export_int8(folder: Path, target: Path, say: Callable[[str], None]) -> None:
    """Writes `target`: inputs input_ids and attention_mask (i64 [n, tokens]), output the token states.

    The weights are int8 for each output channel and in 7 bits (`reduce_range`): the defaults overflow
    on CPUs without VNNI instructions. Raises EmbeddingError when the result strays from the original.
    """
    import onnxruntime
    import torch
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from transformers import AutoModel

    from rag.embedding.loading import quietly

    with quietly(folder):
        model = AutoModel.from_pretrained(
            folder, local_files_only=True, attn_implementation="eager", add_pooling_layer=False
        ).eval()

    class States(torch.nn.Module):
        """Fixes the order of the inputs and takes the one output that pooling needs."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            return self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state

    states = States().eval()
    # Two rows of different length, so that the mask takes part in the trace.
    ids = torch.arange(5, 23).reshape(2, 9)
    mask = torch.ones_like(ids)
    mask[0, 6:] = 0
    names = ["input_ids", "attention_mask"]
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracer and the exporter's age
        plain, small = Path(scratch) / "plain.onnx", Path(scratch) / "small.onnx"
        say("exporting to ONNX")
        with torch.no_grad():
            torch.onnx.export(
                states,
                (ids, mask),
                str(plain),
                input_names=names,
                output_names=["states"],
                dynamic_axes={name: {0: "texts", 1: "tokens"} for name in (*names, "states")},
                opset_version=OPSET,
                dynamo=False,
            )
        say("quantising to int8")
        level = logging.root.level
        logging.root.setLevel(logging.ERROR)
        try:
            quantize_dynamic(plain, small, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)
        finally:
            logging.root.setLevel(level)
        # Rewritten once here rather than at every start; this level does not depend on the processor.
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        options.optimized_model_filepath = str(target)
        options.log_severity_level = 3
        onnxruntime.InferenceSession(str(small), options, providers=["CPUExecutionProvider"])
    say("comparing with the original")
    session = onnxruntime.InferenceSession(str(target), providers=["CPUExecutionProvider"])
    for row in _probe_ids(folder):
        with torch.no_grad():
            expected = states(torch.from_numpy(row), torch.ones(row.shape, dtype=torch.int64)).numpy()
        got = session.run(None, {"input_ids": row, "attention_mask": np.ones_like(row)})[0]
        cosine = _cosine(expected[0].mean(axis=0), got[0].mean(axis=0))
        if cosine < LEAST_COSINE:
            raise EmbeddingError(
                f"The int8 export of {folder.name} strays from the original (cosine {cosine:.3f}).",
                fix="Install the pinned onnxruntime and torch, and run it again.",
            )


def _probe_ids(folder: Path) -> list[NDArray[np.int64]]:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    return [np.array([tokenizer.encode(text).ids], np.int64) for text in PROBE]


def _cosine(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))
