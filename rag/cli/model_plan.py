"""`rag model plan`: how much memory a model needs, and which context fits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag.cli import frame

if TYPE_CHECKING:
    import argparse

    from rag.models.catalogue import Entry
    from rag.models.shape import Shape
    from rag.settings import Settings


def plan(arguments: argparse.Namespace, settings: Settings) -> int:
    """From the file if it is there, else from what the catalogue knows of it; no model is loaded."""
    from rag.errors import UsageError
    from rag.models import ledger

    name, entry, shape = _shape(arguments.model or settings.engine.model, settings)
    options = settings.engine
    context = settings.engine_context if arguments.context is None else arguments.context
    ubatch = options.ubatch if arguments.ubatch is None else arguments.ubatch
    sequences = options.parallel
    if context < 1 or ubatch < 1:
        raise UsageError(
            "--context and --ubatch must be at least 1.", fix="Leave them out for those of the settings."
        )
    kv: ledger.Kv = arguments.kv or options.kv
    device: ledger.Device = "cpu" if entry is not None and entry.demo else "gpu"
    memory = ledger.memory_mib(arguments.memory)
    planned = ledger.predict(shape, context=context, kv=kv, ubatch=ubatch, device=device, sequences=sequences)
    beside = _beside(settings) if device == "gpu" else {}
    total = planned.total_mib + sum(beside.values())
    report = {
        "model": name,
        "device": device,
        "context": planned.context,
        "kv": kv,
        "ubatch": ubatch,
        "weights_mib": round(planned.weights_mib, 2),
        "kv_mib": round(planned.kv_mib, 2),
        "recurrent_mib": round(planned.recurrent_mib, 2),
        "compute_mib": round(planned.compute_mib, 2),
        "overhead_mib": round(planned.overhead_mib, 2),
        **{f"{name}_mib": round(mib, 2) for name, mib in beside.items()},
        "total_mib": round(total, 2),
        "memory_mib": round(memory, 2),
        "fits": total <= memory,
        "parallel": sequences,
        "largest_context": ledger.largest_context(
            shape,
            memory_mib=memory - sum(beside.values()),
            kv=kv,
            ubatch=ubatch,
            device=device,
            sequences=sequences,
        ),
        "trained_context": shape.context,
        "kv_bytes_per_token": shape.kv_elements * ledger.BYTES_PER_ELEMENT[kv],
    }
    if arguments.json:
        frame.write_json(report)
    else:
        _print_plan(report)
    return frame.DONE


def _beside(settings: Settings) -> dict[str, float]:
    """MiB that other models of this service take on the same device, from the sizes of their files.

    Only what the settings put there; "auto" counts as the CPU's, since nothing is loaded here to find out.
    """
    from rag.models.ledger import encoder_mib

    found = {}
    if settings.embedding.device == "cuda":
        found["embedder"] = encoder_mib(_folder_of(settings.embedding.model, settings))
        reranker = settings.retrieval.reranker
        if reranker:
            found["reranker"] = encoder_mib(_folder_of(reranker, settings))
    return found


def _folder_of(model: str, settings: Settings) -> Path:
    """Where the files of an embedder or reranker are, or would be."""
    from rag.embedding.packaged import PACKAGED

    if model in PACKAGED:
        return settings.packaged_models_dir / model
    given = Path(model).expanduser()
    return given if given.is_dir() else settings.models_dir / model.replace("/", "--")


def _shape(model: str, settings: Settings) -> tuple[str, Entry | None, Shape]:
    """From the file if it is there, else from the catalogue. Raises ModelMissing or ModelUnfit."""
    from rag.errors import ModelMissing, ModelUnfit
    from rag.models import catalogue, passport
    from rag.models.quantisation import KNOWN
    from rag.models.shape import shape_of

    entry = catalogue.entries().get(model)
    try:
        located = catalogue.locate(model, settings)
    except ModelMissing:
        if entry is None or not entry.header or entry.size_mib is None:
            raise
        kind = next(kind for kind in KNOWN.values() if kind.name == entry.weight_type)
        embedding = int(entry.header["vocabulary"]) * int(entry.header["embedding_length"])
        return entry.name, entry, shape_of(entry.header, int(entry.size_mib * 2**20), kind.size(embedding))
    found = passport.read(located.path)
    if found.shape is None:
        raise ModelUnfit(
            f"{located.path} does not say what its memory could be planned from.",
            fix=f"See: python -m rag model check {located.path}",
        )
    return located.name, located.entry, found.shape


def _print_plan(report: dict[str, Any]) -> None:
    several = f"{report['parallel']} × " if report["parallel"] > 1 else ""
    print(
        f"{report['model']}, context {several}{report['context']:,}, cache {report['kv']}, "
        f"micro-batch {report['ubatch']:,}, on a {report['device']}:"
    )
    for line in ("weights", "kv", "recurrent", "compute", "overhead", "embedder", "reranker", "total"):
        if f"{line}_mib" in report:
            print(f"  {line:<10} {report[f'{line}_mib']:>10,.0f} MiB")
    verdict = "fits into" if report["fits"] else "does NOT fit into"
    print(
        f"  {verdict} {report['memory_mib']:,.0f} MiB; the largest context there is "
        f"{report['largest_context']:,} tokens (trained for {report['trained_context']:,})"
    )
