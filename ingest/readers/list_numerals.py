"""A number as a list of Word writes it (ECMA-376, part 1, 17.18.59): letters, Roman, Chinese and others."""

from __future__ import annotations

_CHINESE = "〇一二三四五六七八九"
_COUNTED = frozenset(
    {"chineseCounting", "chineseCountingThousand", "japaneseCounting", "taiwaneseCounting",
     "taiwaneseCountingThousand", "koreanLegal"}
)  # fmt: skip
_DIGITS = {
    "ideographDigital": _CHINESE,
    "japaneseDigitalTenThousand": _CHINESE,
    "taiwaneseDigital": "○一二三四五六七八九",
    "koreanDigital": "영일이삼사오육칠팔구",
    "koreanDigital2": "零一二三四五六七八九",
    "decimalFullWidth": "０１２３４５６７８９",
    "decimalFullWidth2": "０１２３４５６７８９",
}
"""Digit by digit, as in 二〇二四."""

_LEGAL = {
    "chineseLegalSimplified": ("零壹贰叁肆伍陆柒捌玖", "拾佰"),
    "ideographLegalTraditional": ("零壹貳參肆伍陸柒捌玖", "拾佰"),
    "japaneseLegal": ("〇壱弐参四伍六七八九", "拾百"),
}
"""Numerals that cannot be forged by a stroke, with the signs for ten and a hundred."""

_CYCLES = {
    "ideographTraditional": "甲乙丙丁戊己庚辛壬癸",
    "ideographZodiac": "子丑寅卯辰巳午未申酉戌亥",
    "aiueo": "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
    "iroha": "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス",
    "ganada": "가나다라마바사아자차카타파하",
    "chosung": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
    "russianLower": "абвгдежзиклмнопрстуфхцчшщыэюя",
    "russianUpper": "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ",
    "hebrew2": "אבגדהוזחטיכלמנסעפצקרשת",
}
_CYCLES |= {f"{name}FullWidth": _CYCLES[name] for name in ("aiueo", "iroha")}
_ENCLOSED = {"decimalEnclosedCircle": 0x2460, "decimalEnclosedCircleChinese": 0x2460,
             "decimalEnclosedParen": 0x2474, "decimalEnclosedFullstop": 0x2488}  # fmt: skip
"""The first of twenty characters."""


def written(number: int, style: str) -> str:
    """style: a value of ST_NumberFormat; figures for those that are not known here."""
    if style in ("lowerLetter", "upperLetter"):
        # After z comes aa, then bb, as Word writes it.
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letter.upper() if style == "upperLetter" else letter
    if style in ("lowerRoman", "upperRoman"):
        return roman(number).upper() if style == "upperRoman" else roman(number)
    if style in _COUNTED:
        return chinese(number)
    if style in _LEGAL:
        digits, units = _LEGAL[style]
        return chinese(number, digits, units, one_ten=True)
    if style in _DIGITS:
        return "".join(_DIGITS[style][int(digit)] for digit in str(number)) if number >= 0 else str(number)
    if style in _CYCLES and number > 0:
        signs = _CYCLES[style]
        return signs[(number - 1) % len(signs)]
    if style in _ENCLOSED and 0 < number <= 20:
        return chr(_ENCLOSED[style] + number - 1)
    if style == "decimalZero":
        return f"{number:02d}"
    if style == "ordinal":
        return ordinal(number)
    return f"- {number} -" if style == "numberInDash" else str(number)


def roman(number: int) -> str:
    """Lower-case Roman numerals; figures where they do not reach."""
    if not 0 < number < 4000:
        return str(number)
    out = ""
    for size, letters in (
        (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
        (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
    ):  # fmt: skip
        out += letters * (number // size)
        number %= size
    return out


def chinese(number: int, digits: str = _CHINESE, units: str = "十百", *, one_ten: bool = False) -> str:
    """Chinese numerals below a thousand as they are counted: 十, 十一, 二十, 一百零一.

    digits: the ten signs. units: those for ten and a hundred. one_ten: ten is written with its one.
    """
    if not 0 < number < 1000:
        return str(number)
    ten, hundred = units[0], units[1]
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    out = f"{digits[hundreds]}{hundred}" if hundreds else ""
    if tens:
        out += ("" if tens == 1 and not hundreds and not one_ten else digits[tens]) + ten
    elif hundreds and ones:
        out += "零"
    return out + (digits[ones] if ones else "")


def ordinal(number: int) -> str:
    """English: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
