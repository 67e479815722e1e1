"""Numbers of a spreadsheet as its cells show them: dates, percentages, decimals, currencies.

Follows the format codes of Excel (ECMA-376, part 1, 18.8.30 and 18.8.31) as far as they change what is
read: colours and fill characters do not.
"""

from __future__ import annotations

import datetime
import operator
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?",
    13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 27: 'yyyy"年"m"月"',
    28: 'm"月"d"日"', 29: 'm"月"d"日"', 30: "yyyy-mm-dd", 31: 'yyyy"年"m"月"d"日"', 32: 'h"时"mm"分"',
    33: 'h"时"mm"分"ss"秒"', 36: 'yyyy"年"m"月"', 37: "#,##0;-#,##0", 38: "#,##0;-#,##0",
    39: "#,##0.00;-#,##0.00", 40: "#,##0.00;-#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0",
    48: "##0.0E+0", 50: 'yyyy"年"m"月"', 51: 'm"月"d"日"', 52: 'yyyy"年"m"月"', 53: 'm"月"d"日"',
    54: 'm"月"d"日"', 57: 'yyyy"年"m"月"', 58: 'm"月"d"日"',
}  # fmt: skip
"""Number of a format → its code, for those that need no code in the file. Dates whose order depends on the
reader's country are written year first."""

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<meridiem>AM/PM|A/P|上午/下午)|(?P<general>General)|(?P<exponent>E[+-]0+)"
    r"|(?P<digits>[0#?][0#?,]*(?:\.[0#?]*)?,*|\.[0#?]+,*)"
    r"|(?P<date>y+|m+|d+|h+|s+(?:\.0+)?|e|b+|g+)|(?P<other>.)",
    re.I | re.S,
)
_ELAPSED = re.compile(r"h+|m+|s+", re.I)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_COMPARED: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq,
    "<>": operator.ne,
}  # fmt: skip
_CURRENCY = re.compile(r"\$([^-\]]*)")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December")  # fmt: skip
_PLENTY = Context(prec=400)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LAST_DAY = 2_958_466
"""The day after 9999-12-31."""

Token = tuple[str, str]


@lru_cache(maxsize=1 << 16)
def shown(value: float, code: str | None, *, from_1904: bool = False) -> str:
    """What a cell with this value and format code shows."""
    if not code or code == "@" or ("general" in code.lower() and ";" not in code and len(code) <= 10):
        return plain(value)
    sections = _sections(code)
    chosen = _chosen(sections, value)
    tokens = sections[chosen]
    if any(kind in ("date", "elapsed") for kind, _ in tokens):
        return _date(value, tokens, from_1904)
    return _number(abs(value) if chosen == 1 else value, tokens)


def _chosen(sections: tuple[tuple[Token, ...], ...], value: float) -> int:
    """Which section holds for a value: by the conditions of the sections, else by its sign."""
    conditions = [_holds(section, value) for section in sections[:3]]
    if any(holds is not None for holds in conditions):
        for place, holds in enumerate(conditions):
            if holds or (holds is None and (place == len(conditions) - 1 or place == 2)):
                return place
        return len(conditions) - 1
    if len(sections) > 1 and value < 0:
        return 1
    return 2 if len(sections) > 2 and value == 0 else 0


def _holds(section: tuple[Token, ...], value: float) -> bool | None:
    """None for a section without a condition."""
    for kind, text in section:
        if kind == "condition" and (found := _CONDITION.fullmatch(text)):
            return _COMPARED[found.group(1)](value, float(found.group(2)))
    return None


def plain(value: float) -> str:
    """A number without format: no ".0" for whole numbers, no noise of binary fractions, no exponent where it
    can be avoided."""
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    if value == int(value) and abs(value) < 1e16:
        return str(int(value))
    if 1e-5 < abs(value) < 1e16:
        return f"{value:.12g}" if abs(value) < 1e11 else f"{value:.15g}"
    return f"{value:.12g}"


@lru_cache(maxsize=512)
def _sections(code: str) -> tuple[tuple[Token, ...], ...]:
    """positive; negative; zero; text: the tokens of each."""
    sections: list[list[Token]] = [[]]
    for match in _TOKEN.finditer(code):
        kind, text = str(match.lastgroup or ""), match.group()
        if kind == "other" and text == ";":
            sections.append([])
            continue
        if kind in ("quoted", "escaped"):
            sections[-1].append(("text", match.group(kind)))
        elif kind == "bracket":
            inner = match.group(kind)
            currency = _CURRENCY.match(inner)
            if currency:
                sections[-1].append(("text", currency.group(1)))
            elif _ELAPSED.fullmatch(inner):
                sections[-1].append(("elapsed", inner.lower()))
            elif _CONDITION.fullmatch(inner):
                sections[-1].append(("condition", inner))
        elif kind == "other":
            sections[-1].append(("percent" if text in "%％" else "text", text))
        elif kind:
            sections[-1].append((kind, text))
    return tuple(map(tuple, sections))


