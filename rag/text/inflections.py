"""The forms in which one English word may stand: "approved" where "approve" is asked for, "sent" for "send".

The keyword index joins plurals alone (`rag.text.stemming`); this is for the few words of a question and texts
at hand. Forms are made by rule and looked up among the words of the text, so that one too many does no harm
unless it is another word of English: endings are added to and taken from words of four letters and more.
"""

from __future__ import annotations

from functools import lru_cache

_LEAST = 4
_VOWELS = frozenset("aeiou")
_DERIVED = ("al", "ation", "er", "ion", "ment", "or")

_IRREGULAR = (
    "be is are was were been", "become became", "begin began begun", "bear bore borne", "bind bound",
    "break broke broken", "bring brought", "build built", "buy bought", "catch caught",
    "choose chose chosen", "come came", "deal dealt", "do did done", "draw drew drawn",
    "drive drove driven", "eat ate eaten", "fall fell fallen", "feed fed", "feel felt", "fight fought",
    "find found", "fly flew flown", "forbid forbade forbidden", "forget forgot forgotten",
    "freeze froze frozen", "get got gotten", "give gave given", "go went gone", "grow grew grown",
    "hang hung", "have has had", "hear heard", "hide hid hidden", "hold held", "keep kept",
    "know knew known", "lay laid", "lead led", "leave left", "lend lent", "lie lay lain", "lose lost",
    "make made", "mean meant", "meet met", "pay paid", "ride rode ridden", "ring rang rung",
    "rise rose risen", "run ran", "say said", "see saw seen", "seek sought", "sell sold", "send sent",
    "shake shook shaken", "show showed shown", "shrink shrank shrunk", "sing sang sung", "sink sank sunk",
    "sit sat", "sleep slept", "speak spoke spoken", "spend spent", "stand stood", "steal stole stolen",
    "stick stuck", "strike struck", "swear swore sworn", "swim swam swum", "take took taken",
    "teach taught", "tear tore torn", "tell told", "think thought", "throw threw thrown",
    "understand understood", "undertake undertook undertaken", "wear wore worn", "win won", "wind wound",
    "withdraw withdrew withdrawn", "write wrote written", "overrun overran",
    "undergo underwent undergone",
)  # fmt: skip
_OF = {form: frozenset(group.split()) for group in _IRREGULAR for form in group.split()}


@lru_cache(maxsize=4096)
def inflections(word: str) -> frozenset[str]:
    """Other forms of a folded English word, itself among them; of anything else only itself.

    >>> {"send", "sending"} <= inflections("sent"), {"approves", "approval"} <= inflections("approved")
    (True, True)
    """
    if not word.isascii() or not word.isalpha():
        return frozenset((word,))
    found = {word}
    for base in _OF.get(word, ()):
        found |= {base, f"{base}s", f"{base.removesuffix('e')}ing"}
    for base in _bases(word):
        found |= {base, *_inflected(base), *_derived(base)}
    for ending in _DERIVED:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > _LEAST:
            # Not what else is derived from it: "general" is no "generation".
            found |= {stem, f"{stem}e", *_inflected(stem), *_inflected(f"{stem}e")}
    return frozenset(found)


def _bases(word: str) -> list[str]:
    """What a word may be a form of, itself first."""
    found = [word]
    for ending in ("ed", "ing"):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < _LEAST - 1:
            continue
        found += [stem, f"{stem}e"]
        if len(stem) > _LEAST - 1 and stem[-1] == stem[-2] and stem[-1] not in _VOWELS:
            found.append(stem[:-1])
        if stem.endswith("i"):
            found.append(f"{stem[:-1]}y")
    return found


def _inflected(base: str) -> set[str]:
    if len(base) < _LEAST:
        return set()
    short = base.removesuffix("e")
    found = {f"{base}s", f"{base}es", f"{short}ed", f"{short}ing"}
    if base.endswith("y"):
        found |= {f"{base[:-1]}ies", f"{base[:-1]}ied"}
    if base[-1] not in _VOWELS and base[-2] in _VOWELS:
        found |= {f"{base}{base[-1]}ed", f"{base}{base[-1]}ing"}
    return found


def _derived(base: str) -> set[str]:
    if len(base) < _LEAST:
        return set()
    return {f"{base}ment", *(f"{base.removesuffix('e')}{ending}" for ending in _DERIVED)}
