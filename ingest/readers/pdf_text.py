"""Repairs of a page's text: what a PDF does to words, undone without touching what it says."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence, Set

# CJK Radicals Supplement → the ideograph meant (Unicode's EquivalentUnifiedIdeograph, the forms that
# text extraction produces). The Kangxi block needs no table: NFKC maps it.
_RADICALS = dict(
    zip(
        "⺁⺂⺃⺄⺅⺆⺇⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺪⺫⺬⺭⺮⺯⺰⺱⺲⺳⺴⺵⺶⺷⺸⺹⺺⺻⺼⺽⺾⺿⻀⻁⻂⻃⻄⻅⻆⻇⻈⻉⻊⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻕⻖⻗⻘⻙⻚⻛⻜⻝⻞⻟⻠⻡⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳",
        "厂乛乚乙亻冂几刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡冃月歺母民氵氺灬爫爫丬牛犭王疋目示礻竹糹纟罓罒罓网网羊羊羊耂肀聿肉臼艹艹艹虎衤覀西见角角讠贝足车辶辶辶阝钅長镸长门阜阝雨青韦页风飞食飠飠饣首马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟",
        strict=True,
    )
)
_REPAIRS = {ord(radical): ideograph for radical, ideograph in _RADICALS.items()}
_REPAIRS.update({code: unicodedata.normalize("NFKC", chr(code)) for code in range(0x2F00, 0x2FD6)})
_REPAIRS.update({code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)})
# Arabic and Hebrew letters in the form that they have inside a word: nobody types them to search for.
_REPAIRS.update(
    {
        code: unicodedata.normalize("NFKC", chr(code))
        for code in (*range(0xFB1D, 0xFB50), *range(0xFB50, 0xFDF0), *range(0xFE70, 0xFEFD))
        if unicodedata.category(chr(code)) == "Lo"
    }
)
_REPAIRS.update({0xA0: " ", 0xAD: "", 0xFEFF: "", 0x200B: ""})

_GLYPH_BLANK = "\x03"
_FEWEST_GLYPH_BLANKS = 5
_FEWEST_GLYPH_LINES = 3
_GLYPH_SHIFT = {code: chr(code + 29) for code in range(3, 0x62) if code not in (10, 13)}

# pdfium's marks for a hyphen at a line end that it has joined: U+0002, in older versions U+FFFE.
_JOINED = re.compile(r"(\w+)[\x02\ufffe]+(\w+)")
_HYPHENATED = re.compile(r"(\w+)[-\u2010]\n(\w+)")
_CUT_WORDS = ((_JOINED, ("\x02", "\ufffe")), (_HYPHENATED, ("-\n", "\u2010\n")))
"""Each with signs of which a page without them has none: looking for those is much faster."""
_NARROWEST_COLUMN = 30
_FULL = 0.8
_QUITE_FULL = 0.94
_WORD = re.compile(r"[^\W\d_]{2,}")
_COMPOUND = re.compile(r"\b\w+(?:-\w+)+")
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3041-\u30ff\uff01-\uff5e\u3001-\u303f]")
_CJK_WORDS = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3041-\u30ff]")
_LEADERS = re.compile(r"(?:[ \t]?[.·…]){5,}[ \t]?|(?:[ \t]?_){5,}[ \t]?")
_LATIN_AFTER_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3041-\u30ff，、（][A-Za-z0-9.%+-]+\Z")
_LIST_MARK = re.compile(r"(?:[•·▪◦‣–-]|\(?[0-9a-zA-Z]{1,3}[.)]|[IVXivx]+\.)\s")
_CLAUSE = re.compile(
    r"第[〇零一二三四五六七八九十百\d]{1,7}[条章节編编篇](?=[\s：:])|[一二三四五六七八九十]{1,3}、"
    r"|[（(][一二三四五六七八九十\d]{1,3}[）)]|[①-⑳㈠-㈩]"
)
"""How the clauses of contracts and rules begin."""
_HANGING = re.compile(r"[。，、；：？！）》〉」』】〕]")
"""What no line of Chinese or Japanese begins with, unless its end had no room for it."""
_CJK_LINE_END = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3041-\u30ff，、（“《]$")


def letters_from_glyph_numbers(text: str) -> str:
    """Lines that a font without a character table left as glyph numbers, as the letters they are.

    In the fonts of most office programs glyph 3 is the blank and the others follow in the order of ASCII,
    29 places on ("7KLV" → "This"). Such a page is full of U+0003, which stands in no other text.
    """
    if text.count(_GLYPH_BLANK) < _FEWEST_GLYPH_BLANKS:
        return text
    lines = text.split("\n")
    shifted = [line.translate(_GLYPH_SHIFT) for line in lines]
    sure = [_reads_better(line, letters) for line, letters in zip(lines, shifted, strict=True)]
    if sum(sure) < _FEWEST_GLYPH_LINES:
        return text
    return "\n".join(
        letters if certain or _more_vowels(line, letters) else line
        for line, letters, certain in zip(lines, shifted, sure, strict=True)
    )


def _reads_better(line: str, shifted: str) -> bool:
    """Whether the shifted line is words, small letters and blanks, as the line itself is not."""
    before, after = (sum(map(str.islower, text)) for text in (line, shifted))
    wordlike = after + shifted.count(" ") >= 0.6 * len(line) and after >= max(4, 2 * before)
    return wordlike and (_GLYPH_BLANK in line or _vowels(shifted) > _vowels(line))


def _more_vowels(line: str, shifted: str) -> bool:
    """For short lines of a page with such lines; those with small letters are as they should be."""
    small = any(map(str.islower, line)) or not any(map(str.islower, shifted))
    return not small and _vowels(shifted) > _vowels(line)


def _vowels(text: str) -> float:
    return sum(letter in "aeiouAEIOU" for letter in text) / max(1, sum(map(str.isalpha, text)))


def tidy(text: str) -> str:
    """One page: "\\n" line ends, no controls, no dotted lines, radicals and ligatures as the characters they
    stand for.

    The marks of joined hyphens stay; `Hyphens.joined` decides on them.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii():
        text = text.translate(_REPAIRS)
    text = re.sub(r"[\x00\x01\x03-\x08\x0b\x0c\x0e-\x1f\x7f]", "", text)
    text = _LEADERS.sub(" … ", text)
    text = re.sub(r"[ \t]+", " ", text)
    text = re.sub(r" ?\n ?", "\n", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


class Hyphens:
    """Joins words cut at line ends, by the document's own words: "infor-\\nmation" → "information",
    but "long-\\nterm" → "long-term" where the document writes it so, or knows both halves as words.
    """

    def __init__(self, pages: Sequence[str]) -> None:
        self._words: Counter[str] = Counter()
        self._compounds: set[str] = set()
        if not any(sign in page for page in pages for _, signs in _CUT_WORDS for sign in signs):
            return
        for page in pages:
            self._words.update(word.lower() for word in _WORD.findall(page))
            self._compounds.update(compound.lower() for compound in _COMPOUND.findall(page))
        # The halves of cut words must not count as words themselves.
        for page in pages:
            for pattern, signs in _CUT_WORDS:
                if any(sign in page for sign in signs):
                    for left, right in pattern.findall(page):
                        self._words.subtract((left.lower(), right.lower()))

    def joined(self, page: str) -> str:
        for pattern, signs in reversed(_CUT_WORDS):
            if any(sign in page for sign in signs):
                page = pattern.sub(self._decide, page)
        return page.replace("\x02", "-").replace("\ufffe", "-")

    def _decide(self, match: re.Match[str]) -> str:
        left, right = match.groups()
        whole, compound = (left + right).lower(), f"{left}-{right}".lower()
        if match.string[: match.start()].endswith("-"):
            return f"{left}-{right}"  # chain-of-|thought
        if self._words[whole] > 0:
            return left + right
        if compound in self._compounds or not (left[-1].isalpha() and right[0].islower()):
            return f"{left}-{right}"
        if self._words[left.lower()] > 0 and self._words[right.lower()] > 0:
            return f"{left}-{right}"
        return left + right


def reflowed(page: str, whole: Set[str] = frozenset()) -> str:
    """Lines of running text joined where the page broke them for its width only.

    A Chinese line is joined to the next when it is a full one; a line of words when it breaks off in the
    middle of a sentence and the next goes on in lower case, or when it is as long as any on the page. Rows
    of tables and lists stay lines. whole: lines that nothing belongs to.
    """
    lines = page.split("\n")
    widths = sorted(0 if line in whole else _width(line) for line in lines if line)
    longest = widths[(9 * len(widths) - 1) // 10] if widths else 0
    if len(widths) < 3 or longest < _NARROWEST_COLUMN:
        return page
    out = [lines[0]]
    for before, line in itertools.pairwise(lines):
        joint = _joint(before, line, _width(before) / longest)
        if joint is None or before in whole or line in whole:
            out.append(line)
        else:
            out[-1] += joint + line
    return "\n".join(out)


def _joint(before: str, line: str, fullness: float) -> str | None:
    """What to put between two lines of one paragraph; None if they are none.

    fullness: width of the first line in widths of the longest lines of the page.
    """
    if not before or not line or fullness < _FULL or _LIST_MARK.match(line) or _CLAUSE.match(line):
        return None
    if _HANGING.match(line):
        return ""
    if _CJK_LINE_END.search(before):
        return "" if _CJK.match(line) or line[0].isalnum() else None
    if _CJK_WORDS.match(line):
        return "" if _LATIN_AFTER_CJK.search(before) else None
    if before[-1].islower() or before[-1] == ",":
        goes_on = fullness >= _QUITE_FULL and line[0].isalnum() and not _is_row(line)
        return " " if line[0].islower() or goes_on else None
    return None


def _is_row(line: str) -> bool:
    """Whether a line is more of a table's row than of a sentence: several of its words are figures."""
    words = line.split()
    figures = sum(any(map(str.isdigit, word)) for word in words)
    return figures >= 2 and figures > 0.3 * len(words)


def _width(line: str) -> int:
    if line.isascii():
        return len(line)
    return len(line) + sum(character > "\u2e7f" for character in line)
