"""Passages that say the same again: other formats of a document, copies with other white space."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from rag.text.folding import fold
from rag.text.scripts import UNSPACED

Item = TypeVar("Item")

_NO_WORD = re.compile(r"[\W_]+")
# White space comes first in it: nearly every place of a text is passed over by that alone.
_BROKEN_LINE = re.compile(rf"\s(?<=[{UNSPACED}]\s)\s*(?=[{UNSPACED}])")
_PROBE = re.compile(r"[A-Za-z0-9]{5,}|[\u4e00-\u9fff]{4,8}")
"""Runs of characters that folding leaves as they are, but for their case."""
_PROBES = 3
"""Places of a text from which such a run is looked for."""
_LEAST = 24
"""Characters of a text that is looked for in longer ones: "see above" stands in many."""


@dataclass(slots=True)
class Alike(Generic[Item]):
    """Items that say the same.

    first: the best ranked one. equal: those with the same words. parts: those whose words are a part of its
    words. longer: those that say all of it and more; only such as no other group has as its first.
    """

    first: Item
    equal: list[Item] = field(default_factory=list)
    parts: list[Item] = field(default_factory=list)
    longer: list[Item] = field(default_factory=list)


def alike(items: Sequence[Item], texts: Sequence[str], most: int) -> list[Alike[Item]]:
    """The first `most` items that each say something new, in order, with those that repeat them.

    An item repeats another if its letters and digits, folded, stand within the other's text. One other word,
    one other number makes another passage: forms and yearly reports differ in nothing else. White space
    between Chinese characters is none of the text: a page's lines end anywhere.
    """
    groups: list[Alike[Item]] = []
    keys: list[str] = []
    probes: list[list[str]] = []
    said = ""
    for item, text in zip(items, texts, strict=True):
        probe = _probe(text)
        if len(groups) < most:
            key = _key(text)
            if not _repeated(item, key, groups, keys):
                groups.append(Alike(item))
                keys.append(key)
                probes.append(probe)
                said = "".join(keys)
        # To fold a text takes longer than all of this: most are seen to be others by a few words.
        elif not all(run.lower() in said for run in probe) or not _repeated(item, _key(text), groups, keys):
            _longer(item, text, groups, keys, probes)
    return groups


def _repeated(item: Item, key: str, groups: Sequence[Alike[Item]], keys: Sequence[str]) -> bool:
    for group, earlier in zip(groups, keys, strict=True):
        if key in earlier:
            (group.equal if key == earlier else group.parts).append(item)
            return True
    return False


def _longer(
    item: Item,
    text: str,
    groups: Sequence[Alike[Item]],
    keys: Sequence[str],
    probes: Sequence[Sequence[str]],
) -> None:
    own = ""
    for group, key, probe in zip(groups, keys, probes, strict=True):
        if _LEAST <= len(key) < len(text) and probe and all(run in text for run in probe):
            own = own or _key(text)
            if key in own:
                group.longer.append(item)


def _key(text: str) -> str:
    return f" {_NO_WORD.sub(' ', _BROKEN_LINE.sub('', fold(text))).strip()} "


def _probe(text: str) -> list[str]:
    """A few runs of the text that must stand in every text that holds it, in some case."""
    places = (_PROBE.search(text, len(text) * place // _PROBES) for place in range(_PROBES))
    return [found.group() for found in places if found]
