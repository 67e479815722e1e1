"""Which calculation a question's words ask for."""

from __future__ import annotations

import re
from typing import Literal

from rag.answering.tables.between import within
from rag.answering.tables.concepts import concept_of, concepts
from rag.answering.tables.grouping import asks_figure, asks_flow, asks_worth, each_of
from rag.answering.tables.thresholds import without_threshold
from rag.citations.wording import content_words
from rag.text.folding import fold

Operation = Literal["count", "sum", "average", "max", "min", "list"]
Span = Literal["year", "month"]

_ASKS: dict[Operation, re.Pattern[str]] = {
    "average": re.compile(r"\baverage|\bmean\b|on average|平均"),
    "max": re.compile(
        r"\b(?:highest|largest|biggest|greatest|maximum|most expensive|longest|heaviest|dearest|priciest"
        r"|costliest)\b|最[高大贵长重]|(?<!至)最多(?!不|可|能|为|\s*\d)"
    ),
    "min": re.compile(
        r"\b(?:lowest|smallest|cheapest|minimum|fewest|shortest|lightest)\b|(?<!\bat )\bleast\b"
        r"|最[低小短轻]|(?<!至)最少(?!要|须|需|为|\s*\d)|最便宜"
    ),
    "sum": re.compile(
        r"\b(?:total|sum|altogether|together|in all|overall|add(?:s|ed|ing)? up"
        r"|add(?:s|ed)? together|sum(?:s|med)? up to|combined)\b"
        r"|合计|总计|总和|总额|总共|共计|一共|总(?=[金数重价销产费成面量值额长人件工时收支])|加起来|加在一起"
    ),
    "count": re.compile(
        # "The part number of the seal" and "the number of the room" are read, not counted.
        r"\bhow many\b|(?:^|[^\w\s]\s*|\b(?:the|a|an|and|or|what|which|total|overall|exact|whole|average"
        r"|maximum|minimum|highest|lowest|largest|greatest|smallest|by|per|with|give|show|tell|state|our|their|its|is|me"
        r"|current|combined) )numbers? of\b(?! (?:the|this|that|an?) (?:\w+ )?\w*[^\Ws]\b(?! \w+s\b))"
        r"|\bcount\b|\bhow often\b"
        r"|(?<![号码话址]是)(?<![号码话址]为)多少(?=[个行条项种家名份笔台件次人张]|$)|几(?=[个行条项种家名份笔台件次张])"
        r"|有多少|数量|[行条项]数|数目|个数"
    ),
    "list": re.compile(
        r"\blist\b|\bname all\b|\bwhich\b.*\b(?:all|every)\b|\ball (?:the )?\w+|\bevery\b"
        r"|列出|列举|所有|全部|哪些"
    ),
}
_ADDS_UP = re.compile(
    r"\b(?:add(?:s|ed|ing)?|sum(?:s|med)?|come|comes) up to\b|\badd(?:s|ed)? up\b|加(?:起来|在一起)|求和"
)
_OF_ALL = re.compile(
    r"\b(?:are|is|were|was) (?:there|listed)\b|\bin (?:the |this )?(?:table|list|file|sheet)\b"
    r"|\b(?:in total|altogether|in all|overall)\b"
    r"|\bdo(?:es)? (?:we|you|they|the \w+) (?:have|own|run|employ)\b"
    r"|\bwork for\b|\bhave we\b|一共|总共|共有|有多少|我们有|现有|有几|表[格中里]|文件[中里]"
)
_ROWS = re.compile(
    r"\b(?:rows?|entries|entry|records?|lines?|items?)\b|(?:多少|几|共)\s*[行条项]|[行条项]数|记录|数据行|条目"
)
_PREFERRED = re.compile(
    r"\b(?:which|who|what)\b.*?\b(?:more|higher|larger|bigger|greater|longer"
    r"|(?P<less>less|lower|fewer|smaller|shorter))\b.*\bor\b"
    r"|(?:哪一?[个家种台位款]?|谁)[^最]{0,8}?(?:多|高|大|长|(?P<zh_less>少|低|小|短))[？?]?$"
)
_SPAN = re.compile(
    r"\b(?:(?:which|what|by|per|each|every) (?:month|year)|(?:monthly|yearly) (?=\w))|[哪每各按]一?个?[月年]"
)
_SEVERAL = re.compile(r"\bwhich (?:\w+ ){0,2}?(?!is\b|was\b|has\b|does\b|this\b|its\b)\w{3,}s\b")
"""A plural ("which pumps …"): several things may be listed."""
_PLAIN_TOTAL = re.compile(r"\btotal\b(?! of\b)|总(?=[金数重价销产费成面量值额长人件工时收支])")
"""May be the name of something that a text states ("the total price is …"), not a wish to add up."""
_MOST = re.compile(r"(?<!\bat )\bmost\b(?! (?:of (?:the|our|these|those|all)|expensive)\b)")
_LISTED = re.compile(
    r"\b(?:which|what|list|name all|show)\s+(?:all\s+|of\s+)?(?:the\s+)?(?P<en>[a-z]\w+)"
    r"|(?P<before>[一-鿿]{2})(?:都|一共|分别)?(?:有|是)哪些|哪些(?P<behind>[一-鿿]{2})"
)
_COMMONEST = re.compile(r"\bmost (?:common|frequent|often)(?:ly)?\b|最(?:常见|频繁|常)")
_WITH_THE_MOST = re.compile(rf"\b(?:which|who|whose|what \w+ (?:has|had))\b.*{_MOST.pattern}")
_OF_MANY = re.compile(rf"{_MOST.pattern}|\bfewest\b|(?<!\bat )\bleast\b(?! expensive)|最[多少]")
_LATEST = re.compile(r"\b(?:latest|newest|youngest|most recent(?:ly)?)\b|最[新晚]|最近")
_EARLIEST = re.compile(r"\b(?:oldest|earliest)\b|最[早老旧]")
_COUNTED = re.compile(r"\bhow many\s+(?P<en>[^?.,]+)|(?:多少|几)\s*(?P<zh>[^，,。?？]*)")
_MEASURE = re.compile(r"^[个行条项种家名份笔台件次人张位座所批类辆只根块套]")
_HEAD_ENDS = re.compile(
    r"\b(?:are|is|do|does|did|have|has|had|were|was|can|could|will|in|at|on|from|of|with|for|by|to|there|we|you)\b"
)
_ZH_BEFORE = re.compile(r"(?P<said>[^，,。?？]*?)(?:一共|总共|共)?(?:有|是|为)?\s*(?:多少|几)")
_OF_WHICH = re.compile(
    r"\b(?:which|what)\s+(?P<en>[\w-]+(?:\s+[\w-]+)?)|哪(?:一?[个家种门位名类款项座所批]|些)?(?P<zh>[一-龥]{1,6})"
)


