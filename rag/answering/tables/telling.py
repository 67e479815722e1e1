"""The result of a calculation in words, in the question's language."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

from rag.answering.tables.calculating import Result
from rag.answering.tables.cells import written
from rag.answering.tables.reading import Reading
from rag.answering.tables.whole import Row, Whole
from rag.text.folding import fold
from rag.text.language import Language

MOST_LISTED = 500
"""Values or rows written into an answer, at most; how many more there are is said."""
_MORE_PLACES = 2
_MOST_AT = 5
_LONGEST = 200
CALCULATED: dict[Language, str] = {
    "en": "(Calculated by the program over the whole table.)",
    "zh": "（由程序读取整张表格计算得出。）",
}
_MOST_GROUPS = 20

_NOUNS = {
    "en": {"sum": "sum", "average": "average", "max": "highest value", "min": "lowest value"},
    "zh": {"sum": "合计", "average": "平均值", "max": "最大值", "min": "最小值"},
}

_OF_TIME = {
    "en": {"max": "latest value", "min": "earliest value"},
    "zh": {"max": "最晚值", "min": "最早值"},
}


def told(result: Result, reading: Reading, table: Whole, name: str, of: Language, marks: str) -> str:
    """Markdown; `marks` ([1][2]) stand behind each sentence that gives a result. name: the file's."""
    zh = of == "zh"
    lines = [_head(result, reading, table, name, of, marks)]
    if result.groups:
        lines += [
            f"- {key}：{number(result, amount)}" if zh else f"- {key}: {number(result, amount)}"
            for key, amount in result.groups[:_MOST_GROUPS]
        ]
        more = len(result.groups) - _MOST_GROUPS
        if more > 0:
            lines.append(f"（还有 {more} 项未列出。）" if zh else f"({more} more are not listed.)")
    if result.operation == "list":
        lines += [f"- {value}{_rest(value, result, reading)}" for value in result.values[:MOST_LISTED]]
        more = len(result.values) - MOST_LISTED
        if more > 0:
            lines.append(f"（还有 {more} 项未列出。）" if zh else f"({more} more are not listed.)")
    for row in result.at[:_MOST_AT]:
        lines.append(f"- {_row(row)} {marks}" if not zh else f"- {_row(row)}{marks}")
    if len(result.at) > _MOST_AT:
        more = len(result.at) - _MOST_AT
        lines.append(f"（还有 {more} 行与之相同。）" if zh else f"({more} more rows have it too.)")
    notes = _notes(result, of)
    if reading.things:
        things = "、".join(sorted(reading.things))
        notes.append(
            f"（表格中没有“{things}”一词：统计的是上述行。）"
            if zh
            else "(Mind that the table does not have every word of the question: its rows are counted.)"
        )
    return "\n".join(lines) + ("\n\n" + "\n".join(notes) if notes else "")


def _rest(value: str, result: Result, reading: Reading) -> str:
    """What else stands in the one row that a value is listed for, if conditions chose few rows."""
    if not reading.conditions or len(result.rows) > _MOST_GROUPS or result.column is None:
        return ""
    rows = [row for row in result.rows if value in row.cells[result.column : result.column + 1]]
    if len(rows) != 1:
        return ""
    others = [cell for at, cell in enumerate(rows[0].cells) if cell and at != result.column]
    return _cut(f" ({' | '.join(others)})") if others else ""


def number(result: Result, value: Decimal | None = None) -> str:
    """A value (that of the result if none is given) as the table writes its own numbers, with its unit if
    there is only one."""
    if result.day:
        return result.day
    value = result.value if value is None else value
    if value is None:
        return "—"
    places = result.places
    if result.operation == "average":
        exact = -int(value.normalize().as_tuple().exponent)
        if exact > places + _MORE_PLACES:
            value = value.quantize(Decimal(1).scaleb(-places - _MORE_PLACES), ROUND_HALF_EVEN)
        places = 0
    shown = written(value, grouped=result.grouped, places=places)
    unit = result.units[0][0] if len(result.units) == 1 else ""
    if not unit:
        return shown
    if unit in "¥￥€$£₩₹" or (unit.isalpha() and unit.isascii() and unit.isupper() and len(unit) == 3):
        return f"{unit}{' ' if unit.isalpha() else ''}{shown}"
    return f"{shown} {unit}" if unit != "%" else f"{shown}%"


