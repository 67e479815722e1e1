"""How many prompt tokens to evaluate at a time, so that progress is seen and a stop is soon noticed."""

from __future__ import annotations

TARGET_S = 0.4
FAST_TARGET_S = 0.7
"""On a GPU, which is idle between two slices: fewer of them, and still a stop within a second."""
FIRST = 128
STEP = 32


class Pace:
    """Sizes of the next slices, by the speed of the last one: so many seconds each.

    Fast devices get whole micro-batches, because a part of one wastes their time; slow ones get less than
    a micro-batch (on a CPU the speed is the same for 32 as for 512 tokens at a time).
    """

    def __init__(self, ubatch: int, batch: int, *, fast: bool = False) -> None:
        """fast: begin with a whole micro-batch, because the device is quick."""
        self._ubatch = ubatch
        self._batch = batch
        self._target = FAST_TARGET_S if fast else TARGET_S
        self.size = ubatch if fast else min(FIRST, ubatch)

    def took(self, tokens: int, seconds: float) -> None:
        """Tell how long a slice took; sets the next `size`. Short slices say little and change nothing."""
        if tokens < min(STEP, self._ubatch):
            return
        possible = self._batch if seconds <= 0 else int(min(self._batch, tokens / seconds * self._target))
        if possible >= self._ubatch:
            self.size = possible // self._ubatch * self._ubatch
        else:
            self.size = max(min(STEP, self._ubatch), possible // STEP * STEP)
