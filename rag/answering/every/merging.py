"""The answers of all documents as one table, and what their values come to."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from rag.answering.every.said import Said
from rag.answering.every.values import Chosen, chosen, value_of
from rag.answering.tables.cells import Quantity, written
from rag.answering.tables.operations import wanted
from rag.text.language import Language

_NAMED = 12
_SHOWN_NAME = 60


def head(of: Language) -> str:
    return "| 文档 | 回答 |\n| --- | --- |\n" if of == "zh" else "| Document | Answer |\n| --- | --- |\n"


def row(said: Said) -> str:
    return f"| {_name(said)} | {said.text} |\n"


def told(
    said: Sequence[Said], question: str, of: Language, *, total: int, limit: int | None, form: bool = False
) -> str:
    """What stands below the table: what the values come to, who is silent, and what was not read.
    form: only the documents of one form were asked."""
    zh = of == "zh"
    silent = [each for each in said if not each.text]
    unread = total - len(said)
    lines = _about_values([each for each in said if each.text], question, of)
    if zh:
        names = f"：{'、'.join(map(_name, silent[:_NAMED]))}" if silent else ""
        line = f"已阅读 {total} 份文档中的 {len(said)} 份，其中 {len(silent)} 份未说明"
        lines.append(f"{line}{names}{_more(silent, of)}。{'（只逐份询问了这一类文档。）' if form else ''}")
        if limit is not None:
            lines.append(
                f"一次最多阅读 {limit} 份文档：已选内容最接近的 {limit} 份，其余 {unread} 份没有阅读。"
                "请选择一个合集或加上筛选条件再问。"
            )
    else:
        names = f": {', '.join(map(_name, silent[:_NAMED]))}" if silent else ""
        line = f"{len(said)} of {total} documents read, {len(silent)} silent"
        note = " (Only the documents of this form were asked, one by one.)" if form else ""
        lines.append(f"{line}{names}{_more(silent, of)}.{note}")
        if limit is not None:
            lines.append(
                f"At most {limit} documents are read at once: the nearest in meaning were, the other "
                f"{unread} were not. Choose a collection or a filter to ask those."
            )
    return "\n\n".join(lines)


def _about_values(stated: Sequence[Said], question: str, of: Language) -> list[str]:
    """A comparison, sum or extreme that the question asks for, calculated over the values found."""
    by_limit = chosen(stated, question)
    values = [(each, number) for each in stated if (number := value_of(each, question)) is not None]
    lines = []
    unread = len(stated) - len(values)
    zh = of == "zh"
    if by_limit is not None and _choosable(by_limit):
        lines.append(_compared(by_limit, of))
        unread = len(by_limit.open)
    elif len(values) > 1:
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


def shown_rows(said: Sequence[Said], question: str) -> list[Said]:
    """The rows of the table at its end: those that the question's limit chooses and those of which nobody can
    tell; all that say something where there is no limit."""
    stated = [each for each in said if each.text]
    by_limit = chosen(stated, question)
    if by_limit is None or not _choosable(by_limit):
        return stated
    left = {each.paper.document for each in by_limit.failing}
    return [each for each in stated if each.paper.document not in left]


def _choosable(found: Chosen) -> bool:
    return len(found.meeting) + len(found.failing) > 1


def _compared(found: Chosen, of: Language) -> str:
    meeting, failing = len(found.meeting), len(found.failing)
    zh = of == "zh"
    listed = ("、" if zh else ", ").join(f"{_name(each)} {_marks(each)}" for each in found.meeting)
    rest = ("、" if zh else ", ").join(map(_name, found.failing[:_NAMED])) + _more(found.failing, of)
    if zh:
        such = f"符合“{found.said}”" if found.of_days else f"的数值 {found.said}"
        said = f"{meeting + failing} 份中有 **{meeting}** 份{such}" + (f"：{listed}。" if listed else "。")
        return said + (f"另外 **{failing}** 份不符合，未列入上表：{rest}。" if failing else "")
    value = "day" if found.of_days else "value"
    said = f"**{meeting}** of {meeting + failing} have a {value} {found.said}"
    said += f": {listed}." if listed else "."
    return said + (f" The other **{failing}** do not and are not in the table: {rest}." if failing else "")


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
