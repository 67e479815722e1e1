"""Where to cut a row of pieces into chunks: the cheapest of all ways, found by dynamic programming."""

from __future__ import annotations

from collections.abc import Sequence


def best_cuts(tokens: Sequence[int], rooms: Sequence[int], costs: Sequence[float]) -> list[int]:
    """Indices of the pieces with which chunks begin, the first of them 0; [] for no pieces.

    tokens: of each piece. rooms: how many tokens a chunk may have that begins with that piece. costs: of
    beginning a chunk there (below 0 where a beginning is wanted). A chunk that fills the share f of its
    room costs (1 - f)² besides. A piece that is larger than its room is a chunk by itself.
    """
    if not tokens:
        return []
    roomiest = max(rooms)
    best = [0.0] + [float("inf")] * len(tokens)
    begin_of = [0] * (len(tokens) + 1)
    for end in range(1, len(tokens) + 1):
        filled = 0
        for begin in range(end - 1, -1, -1):
            filled += tokens[begin]
            if filled > rooms[begin] and begin < end - 1:
                # Rooms differ with the headings, so an earlier beginning may still do.
                if filled > roomiest:
                    break
                continue
            empty = 1.0 - min(1.0, filled / rooms[begin])
            cost = best[begin] + empty * empty + (costs[begin] if begin else 0.0)
            if cost < best[end]:
                best[end], begin_of[end] = cost, begin
    begins = []
    place = len(tokens)
    while place > 0:
        place = begin_of[place]
        begins.append(place)
    return begins[::-1]