def _head(result: Result, reading: Reading, table: Whole, name: str, of: Language, marks: str) -> str:
    zh = of == "zh"
    which = _which(reading, table, of)
    titled = f"（{table.title}）" if zh and table.title else f" ({table.title})" if table.title else ""
    count = len(result.rows)
    if result.groups:
        return _of_groups(result, reading, table, which, of, marks)
    if result.operation == "count" and result.column is not None:
        return _of_values(result, table, f"{name}{titled}", which, of, marks)
    if result.operation == "count":
        if zh:
            part = f"{'除表头外' if table.header else ''}共有 **{count}** 行"
            if which:
                part = f"共 {result.of} 行，符合条件（{which}）的有 **{count}** 行"
            return f"{name} 中的表格{titled}{part}{marks}。"
        if which:
            of_all = f"**{count}** of the {result.of} rows of the table of {name}{titled}"
            return f"{of_all} meet this: {which} {marks}."
        plain = " without its header" if table.header else ""
        return f"The table of {name}{titled} has **{count}** rows{plain} {marks}."
    column = _title(table, result.column or 0, of)
    what = _of_column(result, reading, table, of)
    if result.operation == "list":
        n = len(result.values)
        if zh:
            condition = f"（{which}）" if which else ""
            return f"{name} 中的表格{titled}“{column}”一列共 {n} 项{condition}{marks}："
        condition = f", {which}" if which else ""
        values = "1 value" if n == 1 else f"{n} values"
        return f"{values} of “{column}” in the table of {name}{titled}{condition} {marks}:"
    noun = (_OF_TIME if result.day else _NOUNS)[of][result.operation]
    if result.operation == "sum" and count == 1 and which:
        if zh:
            return f"{which} 的{what}为 **{number(result)}**{marks}。"
        return f"{what} is **{number(result)}** in the row with {which} {marks}."
    if zh:
        rows = f"{count} 行（{which}）" if which else f"全部 {count} 行"
        return f"{what}{rows}的{noun}为 **{number(result)}**{marks}。"
    rows = f"the {count} rows with {which}" if which else f"all {count} rows"
    return f"The {noun} of {what} over {rows} is **{number(result)}** {marks}."


def _of_values(result: Result, table: Whole, place: str, which: str, of: Language, marks: str) -> str:
    """How many different values a column has."""
    column = _title(table, result.column or 0, of)
    n, rows = len(result.values), len(result.rows)
    few = n <= _MOST_GROUPS
    if of == "zh":
        among = f"符合条件（{which}）的 {rows} 行" if which else f"{rows} 行"
        listed = f"：{'、'.join(result.values)}" if few else ""
        return f"{place} 中的表格“{column}”一列，{among}中有 **{n}** 个不同的值{listed}{marks}。"
    among = f"the {rows} rows with {which}" if which else f"{rows} rows"
    listed = f": {', '.join(result.values)}" if few else ""
    return f"“{column}” has **{n}** different values in {among} of the table of {place}{listed} {marks}."


