"""Which names of a glossary a question uses, and by what other names to look for the same."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rag.glossary.entries import Entries, Measure, Same
from rag.text.folding import fold
from rag.text.scripts import is_unspaced

_CAPITALS = re.compile(r"(?=.*[A-Z])[^a-z]+")
"""Written so only as an abbreviation: "IT" is not "it", and a PO no po."""

_Kept = Mapping[str, list[Same | Measure]]


@dataclass(frozen=True)
class Named:
    """name: as the question has it. others: the other names of that, or, of a figure that is worked out, the
    names of what it is worked out from; then worked_out is true."""

    name: str
    others: tuple[str, ...]
    worked_out: bool = False


class Glossary:
    """A longer name goes before a shorter one inside it: who asks for the gross profit margin does not ask
    for the gross profit."""

    def __init__(self, entries: Entries) -> None:
        exact: dict[str, list[Same | Measure]] = defaultdict(list)
        folded: dict[str, list[Same | Measure]] = defaultdict(list)
        every: list[Same | Measure] = [*entries.same, *entries.measure]
        for entry in every:
            for name in entry.names:
                if _CAPITALS.fullmatch(name):
                    exact[name].append(entry)
                else:
                    folded[fold(name)].append(entry)
        self._exact: _Kept = exact
        self._folded: _Kept = folded
        self._exact_form = _any_of(exact)
        self._folded_form = _any_of(folded)

    def named(self, question: str) -> list[Named]:
        """What the question names, in its order; [] if it names nothing that is known."""
        spotted: list[tuple[int, str, Same | Measure]] = []
        for text, form, kept in (
            (question, self._exact_form, self._exact),
            (fold(question), self._folded_form, self._folded),
        ):
            spotted += [
                (match.start(), match["name"], entry)
                for match in form.finditer(text)
                for entry in kept[match["name"]]
            ]
        spotted.sort(key=lambda each: each[0])
        asked = {fold(name) for _, name, _ in spotted}
        found: dict[str, dict[str, None]] = {}
        for _, name, entry in spotted:
            others = (other for other in _others(entry) if fold(other) not in asked)
            found.setdefault(name, {}).update(dict.fromkeys(others))
        made = {name for _, name, entry in spotted if isinstance(entry, Measure)}
        return [Named(name, tuple(others), name in made) for name, others in found.items() if others]


def _others(entry: Same | Measure) -> Iterable[str]:
    if isinstance(entry, Measure):
        return (name for part in entry.parts for name in part)
    return entry.names


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    forms = "|".join(map(_form, sorted(names, key=lambda name: (-len(name), name))))
    return re.compile(f"(?P<name>{forms or '(?!)'})")


def _form(name: str) -> str:
    """The name as a word of its own, or its plural; Chinese has no spaces to tell that by."""
    before = "" if is_unspaced(name[0]) else r"(?<![^\W_])(?<!\w[-'’.&/])"
    after = "" if is_unspaced(name[-1]) else r"(?=(?:['’]?s)?(?![^\W_])(?![-'’.&/]\w))"
    return before + re.escape(name) + after
