"""sentence-transformers as the embedder, and the int8 export measured against it."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag import embedding
from rag.embedding.protocol import Embedder
from rag.embedding.sentence import SentenceEmbedder, batches, deciding_files, locate, pull
from rag.errors import EmbeddingError
from rag.settings import EmbeddingSettings, Settings

TEXTS = [
    "员工每年享有十天带薪年假，入职未满一年的按月折算。",
    "The warranty of the pump ends two years after delivery, or after 4,000 hours of operation.",
    "３～5天内 ﬁnish 25 ㎏",
    "Short.",
    "第一章 总则。" * 60,
]


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedder]:
    """The packaged multilingual folder, run by sentence-transformers in fp32."""
    folder = Settings().packaged_models_dir / "multilingual-e5-small"
    chosen = EmbeddingSettings(model=str(folder), device="cpu", batch_tokens=512)
    loaded = embedding.load(Settings(home=tmp_path_factory.mktemp("home"), embedding=chosen))
    assert isinstance(loaded, SentenceEmbedder)
    yield loaded
    loaded.close()


def test_the_int8_export_stays_close_to_fp32(embedder: Embedder, full: Embedder) -> None:
    passages = (embedder.embed_passages(TEXTS) * full.embed_passages(TEXTS)).sum(axis=1)
    queries = (embedder.embed_queries(TEXTS[:4]) * full.embed_queries(TEXTS[:4])).sum(axis=1)
    assert float(min(passages.min(), queries.min())) >= 0.99


def test_both_agree_on_tokens_and_limits(embedder: Embedder, full: Embedder) -> None:
    assert full.max_tokens == embedder.max_tokens
    assert full.dimension == embedder.dimension
    for text in TEXTS:
        assert full.token_offsets(text) == embedder.token_offsets(text)


def test_vectors_of_different_runtimes_have_different_ids(embedder: Embedder, full: Embedder) -> None:
    assert full.id != embedder.id
    assert full.id.startswith("multilingual-e5-small@")


def test_prompts_come_from_the_model(full: Embedder) -> None:
    same = (full.embed_queries(TEXTS[:2]) * full.embed_passages(TEXTS[:2])).sum(axis=1)
    assert float(same.max()) < 0.999


def test_order_progress_and_limit(full: Embedder) -> None:
    told: list[int] = []
    vectors = full.embed_passages(TEXTS, told.append)
    assert sum(told) == len(TEXTS)
    for index, text in enumerate(TEXTS):
        np.testing.assert_allclose(full.embed_passages([text])[0], vectors[index], atol=1e-5)
    with pytest.raises(EmbeddingError, match="does not fit"):
        full.embed_passages(["a " * 600])


@given(st.lists(st.integers(1, 600), max_size=50), st.integers(64, 2048))
def test_batches_hold_every_text_once_and_stay_within_the_limit(lengths: list[int], limit: int) -> None:
    groups = list(batches(lengths, limit))
    assert sorted(index for group in groups for index in group) == list(range(len(lengths)))
    for group in groups:
        assert len(group) == 1 or len(group) * max(lengths[index] for index in group) <= limit


def test_a_model_that_is_not_there_says_how_to_get_it(tmp_path: Path) -> None:
    chosen = EmbeddingSettings(model="nobody/no-such-model", device="cpu")
    with pytest.raises(EmbeddingError, match=r"--pull nobody/no-such-model"):
        embedding.load(Settings(home=tmp_path, embedding=chosen))
    with pytest.raises(EmbeddingError, match="neither a folder"):
        locate("no such name!", tmp_path)


def test_a_pulled_model_is_found_under_its_hub_id(tmp_path: Path) -> None:
    (tmp_path / "owner--name").mkdir()
    assert locate("owner/name", tmp_path) == tmp_path / "owner--name"


def test_a_download_that_cannot_be_made_leaves_no_model(tmp_path: Path) -> None:
    """The tests' environment forbids the hub's client every request."""
    with pytest.raises(EmbeddingError, match=r"'owner/name' could not be downloaded"):
        pull("owner/name", tmp_path)
    with pytest.raises(EmbeddingError, match="could not be downloaded"):
        pull("no such name!", tmp_path)
    assert not (tmp_path / "owner--name").exists()
    (tmp_path / "owner--name").mkdir()
    with pytest.raises(EmbeddingError, match="already there"):
        pull("owner/name", tmp_path)


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    chosen = EmbeddingSettings(model=str(tmp_path), device="cpu")
    with pytest.raises(EmbeddingError, match="could not be loaded"):
        embedding.load(Settings(home=tmp_path / "home", embedding=chosen))


def test_the_files_that_decide_the_vectors(tmp_path: Path) -> None:
    for name in ("model.safetensors", "pytorch_model.bin", "config.json", "README.md", "onnx/model.onnx"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "onnx/config.json").write_text("x")
    (tmp_path / "hashes.json").write_text("x")
    assert sorted(deciding_files(tmp_path)) == ["config.json", "model.safetensors"]


def test_a_gpu_that_is_not_there_is_an_error_only_when_asked_for(tmp_path: Path) -> None:
    import torch

    chosen = EmbeddingSettings(model="english", device="cuda")
    if torch.cuda.is_available():
        assert isinstance(embedding.load(Settings(home=tmp_path, embedding=chosen)), SentenceEmbedder)
    else:
        with pytest.raises(EmbeddingError, match="torch does not see one"):
            embedding.load(Settings(home=tmp_path, embedding=chosen))


def test_a_closed_model_gives_its_memory_back_at_once(tmp_path: Path) -> None:
    folder = Settings().packaged_models_dir / "all-MiniLM-L6-v2"
    loaded = SentenceEmbedder(folder, name="small", device="cpu", batch_tokens=0, threads=1, hashes=tmp_path)
    loaded.embed_passages(["one text"])
    weights = weakref.ref(next(loaded._model.parameters()))
    loaded.close()
    assert weights() is None
    with pytest.raises(EmbeddingError, match="closed"):
        loaded.embed_passages(["another"])
