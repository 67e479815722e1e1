"""The two sides of a comparison, each with what is compared: "leave in Rotterdam", "leave in Shanghai"."""

from __future__ import annotations

import re

from rag.citations.wording import content_words

_MORE = r"(?:\w{2,}er|more \w+|less \w+|the same as|as \w+ as)"
_EN = (
    re.compile(
        r"\b(?:compare|between)\s+(?P<one>.+?)\s+(?:and|with|to|versus|vs\.?)\s+(?P<other>[^?.,]+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bhow (?:do|does|did|is|are) (?P<one>.+?) (?:differ|different|differs) from (?P<other>[^?.,]+)",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:is|are|was|were) (?P<one>.+?) {_MORE} than (?P<other>[^?.,]+)", re.IGNORECASE),
    re.compile(r"(?P<one>[^?.,:]+?)\s+(?:versus|vs\.?)\s+(?P<other>[^?.,:]+)", re.IGNORECASE),
)
_ZH = (
    re.compile(
        r"(?:请|帮我)?(?:比较|对比)(?:一下|下)?(?P<one>[^，,。?？]{1,24}?)(?:和|与|跟|同|及)(?P<other>[^，,。?？]{1,24}?)"
        r"(?:之间)?的(?P<of>[^，,。?？]{1,14}?)(?:(?:有什么|有何|有哪些|的)?(?:区别|差别|差异|不同))?[。?？]*$"
    ),
    re.compile(
        r"(?:比较|对比)?(?P<one>[^，,。?？]{2,30}?)(?:和|与|跟|同|及)(?P<other>[^，,。?？的]{2,30}?)"
        r"(?:之间)?(?:的(?P<of>[^，,。?？]{0,10}?))?(?:有什么|有何|有哪些|的)?(?:区别|差别|差异|不同|比较|对比|相比)"
    ),
    re.compile(
        r"(?P<one>[^，,。?？]{2,24}?)是?否?比(?P<other>[^，,。?？的]{1,20}?)(?:的(?P<of>[^，,。?？]{1,10}?))?"
        r"(?:更|还|要)?(?:长|短|高|低|贵|便宜|多|少|早|晚|大|小|快|慢)"
    ),
)
_ONLY_ZH = re.compile(
    r"(?:请|帮我)?(?:比较|对比)(?:一下|下)?(?P<one>[^，,。?？]{1,24}?)\s*(?:和|与|跟|同|及)\s*(?P<other>[^，,。?？]{1,24}?)[。?？]*$"
)
_OR = re.compile(
    r"(?P<of>\b(?:which|who|what)\b[^,:?]*?)\s*[,:]\s*(?P<one>[^,?]+?),?\s+or\s+(?P<other>[^,?]+?)\s*\?*\s*$",
    re.IGNORECASE,
)
_WHICH_ZH = re.compile(
    r"(?P<one>[^，,。?？]{1,20}?)(?:和|与|跟|还是|、)(?P<other>[^，,。?？]{1,20}?)[，,]?(?P<of>(?:哪一?[个家种份款者台]|谁)[^，,。?？]*)"
)
_PLACED = r"(?:in|of|at|for|from|by|with)"
_HEAD = re.compile(rf"(?P<head>.*\b{_PLACED})\s+(?P<name>\S.*)")
_TAIL = re.compile(
    r"(?P<name>.+?)\s+(?P<tail>(?:with (?:regard|respect) to|regarding|concerning|in terms of|as to|on)\s+.+)"
)
_THAT = re.compile(r"(?:that|those|the one|the ones)\s+", re.IGNORECASE)


def sides_of(question: str) -> tuple[str, ...]:
    """What a comparison compares, () if the question is none.

    >>> sides_of("Compare paid leave in Rotterdam and Shanghai")
    ('paid leave in Rotterdam', 'paid leave in Shanghai')
    >>> sides_of("鹿特丹和上海的年假有什么区别？")
    ('鹿特丹的年假', '上海的年假')
    """
    for form in _EN:
        match = form.search(question)
        if match is not None:
            return _told(*_shared(match["one"].strip(), match["other"].strip()))
    match = _OR.search(question) or _WHICH_ZH.search(question)
    if match is not None:
        return _told(*(f"{match['of']} {match[side]}" for side in ("one", "other")))
    for form in _ZH:
        match = form.search(question)
        if match is not None:
            one, other, of = match["one"].strip("的"), match["other"].strip("的"), (match["of"] or "").strip()
            if of:
                one, other = (side if "的" in side else f"{side}的{of}" for side in (one, other))
            elif "的" in one and "的" not in other:
                other = f"{other}的{one.partition('的')[2]}"
            return _told(one, other)
    match = _ONLY_ZH.match(question.strip())
    return _told(match["one"], match["other"]) if match is not None else ()


def _shared(one: str, other: str) -> tuple[str, str]:
    """Both sides with what is said of only one of them."""
    one, other = _THAT.sub("", one), _THAT.sub("", other)
    tail = _TAIL.fullmatch(other)
    if tail is not None and not _TAIL.fullmatch(one):
        return f"{one} {tail['tail']}", other
    head, placed = _HEAD.fullmatch(one), re.match(rf"{_PLACED}\s+(?P<name>.+)", other)
    if head is not None and (placed is not None or not _HEAD.fullmatch(other)):
        return one, f"{head['head']} {placed['name'] if placed else other}"
    return one, other


def _told(one: str, other: str) -> tuple[str, ...]:
    one, other = one.strip(" ，,"), other.strip(" ，,")
    return (one, other) if content_words(one) and content_words(other) else ()
