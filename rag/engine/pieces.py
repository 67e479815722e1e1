"""From the bytes of tokens to text that may be shown: whole characters, and no part of a stop string."""

from __future__ import annotations

import codecs
from collections.abc import Sequence


class Pieces:
    """Takes the bytes of one token after the other and gives back the text that is safe to show.

    A character may be spread over several tokens (Chinese, emoji): it appears when it is complete. Bytes
    that can never become a character appear as U+FFFD. Text that may be the beginning of a stop string is
    held back until that is decided; from a stop string on nothing is shown any more.
    """

    def __init__(self, stop: Sequence[str] = ()) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._stop = tuple(text for text in stop if text)
        self._held = ""
        self.stopped = False

    def add(self, piece: bytes) -> str:
        """The text that became certain; "" if none did, and always after a stop string."""
        if self.stopped:
            return ""
        self._held += self._decoder.decode(piece)
        ends = [at for at in (self._held.find(text) for text in self._stop) if at >= 0]
        if ends:
            self.stopped = True
            shown, self._held = self._held[: min(ends)], ""
            return shown
        keep = self._undecided()
        shown, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return shown

    def rest(self) -> str:
        """What was held back, when no more tokens come. An incomplete last character is dropped."""
        shown, self._held = self._held, ""
        return "" if self.stopped else shown

    def _undecided(self) -> int:
        """Length of the longest end of the held text with which a stop string begins."""
        longest = max((len(text) for text in self._stop), default=1) - 1
        for length in range(min(longest, len(self._held)), 0, -1):
            if any(text.startswith(self._held[-length:]) for text in self._stop):
                return length
        return 0
