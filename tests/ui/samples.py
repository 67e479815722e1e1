"""Records that the tests of the page's rendering share."""

from __future__ import annotations

from typing import Any

from rag.records import Citation, Evidence

EVIL = "<img src=x onerror=alert(1)>.txt"


def evidence(
    n: int = 1, text: str = "The hotel limit for Shanghai is 750 per night.", **changes: Any
) -> Evidence:
    values: dict[str, Any] = {
        "n": n,
        "document": f"{n:064x}",
        "path": f"hr/policy-{n}.pdf",
        "collection": "default",
        "text": text,
        "start": 100,
        "end": 100 + len(text),
        "pages": (n + 1,),
        "heading": ("Travel", "Hotels"),
        "score": 1.0,
        "tokens": 12,
    }
    return Evidence(**{**values, **changes})


def citation(item: Evidence, quote: str, *, verified: bool = True) -> Citation:
    at = item.text.index(quote) + item.start if verified else None
    end = at + len(quote) if at is not None else None
    return Citation(item.n, item.path, item.page, quote, verified, at, end)
