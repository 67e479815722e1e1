"""Things that are told apart by their number or letter alone ("warehouse 77", E310, 三号楼, "gate B").

Two hundred articles of the same form share all words of a question but one, and that one decides. Where the
question names one of such things and a unit speaks of it, what speaks of another one is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rag.answering.extractive.units import Unit
from rag.citations.numbers import han_value
from rag.citations.wording import content_words, root
from rag.records import Evidence
from rag.text.folding import fold
from rag.text.language import language

Id = tuple[str, str]
"""What kind of thing it is, and its number ("warehouse", "77")."""

_CODE = re.compile(
    r"(?<![A-Za-z0-9-])(?P<shape>[A-Za-z]{1,12}(?:[-_][A-Za-z]{1,8})*[-_]?)(?P<number>\d[\dA-Za-z]*(?:[-_/]\d+)*)"
    r"(?![A-Za-z0-9]|[.,]\d)"
)
_CALLED = re.compile(
    r"(?<![\w'’-])(?P<thing>[A-Za-z][A-Za-z'’]{2,})\s+(?:no\.?\s*|nr\.?\s*|number\s+|[#№]\s*)?"
    r"(?:(?P<number>\d{1,7})(?![\w%‰°℃€$£]|[.,:/–-]\d|\s*(?:%|[€$£℃°]))|(?P<letter>[B-HJ-Z])(?![\w'’&.-]))"
)
_HAN = re.compile(
    r"(?P<number>\d{1,7}|[一二三四五六七八九十百零〇]{1,5})(?P<thing>号[一-鿿]{0,2}|[栋幢]楼?|车间|会议室)"
    r"|第(?P<of>\d{1,7}|[一二三四五六七八九十百零〇]{1,5})(?P<kind>[条章节款批组])"
    r"|(?P<name>[一-鿿]{2})(?P<behind>\d{1,7})(?![\d.,:%‰]|号?[一-鿿℃°%‰])"
)
_VERSION = re.compile(
    r"(?<![\w.])(?:v|(?:version|release|ver\.?)\s+v?|(?P<zh>版本号?(?:为|是)?\s*[vV]?))(?P<said>\d{1,4}(?:\.\d{1,5})+)(?!\.?\d)"
    r"|(?<![\w.])(?P<bare>\d{1,4}\.\d{1,4}\.\d{1,3})(?!\.?\d)",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"\s*(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?|times?|percent|per\s*cent|euros?|dollars?|yuan"
    r"|pounds?|eur|usd|rmb|cny|gbp|chf|people|persons|employees|units?|pieces|items|pages|points"
    r"|k?m|[ck]?m|mm|k?g|tons?|tonnes?|litres?|liters?|k?wh?|k?v|bar|mb|gb|tb|degrees?|million|billion|thousand)\b",
    re.IGNORECASE,
)
_NO_THINGS_SAID = """
january february march april may june july august september october november december monday tuesday
wednesday thursday friday saturday sunday eur usd rmb cny gbp chf top least most than above below under
over exceed exceeds exceeding beyond until till before after since within around nearly almost about only
another next last first fiscal year years page pages part parts costs cost costing paid pays per plus
minus equal equals total totals
"""
_NO_THINGS = frozenset(_NO_THINGS_SAID.split())
"""Words before a number that is no name: how much, when."""
_PERIODS = frozenset(["q", "h", "fy", "cy", "w", "kw"])
_YEAR = re.compile(r"(?:19|20)\d\d")
_OTHERS_TOO = re.compile(
    r"\b(?:other|others|another|next|previous|following|than|besides|except|compared?|comparison|differ\w*"
    r"|predecessor|successor|replace\w*|all|every|each|which)\b(?!\s+(?:of\s+)?(?:days?|weeks?|months?|years?))"
    r"|其他|其它|别的|另外|下一|上一|除了|相比|比较|区别|不同|替代|取代|所有|每个|哪[些个几]",
    re.IGNORECASE,
)
_FRONT = 40
"""Characters from its beginning within which a unit names what it speaks of."""
_ALIKE = 0.5
"""Share of their words from which on two units are of the same form."""


def told_apart(
    question: str, everything: Sequence[Unit], evidence: Sequence[Evidence]
) -> tuple[frozenset[int], frozenset[int]]:
    """Indices of the units that speak of the numbered thing that the question names, or stand under it, and
    of those that speak of another one instead; neither if no unit names the question's or if it asks about
    others, too."""
    asked = set(named(question))
    if not asked or _asks_about_others(question, asked):
        return frozenset(), frozenset()
    own = [frozenset(named(unit.text)) for unit in everything]
    under = _under(everything, own, evidence)
    known = {each for ids, above in zip(own, under, strict=True) for each in (*ids, *above)}
    asked |= _in_another_language(question, asked, everything)
    there = known & asked
    kinds = {kind for kind, _ in there}
    if not kinds:
        return frozenset(), frozenset()
    forms = [{*content_words(unit.text)} for unit, ids in zip(everything, own, strict=True) if ids & there]
    others = frozenset(
        index
        for index, unit in enumerate(everything)
        if _of_another(unit, _of(own[index], kinds), _of(under[index], kinds), asked, forms)
    )
    its = frozenset(i for i in range(len(everything)) if (own[i] | under[i]) & there)
    return its - others, others


def named(text: str) -> Iterator[Id]:
    """The numbered things that a text names.

    >>> sorted(named("Is E310 shown at gate B of warehouse no. 77, 三号楼, after 5 days in May 2024?"))
    [('e', '310'), ('gate', 'B'), ('warehous', '77'), ('号', '3')]
    """
    for match in _CODE.finditer(text):
        shape = fold(match["shape"]).rstrip("-_")
        if shape not in _PERIODS:
            yield root(shape), _plain(fold(match["number"]))
    for match in _VERSION.finditer(text):
        yield "version", match["said"] or match["bare"]
    for match in _CALLED.finditer(text):
        thing, number = fold(match["thing"]), match["number"] or match["letter"]
        if match["number"] and (_YEAR.fullmatch(number) or _MEASURED.match(text, match.end())):
            continue
        if thing not in _NO_THINGS and content_words(thing):
            yield root(thing), _plain(number)
    for match in _HAN.finditer(text):
        number = match["number"] or match["of"] or match["behind"]
        kind = match["thing"] or match["kind"] or match["name"]
        if kind.startswith("号") and text[match.start() - 1 : match.start()] in ("月", "/"):
            continue  # a day of a month
        if not (match["behind"] and _YEAR.fullmatch(number)):
            yield kind[:1] if kind.startswith("号") else kind, _plain(number)


def _in_another_language(question: str, asked: set[Id], everything: Sequence[Unit]) -> set[Id]:
    """What the things that a question names are called where a unit in another language begins with one."""
    numbers = {number for _, number in asked}
    asked_in = language(question)
    return {
        each
        for unit in everything
        for each in named(unit.text[:_FRONT])
        if each[1] in numbers and language(unit.text) != asked_in
    }


def _plain(number: str) -> str:
    """A number without leading zeros; in digits."""
    if number.isdigit() or re.fullmatch(r"0+\d+[a-z]", number):
        return number.lstrip("0") or "0"
    value = han_value(number)
    return number if value is None else str(int(value))


def _asks_about_others(question: str, asked: set[Id]) -> bool:
    for match in _OTHERS_TOO.finditer(question):
        word = fold(match.group())
        # "Which port does svc1 use?" asks for a port; "which warehouse" beside "warehouse 7" for others.
        if word not in ("which", "all", "every", "each") and not word.startswith("哪"):
            return True
        behind = {*content_words(question[match.end() :][:_FRONT])[:2]}
        if any(root(kind) in {root(each) for each in behind} for kind, _ in asked):
            return True
    return False


def _under(
    everything: Sequence[Unit], own: Sequence[frozenset[Id]], evidence: Sequence[Evidence]
) -> list[frozenset[Id]]:
    """What each unit stands under: the things that its heading names, or the first line of its block, or the
    sentence that begins its line; else those that its document is called by."""
    by_number = {item.n: item for item in evidence}
    found: list[frozenset[Id]] = []
    before: Unit | None = None
    called = headed = block = line = frozenset[Id]()
    for unit, ids in zip(everything, own, strict=True):
        item = by_number[unit.n]
        if before is None or before.n != unit.n:
            called = frozenset(named(" ; ".join([item.path.rpartition(".")[0], *item.heading])))
            headed = block = line = frozenset()
            gap = "\n\n"
        else:
            gap = item.text[before.end : unit.start]
        if gap.count("\n") >= 2:
            block = frozenset()
        if "\n" in gap:
            line = frozenset()
        if unit.kind == "heading":
            headed, block = ids, frozenset()
        nearest = line or block or headed
        kinds = {kind for kind, _ in nearest}
        # What a heading calls by a number of its own, its document may call by another one.
        found.append(nearest | {each for each in called if each[0] not in kinds})
        if "\n" in gap and any(each in ids for each in named(unit.text[:_FRONT])):
            line = ids
            if unit.kind in ("row", "item", "lead", "head"):
                block = ids
        before = unit
    return found


def _of(ids: frozenset[Id], kinds: set[str]) -> set[Id]:
    return {each for each in ids if each[0] in kinds}


def _of_another(unit: Unit, own: set[Id], under: set[Id], asked: set[Id], forms: Sequence[set[str]]) -> bool:
    if own & asked:
        return False
    if not own:
        return bool(under) and not under & asked
    if any(each in own for each in named(unit.text[:_FRONT])):
        # What stands under the thing that is asked about may refer to another ("see E205").
        return not under & asked or _is_like(unit, forms)
    return _is_like(unit, forms)


def _is_like(unit: Unit, forms: Sequence[set[str]]) -> bool:
    words = {*content_words(unit.text)}
    return any(len(words & form) >= _ALIKE * max(len(words), len(form), 1) for form in forms)
