"""What a model file says about itself, and what speaks against running it.

`read` looks at the header only and answers in well under a second; `problems` judges it for the engine at
hand. `check` does both for any path, also for one that is no model file at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from rag.errors import ModelMissing, ModelUnfit
from rag.models import gguf
from rag.models.extents import extent_problems
from rag.models.gguf import ArrayOf, BadHeader, Header
from rag.models.problem import DOWNLOAD_AGAIN, ENGINES_FOR_BONSAI_2, Problem
from rag.models.quantisation import KNOWN, PRISM_TYPES
from rag.models.shape import Shape, shape_of

ROTATION_KEY = "prism.hadamard.version"


@dataclass(frozen=True, slots=True)
class Passport:
    """parameters: weights in all tensors. types: tensors of each weight type, by its name.

    type_ids: those types' ids. template: the chat template, "" if there is none. thinks: the template
    knows of thinking. rotated: the weights need an engine that rotates activations (Bonsai 2).
    shape: None if the header lacks what memory planning needs. file_size in bytes.
    """

    path: Path
    file_size: int
    architecture: str
    name: str
    parameters: int
    types: dict[str, int]
    type_ids: frozenset[int]
    context: int | None
    vocabulary: int | None
    tokenizer: str
    template: str
    thinks: bool
    rotated: bool
    shape: Shape | None
    header: Header


def read(path: Path) -> Passport:
    """Raises ModelMissing if there is no file, ModelUnfit (with the fix) if it is no readable GGUF."""
    found = _why_not_a_file(path)
    if found is not None:
        raise ModelUnfit(found.message, fix=found.fix)
    try:
        return _passport(path, gguf.read(path))
    except BadHeader as error:
        problem = _unreadable(error)
        raise ModelUnfit(f"{path}: {problem.message}", fix=problem.fix) from error


def check(path: Path, *, known_types: Collection[int] | None = None) -> tuple[Passport | None, list[Problem]]:
    """The passport (None if unreadable) and all problems. Raises ModelMissing if nothing is there.

    known_types: weight types that the engine at hand can run (None: not asked, see `problems`).
    """
    found = _why_not_a_file(path)
    if found is not None:
        return None, [found]
    try:
        passport = _passport(path, gguf.read(path))
    except BadHeader as error:
        return None, [_unreadable(error)]
    return passport, problems(passport, known_types=known_types)


def problems(passport: Passport, *, known_types: Collection[int] | None = None) -> list[Problem]:
    """Everything that speaks against running this file, most basic first; empty if nothing does.

    known_types: ids of the weight types that the engine knows; None judges by the pinned one's.
    """
    if known_types is None:
        known_types = KNOWN.keys() - PRISM_TYPES
    found = _not_a_language_model(passport)
    if found:
        return found
    found += extent_problems(passport.header)
    found += _beyond_this_engine(passport, known_types)
    if passport.shape is None:
        found.append(
            Problem(
                "damaged",
                f"The header lacks sizes that every {passport.architecture} model states.",
                DOWNLOAD_AGAIN,
            )
        )
    if not passport.template:
        found.append(
            Problem(
                "no-template",
                "The file has no chat template: it was not made to follow instructions.",
                "Use an instruction-tuned model (often marked Instruct, Chat or it).",
            )
        )
    return found


def refuse_if_unfit(passport: Passport, *, known_types: Collection[int] | None = None) -> None:
    """Raises ModelUnfit for the first problem."""
    for problem in problems(passport, known_types=known_types):
        raise ModelUnfit(f"{passport.path}: {problem.message}", fix=problem.fix)


def _why_not_a_file(path: Path) -> Problem | None:
    if path.is_dir():
        return Problem(
            "directory", f"{path} is a folder, not a model file.", "Give the path of the .gguf file in it."
        )
    if not path.exists():
        raise ModelMissing(
            f"There is no file {path}.", fix="Check the path; python -m rag model list shows known models."
        )
    if not path.is_file():
        return Problem("not-a-file", f"{path} is not a regular file.", "Give the path of a .gguf file.")
    return None


def _unreadable(error: BadHeader) -> Problem:
    fixes = {
        "magic": "Give a model in GGUF format; other formats (safetensors, bin, onnx) have to be converted.",
        "byte-order": "Use the little-endian file of this model.",
        "version": "Use a newer file of this model, or a newer engine.",
    }
    return Problem(error.kind, error.message, fixes.get(error.kind, DOWNLOAD_AGAIN))


def _passport(path: Path, header: Header) -> Passport:
    meta = header.metadata
    architecture = str(meta.get("general.architecture", ""))
    prefix = f"{architecture}."
    keys = {key.removeprefix(prefix): value for key, value in meta.items() if key.startswith(prefix)}
    tokens = meta.get("tokenizer.ggml.tokens")
    vocabulary = tokens.length if isinstance(tokens, ArrayOf) else keys.get("vocab_size")
    template = meta.get("tokenizer.chat_template", "")
    template = template if isinstance(template, str) else ""
    context = keys.get("context_length")
    sizes = {t.name: KNOWN[t.type].size(t.weights) for t in header.tensors if t.type in KNOWN}
    # A model without a matrix of its own for the output uses the embedding there, on the device.
    host = sizes.get("token_embd.weight", 0) if "output.weight" in sizes else 0
    shape: Shape | None
    try:
        shape = shape_of({**keys, "vocabulary": vocabulary}, sum(sizes.values()), host)
    except (KeyError, TypeError):
        shape = None
    counts = Counter(t.type for t in header.tensors)
    return Passport(
        path=path,
        file_size=header.file_size,
        architecture=architecture,
        name=str(meta.get("general.name", path.stem)),
        parameters=sum(t.weights for t in header.tensors),
        types={KNOWN[i].name if i in KNOWN else f"unknown {i}": n for i, n in sorted(counts.items())},
        type_ids=frozenset(counts),
        context=context if isinstance(context, int) else None,
        vocabulary=vocabulary if isinstance(vocabulary, int) else None,
        tokenizer=str(meta.get("tokenizer.ggml.model", "")),
        template=template,
        thinks="enable_thinking" in template or "<think>" in template,
        rotated=ROTATION_KEY in meta,
        shape=shape,
        header=header,
    )


def _not_a_language_model(passport: Passport) -> list[Problem]:
    meta = passport.header.metadata
    kind = meta.get("general.type", "model")
    if not passport.architecture:
        return [Problem("damaged", "The header names no architecture.", DOWNLOAD_AGAIN)]
    if kind == "mmproj" or passport.architecture == "clip":
        return [
            Problem(
                "projector",
                "This is the image projector of a model, not the model.",
                "Give the large file of the same repository; the projector is not used here.",
            )
        ]
    if kind == "adapter" or "adapter.type" in meta:
        return [Problem("adapter", "This is an adapter, not a model.", "Give the file of the whole model.")]
    parts = meta.get("split.count", 0)
    if isinstance(parts, int) and parts > 1:
        return [
            Problem(
                "split",
                f"This is one of {parts} parts of a model.",
                "Join them with llama-gguf-split --merge, or use a single-file download.",
            )
        ]
    if not passport.header.tensors:
        return [
            Problem(
                "vocabulary-only",
                "The file holds a vocabulary and no weights.",
                "Give the file of the whole model.",
            )
        ]
    return []


def _beyond_this_engine(passport: Passport, known_types: Collection[int]) -> list[Problem]:
    unknown = sorted(passport.type_ids - set(known_types))
    if set(unknown) & PRISM_TYPES:
        names = ", ".join(KNOWN[i].name for i in unknown if i in PRISM_TYPES)
        return [
            Problem(
                "engine-type",
                f"The weights are stored as {names}, which this engine cannot read.",
                ENGINES_FOR_BONSAI_2,
            )
        ]
    if unknown:
        names = ", ".join(KNOWN[i].name if i in KNOWN else f"type {i}" for i in unknown)
        return [
            Problem(
                "unknown-type",
                f"The weights are stored in a way this engine does not know ({names}).",
                "The file is damaged or newer than the engine: download it again, or use another file of "
                "the same model (for example Q4_K_M or Q8_0).",
            )
        ]
    if passport.rotated and not PRISM_TYPES & set(known_types):
        return [
            Problem(
                "rotated",
                "The weights are rotated (prism.hadamard): this engine would load them and write gibberish.",
                ENGINES_FOR_BONSAI_2,
            )
        ]
    return []
