"""Whether a table knows every word of a question: then it is this table that the question speaks of, however
far its rows seem from the question's words to an embedder."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag.answering.tables.concepts import concept_of, concepts
from rag.citations.wording import content_words, root
from rag.text.folding import fold
from rag.text.scripts import is_unspaced
from rag.text.words import words

_CALCULATING = """
total sum altogether overall average mean highest largest biggest greatest maximum longest lowest smallest
cheapest minimum fewest shortest least most number count list name show table file sheet column row rows entry
entries record records line lines value values listed different distinct combined together added over more
less above below high low big small large long much old new there currently now present know want find get
single amongst among one ones oldest newest youngest latest earliest recent recently per every together
lose lost cause caused take took taken make made produce produced receive received see saw bring brought
generate generated account accounted contribute contributed record recorded reach reached need needed use used
order ordered break broken split group grouped add sell sold spend spent earn earned pay paid sum up open
opened after before since fewer higher lower larger bigger smaller longer shorter cheaper
until by later earlier happen happened occur occurred lead led there quarter half year month
frequent frequently common commonly often submit submitted file filed claim claimed enter entered register
registered book booked respectively yet
"""
_OF_THE_HOUSE = "company firm organisation organization employ work keep kept hold held stored"
_SAID_BY_ALL = frozenset(map(root, f"{_CALCULATING} {_OF_THE_HOUSE}".split()))
_HAN_SAID_BY_ALL = re.compile(
    r"合计|总计|总和|总额|总共|共计|一共|多少|平均|最[高大多低小少贵长短重轻新晚早老旧近]|最便宜|列出|所有|全部|哪[些个天年月日]|表格|数量"
    r"|数目|[得更][多高大长少低小短贵]|统计|汇总|求和|排名|请问|加起来|我们|公司|目前|现在|现有|分别|不同|常见|频繁|超过|大于|高于|多于|少于|低于|小于|不到|至少|至多|记录|数据|条目"
)
_HAN_LIGHT = re.compile(
    r"[共有是为的在里中表几一门行条项个种家名份笔台件次人张位座辆呢吗吧了哪那这各每其被由和与及着么什各按卖花用总月年]"
)

_JOINED = re.compile(r"[A-Za-z]+(?:[-–][A-Za-z]+)+")


def unknown_words(question: str, names: Sequence[str]) -> set[str]:
    """The words of a question that neither ask for a calculation nor stand in `names` (titles, cells), be it
    by another word for the same.

    >>> unknown_words("Which part is the most expensive?", ["Spare parts", "Unit price"])
    set()
    >>> sorted(unknown_words("Which pump has the highest flow?", ["Pumps", "Weight"]))
    ['flow']
    >>> unknown_words("哪个工厂人最多？", ["工厂", "在册人数"])
    set()
    >>> unknown_words("哪条河最长？", ["工厂", "长度"])
    {'河'}
    """
    text = fold(" | ".join(names))
    question = _JOINED.sub(lambda match: _as_one(match.group(), text), question)
    asked = fold(question)
    known = concepts(text)
    spoken = {*words(text), *map(root, words(text))}
    latin = {
        word
        for word in content_words(question)
        if not all(map(is_unspaced, word))
        and not word.isdigit()
        and word not in _SAID_BY_ALL
        and (concept_of(word) or word) not in known
        and word not in spoken
    }
    return latin | _unknown_han(asked, text, known)


def _as_one(word: str, text: str) -> str:
    """A word with hyphens as the text writes it, be it without them ("on-call": "oncall")."""
    plain = re.sub(r"[-–]", "", word)
    return plain if fold(plain) in text else word


def _unknown_han(asked: str, text: str, known: set[str]) -> set[str]:
    """The runs of characters that nothing explains."""
    covered = [not is_unspaced(char) for char in asked]
    for match in [*_HAN_SAID_BY_ALL.finditer(asked), *_HAN_LIGHT.finditer(asked)]:
        covered[match.start() : match.end()] = [True] * len(match.group())
    for place in range(len(asked) - 1):
        pair = asked[place : place + 2]
        if all(map(is_unspaced, pair)) and (concept_of(pair) in known or pair in text):
            covered[place : place + 2] = [True, True]
    for place, char in enumerate(asked):
        covered[place] = covered[place] or (is_unspaced(char) and concept_of(char) in known)
    runs = "".join(" " if is_known else char for char, is_known in zip(asked, covered, strict=True))
    return set(runs.split())
