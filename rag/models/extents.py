"""Do the tensors of a header fit each other and the file? Finds truncation and damage without hashing."""

from __future__ import annotations

from itertools import pairwise

from rag.models.gguf import Header, Tensor
from rag.models.problem import DOWNLOAD_AGAIN, Problem
from rag.models.quantisation import KNOWN, Q2_0, Q2_0_OLD_BLOCK, Quantisation

OLD_GROUPS = Problem(
    "group-128",
    "The weights are in groups of 128 under the type id that now means groups of 64: an older file, "
    "which this engine would refuse or misread.",
    "Use the file whose name ends in Q2_g64 or Q2_0_g64.",
)


def extent_problems(header: Header) -> list[Problem]:
    """At most one problem: doubled names, broken rows, overlapping or wrongly spaced tensors, truncation.

    Tensors whose type is unknown have no known size; only where they begin is checked.
    """
    names = {tensor.name for tensor in header.tensors}
    if len(names) < len(header.tensors):
        return [_damaged("two tensors have the same name")]
    for tensor in header.tensors:
        kind = KNOWN.get(tensor.type)
        if kind and tensor.shape[0] % kind.block:
            return [_damaged(f"rows of {tensor.shape[0]} weights in {tensor.name} are no whole blocks")]
        if tensor.offset % header.alignment:
            return [_damaged(f"{tensor.name} does not begin at a multiple of {header.alignment}")]
    ordered = sorted(header.tensors, key=lambda tensor: tensor.offset)
    if ordered and ordered[0].offset:
        return [_damaged("the first tensor does not begin at the start of the data")]
    if _in_old_groups(ordered, header):
        return [OLD_GROUPS]
    for tensor, following in pairwise(ordered):
        size = _size(tensor)
        if size is not None and tensor.offset + _padded(size, header) != following.offset:
            return [_damaged(f"{tensor.name} and {following.name} are not where their sizes put them")]
    return _truncation(ordered, header)


def _truncation(ordered: list[Tensor], header: Header) -> list[Problem]:
    if not ordered:
        return []
    last = ordered[-1]
    end = header.data_start + last.offset + (_size(last) or 0)
    if end > header.file_size:
        missing = end - header.file_size
        share = 100 * header.file_size / end
        return [
            Problem(
                "truncated",
                f"The file is cut off: {missing:,} bytes are missing at its end ({share:.1f} % are there).",
                DOWNLOAD_AGAIN,
            )
        ]
    return []


def _in_old_groups(ordered: list[Tensor], header: Header) -> bool:
    """Is every type-42 tensor followed where groups of 128 would end, and one not where 64 would?"""
    told_apart = False
    for tensor, following in pairwise(ordered):
        if tensor.type != Q2_0 or tensor.shape[0] % Q2_0_OLD_BLOCK.block:
            continue
        old = _padded(_size_as(tensor, Q2_0_OLD_BLOCK), header)
        if tensor.offset + old != following.offset:
            return False
        told_apart = told_apart or old != _padded(_size_as(tensor, KNOWN[Q2_0]), header)
    return told_apart


def _size(tensor: Tensor) -> int | None:
    kind = KNOWN.get(tensor.type)
    return None if kind is None else _size_as(tensor, kind)


def _size_as(tensor: Tensor, kind: Quantisation) -> int:
    return kind.size(tensor.weights)


def _padded(size: int, header: Header) -> int:
    return -(-size // header.alignment) * header.alignment


def _damaged(detail: str) -> Problem:
    return Problem("damaged", f"The header is damaged: {detail}.", DOWNLOAD_AGAIN)
