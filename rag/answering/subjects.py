"""Whether two sentences that state different numbers speak of one thing or of two.

Offers of two suppliers, data sheets of two pumps, house rules of two sites say different things and are all
right. What a document is about stands in its name, its heading, its first lines ("Supplier: …") and in the
sentence itself. Two versions of one rule have the same subject, whatever their dates; a handbook and a
leaflet that state the same rule differently are of different kinds, but of no different subjects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from difflib import SequenceMatcher

from rag.answering.extractive.numbered import Id as Thing
from rag.answering.extractive.numbered import named
from rag.citations import numbers
from rag.citations.wording import content_words, root
from rag.text.folding import fold
from rag.text.language import language
from rag.text.scripts import is_unspaced
from rag.text.words import words as words_of

_TITLE = 80
_FIELD = re.compile(
    r"(?im)^[\s*_#>|-]*(?P<label>supplier|vendor|bidder|seller|buyer|customer|client|contractor|company|firm"
    r"|product|model|type|device|machine|item|article|site|plant|location|branch|store|city|country|region"
    r"|name|employee|person|patient|student|tenant|applicant|project|department|course|vehicle"
    r"|供应商|供货商|投标人|投标单位|报价单位|卖方|买方|客户|承包商|公司|单位|产品|型号|设备|品名|项目|地点|工厂|分公司"
    r"|门店|城市|地区|姓名|员工|患者|学生|租户|申请人|部门|课程|车型)"
    r"[*_ \t]*[:：][*_ \t]*(?P<value>[^\n]{1,60})"
)
_KINDS = """
handbook manual guide guideline policy rule regulation faq question memo memorandum circular notice
bulletin intranet procedure instruction contract agreement offer quotation quote bid tender proposal
report minutes letter sheet data table list overview summary leaflet brochure slide training sign
certificate inspection form record note document file page website text paper protocol plan code conduct
terms condition annex appendix service user employee staff internal general company department division
office team hr it personnel human resource finance purchasing legal version edition draft final new old
revised revision current former superseded updated update amended copy first second third valid force
effective issued dated january february march april june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec quarter annual yearly monthly
"""
_KIND = frozenset(map(root, _KINDS.split()))
"""Words that tell what kind of document it is, its version, or who issued it, not what it is about."""
_HAN_KIND = re.compile(
    r"手册|指南|规定|规则|制度|办法|细则|条例|准则|守则|章程|通知|公告|通告|说明书?|须知|合同|协议|报价[单书表]?|投标[书文件]*"
    r"|报告|年报|月报|季报|纪要|备忘录|清单|目录|一览表?|问答|常见问题|问题|解答|培训|材料|课件|标牌|证书|检验|登记|记录"
    r"|文件|文档|资料|方案|计划|公司内部|人事|行政|财务|设备|采购|法务|信息|部门?|处|科|关于|使用|产品|员工|管理|数据"
    r"|征求意见稿|初稿|草案|定稿|终稿|试行|修订|旧版?|新版?|现行|废止|版本?|第[\d一二三四五六七八九十]+[号版期季度]*"
    r"|\d+|[年月日号版的与和及]|上半年|下半年|年度|季度|月份"
)
_OF_A_PERIOD = re.compile(
    r"(?i)\b(?:report|results?|statements?|accounts|minutes|survey|statistics|figures|budget|inventory|stock|sales"
    r"|turnover|forecast|review)\b|年报|报告|月报|季报|报表|决算|预算|统计|纪要|库存|盘点|业绩|总结|简报"
)
_PERIOD = re.compile(
    r"(?i)(?<!\d)(?:19|20)\d\d(?!\d)|\b(?:january|february|march|april|may|june|july|august|september|october"
    r"|november|december|q[1-4]|h[12]|(?:first|second|third|fourth) quarter)\b"
    r"|(?:十[一二]?|[一二三四五六七八九]|1[0-2]|[1-9])月|第?[一二三四1-4]季度|[上下]半年"
)
_PERIOD_SAID = re.compile(
    r"(?i)\b(?:q[1-4]|h[12]|(?:first|second|third|fourth|last) (?:quarter|half))\b"
    r"|第?[一二三四1-4]季度|[上下]半年"
)
_CAPITAL = re.compile(r"(?<![\w'’-])[A-Z][\w&'’.-]*[\w]")
_NO_NAMES = """
january february march april may june july august september october november december monday tuesday wednesday
thursday friday saturday sunday eur usd rmb cny gbp chf km kg
"""
_CALENDAR = frozenset(_NO_NAMES.split())
_HAN_LIGHT = re.compile(r"[应须可必需要将自从凡按根据对于在本该每各其全所有的为是]")
_STAFF_HAN = "员工 职工 职员 雇员 人员 工作人员 全体 全员 公司 单位 新员工 新职工"
_STAFF = frozenset(_STAFF_HAN.split())
"""Not a name, but how a rule calls all that it is for."""
_SHORTEST, _LONGEST = 2, 10
_SUBJECT = 0.4
"""Within that share of a Chinese sentence from its beginning stands what it is about."""


@dataclass(frozen=True, slots=True)
class Side:
    """A sentence, and what its document is called: name, headings, first lines. text: around the sentence.
    before: what stands before it in its paragraph."""

    sentence: str
    path: str
    headings: tuple[str, ...]
    head: str
    text: str
    before: str = ""

    @property
    def called(self) -> str:
        """What names the document: its headings, its first line if that is a title, its file and folder."""
        first = self.head.strip().partition("\n")[0].strip("# ")
        if len(first) > _TITLE or first.endswith((".", "。", "!", "！", ";", "；")):
            first = ""
        stem = self.path.rpartition(".")[0] or self.path
        return " ".join([*self.headings, first, re.sub(r"[/_\\-]", " ", stem)])


def two_subjects(one: Side, other: Side, asked: set[str]) -> bool:
    """Whether two sentences speak of two things. asked: the words of the question."""
    return (
        _fields_differ(one, other)
        or _things_differ(one, other)
        or _periods_differ(one, other)
        or _names_differ(one, other)
        or _words_differ(one, other, asked)
        or _called_otherwise(one, other)
        or _codes_differ(one, other)
    )


def codes(text: str) -> set[str]:
    """Names with digits in them (P-1, HK-420): what a sentence is about, not what it states."""
    return {word for word in words_of(text) if any(map(str.isdigit, word)) and any(map(str.isalpha, word))}


def said_words(sentence: str) -> set[str]:
    """What a sentence says apart from its numbers."""
    return {word for word in content_words(sentence) if not any(map(str.isdigit, word))}


def _fields_differ(one: Side, other: Side) -> bool:
    """Whether the same field at the head of both ("Supplier: …") names something else."""
    fields = [
        {fold(match["label"]): fold(match["value"]).strip(" *_.") for match in _FIELD.finditer(side.head)}
        for side in (one, other)
    ]
    return any(value != fields[1].get(label, value) for label, value in fields[0].items())


def _things_differ(one: Side, other: Side) -> bool:
    """Whether the sentences begin with different numbered things ("boiler 22"), or name such beside the other
    numbers in which they differ, or go on about such. "Reception has extension 214" names no other thing, but
    another extension."""
    told = [one.sentence, other.sentence]
    own = _own_things(*told)
    if not own:
        return not any(map(set, map(named, told))) and bool(_own_things(one.before, other.before))
    if all(
        any(each in mine for each in named(text[: len(text) // 2]))
        for text, mine in zip(told, own, strict=True)
    ):
        return True
    values = [numbers.values(text) - _of_things(mine) for text, mine in zip(told, own, strict=True)]
    return bool(values[0] - values[1]) and bool(values[1] - values[0])


def _own_things(one: str, other: str) -> list[set[Thing]]:
    """What each text names and the other one does not, if that is of one kind; else ()."""
    things = [set(named(one)), set(named(other))]
    own = [things[0] - things[1], things[1] - things[0]]
    return own if {kind for kind, _ in own[0]} & {kind for kind, _ in own[1]} else []


def _of_things(things: Iterable[tuple[str, str]]) -> set[Decimal]:
    return set().union(*(numbers.values(number) for _, number in things))


def _periods_differ(one: Side, other: Side) -> bool:
    """Whether each speaks of a period of its own: two quarters, or the reports on two years."""
    said = [{fold(each) for each in _PERIOD_SAID.findall(side.sentence)} for side in (one, other)]
    if said[0] and said[1] and said[0] != said[1]:
        return True
    if not all(_OF_A_PERIOD.search(side.called) for side in (one, other)):
        return False
    periods = [{fold(each) for each in _PERIOD.findall(side.called)} for side in (one, other)]
    return bool(periods[0] and periods[1]) and periods[0] != periods[1]


def _names_differ(one: Side, other: Side) -> bool:
    """Whether each sentence has a name of its own."""
    if language(one.sentence) == "zh":
        return _begin_otherwise(one.sentence, other.sentence)
    names = [_names(one, other), _names(other, one)]
    return bool(names[0] - names[1]) and bool(names[1] - names[0])


def _names(side: Side, other: Side) -> set[str]:
    """Words of the sentence with a capital that neither text has without one."""
    small = set(re.findall(r"(?<![\w'’-])[a-z][\w'’-]*", f"{side.text} {other.text}"))
    found = {fold(match.group()) for match in _CAPITAL.finditer(side.sentence)}
    return {name for name in found if name not in small and name not in _CALENDAR and root(name) not in _KIND}


def _begin_otherwise(one: str, other: str) -> bool:
    """Whether two Chinese sentences, alike in the rest, name other things where they name their subject."""
    for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "replace" or a > _SUBJECT * len(one) or c > _SUBJECT * len(other):
            continue
        pieces = [one[a:b], other[c:d]]
        if all(all(map(is_unspaced, piece)) and _HAN_LIGHT.sub("", piece) for piece in pieces):
            return _is_name(one, a, b) and _is_name(other, c, d)
    return False


def _is_name(sentence: str, start: int, end: int) -> bool:
    """Whether words at the beginning of a sentence may be a name: what follows is what is said of it."""
    return start == 0 and _SHORTEST <= end <= _LONGEST and sentence[start:end] not in _STAFF


def _words_differ(one: Side, other: Side, asked: set[str]) -> bool:
    """Whether each sentence has a word of its own that the question asks about, or that its document is
    called by."""
    words = [said_words(side.sentence) for side in (one, other)]
    own = [words[0] - words[1], words[1] - words[0]]
    if not all(own):
        return False
    called = [said_words(side.called) for side in (one, other)]
    return any(mine & asked for mine in own) or all(
        mine & name for mine, name in zip(own, called, strict=True)
    )


def _called_otherwise(one: Side, other: Side) -> bool:
    """Whether two documents of one kind are called by other names, dates and versions aside."""
    if language(one.called) != language(other.called):
        return False
    if language(one.called) == "zh":
        names = [_han_names(side.called) for side in (one, other)]
    else:
        names = [
            {word for word in map(root, _plain(side.called)) if word not in _KIND} for side in (one, other)
        ]
    own = [names[0] - names[1], names[1] - names[0]]
    # Own names beside the same kind; a title that shares nothing tells another document, not another thing.
    return all(own) and (bool(names[0] & names[1]) or _one_kind(one.called, other.called))


def _plain(text: str) -> Iterable[str]:
    return (word for word in words_of(text) if len(word) > 1 and not any(map(str.isdigit, word)))


def _han_names(text: str) -> set[str]:
    """The runs of Chinese characters that name something, and words in other scripts."""
    kept = _HAN_KIND.sub(" ", text)
    return {run for run in re.findall(r"[一-鿿]{2,}|[A-Za-z]{3,}", kept) if fold(run) not in _KIND}


def _one_kind(one: str, other: str) -> bool:
    """Whether both names tell the same kind of document."""
    if language(one) == "zh":
        found = [_HAN_KIND.findall(text) for text in (one, other)]
        kinds = [{kind for kind in each if len(kind) > 1 and not kind.isdigit()} for each in found]
    else:
        kinds = [{word for word in map(root, _plain(text)) if word in _KIND} for text in (one, other)]
    return bool(kinds[0] & kinds[1])


def _codes_differ(one: Side, other: Side) -> bool:
    """Whether the documents begin with different codes, and no sentence names one."""
    first = [side.head.strip().partition("\n")[0] for side in (one, other)]
    found = [codes(" ".join([line, *side.headings])) for line, side in zip(first, (one, other), strict=True)]
    own = [found[0] - found[1], found[1] - found[0]]
    return all(own) and not codes(f"{one.sentence} {other.sentence}")
