"""The packaged models on the CPU: what their vectors are worth, and that they never depend on company."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from rag import embedding
from rag.embedding.onnx_cpu import OnnxEmbedder
from rag.embedding.protocol import Embedder
from rag.errors import EmbeddingError
from rag.settings import EmbeddingSettings, Settings

PASSAGES = [
    "员工每年享有十天带薪年假，入职未满一年的按月折算。",
    "发票须在付款后三十日内提交财务部，逾期不予报销。",
    "冷却水泵每运行五百小时须检修一次，并同时更换滤芯。",
    "The warranty of the pump ends two years after delivery, or after 4,000 hours of operation.",
    "Visitors register at the front desk and are accompanied by a member of staff at all times.",
    "The auditors found that revenue grew by 12 percent in 2023, mostly in Southeast Asia.",
]
QUESTIONS = [
    "一年可以休几天年假？",
    "报销发票最晚什么时候交？",
    "水泵多久检修一次？",
    "How long is the guarantee on the pump?",
    "What must guests do when they arrive?",
    "How much did sales increase in 2023?",
]


def english() -> Embedder:
    return embedding.load(Settings(embedding=EmbeddingSettings(model="english", device="cpu")))


def test_the_right_passage_comes_first_in_both_languages(embedder: Embedder) -> None:
    scores = embedder.embed_queries(QUESTIONS) @ embedder.embed_passages(PASSAGES).T
    assert scores.argmax(axis=1).tolist() == list(range(len(PASSAGES)))


def test_the_english_model_finds_the_english_ones() -> None:
    model = english()
    scores = model.embed_queries(QUESTIONS[3:]) @ model.embed_passages(PASSAGES).T
    assert scores.argmax(axis=1).tolist() == [3, 4, 5]
    model.close()


def test_rows_are_unit_vectors_in_the_order_of_the_texts(embedder: Embedder) -> None:
    texts = ["short", "a much longer text " * 20, "中", *PASSAGES]
    vectors = embedder.embed_passages(texts)
    assert vectors.shape == (len(texts), embedder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for index, text in enumerate(texts):
        np.testing.assert_allclose(embedder.embed_passages([text])[0], vectors[index], atol=1e-6)


def test_a_text_has_the_same_vector_in_any_company(embedder: Embedder) -> None:
    alone = embedder.embed_passages([PASSAGES[0]])[0]
    rng = np.random.default_rng(7)
    for _ in range(5):
        others = ["x" * int(n) for n in rng.integers(1, 400, size=5)]
        place = int(rng.integers(0, 6))
        together = embedder.embed_passages([*others[:place], PASSAGES[0], *others[place:]])[place]
        assert float(np.abs(alone - together).max()) < 1e-6


def test_questions_and_passages_carry_different_prefixes(embedder: Embedder) -> None:
    query, passage = embedder.embed_queries(PASSAGES), embedder.embed_passages(PASSAGES)
    assert float((query * passage).sum(axis=1).max()) < 0.999


def test_max_tokens_is_what_fits_and_nothing_is_cut(embedder: Embedder) -> None:
    text = "a " * embedder.max_tokens
    assert len(embedder.token_offsets(text.strip())) == embedder.max_tokens
    # A passage may be that long; its last word takes part in the vector.
    changed = text.removesuffix("a ") + "b "
    one, other = embedder.embed_passages([text.strip(), changed.strip()])
    assert float(np.abs(one - other).max()) > 1e-4
    with pytest.raises(EmbeddingError, match="does not fit"):
        embedder.embed_passages(["fine", text + "a"])


def test_the_english_model_takes_256_tokens_less_the_special_ones() -> None:
    model = english()
    assert model.max_tokens == 254
    assert model.dimension == 384
    model.close()


def test_no_texts_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed_passages([]).shape == (0, embedder.dimension)
    assert embedder.embed_queries([]).shape == (0, embedder.dimension)


def test_awkward_texts_have_vectors_too(embedder: Embedder) -> None:
    vectors = embedder.embed_passages(["", " ", "\x00", "\ud83d", "👨‍👩‍👧", "a\u0301" * 100])
    assert np.isfinite(vectors).all()


def test_progress_counts_every_text_once(embedder: Embedder) -> None:
    told: list[int] = []
    embedder.embed_passages(PASSAGES, told.append)
    embedder.embed_passages(PASSAGES[:1], told.append)
    assert sum(told) == len(PASSAGES) + 1


def test_threads_may_share_it(embedder: Embedder) -> None:
    expected = embedder.embed_passages(PASSAGES)
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(lambda _: embedder.embed_passages(PASSAGES), range(8)):
            np.testing.assert_allclose(vectors, expected, atol=1e-6)


def test_an_error_in_the_middle_leaves_it_usable(embedder: Embedder) -> None:
    class Told(Exception):
        pass

    def stop(_: int) -> None:
        raise Told

    with pytest.raises(Told):
        embedder.embed_passages(PASSAGES, stop)
    assert embedder.embed_passages(PASSAGES[:2]).shape == (2, embedder.dimension)


def test_the_id_names_model_and_content_and_is_stable(embedder: Embedder) -> None:
    again = OnnxEmbedder(Settings().packaged_models_dir / "multilingual-e5-small", threads=1)
    assert embedder.id == again.id
    name, digest = embedder.id.split("@")
    assert name == "multilingual-e5-small-int8"
    assert len(digest) == 12
    again.close()
    model = english()
    assert model.id.startswith("all-MiniLM-L6-v2-int8@")
    model.close()


def test_after_close_it_says_so() -> None:
    model = english()
    model.close()
    with pytest.raises(EmbeddingError, match="closed"):
        model.embed_queries(["hello"])


def test_a_folder_that_set_up_did_not_make(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match=r"python -m rag\.embedding"):
        OnnxEmbedder(tmp_path, threads=1)


def test_a_question_needs_neither_torch_nor_a_network(tmp_path: Path) -> None:
    """In a fresh process with every socket refused: load, embed, and look what was imported."""
    program = """
import socket, sys
def refuse(*_): raise RuntimeError("network")
socket.socket.connect = socket.getaddrinfo = socket.create_connection = refuse
from rag import embedding, settings
model = embedding.load(settings.load())
print(model.embed_queries(["什么时候到期？"]).shape)
print([name for name in ("torch", "transformers", "chromadb") if name in sys.modules])
"""
    environment = {"RAG_HOME": str(tmp_path), "RAG_EMBEDDING_DEVICE": "cpu", "PYTHONPATH": "."}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["(1, 384)", "[]"]
