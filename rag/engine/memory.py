"""Which tokens are evaluated in which sequence, and how a new prompt makes use of that.

A model with ordinary attention can go back to any earlier token; a hybrid one only to places whose
recurrent state was saved. Both keep in host memory: the front (instructions and examples), and, when
another conversation takes the sequence, the evidence of the one that leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rag.engine.chat import Prompt
from rag.engine.context import NativeContext, Saved
from rag.engine.prefixes import Prefix, Prefixes

WORTH_KEEPING = 64
"""Tokens that cost less to evaluate again than their state costs to move."""


@dataclass(slots=True)
class Slot:
    """One sequence. tokens: what is evaluated in it. stable: how many of them another question may want.

    points: places to which a hybrid model can go back, with the recurrent state there. live: the recurrent
    state stands behind the last token (it does not after an evaluation that was broken off).
    """

    sequence: int
    tokens: list[int] = field(default_factory=list)
    stable: int = 0
    points: dict[int, Saved] = field(default_factory=dict)
    live: bool = True
    busy: bool = False
    used: int = 0


class Memory:
    """The sequences of one context. For the thread that generates."""

    def __init__(self, context: NativeContext, *, recurrent: bool, cache_bytes: int) -> None:
        self._context = context
        self._recurrent = recurrent
        self._clock = 0
        self.slots = [Slot(number) for number in range(context.sequences)]
        self.prefixes = Prefixes(cache_bytes)

    @property
    def kept_bytes(self) -> int:
        """Host memory that saved states take."""
        return self.prefixes.bytes + self._point_bytes()

    @property
    def free(self) -> bool:
        return any(not slot.busy for slot in self.slots)

    def place(self, prompt: Prompt) -> Slot:
        """A free sequence that holds as much of the beginning of the prompt as can be had, and no more.

        At least the last token of the prompt is left to be evaluated: its logits are needed.
        """
        limit = len(prompt.tokens) - 1
        slot = max(
            (slot for slot in self.slots if not slot.busy),
            key=lambda slot: (
                self._reusable(slot, prompt.tokens, limit),
                -self._loss(slot, prompt),
                -slot.used,
            ),
        )
        here = self._reusable(slot, prompt.tokens, limit)
        stored = self.prefixes.longest(prompt.tokens, limit)
        if here < slot.stable:
            self._leave(slot)
        if stored is not None and len(stored.tokens) > here and self._fetch(slot, stored):
            pass
        elif not self._go_back(slot, self._reusable(slot, prompt.tokens, limit)):
            self._empty(slot)
        self._clock += 1
        slot.busy, slot.used = True, self._clock
        slot.stable = min(prompt.stable, limit) if prompt.stable >= WORTH_KEEPING else 0
        return slot

    def stops(self, slot: Slot, prompt: Prompt) -> int:
        """Where the evaluation that goes on in `slot` has to pause, so that `reached` can save something."""
        at, limit = len(slot.tokens), len(prompt.tokens) - 1
        wanted = [slot.stable] if self._recurrent else []
        if prompt.front >= WORTH_KEEPING and not self.prefixes.touch(prompt.tokens[: prompt.front]):
            wanted.append(prompt.front)
        return min((place for place in wanted if at < place <= limit), default=len(prompt.tokens))

    def reached(self, slot: Slot, prompt: Prompt) -> None:
        """To be called where `stops` said, when the evaluation is done."""
        at = len(slot.tokens)
        if at == prompt.front and at >= WORTH_KEEPING and not self.prefixes.touch(slot.tokens):
            self._keep_copy(slot, front=True)
        if self._recurrent and at == slot.stable and at not in slot.points:
            slot.points[at] = self._context.save(slot.sequence, partial=True)
            self.prefixes.beside(self._point_bytes())

    def broken_off(self, slot: Slot) -> None:
        """An evaluation in this sequence was aborted: what was there before it is still right."""
        if self._recurrent:
            slot.live = False
            return
        kept = min(self._context.length(slot.sequence), len(slot.tokens))
        if not self._context.keep(slot.sequence, kept):
            self._empty(slot)
        del slot.tokens[kept:]

    def failed(self) -> None:
        """The library failed: nothing in any sequence can be relied on."""
        self._context.clear_all()
        for slot in self.slots:
            self._forget(slot)

    def _point_bytes(self) -> int:
        return sum(len(data) for slot in self.slots for data in slot.points.values())

    def _loss(self, slot: Slot, prompt: Prompt) -> int:
        """Tokens worth keeping that would have to be moved away."""
        return slot.stable if self._common(slot, prompt.tokens) < slot.stable else 0

    def _common(self, slot: Slot, prompt: Sequence[int]) -> int:
        size = min(len(slot.tokens), len(prompt))
        if slot.tokens[:size] == prompt[:size]:
            return size
        return next(n for n in range(size) if slot.tokens[n] != prompt[n])

    def _reusable(self, slot: Slot, prompt: Sequence[int], limit: int) -> int:
        common = min(self._common(slot, prompt), limit)
        if not self._recurrent or (slot.live and common == len(slot.tokens)):
            return common
        return max((place for place in slot.points if place <= common), default=0)

    def _go_back(self, slot: Slot, length: int) -> bool:
        if length == 0:
            self._empty(slot)
            return True
        back = length < len(slot.tokens) or not slot.live
        restored = not (back and self._recurrent) or self._context.restore(
            slot.sequence, slot.points[length], partial=True
        )
        if not restored or (back and not self._context.keep(slot.sequence, length)):
            return False
        del slot.tokens[length:]
        slot.points = {place: data for place, data in slot.points.items() if place <= length}
        slot.live = True
        return True

    def _fetch(self, slot: Slot, stored: Prefix) -> bool:
        self._empty(slot)
        if not self._context.restore(slot.sequence, stored.data, partial=False):
            return False
        slot.tokens = list(stored.tokens)
        self.prefixes.touch(stored.tokens)
        if self._recurrent and not stored.front:
            slot.points[len(slot.tokens)] = self._context.save(slot.sequence, partial=True)
            self.prefixes.beside(self._point_bytes())
        return True

    def _leave(self, slot: Slot) -> None:
        """Park the stable part of what stands in this sequence before something else takes its place."""
        wanted, place = slot.tokens[: slot.stable], slot.stable
        slot.stable = 0
        if len(wanted) < place or self.prefixes.touch(wanted) or not self.prefixes.room_for(1, front=False):
            return
        if self._recurrent and place not in slot.points and not (slot.live and place == len(slot.tokens)):
            return
        if not self._go_back(slot, place):
            self._empty(slot)
        else:
            self._keep_copy(slot, front=False)

    def _keep_copy(self, slot: Slot, *, front: bool) -> None:
        """Into host memory, if there is room for it."""
        if self.prefixes.room_for(self._context.size(slot.sequence, partial=False), front=front):
            self.prefixes.put(slot.tokens, self._context.save(slot.sequence, partial=False), front=front)

    def _empty(self, slot: Slot) -> None:
        self._context.clear(slot.sequence)
        self._forget(slot)

    def _forget(self, slot: Slot) -> None:
        slot.tokens, slot.points, slot.stable, slot.live = [], {}, 0, True
