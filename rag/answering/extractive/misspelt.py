"""Words of a question that are written wrongly, and the words of the evidence that they mean."""

from __future__ import annotations

from collections.abc import Collection, Iterable

_LEAST = 5
_LEAST_OTHER = 7
"""Letters of a word from which on a slip is believed; one letter in place of another makes another word of a
short one too often ("trade", "trace")."""


def meant(asked: Iterable[str], known: Collection[str]) -> dict[str, str]:
    """Word of the question → the only known word that a single slip makes it of; not for known words.

    A slip doubles, drops, swaps or replaces a letter between the first and the last one.

    >>> meant(["defualt", "port", "instal"], {"default", "post", "install"})
    {'defualt': 'default', 'instal': 'install'}
    """
    found = {}
    for word in dict.fromkeys(asked):
        if len(word) < _LEAST or word in known or not (word.isascii() and word.isalpha()):
            continue
        near = [other for other in known if _one_slip(word, other)]
        if len(near) == 1:
            found[word] = near[0]
    return found


def _one_slip(word: str, other: str) -> bool:
    if word[0] != other[:1] or word[-1] != other[-1:] or abs(len(word) - len(other)) > 1:
        return False
    at = next(
        (i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other))
    )
    if len(word) > len(other):
        return word[at + 1 :] == other[at:]
    if len(word) < len(other):
        return word[at:] == other[at + 1 :]
    swapped = word[at : at + 2] == other[at : at + 2][::-1] and word[at + 2 :] == other[at + 2 :]
    return swapped or (len(word) >= _LEAST_OTHER and word[at + 1 :] == other[at + 1 :])