def _of_groups(result: Result, reading: Reading, table: Whole, which: str, of: Language, marks: str) -> str:
    group = _title(table, reading.group or 0, of)
    if reading.span is not None:
        group = (
            f"{group}: {reading.span}"
            if of == "en"
            else f"{group}（{'年' if reading.span == 'year' else '月'}）"
        )
    rows = len(result.rows)
    average = result.operation == "average"
    column = _of_column(result, reading, table, of) if result.column is not None else ""
    if of == "zh":
        noun = f"{column}{'平均值' if average else '合计'}" if column else "行数"
        among = f"{rows} 行（{which}）" if which else f"全部 {rows} 行"
        by = f"按“{group}”统计{among}，{noun}"
    else:
        noun = f"{'average' if average else 'sum'} of {column}" if column else "number of rows"
        among = f"the {rows} rows with {which}" if which else f"all {rows} rows"
        by = f"By “{group}”, over {among}, the"
    if result.operation not in ("max", "min"):
        whole = number(result)
        if of == "zh":
            return f"{by}如下{marks}（总{'平均' if average else '计'} **{whole}**）："
        return f"{by} {noun} is as follows {marks} (**{whole}** {'over all' if average else 'in all'}):"
    holders = [key for key, amount in result.groups if amount == result.value]
    if of == "zh":
        how = "最大" if result.operation == "max" else "最小"
        return f"{by}{how}的是 **{'、'.join(holders)}**：{number(result)}{marks}。"
    how = "highest" if result.operation == "max" else "lowest"
    return f"{by} {how} {noun} is that of **{', '.join(holders)}**: {number(result)} {marks}."


def _of_column(result: Result, reading: Reading, table: Whole, of: Language) -> str:
    """What is added up or compared, as its column is titled."""
    told = f"“{_title(table, result.column or 0, of)}”"
    return told if reading.times is None else f"{told} × “{_title(table, reading.times, of)}”"


def _title(table: Whole, index: int, of: Language) -> str:
    title = table.header[index] if index < len(table.header) else ""
    return title or (f"第 {index + 1} 列" if of == "zh" else f"column {index + 1}")


def _which(reading: Reading, table: Whole, of: Language) -> str:
    """The conditions in words."""
    said = []
    for each in reading.conditions:
        title = _title(table, each.column, of)
        if each.words:
            said.append(
                f"{title} = {' / '.join(_as_written(word, table, each.column) for word in each.words)}"
            )
        elif each.limit is not None:
            said.append(f"{title} {each.limit.sign} {each.limit.limit:f}")
        elif each.within is not None:
            said.append(f"{title}: {each.within.said}")
        else:
            months = f"{each.months[0]:02d}…{each.months[-1]:02d}" if each.months else ""
            month = f"{each.month:02d}" if each.month else months
            when = "-".join(part for part in (str(each.year or ""), month) if part)
            said.append(f"{title}: {when}")
    return ("，" if of == "zh" else ", ").join(said)


def _as_written(word: str, table: Whole, column: int) -> str:
    return next((cell for cell in table.column(column) if fold(cell).strip() == word), word)


def _row(row: Row) -> str:
    return _cut(" | ".join(cell for cell in row.cells if cell))


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _notes(result: Result, of: Language) -> list[str]:
    """How it was calculated, and what a careful reader must know."""
    zh = of == "zh"
    notes = [CALCULATED[of]]
    if result.unread:
        n = len(result.unread)
        notes.append(
            f"其中 {n} 行该列不是数字，未计入。"
            if zh
            else f"{n} rows have no number there and are not counted in."
        )
    if len(result.units) > 1 and result.operation in ("sum", "average", "max", "min"):
        units = ", ".join(f"{unit or ('无单位' if zh else 'no unit')} ({n})" for unit, n in result.units)
        notes.append(f"注意：该列单位不一致：{units}。" if zh else f"Mind that the units differ: {units}.")
    if result.operation == "sum" and result.stated is not None and result.value is not None:
        stated = written(result.stated, grouped=result.grouped, places=result.places)
        same = result.stated == result.value
        if zh:
            notes.append(f"表格自己的合计行写的{'也是' if same else '却是'} {stated}。")
        else:
            notes.append(f"The table's own total row says {stated}{'' if same else ', which differs'}.")
    return notes
