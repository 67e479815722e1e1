"""Which embedder the settings mean, on this machine."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from rag.cpus import usable_cpus
from rag.embedding.packaged import PACKAGED, ensure
from rag.errors import EmbeddingError

if TYPE_CHECKING:
    from rag.embedding.protocol import Embedder
    from rag.settings import Settings


def load(settings: Settings) -> Embedder:
    """The embedder of `settings.embedding`, ready to use.

    A packaged model runs under onnxruntime on a CPU (under a second, no torch) and under
    sentence-transformers on a GPU; every other model under sentence-transformers on either.
    If set-up has not made a packaged model yet, it is made now, which takes about a minute and is said
    on standard error. Raises EmbeddingError with the fix when the model is not there or cannot be loaded.
    """
    chosen = settings.embedding
    device = _device(chosen.device)
    if chosen.model in PACKAGED and device == "cpu":
        from rag.embedding.onnx_cpu import OnnxEmbedder

        folder = ensure(PACKAGED[chosen.model], settings.packaged_models_dir)
        return OnnxEmbedder(folder, threads=chosen.threads or usable_cpus())
    from rag.embedding.sentence import SentenceEmbedder, locate

    if chosen.model in PACKAGED:
        folder, name = ensure(PACKAGED[chosen.model], settings.packaged_models_dir), None
    else:
        folder, name = locate(chosen.model, settings.models_dir), chosen.model
    return SentenceEmbedder(
        folder,
        name=_short(name) if name else folder.name,
        device=device,
        batch_tokens=chosen.batch_tokens,
        threads=chosen.threads,
        hashes=settings.models_dir / "hashes",
    )


def _short(model: str) -> str:
    """The name in the embedder's id: a hub id as it is, a folder by its last part."""
    return Path(model).expanduser().name if Path(model).expanduser().is_dir() else model


def _device(wanted: str) -> str:
    """cuda or cpu. Imports torch only where a GPU of a kind that this torch can use is present."""
    if wanted == "cpu":
        return "cpu"
    usable = _gpu_present() and "+cpu" not in metadata.version("torch")
    if usable:
        import torch

        usable = torch.cuda.is_available()
    if wanted == "cuda" and not usable:
        raise EmbeddingError(
            "The setting embedding.device asks for a GPU, but torch does not see one.",
            fix="Install the CUDA build of torch and the driver, or set embedding.device to auto.",
        )
    return "cuda" if usable else "cpu"


def _gpu_present() -> bool:
    """Whether the kernel shows an NVIDIA device (/dev/dxg is the one of WSL). Costs nothing."""
    return any(Path("/dev").glob("nvidia[0-9]*")) or Path("/dev/dxg").exists()
