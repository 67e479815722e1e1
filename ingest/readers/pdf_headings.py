"""Headings of a PDF: from its outline, or, where it has none, from the look of its lines.

A line is taken for a heading when it is set clearly larger than the running text, or bold where the
running text is not, and reads like one: short, no row of figures, no end of a sentence. Documents that set
much of their text so are left without headings rather than with wrong ones.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag.records import PAGE_BREAK, Heading

_LARGER = 1.15
_LONGEST = 110
_MOST_HEADINGS = 0.12
"""Share of all lines that may be headings; a document with more uses the look for something else."""

_FEW_HEADINGS = 3
_MUCH_BOLD = 0.25
_DEEPEST_SIZE = 3
_NUMBER = re.compile(r"^(?:第?[\d一二三四五六七八九十]+[章节.、)]?|[A-Z]?[\d.]+)+")
_NUMBERED = re.compile(
    r"(?:item|part|section|chapter|article|note|annex|appendix|unit|第|[A-Z]\.|[IVX]+\.|\d+(?:\.\d+)*\.?)\s?",
    re.I,
)
_FIGURES = re.compile(r"\d[\d,.]*")
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u3000-\u303f]")
_SENTENCE_END = re.compile(r"[.,;:。，；：、…-]$")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An entry of the outline: level from 1, page index from 0 (None if it leads nowhere)."""

    level: int
    title: str
    page: int | None


@dataclass(frozen=True, slots=True)
class StyledLine:
    """A line of a page as it is set. size: of its letters, in any unit that is one in the document."""

    page: int
    text: str
    size: float
    bold: bool


def headings_from_outline(outline: Sequence[OutlineEntry], texts: Sequence[str]) -> tuple[Heading, ...]:
    """The outline's entries at the lines that say the same, else at the top of their page.

    An entry is looked for on its own page only, after the entry before it.
    """
    starts = page_starts(texts)
    found: list[Heading] = []
    least = 0
    at_hand: tuple[int, _Folded] | None = None
    for entry in outline:
        title = " ".join(entry.title.split())
        if not title or entry.page is None or not 0 <= entry.page < len(texts):
            continue
        if at_hand is None or at_hand[0] != entry.page:
            at_hand = entry.page, _Folded(texts[entry.page])
        page_start = starts[entry.page]
        place = at_hand[1].line_saying(title, max(0, least - page_start))
        if place is None:
            if page_start < least:
                continue
            place = 0, title
        offset, title = place
        least = page_start + offset + 1
        found.append(Heading(page_start + offset, entry.level, title))
    found.sort(key=lambda heading: heading.start)
    return tuple(found)


def headings_from_look(lines: Sequence[StyledLine], texts: Sequence[str]) -> tuple[Heading, ...]:
    """Headings among `lines`, where they still stand as lines of their own in the pages' texts."""
    chosen = [line for line in lines if line.text]
    letters: Counter[float] = Counter()
    bold_letters = 0
    for line in chosen:
        letters[line.size] += len(line.text)
        bold_letters += len(line.text) if line.bold else 0
    if not letters:
        return ()
    running = letters.most_common(1)[0][0]
    large = [line.size >= _LARGER * running and reads_like_a_heading(line.text) for line in chosen]
    bold = _bold_among_others(chosen, running)
    most = max(_FEW_HEADINGS, _MOST_HEADINGS * len(chosen))
    # Where bold type is used for much else, size alone may still tell.
    if bold_letters >= _MUCH_BOLD * letters.total() or sum(map(max, large, bold)) > most:
        bold = [False] * len(chosen)
    if sum(large) > most:
        return ()
    candidates = [line for line, *looks in zip(chosen, large, bold, strict=True) if any(looks)]
    sizes = sorted({line.size for line in candidates if line.size >= _LARGER * running}, reverse=True)
    levels = {size: min(level, _DEEPEST_SIZE) for level, size in enumerate(sizes, start=1)}
    deepest = max(levels.values(), default=0) + 1
    return tuple(_placed(candidates, texts, levels, deepest))


def _bold_among_others(lines: Sequence[StyledLine], running: float) -> list[bool]:
    """Which lines are bold in the size of the running text, one or two together: more are a table's, if
    they are not numbered."""
    found = [line.bold and 0.95 * running <= line.size < _LARGER * running for line in lines]
    for start, end in _runs(found):
        if end - start > 2:
            found[start:end] = [_NUMBERED.match(line.text) is not None for line in lines[start:end]]
    return [bold and reads_like_a_heading(line.text) for bold, line in zip(found, lines, strict=True)]


