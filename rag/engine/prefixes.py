"""Evaluated beginnings of prompts, parked in host memory: the least recently used go first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

MOST_FRONTS = 8
"""Instructions with their examples: one for each language and task."""


@dataclass(slots=True)
class Prefix:
    """data: the state of a sequence that consists of exactly these tokens; `len` gives its bytes.

    front: instructions and examples, which every question of their kind begins with.
    """

    tokens: list[int]
    data: Any
    front: bool
    used: int = 0


class Prefixes:
    """bound: bytes that all states together may take; what alone is larger is not kept.

    Fronts are kept for good: they give way only to other fronts, beyond MOST_FRONTS or half the bound.
    """

    def __init__(self, bound: int) -> None:
        self._all_told = self._bound = bound
        self._clock = 0
        self._all: list[Prefix] = []

    @property
    def bytes(self) -> int:
        return sum(len(each.data) for each in self._all)

    def longest(self, prompt: Sequence[int], limit: int) -> Prefix | None:
        """The longest kept beginning of the prompt that has at most `limit` tokens."""
        best: Prefix | None = None
        for each in self._all:
            size = len(each.tokens)
            longer = size <= limit and (best is None or size > len(best.tokens))
            if longer and each.tokens == prompt[:size]:
                best = each
        return best

    def touch(self, tokens: Sequence[int]) -> bool:
        """Is exactly this beginning kept? If so it counts as used now."""
        for each in self._all:
            if each.tokens == tokens:
                self._clock += 1
                each.used = self._clock
                return True
        return False

    def room_for(self, size: int, *, front: bool) -> bool:
        """Could `put` keep that many bytes?"""
        return 0 < size <= (self._bound // 2 if front else self._bound - self._front_bytes())

    def put(self, tokens: Sequence[int], data: Any, *, front: bool) -> bool:
        """Keep a state; False if it has no room."""
        if self.touch(tokens):
            return True
        if not self.room_for(len(data), front=front):
            return False
        self._clock += 1
        self._all.append(Prefix(list(tokens), data, front, self._clock))
        fronts = sorted((each for each in self._all if each.front), key=lambda each: -each.used)
        kept, taken = 0, 0
        for each in fronts:
            kept, taken = kept + 1, taken + len(each.data)
            if kept > MOST_FRONTS or taken > self._bound // 2:
                self._all.remove(each)
        self._shrink()
        return True

    def beside(self, size: int) -> None:
        """So many bytes of the bound are taken by states that are kept elsewhere."""
        self._bound = max(0, self._all_told - size)
        self._shrink()

    def _shrink(self) -> None:
        while self.bytes > self._bound:
            others = [each for each in self._all if not each.front] or self._all
            self._all.remove(min(others, key=lambda each: each.used))

    def _front_bytes(self) -> int:
        return sum(len(each.data) for each in self._all if each.front)
