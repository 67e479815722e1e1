"""A cross-encoder of random weights, made here: it tries the way of a reranker, not its worth."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.embedding.protocol import Embedder
from rag.errors import EmbeddingError
from rag.library import Library
from rag.retrieval import search
from rag.retrieval.reranking import Reranker, reranker_of
from rag.settings import Settings

QUESTION = "How many days of annual leave do employees receive?"


def made(folder: Path, labels: int) -> Path:
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz"]
    (folder / "vocab.txt").write_text("\n".join([*words, *(f"##{word}" for word in words[5:])]))
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=57,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        num_labels=labels,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("rerankers") / "tiny", 1)


def using(settings: Settings, model: str, rerank: int = 32) -> Settings:
    retrieval = settings.retrieval.model_copy(update={"reranker": model, "rerank": rerank})
    return settings.model_copy(update={"retrieval": retrieval})


def test_none_is_used_unless_one_is_named(settings: Settings) -> None:
    assert reranker_of(settings) is None


def test_it_orders_the_passages_that_were_found(
    tiny: Path, papers_settings: Settings, embedder: Embedder
) -> None:
    settings = using(papers_settings, str(tiny))
    library = Library.open(papers_settings)
    try:
        plain = search(library, embedder, QUESTION, ["default"], limit=40, settings=papers_settings)
        found = search(library, embedder, QUESTION, ["default"], limit=40, settings=settings)
        few = search(library, embedder, QUESTION, ["default"], limit=2, settings=settings)
        half = search(
            library, embedder, QUESTION, ["default"], limit=40, settings=using(settings, str(tiny), 2)
        )
    finally:
        library.close()
    assert {p.chunk.id for p in found} == {p.chunk.id for p in plain}
    judged = [p.scores["reranker"] for p in found if "reranker" in p.scores]
    assert judged == sorted(judged, reverse=True)
    assert len(set(judged)) > 1
    assert all([p.score for p in ps] == sorted((p.score for p in ps), reverse=True) for ps in (found, half))
    assert [p.chunk.id for p in few] == [p.chunk.id for p in found][:2]
    # Only the two best were judged; the others stay in their order behind them.
    assert [p.chunk.id for p in half][2:] == [p.chunk.id for p in plain][2:]
    assert all("reranker" not in p.scores for p in half[2:])


def test_it_is_loaded_once(tiny: Path, settings: Settings) -> None:
    named = using(settings, str(tiny))
    first = reranker_of(named)
    assert isinstance(first, Reranker)
    assert reranker_of(named) is first
    assert first.scores("a", []) == []


def test_a_model_that_is_not_there_is_named(settings: Settings) -> None:
    with pytest.raises(EmbeddingError, match="nobody/nothing"):
        reranker_of(using(settings, "nobody/nothing"))


def test_a_model_that_is_no_ranker_is_refused(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="3 scores"):
        reranker_of(using(settings, str(made(tmp_path / "classifier", 3))))


def test_a_folder_without_a_model_is_refused(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="cross-encoder"):
        reranker_of(using(settings, str(tmp_path)))
