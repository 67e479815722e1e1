"""How many prompt tokens to evaluate at a time, so that progress is seen and a stop is soon noticed."""

from __future__ import annotations

TARGET_S = 0.4
FIRST = 128
STEP = 32


class Pace:
    """Sizes of the next slices, by the speed of the last one: about TARGET_S each.

    Fast devices get whole micro-batches, because a part of one wastes their time; slow ones get less than
    a micro-batch (on a CPU the speed is the same for 32 as for 512 tokens at a time).
    """

    def __init__(self, ubatch: int, batch: int) -> None:
        self._ubatch = ubatch
        self._batch = batch
        self.size = min(FIRST, ubatch)

    def took(self, tokens: int, seconds: float) -> None:
        """Tell how long a slice took; sets the next `size`."""
        possible = self._batch if seconds <= 0 else int(min(self._batch, tokens / seconds * TARGET_S))
        if possible >= self._ubatch:
            self.size = possible // self._ubatch * self._ubatch
        else:
            self.size = max(min(STEP, self._ubatch), possible // STEP * STEP)