def _number(value: float, tokens: tuple[Token, ...]) -> str:
    if ("text", "/") in tokens or any(kind == "general" for kind, _ in tokens):
        literal = [text if kind == "text" and text not in "/?" else "" for kind, text in tokens]
        if ("text", "/") in tokens:
            return plain(value)
        place = next(place for place, (kind, _) in enumerate(tokens) if kind == "general")
        return "".join(literal[:place]) + plain(value) + "".join(literal[place + 1 :])
    digits = [text for kind, text in tokens if kind == "digits"]
    if not digits:
        # A section of literals: "n/a", or nothing at all, which hides the value.
        return "".join(text for kind, text in tokens if kind == "text").strip()
    if any(kind == "exponent" for kind, _ in tokens):
        return f"{value:.6g}"
    value *= 100 ** sum(kind == "percent" for kind, _ in tokens)
    if len(digits) > 1 and "." not in "".join(digits) and abs(value) < 1e15:
        return _divided(value, tokens)
    written, done = _digits(value, digits), False
    parts: list[str] = []
    for kind, text in tokens:
        if kind == "digits":
            parts.append("" if done else written)
            done = True
        elif kind in ("text", "percent"):
            parts.append(text)
    out = "".join(parts).strip()
    return f"-{out.replace('-', '', 1)}" if value < 0 and "-" in written and not out.startswith("-") else out


def _divided(value: float, tokens: tuple[Token, ...]) -> str:
    """A number whose digits stand on both sides of signs: telephone numbers, 123-45-6789."""
    left = f"{_rounded(abs(value), 0):f}"
    groups = sum(kind == "digits" for kind, _ in tokens)
    parts: list[str] = []
    for kind, text in reversed(tokens):
        if kind == "digits":
            groups -= 1
            places = [character for character in text if character in "0#?"]
            taken = left[-len(places) :] if groups else left
            left = left[: -len(taken)] if taken and groups else ""
            missing = places[: max(0, len(places) - len(taken))]
            parts.append("0" * missing.count("0") + taken)
        elif kind in ("text", "percent"):
            parts.append(text)
    return ("-" if value < 0 else "") + "".join(reversed(parts)).strip()


def _digits(value: float, patterns: list[str]) -> str:
    pattern = "".join(patterns)
    while pattern.endswith(","):
        value /= 1000
        pattern = pattern[:-1]
    whole, _, fraction = pattern.partition(".")
    fraction = fraction.replace(",", "")
    text = f"{_rounded(abs(value), min(len(fraction), 15)):{',' if ',' in whole else ''}f}"
    optional = len(fraction) - len(fraction.rstrip("#?"))
    if optional:
        head, dot, tail = text.partition(".")
        kept = tail[: len(tail) - optional] + tail[len(tail) - optional :].rstrip("0")
        text = f"{head}{dot}{kept}" if kept else head
    wanted = whole.replace(",", "").count("0")
    head, dot, tail = text.partition(".")
    text = head.rjust(wanted, "0") + dot + tail if "," not in whole else text
    return f"-{text}" if value < 0 and text.strip("0.,") else text


def _rounded(value: float, places: int) -> Decimal:
    """To so many decimals: halves go up, and 1.005 is what it says and not the binary fraction below it."""
    exact = Decimal(f"{value:.15g}")
    return exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _PLENTY)


def _date(value: float, tokens: tuple[Token, ...], from_1904: bool) -> str:
    if not 0 <= value < _LAST_DAY:
        return plain(value)
    decimals = max((len(text.partition(".")[2]) for kind, text in tokens if text[:1] in "sS"), default=0)
    seconds = round(value * 86_400, decimals)
    moment = _moment(seconds, from_1904)
    half_day = any(kind == "meridiem" for kind, _ in tokens)
    parts = []
    for place, (kind, text) in enumerate(tokens):
        if kind == "elapsed":
            whole = {"h": seconds // 3600, "m": seconds // 60, "s": seconds}[text[0]]
            parts.append(f"{int(whole):0{len(text)}d}")
        elif kind == "meridiem":
            parts.append("PM" if moment.hour >= 12 else "AM")
        elif kind == "date":
            parts.append(_date_part(text.lower(), moment, half_day, _is_minute(tokens, place)))
        elif kind in ("text", "percent"):
            parts.append(text)
    return "".join(parts).strip()


def _moment(seconds: float, from_1904: bool) -> datetime.datetime:
    days, rest = divmod(seconds, 86_400)
    if from_1904:
        start = datetime.datetime(1904, 1, 1)
    else:
        # Excel believes that 1900 was a leap year.
        start = datetime.datetime(1899, 12, 31) if days < 60 else datetime.datetime(1899, 12, 30)
    return start + datetime.timedelta(days=days, seconds=rest)


def _is_minute(tokens: tuple[Token, ...], place: int) -> bool:
    """An m behind hours or before seconds means minutes."""
    before = [text[0].lower() for kind, text in tokens[:place] if kind in ("date", "elapsed")]
    after = [text[0].lower() for kind, text in tokens[place + 1 :] if kind in ("date", "elapsed")]
    return before[-1:] == ["h"] or after[:1] == ["s"]


def _date_part(text: str, moment: datetime.datetime, half_day: bool, minute: bool) -> str:
    size = len(text)
    first = text[0]
    if first in "ye":
        return f"{moment.year:04d}" if size > 2 or first == "e" else f"{moment.year % 100:02d}"
    if first == "m" and minute and size <= 2:
        return f"{moment.minute:0{size}d}"
    if first == "m":
        name = _MONTHS[moment.month - 1]
        return {3: name[:3], 4: name, 5: name[0]}.get(size) or f"{moment.month:0{min(size, 2)}d}"
    if first == "d":
        name = _DAYS[moment.weekday()]
        return {3: name[:3], 4: name}.get(size) or f"{moment.day:0{min(size, 2)}d}"
    if first == "h":
        hour = (moment.hour - 1) % 12 + 1 if half_day else moment.hour
        return f"{hour:0{min(size, 2)}d}"
    if first == "s":
        whole, _, fraction = text.partition(".")
        tail = f".{moment.microsecond:06d}"[: len(fraction) + 1] if fraction else ""
        return f"{moment.second:0{min(len(whole), 2)}d}{tail}"
    return ""
