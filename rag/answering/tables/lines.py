"""Counts of the lines of a log ("how many ERROR lines are in the log of 6 May?", 日志里有多少条 ERROR)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag.answering.tables.understood import unknown_words
from rag.records import Document
from rag.text.folding import fold
from rag.text.language import Language
from rag.text.scripts import is_unspaced

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = rf"(?P<month_{{n}}>{'|'.join(_MONTHS)})[a-z]*\.?"
_STAMP = re.compile(
    r"^[\W_]{0,2}(?:(?P<y>\d{4})[-/.](?P<m>\d\d?)[-/.](?P<d>\d\d?)|(?P<d2>\d\d?)[./](?P<m2>\d\d?)[./](?P<y2>\d{4})"
    rf"|(?P<mon>{'|'.join(_MONTHS)})[a-z]* +(?P<d3>\d\d?)[ ,]|\d\d?:\d\d)",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"(?P<y1>\d{4})[-/.](?P<m1>\d\d?)[-/.](?P<d1>\d\d?)|(?:(?P<y4>\d{4})年)?(?P<m4>\d\d?)月(?P<d4>\d\d?)[日号]"
    rf"|(?P<d2>\d\d?)(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH.format(n=2)}(?:,?\s+(?P<y2>\d{{4}}))?(?![\w])"
    rf"|{_MONTH.format(n=3)}\s+(?P<d3>\d\d?)(?:st|nd|rd|th)?(?:,?\s+(?P<y3>\d{{4}}))?(?!\w)",
    re.IGNORECASE,
)
_LINES = re.compile(
    r"(?i)\b(?:lines?|entries|messages|records|events|log|logs|errors?|warnings?|times)\b|日志|记录|[条行次]"
)
_OF_LINES = re.compile(r"(?i)\b(?:lines|entries|log messages)\b|[条行]|记录")
_HOW_MANY = re.compile(r"(?i)\bhow (?:many|often)\b|\bnumber of\b|\bcount\b|多少|几[条行次]")
_QUOTED = re.compile(r"[\"“”「『](?P<said>[^\"“”」』]{2,80})[\"“”」』]|(?<!\w)'(?P<single>[^']{2,80})'(?!\w)")
_CAPS = re.compile(r"(?<![A-Za-z0-9])(?=[A-Z0-9-]*[A-Z])[A-Z0-9][A-Z0-9]+(?:[-_][A-Z0-9]+)*(?![A-Za-z0-9])")
_LEVELS = re.compile(r"(?i)\b(?P<level>errors?|warnings?|fatals?|infos?)\b")
_SAYS = re.compile(
    r"(?i)\b(?:with|contain(?:s|ing)?|say(?:s|ing)?|mention(?:s|ing)?|about)\s+(?:an?\s+|the\s+)?"
    r"(?P<en>[\w][\w -]*?)"
    r"(?=\s+(?:in|on|of|are|is|do|does|were|was|from|at)\b|\s*[?.,]|\s*$)"
    r"|(?:包含|含有|含|提到|带有|出现了?)(?P<zh>[^，,。？?“”\"的有]{2,30})"
)
_FEWEST_LINES = 5
_MOSTLY = 0.7
_SAID_OF_LOGS = (
    "log logs lines entries messages events contain mention say appear happened logged logfile"
    " 日志 日志文件 记录 包含 含有 带有 提到 出现"
)


@dataclass(frozen=True, slots=True)
class Counted:
    """The lines that hold what is asked for. said: that, as the question says it. day: of which day, as it is
    written, "" if of any. of: lines of the log in all. spans: [start, end) of those found, in order."""

    said: tuple[str, ...]
    day: str
    of: int
    spans: tuple[tuple[int, int], ...]


def counts_lines(question: str) -> bool:
    """Whether a question may ask for the number of lines of a log."""
    return _HOW_MANY.search(question) is not None and _LINES.search(question) is not None


def counted_lines(question: str, document: Document, path: str) -> Counted | None:
    """None if the document is no log, or the question has words that neither its name nor its lines know."""
    if not counts_lines(question):
        return None
    spans = [*_spans(document.text)]
    stamps = [(start, end, _STAMP.match(document.text[start:end])) for start, end in spans]
    if len(spans) < _FEWEST_LINES or sum(stamp is not None for *_, stamp in stamps) < _MOSTLY * len(spans):
        return None
    question = re.sub(re.escape(path.rsplit("/", 1)[-1]), " ", question, flags=re.IGNORECASE)
    day = _DAY.search(question)
    rest = question.replace(day.group(), " ") if day else question
    said = _said(rest)
    if not said and not _OF_LINES.search(rest):
        return None
    for each in said:
        rest = rest.replace(each, " ")
    if unknown_words(rest, [path, re.sub(r"[\W_]+", " ", path), _SAID_OF_LOGS]) or re.search(
        r"\d", re.sub(r"\S*\.\w{2,4}\b", " ", rest)
    ):
        return None
    patterns = [_pattern(each) for each in said]
    wanted = _day(day) if day else None
    found = []
    for start, end, stamp in stamps:
        if wanted is not None:
            when = _stamped(stamp) or _of_name(path)
            if when is None or not _same(when, wanted):
                continue
        line = document.text[start:end]
        if all(pattern.search(line) for pattern in patterns):
            found.append((start, end))
    return Counted(tuple(said), day.group() if day else "", len(spans), tuple(found)) if found else None


def told(found: Counted, name: str, of: Language, marks: str) -> str:
    """The count in words. name: the file's."""
    n = len(found.spans)
    if of == "zh":
        said = "、".join(f"“{each}”" for each in found.said)
        day = f"（{found.day}）" if found.day else ""
        part = f"含有{said}的" if said else "该日的" if day else "全部"
        return (
            f"{name} 共 {found.of} 行，其中{part}{day}有 **{n}** 行{marks}。\n\n（由程序读取整个文件计数。）"
        )
    said = " and ".join(f"“{each}”" for each in found.said)
    day = f" ({found.day})" if found.day else ""
    hold = f" {'holds' if n == 1 else 'hold'} {said}" if said else " are of that day" if day else ""
    head = f"**{n}** of the {found.of} lines of {name}{day}{hold} {marks}."
    if not hold:
        head = f"{name} has **{n}** lines {marks}."
    return f"{head}\n\n(Counted by the program over the whole file.)"


