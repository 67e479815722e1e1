"""`python -m rag model list|pull|check|plan`: generating models, without loading one."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag.cli import frame

if TYPE_CHECKING:
    from rag.models.catalogue import Entry
    from rag.models.digests import Digests
    from rag.models.passport import Passport
    from rag.models.problem import Problem
    from rag.models.shape import Shape
    from rag.settings import Settings

DEFAULT_MEMORY = "24GiB"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=frame.Parser)

    def add(name: str, summary: str) -> argparse.ArgumentParser:
        return actions.add_parser(
            name, help=summary, description=f"{summary}.", parents=[frame.shared_options()]
        )

    add("list", "Show the models known by name")
    pull = add("pull", "Download a model and verify it; goes on where it was interrupted")
    pull.add_argument("name", metavar="NAME")
    check = add("check", "Say whether a file is a whole model that this engine can run")
    check.add_argument("file", metavar="FILE", help="a GGUF file, or the name of a known model")
    check.add_argument("--sha256", metavar="HEX", help="what the file's SHA-256 should be")
    plan = add("plan", "Say how much memory a model needs, and which context fits")
    plan.add_argument("model", metavar="FILE|NAME", nargs="?", help="default: the model of the settings")
    plan.add_argument("--context", type=int, metavar="N", help="tokens (default: that of the settings)")
    plan.add_argument("--kv", choices=("f16", "q8_0", "q4_0"), help="type of the key-value cache")
    plan.add_argument("--ubatch", type=int, metavar="N", help="micro-batch in tokens")
    plan.add_argument("--memory", default=DEFAULT_MEMORY, metavar="AMOUNT", help="default: %(default)s")


def run(arguments: argparse.Namespace) -> int:
    settings = frame.settings_of(arguments)
    if arguments.action == "list":
        return _list(settings, as_json=arguments.json)
    if arguments.action == "pull":
        return _pull(arguments.name, settings, as_json=arguments.json)
    if arguments.action == "check":
        return _check(arguments.file, arguments.sha256, settings, as_json=arguments.json)
    return _plan(arguments, settings)


def _list(settings: Settings, *, as_json: bool) -> int:
    from rag.models import catalogue

    rows: list[dict[str, Any]] = []
    for entry in catalogue.entries().values():
        path = catalogue.expected_path(entry, settings)
        there = path is not None and path.is_file()
        rows.append(
            {
                "name": entry.name,
                "title": entry.title,
                "licence": entry.licence,
                "size_mib": entry.size_mib,
                "context": entry.context,
                "needs": entry.needs,
                "engine": entry.engine,
                "demo": entry.demo,
                "source": entry.package or f"{entry.repo}/{entry.file}",
                "installed": there,
                "path": str(path) if there else None,
                "in_use": entry.name == settings.engine.model,
            }
        )
    if as_json:
        frame.write_json({"models": rows})
        return frame.DONE
    for row in rows:
        marks = [
            "in use" if row["in_use"] else "installed" if row["installed"] else "",
            "for demonstration only" if row["demo"] else "",
            "needs PrismML's engine" if row["engine"] == "prism" else "",
        ]
        size = f"{row['size_mib'] / 1024:.1f} GiB" if row["size_mib"] else "size asked at download"
        print(f"{row['name']:<20} {row['title']}; {size}; {row['licence']}; {row['needs']}")
        if any(marks):
            print(f"{'':<20} ({', '.join(filter(None, marks))})")
    return frame.DONE


def _pull(name: str, settings: Settings, *, as_json: bool) -> int:
    from rag.errors import UsageError
    from rag.models import catalogue
    from rag.models.hub import pull

    entry = catalogue.entries().get(name)
    if entry is None:
        raise UsageError(
            f"There is no model named {name!r}.", fix=f"Known are: {', '.join(catalogue.entries())}."
        )
    pulled = pull(entry, settings)
    if as_json:
        frame.write_json({"name": name, **asdict(pulled), "path": str(pulled.path)})
    else:
        done = "Downloaded and verified" if pulled.downloaded else "Already there, verified"
        print(f"{done}: {pulled.path}")
        print(f'To use it, put this into {settings.home / "rag.toml"}:\n\n[engine]\nmodel = "{name}"')
    return frame.DONE


def _check(file: str, wanted: str | None, settings: Settings, *, as_json: bool) -> int:
    from rag.engine.library import types_named_in
    from rag.errors import ModelMissing, UsageError
    from rag.models import catalogue, passport
    from rag.models.digests import Digests, is_digest
    from rag.models.problem import Problem

    if wanted is not None and not is_digest(wanted):
        raise UsageError(
            f"{wanted!r} is not a SHA-256.", fix="Give 64 hexadecimal digits, as the model's page shows them."
        )
    entry = catalogue.entries().get(file)
    path = catalogue.locate(file, settings).path if entry else Path(file).expanduser().absolute()
    found: Passport | None = None
    try:
        found, problems = passport.check(path, known_types=types_named_in(settings.engine))
    except ModelMissing as error:
        problems = [Problem("missing", error.message, error.fix)]
    sha256 = None
    if found is not None and not problems:
        digests = Digests(settings.models_dir)
        sha256 = _hashed(digests, path)
        problems = _checksum_problems(path, sha256, digests, wanted)
    report = {
        "file": str(path),
        "ok": not problems,
        "problems": [problem._asdict() for problem in problems],
        **(_described(found) if found is not None else {}),
        "sha256": sha256,
    }
    if as_json:
        frame.write_json(report)
    else:
        _print_check(report)
    return frame.SOME_FAILED if problems else frame.DONE


def _described(passport: Passport) -> dict[str, Any]:
    return {
        "name": passport.name,
        "architecture": passport.architecture,
        "parameters": passport.parameters,
        "types": passport.types,
        "size": passport.file_size,
        "context": passport.context,
        "vocabulary": passport.vocabulary,
        "tokenizer": passport.tokenizer,
        "layers": passport.shape.layers if passport.shape else None,
        "attention_layers": passport.shape.attention_layers if passport.shape else None,
        "chat_template": bool(passport.template),
        "thinks": passport.thinks,
        "rotated": passport.rotated,
    }


def _hashed(digests: Digests, path: Path) -> str:
    """With a progress bar on a terminal when the file has to be read."""
    if digests.is_remembered(path) or not sys.stderr.isatty():
        return digests.sha256(path)
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("SHA-256"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=path.stat().st_size)
        return digests.sha256(path, lambda count: progress.advance(task, count))


def _checksum_problems(path: Path, sha256: str, digests: Digests, wanted: str | None) -> list[Problem]:
    """Against --sha256, a file FILE.sha256 beside the model, and what the hub said at its download."""
    from rag.models.digests import written_beside
    from rag.models.problem import DOWNLOAD_AGAIN, Problem

    sources = (
        ("The file is not the one that --sha256 describes", wanted.lower() if wanted else None),
        (f"The file is not the one that {path.name}.sha256 describes", written_beside(path)),
        ("The file has changed since its download", digests.expected(path)),
    )
    for what, expected in sources:
        if expected is not None and expected != sha256:
            return [Problem("checksum", f"{what}: SHA-256 {sha256} instead of {expected}.", DOWNLOAD_AGAIN)]
    return []


def _print_check(report: dict[str, Any]) -> None:
    print(f"{report['file']}: {'ok' if report['ok'] else 'cannot be used'}")
    for problem in report["problems"]:
        print(f"  {problem['message']}\n  fix: {problem['fix']}")
    if "architecture" in report:
        types = ", ".join(f"{name} × {count}" for name, count in report["types"].items())
        print(f"  {report['name']}; {report['architecture']}, {report['parameters'] / 1e9:.2f}e9 weights")
        print(f"  {report['layers']} layers, {report['attention_layers']} of them attend; tensors: {types}")
        print(f"  context {report['context']}, vocabulary {report['vocabulary']}")
    if report["sha256"]:
        print(f"  SHA-256 {report['sha256']}")


def _plan(arguments: argparse.Namespace, settings: Settings) -> int:
    from rag.errors import UsageError
    from rag.models import ledger

    name, entry, shape = _shape(arguments.model or settings.engine.model, settings)
    options = settings.engine
    context = settings.engine_context if arguments.context is None else arguments.context
    ubatch = options.ubatch if arguments.ubatch is None else arguments.ubatch
    sequences = options.parallel
    if context < 1 or ubatch < 1:
        raise UsageError("--context and --ubatch must be at least 1.")
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
