"""Text → sentences, Chinese and English, as spans of the text."""

from __future__ import annotations

import re

_CLOSING = "\"'”’」』）)]】》〉»"
_END = re.compile(
    rf"[。！？!?…][。！？!?….]*[{re.escape(_CLOSING)}]*"
    rf"|\.+[{re.escape(_CLOSING)}]*(?:\[\d{{1,3}}\]|[¹²³⁰⁴-⁹]+)*(?=\s|$)"
)
_DAY = (
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{4}年\d{1,2}月\d{1,2}日"
    r"|\d{1,2}/[A-Z][a-z]{2}/\d{4}|[A-Z][a-z]{2}[^\S\n]{1,2}\d{1,2})"
)
_STAMP = rf"[\[(<]?(?:{_DAY}(?:[T:]|,?[^\S\n]+)\d{{1,2}}:\d\d|\d{{1,2}}:\d\d:\d\d)(?!\d)"
"""A day and a time, or a time with its seconds: running text hardly ever has them at the start of a line."""
_BLOCK = re.compile(
    r"\n[^\S\n]*\n\s*"  # an empty line
    r"|\n(?=[^\S\n]*(?:[-*+•·●▪◦‣–]\s|\(?\d{1,3}[.)、](?!\d)|[（(][一二三四五六七八九十]{1,3}[）)]"
    r"|[一二三四五六七八九十]{1,3}、|第[一二三四五六七八九十百\d]+[章节条款]|\#{1,6}\s|\|))"  # a list, a row
    r"|(?<=\|)[^\S\n]*\n"  # after a row of a table
    rf"|\n(?=[^\S\n]*{_STAMP})"  # an entry of a log
    r"|\n(?=[^\S\n]*[✓✔✗✘☐☑☒■□◆◇○➢➤►▶→⇒]\s*\w)"  # a list of a slide
)
_HEADING_LINE = re.compile(r"^[^\S\n]{0,3}#{1,6}\s[^\n]*\n", re.MULTILINE)
_ABBREVIATIONS = frozenset(
    [
        *("mr", "mrs", "ms", "dr", "prof", "rev", "gen", "col", "lt", "sgt", "capt", "hon", "st", "sr", "jr"),
        *("vs", "etc", "al", "cf", "ca", "approx", "dept", "est", "eds", "inc", "ltd", "co", "corp", "bros"),
        *("messrs", "mme", "mlle", "sen", "gov", "maj", "cmdr", "adm", "cpl", "supt", "asst", "univ", "assn"),
        *("plc", "e.g", "i.e", "eg", "ie", "u.s", "u.k", "u.n", "d.c", "a.m", "p.m", "ph.d", "resp"),
    ]
)
_BEFORE_NUMBERS = frozenset(
    [
        *("no", "nos", "fig", "figs", "eq", "eqs", "vol", "vols", "p", "pp", "ch", "sec", "art", "para"),
        *("ref", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"),
    ]
)
_STARTERS = frozenset(
    [
        *("The", "A", "An", "This", "That", "These", "Those", "It", "Its", "In", "On", "At", "As", "For"),
        *("He", "She", "We", "They", "You", "I", "His", "Her", "Our", "Their", "There", "If", "When"),
        *("However", "But", "And", "After", "Before", "Under", "With", "From", "To", "Since"),
        *("While", "By", "Although", "All"),
    ]
)
"""Words that begin a sentence far oftener than they follow an abbreviation as a name."""
_LAST_TOKEN = re.compile(r"[^\s(\[\"“‘'（]+\Z")
_FIRST_WORD = re.compile(r"\W")
_NO_WORD = r"[!-~]{200,}"
"""Encoded data, a key, a run of one letter: no language has words like that."""
_BREAK_OF_LONG = re.compile(rf"\n|[^\S\n]+(?={_NO_WORD})|(?<=[!-~]{{200}})[^\S\n]+")
_STOPS = re.compile(r"[。！？!?]")
_OPENING = "\"'“‘(（[「『《"
_AHEAD = 40
_LONG = 600


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences of `text`, in order, without overlap; white space at their ends is cut.

    Together they hold every character that is not white space. A line end alone does not end a sentence
    (lines of a PDF end anywhere), an empty line, a list item, a heading line and a row of a table do.
    Runs of more than 600 characters without an end (tables, logs) are cut at their line ends, and before
    and behind what is too long to be a word.
    """
    spans: list[tuple[int, int]] = []
    for start, end in _blocks(text):
        for first, last in _in_block(text, start, end):
            spans.extend(_lines_of_long(text, first, last))
    return spans


def _blocks(text: str) -> list[tuple[int, int]]:
    cuts = {0, len(text)}
    cuts.update(match.end() for match in _BLOCK.finditer(text))
    cuts.update(match.end() for match in _HEADING_LINE.finditer(text))
    ordered = sorted(cuts)
    return [span for span in map(_trimmed, [text] * len(ordered), ordered, ordered[1:]) if span[0] < span[1]]


def _in_block(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans = []
    begin = start
    for match in _END.finditer(text, start, end):
        if match.end() < end and _ends_here(text, begin, match.start(), match.end(), end):
            spans.append(_trimmed(text, begin, match.end()))
            begin = match.end()
    spans.append(_trimmed(text, begin, end))
    return [span for span in spans if span[0] < span[1]]


def _ends_here(text: str, begin: int, mark: int, after: int, end: int) -> bool:
    """Whether the punctuation at [mark, after) ends the sentence that started at `begin`."""
    following = text[after : min(end, after + _AHEAD)].lstrip().lstrip(_OPENING)
    if not following:
        return True
    small = following[0].islower()
    if text[mark] in "!?":
        return not small  # "Yahoo! is"
    if text[mark] == "…" and not _STOPS.search(text, mark, after):
        return following[0].isupper()  # "他说……然后" goes on
    if text[mark] != ".":
        return True
    if text[mark : mark + 3] == "...":
        return not small
    match = _LAST_TOKEN.search(text, max(begin, mark - _AHEAD), mark)
    token = match.group().lower() if match else ""
    if token in _ABBREVIATIONS:
        return _FIRST_WORD.split(following, maxsplit=1)[0] in _STARTERS
    if token in _BEFORE_NUMBERS and following[0].isdigit():
        return False
    if _is_initial(token):
        return False  # "J. Smith", "A. First point"
    if token.isdigit() and text[begin:mark].strip() == token:
        return False  # "3. Third point"
    return not small


def _is_initial(token: str) -> bool:
    letter = token.rsplit(".", 1)[-1]
    return len(letter) == 1 and letter.isascii() and letter.isalpha()


def _lines_of_long(text: str, start: int, end: int) -> list[tuple[int, int]]:
    if end - start <= _LONG:
        return [(start, end)]
    spans = []
    begin = start
    for match in _BREAK_OF_LONG.finditer(text, start, end):
        spans.append(_trimmed(text, begin, match.start()))
        begin = match.end()
    spans.append(_trimmed(text, begin, end))
    return [span for span in spans if span[0] < span[1]]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