def operations_in(asked: str) -> list[Operation]:
    """What a folded question may ask for, the likeliest first."""
    found = [operation for operation, pattern in _ASKS.items() if pattern.search(asked)]
    time = in_time(asked)
    if time is not None and not found:
        return ["max" if time == "latest" else "min"]
    if not found and _SEVERAL.search(asked):
        return ["list"]
    if (_MOST.search(asked) or _COMMONEST.search(asked)) and "max" not in found:
        found.insert(0, "max")
    if "count" in found and "list" in found:
        found.remove("list")  # "how many orders of all customers"
    return found


def adds_up(asked: str) -> bool:
    """Whether numbers are to be added, in so many words: rows are not.

    >>> adds_up("how many are there and what do they add up to?"), adds_up("how many are there in total?")
    (True, False)
    """
    return _ADDS_UP.search(asked) is not None


def preferred(asked: str) -> Operation | None:
    """Whether of some things that are named the one with more or less of something is asked for.

    >>> preferred("who spent more, ann or bo?"), preferred("男装和女装哪个卖得多"), preferred("哪个最多")
    ('max', 'max', None)
    """
    match = _PREFERRED.search(asked)
    if match is None:
        return None
    return "min" if match["less"] or match["zh_less"] else "max"


def lists_by_plural(asked: str) -> bool:
    """Whether nothing but a plural tells that several are asked for ("which pumps …")."""
    return _ASKS["list"].search(asked) is None


def in_time(asked: str) -> Literal["latest", "earliest"] | None:
    """Whether the last or the first in time is asked for."""
    if _LATEST.search(asked):
        return "latest"
    return "earliest" if _EARLIEST.search(asked) else None


def implied(asked: str, operation: Operation) -> set[str]:
    """Concepts that the superlative itself speaks of: "the most expensive" of the price.

    >>> implied("which lamp is the dearest?", "max") == implied("哪盏灯最贵", "max") == concepts("price")
    True
    """
    said = " ".join(match.group() for match in _ASKS[operation].finditer(asked))
    return {concept for word in content_words(said) if (concept := concept_of(word)) is not None}


