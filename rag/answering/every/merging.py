"""The answers of all documents as one table, and what their values come to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from rag.answering.every.asking import Said
from rag.answering.tables.cells import Quantity, quantity, written
from rag.answering.tables.operations import wanted
from rag.answering.tables.thresholds import Comparison, compared_with
from rag.citations import MARKER
from rag.text.language import Language

_VALUE = re.compile(
    r"(?<![A-Za-z0-9_.,/-])(?:[¥￥€$£]\s*|(?:EUR|USD|CNY|RMB|GBP|CHF)\s+)?[-−]?\d[\d,]*(?:\.\d+)?(?![\w/-]*\d)"
    r"(?:\s*(?:%|°C|℃|[A-Za-zµ²³/·]{1,8}\b|[万亿]?[一-龥]{1,2}))?"
)
_YEAR = re.compile(r"(?:19|20)\d\d\s*年?")
_MONTHS = re.compile(
    r"\d\s*(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r"|[年月日号]$"
)
_NAMED = 12
_SHOWN_NAME = 60


def head(of: Language) -> str:
    return "| 文档 | 回答 |\n| --- | --- |\n" if of == "zh" else "| Document | Answer |\n| --- | --- |\n"


def row(said: Said) -> str:
    return f"| {_name(said)} | {said.text} |\n"


def told(said: Sequence[Said], question: str, of: Language, *, total: int, limit: int | None) -> str:
    """What stands below the table: what the values come to, who is silent, and what was not read."""
    zh = of == "zh"
    silent = [each for each in said if not each.text]
    unread = total - len(said)
    lines = _about_values([each for each in said if each.text], question, of)
    if zh:
        names = f"：{'、'.join(map(_name, silent[:_NAMED]))}" if silent else ""
        line = f"已阅读 {total} 份文档中的 {len(said)} 份，其中 {len(silent)} 份未说明"
        lines.append(f"{line}{names}{_more(silent, of)}。")
        if limit is not None:
            lines.append(
                f"一次最多阅读 {limit} 份文档：已选内容最接近的 {limit} 份，其余 {unread} 份没有阅读。"
                "请选择一个合集或加上筛选条件再问。"
            )
    else:
        names = f": {', '.join(map(_name, silent[:_NAMED]))}" if silent else ""
        line = f"{len(said)} of {total} documents read, {len(silent)} silent"
        lines.append(f"{line}{names}{_more(silent, of)}.")
        if limit is not None:
            lines.append(
                f"At most {limit} documents are read at once: the nearest in meaning were, the other "
                f"{unread} were not. Choose a collection or a filter to ask those."
            )
    return "\n\n".join(lines)


def value_of(said: Said) -> Quantity | None:
    """The one number that an answer gives; None if there are several or none (years and dates aside)."""
    text = MARKER.sub("", said.text)
    found = []
    for match in _VALUE.finditer(text):
        around = text[match.start() : match.end() + 12]
        if _YEAR.fullmatch(match.group().strip()) or _MONTHS.match(around) or _MONTHS.search(match.group()):
            continue
        number = quantity(match.group().strip())
        if number is not None:
            found.append(number)
    return found[0] if len({(each.value, each.unit) for each in found}) == 1 else None


def _about_values(stated: Sequence[Said], question: str, of: Language) -> list[str]:
    """A comparison, sum or extreme that the question asks for, calculated over the values found."""
    values = [(each, number) for each in stated if (number := value_of(each)) is not None]
    if len(values) < 2:
        return []
    lines = []
    unread = len(stated) - len(values)
    zh = of == "zh"
    limit = compared_with(question)
    if limit is not None:
        meeting = [each for each, number in values if limit.holds(number.value)]
        listed = ("、" if zh else ", ").join(f"{_name(each)} {_marks(each)}" for each in meeting)
        lines.append(_compared(limit, len(meeting), len(values), listed, of))
    else:
        line = _calculated([number for _, number in values], values, question, of)
        if line:
            lines.append(line)
    if lines and unread:
        lines.append(
            f"另有 {unread} 份文档的回答不是单个数字，未计入。"
            if zh
            else f"{unread} answers are no single number and are not counted in."
        )
    return lines


def _compared(limit: Comparison, meeting: int, of_all: int, listed: str, of: Language) -> str:
    sign = f"{limit.sign} {limit.limit:f}"
    if of == "zh":
        return f"{of_all} 份中有 **{meeting}** 份的数值 {sign}" + (f"：{listed}。" if listed else "。")
    return f"**{meeting}** of {of_all} have a value {sign}" + (f": {listed}." if listed else ".")


def _calculated(
    numbers: Sequence[Quantity], values: Sequence[tuple[Said, Quantity]], question: str, of: Language
) -> str:
    zh = of == "zh"
    operation = wanted(question)
    if operation not in ("sum", "average", "max", "min"):
        return ""
    units = {number.unit for number in numbers}
    if len(units) > 1:
        return "各文档的单位不一致，没有计算。" if zh else "The units differ, so nothing was calculated."
    unit = next(iter(units))
    grouped, places = any(n.grouped for n in numbers), max(n.places for n in numbers)
    every = [number.value for number in numbers]
    if operation in ("max", "min"):
        best = max(every) if operation == "max" else min(every)
        holders = ", ".join(f"{_name(s)} {_marks(s)}" for s, n in values if n.value == best)
        shown = f"{written(best, grouped=grouped, places=places)} {unit}".strip()
        word = {"max": "最大值" if zh else "highest", "min": "最小值" if zh else "lowest"}[operation]
        return (
            f"{word}：**{shown}**（{holders}）。" if zh else f"The {word} value is **{shown}** ({holders})."
        )
    result = sum(every, Decimal(0))
    if operation == "average":
        result = (result / len(every)).quantize(Decimal(1).scaleb(-places - 2))
    shown = f"{written(result, grouped=grouped, places=places)} {unit}".strip()
    word = {"sum": "合计" if zh else "sum", "average": "平均值" if zh else "average"}[operation]
    if zh:
        return f"{len(every)} 份文档的{word}为 **{shown}**（由程序计算）。"
    return f"The {word} over {len(every)} documents is **{shown}** (calculated by the program)."


def _more(silent: Sequence[Said], of: Language) -> str:
    more = len(silent) - _NAMED
    if more <= 0:
        return ""
    return f" 等 {len(silent)} 份" if of == "zh" else f" and {more} more"


def _marks(said: Said) -> str:
    return "".join(f"[{item.n}]" for item in said.evidence)


def _name(said: Said) -> str:
    name = (said.paper.name or said.paper.path).replace("|", "/")
    return name if len(name) <= _SHOWN_NAME else "…" + name[-_SHOWN_NAME:]
