"""English plurals and their singulars made one word, for the keyword index and nothing else.

Harman's rule (D. Harman, "How effective is suffixing?", JASIS 42, 1991), which touches plurals only: no
word turns into another's stem. It found 2 to 4 of 100 more gold quotes of PDF pages in the first 8
passages; rules that also cut -ed and -ing found no more than that.
"""

from __future__ import annotations

_SINGULAR = frozenset(["this", "thus", "does", "goes", "perhaps", "always", "whereas", "besides", "towards"])


def stem(word: str) -> str:
    """A folded word (rag.text.words) without its plural ending; everything else as it is."""
    if len(word) < 4 or not word.endswith("s") or not word.isascii() or not word.isalpha():
        return word
    if word in _SINGULAR or word.endswith(("us", "ss", "is")):
        return word
    if word.endswith("ies"):
        return word if word.endswith(("eies", "aies")) or len(word) < 5 else f"{word[:-3]}y"
    return word[:-1]