def asks_for_calculation(question: str) -> bool:
    """Whether a table could be calculated over to answer a question."""
    asked = fold(question)
    return bool(
        operations_in(asked)
        or each_of(asked)
        or asks_flow(asked)
        or asks_worth(asked)
        or span_asked(asked)
        or preferred(asked)
    )


def may_be_calculated(question: str) -> bool:
    """Likewise, or whether its figure may be spread over several rows of a table."""
    return asks_for_calculation(question) or asks_figure(fold(question))


def wanted(question: str) -> Operation | None:
    """Which calculation a question asks for by its words alone; "the most" of anything may be none, but that
    of one of several things is."""
    asked = fold(question)
    if _WITH_THE_MOST.search(asked):
        return "max"
    return next((operation for operation, pattern in _ASKS.items() if pattern.search(asked)), None)


def says_plain_total(question: str) -> bool:
    """Whether "total" may be part of a name that some text states."""
    return _PLAIN_TOTAL.search(fold(question)) is not None


def asks_of_many(asked: str) -> bool:
    """Whether "the most" or "the fewest" of something is asked for, not the highest single figure."""
    return _OF_MANY.search(asked) is not None


def counted(asked: str) -> set[str]:
    """Concepts of what is counted, as far as the grammar tells.

    >>> counted("how many wagons are in the yard?"), counted("车间里有几辆叉车？")
    ({'wagon'}, {'叉车'})
    """
    match = _COUNTED.search(asked)
    if match is None:
        return set()
    if match["en"] is not None:
        said = _HEAD_ENDS.split(match["en"])[0].split()[:3]
        done = next((place for place, word in enumerate(said) if place and word.endswith("ed")), len(said))
        return concepts(" ".join(said[:done]))
    if match["zh"].startswith("人"):
        return concepts("people")
    behind = _MEASURE.sub("", match["zh"])
    if concepts(behind):
        return concepts(behind)
    before = _ZH_BEFORE.match(asked)
    return concepts(before["said"].rpartition("的")[2]) if before else set()


def asks_of_all(asked: str) -> bool:
    """Whether all that a table holds is asked about."""
    return _OF_ALL.search(asked) is not None


def asks_commonest(asked: str) -> bool:
    """Whether what is there the most times is asked for."""
    return _COMMONEST.search(asked) is not None


def listed(asked: str) -> set[str]:
    """Concepts of what is to be listed, as far as the grammar tells.

    >>> listed("年费超过80元的水泵有哪些？") == concepts("水泵")
    True
    >>> listed("which pumps are over 7 bar?") == concepts("pumps")
    True
    """
    match = _LISTED.search(asked)
    if match is None:
        return set()
    return concepts(match["en"] or match["before"] or match["behind"])


def asks_rows(asked: str) -> bool:
    """Whether rows are spoken of by that name or another."""
    return _ROWS.search(asked) is not None


def span_asked(asked: str) -> Span | None:
    """Whether figures are asked for by month or year, or which one of those has the most.

    >>> span_asked("which month had the most scrap?"), span_asked("每年的销售额"), span_asked("last month")
    ('month', 'year', None)
    """
    match = _SPAN.search(asked)
    if match is None:
        return None
    return "month" if "mon" in match.group() or "月" in match.group() else "year"


def of_which(asked: str) -> set[str]:
    """Concepts of the things among which one is asked for ("which region …", 哪个地区)."""
    match = _OF_WHICH.search(asked)
    if match is None:
        return set()
    # Of a shop (店) its first character is all that there is before the verb.
    return concepts(match["en"]) if match["en"] else concepts(match["zh"]) | concepts(match["zh"][0])


def without_calculation(question: str) -> str:
    """What a question asks of each single thing: its words without those that only calculate over all.

    >>> without_calculation("What is the total measured flow of all pumps over 400 l/min?")
    'What is the measured flow of pumps l/min?'
    """
    text = without_threshold(question)
    limit = within(text)
    if limit is not None:
        text = re.sub(re.escape(limit.said), " ", text, flags=re.IGNORECASE)
    for operation in ("sum", "average", "max", "min"):
        text = _ASKS[operation].sub(" ", text)
    text = re.sub(
        r"(?i)\b(?:of )?(?:the|our|these|those) \d+ (?=[a-z]+s\b)|这?\d+[份个家](?=[一-龥])", " ", text
    )
    text = re.sub(r"(?i)\b(?:all|every|each|list)\b|所有|全部|列出|每[一-龥]", " ", text)
    text = re.sub(r"\s+(?=[?.,])", "", " ".join(text.split()))
    return text if concepts(text) else question