def _spans(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped:
            first = at + line.index(stripped)
            yield first, first + len(stripped)
        at += len(line) + 1


def _said(question: str) -> list[str]:
    """What the lines are to hold: what is quoted, else words in capitals, levels and what they "contain"."""
    quoted = [match["said"] or match["single"] for match in _QUOTED.finditer(question)]
    if quoted:
        return quoted
    found = _CAPS.findall(question)
    found += [
        match["level"]
        for match in _LEVELS.finditer(question)
        if match["level"].upper().rstrip("S") not in found
    ]
    for match in _SAYS.finditer(question):
        said = (match["en"] or match["zh"]).strip()
        if not any(each in said or said in each for each in found):
            found.append(said)
    return list(dict.fromkeys(found))


def _pattern(said: str) -> re.Pattern[str]:
    """Words in capitals must be so in the line; others may be in any form of theirs."""
    if all(map(is_unspaced, said)):
        return re.compile(re.escape(said))
    if _CAPS.fullmatch(said):
        return re.compile(rf"(?<![A-Za-z0-9]){re.escape(said)}(?![A-Za-z0-9])")
    stem = said[:-1] if said.lower().endswith("s") and not said.lower().endswith("ss") else said
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(stem)}(?:s|es|ed)?(?![A-Za-z0-9])", re.IGNORECASE)


def _day(match: re.Match[str]) -> tuple[int, int, int]:
    """(year or 0, month, day)."""
    if match["y1"]:
        return int(match["y1"]), int(match["m1"]), int(match["d1"])
    if match["m4"]:
        return int(match["y4"] or 0), int(match["m4"]), int(match["d4"])
    n = 2 if match["month_2"] else 3
    month = _MONTHS.index(fold(match[f"month_{n}"])[:3]) + 1
    return int(match[f"y{n}"] or 0), month, int(match[f"d{n}"])


def _stamped(match: re.Match[str] | None) -> tuple[int, int, int] | None:
    if match is None:
        return None
    if match["y"]:
        return int(match["y"]), int(match["m"]), int(match["d"])
    if match["y2"]:
        return int(match["y2"]), int(match["m2"]), int(match["d2"])
    if match["mon"]:
        return 0, _MONTHS.index(fold(match["mon"])[:3]) + 1, int(match["d3"])
    return None


def _of_name(path: str) -> tuple[int, int, int] | None:
    match = re.search(r"(?<!\d)(\d{4})[-_.]?(\d\d)[-_.]?(\d\d)(?!\d)", path.rsplit("/", 1)[-1])
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def _same(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether two days are the same; a year that one does not tell may be any."""
    return one[1:] == other[1:] and (one[0] == other[0] or not one[0] or not other[0])
