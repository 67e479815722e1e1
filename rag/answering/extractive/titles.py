"""Titles that must stand before a quotation, since it does not say by itself what it speaks of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rag.answering.comparing import sides_of
from rag.answering.extractive.completing import Group
from rag.citations.wording import content_words
from rag.records import Evidence

_LONGEST = 80
"""Characters of a title that is put before a quotation."""
_SHORT = 40
"""Characters of one that only its number speaks for."""
_ASKS_WHICH = re.compile(
    r"\b(?:which|whose|what (?:version|year|date|day|month|number)|when)\b|哪|何时|什么时候|第几",
    re.IGNORECASE,
)


def titled(groups: Sequence[Group], evidence: Mapping[int, Evidence], asked: str) -> list[str]:
    """For each group the title to be put before it, "" for none: the heading that it stands under, if that
    has a word of the question, or for "which …?" a number, that the quotation lacks; and the name of its
    document where another document's quotation stands under the same heading, so that only that tells them
    apart, and where the question compares two.

    evidence: by number. asked: the question, "" for none of all this.
    """
    if not asked:
        return [""] * len(groups)
    words = {*content_words(asked)}
    sides = bool(sides_of(asked)) and len({evidence[group.first.n].document for group in groups}) > 1
    headings = [_heading(group, evidence[group.first.n]) for group in groups]
    found = []
    for group, heading in zip(groups, headings, strict=True):
        item = evidence[group.first.n]
        said = {*content_words(" ".join(unit.text for unit in group.units))}
        if any(unit.row is not None for unit in group.units):
            # A row tells what its cells are, but not whose.
            found.append(item.path.rsplit("/", 1)[-1].rpartition(".")[0] if sides else "")
            continue
        own = _plain(group.first.text) if group.first.kind == "heading" else heading
        title = heading if group.first.kind != "heading" else ""
        tells = {*content_words(title)} - said
        numbered = len(title) <= _SHORT and ":" not in title and "：" not in title
        numbered = numbered and any(map(str.isdigit, "".join(tells)))
        if not (words & tells or (numbered and _ASKS_WHICH.search(asked))):
            title = ""
        name = item.path.rsplit("/", 1)[-1].rpartition(".")[0]
        unnamed = sides and not {*content_words(name)} & {*content_words(own)}
        if unnamed or _stands_elsewhere(own, group, groups, headings, evidence):
            title = " – ".join(filter(None, [name, title]))
        found.append(title if len(title) <= _LONGEST else "")
    return found


def _heading(group: Group, item: Evidence) -> str:
    """The heading that a group stands under, without its signs; "" if none is known."""
    above = group.title.text if group.title is not None else (item.heading[-1] if item.heading else "")
    return _plain(above)


def _plain(heading: str) -> str:
    return heading.strip("#* \n")


def _stands_elsewhere(
    heading: str,
    group: Group,
    groups: Sequence[Group],
    headings: Sequence[str],
    evidence: Mapping[int, Evidence],
) -> bool:
    """Whether a quotation of another document stands under the same heading, and none says the same."""
    own = evidence[group.first.n].document
    others = [
        other
        for other, under in zip(groups, headings, strict=True)
        if evidence[other.first.n].document != own and heading in (_plain(other.first.text), under)
    ]
    return bool(heading and others) and all(_words(other) != _words(group) for other in others)


def _words(group: Group) -> str:
    return " ".join(" ".join(unit.text for unit in group.units).split())
