"""The pipelines of LangChain and LlamaIndex as their own guides write them, each in a process of its own.

Run by `benchmarks.peers` with the Python of a throw-away environment; see there. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rag.cpus import usable_cpus
from rag.embedding.onnx_cpu import OnnxEmbedder

CHUNK_CHARACTERS, OVERLAP_CHARACTERS = 1000, 200
"""Of LangChain's guides."""
CHUNK_TOKENS, OVERLAP_TOKENS = 448, 50
"""LlamaIndex's defaults of 1,024 and 200 would be cut off by a model that takes 512 tokens."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peer_pipelines")
    parser.add_argument("pipeline", choices=sorted(_PIPELINES))
    parser.add_argument("folder", type=Path)
    parser.add_argument("model", type=Path, help="folder of the model for sentence-transformers")
    parser.add_argument("store", type=Path)
    parser.add_argument("--same-engine", action="store_true", help="embed with this project's embedder")
    arguments = parser.parse_args()
    out, sys.stdout = sys.stdout, sys.stderr  # what the libraries say is no result
    figures = _PIPELINES[arguments.pipeline](
        arguments.folder, arguments.model, arguments.store, arguments.same_engine
    )
    print(json.dumps(figures), file=out)
    return 0


def langchain(folder: Path, model: Path, store: Path, same_engine: bool) -> dict[str, Any]:
    """DirectoryLoader by kind of file, RecursiveCharacterTextSplitter, HuggingFaceEmbeddings, Chroma."""
    from langchain_chroma import Chroma
    from langchain_community.document_loaders import BSHTMLLoader, DirectoryLoader, Docx2txtLoader, TextLoader
    from langchain_core.embeddings import Embeddings
    from langchain_huggingface import HuggingFaceEmbeddings
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    class Same(Embeddings):
        def __init__(self) -> None:
            self._embedder = _engine(model)

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [list(map(float, row)) for row in _in_parts(self._embedder, texts)]

        def embed_query(self, text: str) -> list[float]:
            return list(map(float, self._embedder.embed_queries([text])[0]))

    begin = time.monotonic()
    embeddings = Same() if same_engine else HuggingFaceEmbeddings(model_name=str(model))
    loaded = time.monotonic()
    documents: list[Any] = []
    for pattern, loader, options in (
        ("**/*.txt", TextLoader, {"encoding": "utf-8"}),
        ("**/*.md", TextLoader, {"encoding": "utf-8"}),
        ("**/*.html", BSHTMLLoader, {"open_encoding": "utf-8", "bs_kwargs": {"features": "html.parser"}}),
        ("**/*.docx", Docx2txtLoader, {}),
    ):
        found = DirectoryLoader(
            str(folder), glob=pattern, loader_cls=loader, loader_kwargs=options, silent_errors=True
        )
        documents += found.load()
    splitter = RecursiveCharacterTextSplitter(chunk_size=CHUNK_CHARACTERS, chunk_overlap=OVERLAP_CHARACTERS)
    chunks = splitter.split_documents(documents)
    read = time.monotonic()
    # The library hands Chroma everything at once, which Chroma refuses above 5,461.
    database = Chroma(embedding_function=embeddings, persist_directory=str(store))
    for first in range(0, len(chunks), 5000):
        database.add_documents(chunks[first : first + 5000])
    return _figures(
        begin,
        loaded,
        read,
        documents=len(documents),
        chunks=len(chunks),
        characters=sum(len(chunk.page_content) for chunk in chunks),
    )


def llamaindex(folder: Path, model: Path, store: Path, same_engine: bool) -> dict[str, Any]:
    """SimpleDirectoryReader, SentenceSplitter, HuggingFaceEmbedding, ChromaVectorStore."""
    import chromadb
    from llama_index.core import Settings, SimpleDirectoryReader, StorageContext, VectorStoreIndex
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.embeddings.huggingface import HuggingFaceEmbedding
    from llama_index.vector_stores.chroma import ChromaVectorStore
    from tokenizers import Tokenizer

    class Same(BaseEmbedding):  # type: ignore[misc]
        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return [list(map(float, row)) for row in _in_parts(engine, texts)]

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_query_embedding(self, query: str) -> list[float]:
            return list(map(float, engine.embed_queries([query])[0]))

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_query_embedding(query)

    begin = time.monotonic()
    engine: Any = _engine(model) if same_engine else None
    embedding = Same(embed_batch_size=64) if same_engine else HuggingFaceEmbedding(model_name=str(model))
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    # Without this it downloads another tokenizer to count with.
    Settings.tokenizer = lambda text: tokenizer.encode(text, add_special_tokens=False).ids
    loaded = time.monotonic()
    documents = SimpleDirectoryReader(str(folder), recursive=True).load_data()
    nodes = SentenceSplitter(chunk_size=CHUNK_TOKENS, chunk_overlap=OVERLAP_TOKENS).get_nodes_from_documents(
        documents
    )
    read = time.monotonic()
    collection = chromadb.PersistentClient(str(store)).create_collection("peer", embedding_function=None)
    context = StorageContext.from_defaults(vector_store=ChromaVectorStore(chroma_collection=collection))
    VectorStoreIndex(nodes, storage_context=context, embed_model=embedding)
    return _figures(
        begin,
        loaded,
        read,
        documents=len(documents),
        chunks=len(nodes),
        characters=sum(len(node.get_content()) for node in nodes),
    )


def _engine(model: Path) -> OnnxEmbedder:
    return OnnxEmbedder(model, threads=usable_cpus())


def _in_parts(embedder: Any, texts: Sequence[str]) -> Any:
    """This project's embedder refuses what is too long; the peers' chunks are cut to what it takes, as
    sentence-transformers cuts them without a word."""
    cut = []
    for text in texts:
        spans = embedder.token_offsets(text)
        most = embedder.max_tokens
        cut.append(text if len(spans) <= most else text[: spans[most - 1][1]])
    return embedder.embed_passages(cut)


def _figures(begin: float, loaded: float, read: float, **counts: int) -> dict[str, Any]:
    end = time.monotonic()
    return {
        **counts,
        "load_s": loaded - begin,
        "read_s": read - loaded,
        "embed_and_store_s": end - read,
        "seconds": end - begin,
    }


_PIPELINES: dict[str, Callable[[Path, Path, Path, bool], dict[str, Any]]] = {
    "langchain": langchain,
    "llamaindex": llamaindex,
}

if __name__ == "__main__":
    sys.exit(main())
