"""Named ways of drawing the next token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rag.engine.protocol import Sampling
from rag.errors import SettingsError

if TYPE_CHECKING:
    from rag.models.catalogue import Entry

PROFILES: dict[str, Sampling] = {
    # What practitioners of the ternary 27B arrived at: its logits are flatter than those of other
    # models, and drawing from all of them wanders.
    "ternary": Sampling(),
    # For very small models: close to the most likely token, which is where they are least wrong.
    "calm": Sampling(temperature=0.2, top_p=0.9, top_k=40, min_p=0.05, repeat_penalty=1.1),
    # Always the most likely token: for tests and for comparisons that must not depend on luck.
    "greedy": Sampling(temperature=0.0, top_p=1.0, top_k=1, min_p=0.0, repeat_penalty=1.0, seed=0),
}


def profile(name: str) -> Sampling:
    """Raises SettingsError for an unknown name."""
    try:
        return PROFILES[name]
    except KeyError:
        raise SettingsError(
            f"There is no sampling profile {name!r}.", fix=f"Use one of: {', '.join(PROFILES)}."
        ) from None


def usual(entry: Entry | None) -> Sampling:
    """What suits a model: the profile that its entry in the catalogue names, or the default without one."""
    return profile(entry.sampling) if entry else Sampling()
