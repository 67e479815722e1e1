"""Which words of a sentence carry its meaning, what each counts, and whether the sentence negates."""

from __future__ import annotations

import re

from rag.text.folding import fold
from rag.text.scripts import is_unspaced
from rag.text.words import word_spans

_STOP = frozenset(
    [
        *("a", "an", "the", "this", "that", "these", "those", "it", "its", "is", "are", "was", "were", "be"),
        *(
            "been",
            "being",
            "am",
            "of",
            "to",
            "in",
            "on",
            "at",
            "by",
            "for",
            "with",
            "from",
            "as",
            "and",
            "or",
        ),
        *("but", "if", "then", "than", "so", "such", "there", "their", "they", "them", "he", "she", "his"),
        *(
            "her",
            "we",
            "our",
            "us",
            "you",
            "your",
            "i",
            "my",
            "me",
            "do",
            "does",
            "did",
            "has",
            "have",
            "had",
        ),
        *("will", "would", "can", "could", "should", "may", "might", "must", "shall", "also", "which", "who"),
        *(
            "whom",
            "whose",
            "what",
            "when",
            "where",
            "how",
            "why",
            "about",
            "into",
            "over",
            "any",
            "all",
            "each",
        ),
        *("both", "other", "according", "document", "documents", "source", "sources", "state", "states"),
        *(
            "stated",
            "mention",
            "mentions",
            "say",
            "says",
            "please",
            "tell",
            "give",
            "list",
            "describe",
            "explain",
        ),
        *("much", "many", "between", "during", "through", "some", "whether", "only", "not", "no"),
    ]
)
_LIGHT_HAN = frozenset(
    "的了是在和与为有及等将可以被把对于其该这那个们也都就还而或至由从向并者所之吗呢吧请么什哪怎"
)
_LIGHT = 0.3
_NUMBER = 1.5
_ENDINGS = (
    *(("ingly", 4), ("edly", 4), ("ies", 3), ("ing", 4), ("ed", 3)),
    *(("es", 4), ("s", 3), ("ly", 4)),
)
_BENT = re.compile(r"[Ͱ-ӿ]+\Z")
_STEM = 6
"""Letters of a word that is bent that tell it from others."""
_PLAIN_NO = re.compile(
    r"\b(?:not|no|never|none|neither|nor|cannot|nobody|nothing)\b|n't\b"
    r"|不(?!同|仅|断|过|少|久|管|论|但|只|妨|如|良|足|锈|动产)|没有?|未(?!来|必)|无(?!论|线|锡)|非(?!常|洲)|禁止|勿|否(?!则)"
)
_COVERT_NO = re.compile(
    r"\bun(?!der|til|it|ion|iv|ique|less)\w{3,}|\bnon-?\w+|\bin(?:valid|eligible|active|complete|correct|sufficient)\w*"
    r"|\bfail\w*|\bexcept\w*|\bunless\b|\bonly\b|\bfree\b|\black\w*|\bwithout\b|\brefus\w*|\bexclu\w*|\bprohibit\w*|\bforbid\w*"
    r"|除|免|拒|停|缺|仅|只|不足"
)


def root(word: str) -> str:
    """A word without its commonest English endings, so that "employees" meets "employee".

    Of a word in Cyrillic or Greek letters, which is bent far more, its beginning (проверяет, проверяются).
    """
    if _BENT.match(word):
        return word[:_STEM]
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    for ending, least in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith("ss"):
            word = word[: -len(ending)] + ("y" if ending == "ies" else "")
            break
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def content_words(text: str) -> list[str]:
    """Stemmed words that carry meaning, in order, repetitions kept; of a compound either whole or parts.

    "HK-420" counts once, as hk420, not three times; "full-time" counts as full, time.
    """
    found = word_spans(text)
    kept = []
    for place, (word, start, end) in enumerate(found):
        whole = next((w for w in found[place + 1 : place + 7] if w.start <= start and end <= w.end), None)
        if whole is not None and _is_code(whole.word):
            continue  # a part of a number or a code
        inner = found[place - 1] if place else None
        if (
            inner is not None
            and start <= inner.start
            and inner.end <= end
            and not _is_code(word)
            and len(inner.word) > 1
        ):
            continue  # the whole of a hyphenated word
        if word not in _STOP:
            kept.append(root(word))
    return kept


def _is_code(word: str) -> bool:
    return any(char.isdigit() for char in word)


def word_weight(word: str) -> float:
    """What a word counts, before its rarity: numbers most, Chinese pairs with a function word least."""
    if any(char.isdigit() for char in word):
        return _NUMBER
    if any(char in _LIGHT_HAN for char in word) and all(map(is_unspaced, word)):
        return _LIGHT
    return 1.0


def contradicts(one: str, other: str) -> bool:
    """Whether one of two texts plainly negates and the other has nothing to match it.

    A covert negation ("un-", "only", 除 …) of its own matches; one that both have says nothing.
    """
    one, other = fold(one), fold(other)
    return _stands_alone(one, other) or _stands_alone(other, one)


def _stands_alone(text: str, other: str) -> bool:
    """Whether `text` negates plainly and `other` does not at all."""
    if not _PLAIN_NO.search(text) or _PLAIN_NO.search(other):
        return False
    return not set(_COVERT_NO.findall(other)) - set(_COVERT_NO.findall(text))
