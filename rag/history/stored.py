"""An answer as the conversations' database keeps it.

Evidence is kept by its place (document, offsets), not by its text: what is deleted from the library must
not live on in conversations. Numbers, pages and quotations are kept as they were shown, so that a reloaded
answer says the same under the same [n].
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

from rag.records import Answer, Citation, Copy, Evidence, Timing, Usage

TextOf = Callable[[Evidence], str | None]
"""The text of a piece of evidence (whose own text is "") as the library has it; None if it has gone."""


def to_json(answer: Answer) -> str:
    values = asdict(answer)
    for item in values["evidence"]:
        item["digest"] = _digest(item.pop("text"))
        del item["table_header"]  # the document's words, too
    return json.dumps(_plain(values), ensure_ascii=False, allow_nan=False)


def from_json(text: str, text_of: TextOf) -> Answer:
    """The answer with the text of its evidence filled in.

    Evidence whose document has gone, or is read differently now, has the text "". Copies in documents that
    have gone are not told any more.
    """
    values = json.loads(text)
    return Answer(
        question=values["question"],
        text=values["text"],
        evidence=tuple(_evidence(item, text_of) for item in values["evidence"]),
        citations=tuple(Citation(**item) for item in values["citations"]),
        unsupported=tuple(values["unsupported"]),
        found=values["found"],
        extractive=values["extractive"],
        stopped=values["stopped"],
        coverage=values["coverage"],
        usage=Usage(**values["usage"]),
        timing=Timing(**values["timing"]),
        thought=values.get("thought", ""),
    )


def _evidence(values: dict[str, Any], text_of: TextOf) -> Evidence:
    digest = values.pop("digest")
    copies = [
        Copy(**{**each, "pages": tuple(each["pages"])})
        for each in values.pop("copies", ())  # older answers know of none
    ]
    values |= {"pages": tuple(values["pages"]), "heading": tuple(values["heading"])}
    empty = Evidence(text="", **values)
    text = text_of(empty)
    there = tuple(copy for copy in copies if text_of(_place(empty, copy)) is not None)
    known = text is not None and _digest(text) == digest
    return replace(empty, text=text if text is not None and known else "", copies=there)


def _place(evidence: Evidence, copy: Copy) -> Evidence:
    return replace(
        evidence,
        document=copy.document,
        path=copy.path,
        collection=copy.collection,
        start=copy.start,
        end=copy.end,
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _plain(value: Any) -> Any:
    """JSON's own types: tuples as lists, numpy's scalars as numbers."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    return float(value)
