"""What is known of a request once the door has looked at it."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import HTTPException, Request

from rag.access import ANYONE, Asker

KEY = "bonsai.visit"
"""Where it stands in the request's scope; only the gate writes it."""


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Visit:
    """asker: who asks; None has to sign in first. named: people are told apart here.

    status, why: the refusal, if whoever it is may not come in at all; why is a key of the page's texts.
    https: whether the browser speaks https. address: the browser's, as far as it can be told.
    token: of the session, "" without one. still: whether the asker's right to be here goes on; for answers
    that take long.
    """

    asker: Asker | None = ANYONE
    named: bool = False
    status: int = 0
    why: str = ""
    https: bool = False
    address: str = ""
    token: str = ""
    still: Callable[[], bool] = field(default=_always, compare=False)


def asker_of(request: Request) -> Asker:
    """Whoever the gate let in with this request. Raises HTTPException if that is nobody."""
    asker = visit_of(request.scope).asker
    if asker is None:
        raise HTTPException(401)
    return asker


def visit_of(scope: MutableMapping[str, Any]) -> Visit:
    """Of a request that has come through the gate."""
    visit = scope.get(KEY)
    # Without the gate nobody has been looked at: then nobody is let in.
    return visit if isinstance(visit, Visit) else Visit(None, named=True)