def _runs(flags: Sequence[bool]) -> Iterator[tuple[int, int]]:
    start = None
    for place, flag in enumerate([*flags, False]):
        if flag and start is None:
            start = place
        elif not flag and start is not None:
            yield start, place
            start = None


def reads_like_a_heading(text: str) -> bool:
    """Whether a line's words could be a heading."""
    if not 2 <= len(text) <= _LONGEST or sum(map(str.isalpha, text)) < max(
        2, 0.5 * len(text.replace(" ", ""))
    ):
        return False
    numbered = _NUMBERED.match(text)
    if len(_FIGURES.findall(text[numbered.end() :] if numbered else text)) > 1:
        return False
    if text[0].islower() or "|" in text or "\t" in text:
        return False
    return not _SENTENCE_END.search(text) or (numbered is not None and text.endswith("."))


def _placed(
    candidates: Sequence[StyledLine], texts: Sequence[str], levels: dict[float, int], deepest: int
) -> Iterator[Heading]:
    starts = page_starts(texts)
    page = -1
    lines: dict[str, list[int]] = {}
    for line in candidates:
        if line.page != page:
            page = line.page
            lines = {}
            offset = 0
            for text in texts[page].split("\n"):
                lines.setdefault(text, []).append(offset)
                offset += len(text) + 1
        places = lines.get(line.text)
        if places:
            yield Heading(starts[page] + places.pop(0), levels.get(line.size, deepest), line.text)


def page_starts(texts: Sequence[str]) -> list[int]:
    """Where each page begins in the document text."""
    starts = []
    position = 0
    for text in texts:
        starts.append(position)
        position += len(text) + len(PAGE_BREAK)
    return starts


class _Folded:
    """A page's text without white space, case and width, to look for titles in."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._key, self._places = _key(text)

    def line_saying(self, title: str, least: int) -> tuple[int, str] | None:
        """Where a line begins that says `title`, from `least` on, and the title with the blanks that stand
        there; a title's number may differ.

        Browsers that print a page leave out the blank where a heading in its outline was broken.
        """
        wanted = _key(title)[0]
        without_number = _NUMBER.sub("", wanted)
        for needle in dict.fromkeys((wanted, without_number)):
            at = self._key.find(needle) if len(needle) >= 2 else -1
            while at >= 0:
                place = self._places[at]
                line = self._text.rfind("\n", 0, place) + 1
                # Nothing but a number may stand before the title on its line.
                if place >= least and len(re.sub(r"[\W\d_]+", "", self._text[line:place])) <= 3:
                    shown = self._text[place : self._places[at + len(needle) - 1] + 1]
                    return line, with_blanks(title, shown) if needle == wanted else title
                at = self._key.find(needle, at + 1)
        return None


def with_blanks(title: str, shown: str) -> str:
    """`title` with a blank where `shown`, which says the same, breaks the line and it has none."""
    letters = "".join(shown.split())
    if len(letters) != len("".join(title.split())):
        return title
    before_break = set()
    count = 0
    for line in shown.split("\n"):
        count += len("".join(line.split()))
        before_break.add(count)
    out: list[str] = []
    count = 0
    for character, following in zip(title, f"{title[1:]} ", strict=True):
        out.append(character)
        if character.isspace():
            continue
        count += 1
        apart = count in before_break and not following.isspace()
        if apart and character not in "-\u2010" and not (_WIDE.match(character) or _WIDE.match(following)):
            out.append(" ")
    return "".join(out)


def _key(text: str) -> tuple[str, list[int]]:
    """The text without white space, folded, and for each of its characters its place in `text`."""
    if text.isascii():
        folded_text = text.casefold()
        places = [place for place, character in enumerate(folded_text) if not character.isspace()]
        return "".join(folded_text.split()), places
    characters, places = [], []
    for place, character in enumerate(text):
        if not character.isspace():
            if "\u4e00" <= character <= "\u9fff":
                characters.append(character)  # nothing to fold, and most of a Chinese page
                places.append(place)
                continue
            for folded in unicodedata.normalize("NFKC", character).casefold():
                characters.append(folded)
                places.append(place)
    return "".join(characters), places
