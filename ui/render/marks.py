"""Which spans of a passage to mark: the words that an answer quotes, and the words of the question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from rag.text.words import word_spans, words
from ui.render.element import Html, element, joined

_EMPTY_EN = frozenset(
    """a an the of in on at by to for from with as is are was were be been do does did has have had can may
    will would should could it its this that these those and or not no if than then so how what
    which who whom whose when where why many much any all i you we he she they me my our your us them
    about into over per after before within during between there""".split()  # noqa: SIM905
)
# A pair of Chinese characters that holds one of these is grammar or half of two words, not a match to show.
_EMPTY_ZH = frozenset(
    "的了是在和有吗呢么什哪怎谁几多少请问与及或把被让给对从到就都也还但而且若如之其此该这那个们我你您他她它"
)


class Span(NamedTuple):
    """A run of a passage's text, and why it is marked."""

    start: int
    end: int
    kind: Literal["quoted", "matched"]


def matched(question: str, text: str) -> list[Span]:
    """Where words of the question stand in the text, words without content left out."""
    wanted = {word for word in words(question) if _says_something(word)}
    return [
        Span(start, end, "matched") for word, start, end in word_spans(text) if word in wanted and start < end
    ]


def merged(spans: Iterable[Span], length: int) -> list[Span]:
    """Spans in order, without overlaps, inside 0..length; a quoted span takes what a matched one shares."""
    kinds: list[str] = [""] * length
    for kind in ("matched", "quoted"):
        for span in spans:
            if span.kind == kind:
                for place in range(max(0, span.start), min(length, span.end)):
                    kinds[place] = kind
    out: list[Span] = []
    for place, kind in enumerate(kinds):
        if kind and out and out[-1].end == place and out[-1].kind == kind:
            out[-1] = out[-1]._replace(end=place + 1)
        elif kind:
            out.append(Span(place, place + 1, "quoted" if kind == "quoted" else "matched"))
    return out


def marked_html(text: str, spans: Sequence[Span], start: int = 0, end: int | None = None) -> Html:
    """`text[start:end]` with <mark> around the spans (from `merged`)."""
    end = len(text) if end is None else end
    pieces: list[str] = []
    place = start
    for span in spans:
        first, last = max(span.start, start), min(span.end, end)
        if first >= last:
            continue
        pieces += [text[place:first], element("mark", text[first:last], class_=span.kind)]
        place = last
    return joined(*pieces, text[place:end])


def window(text: str, spans: Sequence[Span], size: int, wanted: Span | None = None) -> tuple[int, int]:
    """A run of about `size` characters that shows the span that is wanted, or else the densest matches.

    Begins and ends at white space or a Chinese sentence mark where one is near.
    """
    if len(text) <= size * 1.25:
        return 0, len(text)
    if wanted is not None:
        start = wanted.start - max(0, size - (wanted.end - wanted.start)) // 3
    else:
        starts = [span.start for span in spans] or [0]
        weight = {place: sum(place <= span.start < place + size for span in spans) for place in starts}
        start = max(starts, key=lambda place: (weight[place], -place)) - size // 6
    start = max(0, min(start, len(text) - size))
    return _edge(text, start, -1), _edge(text, start + size, +1)


def _edge(text: str, place: int, direction: int) -> int:
    for step in range(24):
        at = place + direction * step
        if at <= 0 or at >= len(text):
            return max(0, min(at, len(text)))
        if text[at - 1].isspace() or text[at - 1] in "。！？；，、":
            return at
    return place


def _says_something(word: str) -> bool:
    if word.isascii():
        return word not in _EMPTY_EN and (len(word) > 1 or word.isdigit())
    return not any(char in _EMPTY_ZH for char in word)
