"""Subtitles (SubRip, WebVTT) as the text that is spoken: the captions of about half a minute are one
paragraph behind the time at which it begins.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

_TIME = r"(?:(\d{1,3}):)?(\d\d):(\d\d)[.,]\d{3}"
_CUE = re.compile(rf"^[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}[^\n]*\n((?:[^\n]*\S[^\n]*(?:\n|\Z))*)", re.M)
_BEGIN = re.compile(rf"\s*(?:WEBVTT\b[^\n]*\n(?:[^\n]*\n)*?|\d+[ \t]*\n)[ \t]*{_TIME}[ \t]*-->")
_SPEAKER = re.compile(r"<v(?:\.[^ >]*)?[ \t]+([^>]*)>")
_TAG = re.compile(r"</?(?:[biu]|font|c|v|lang|ruby|rt)(?:[ .][^<>]*)?>|<\d\d:[\d:.]+>|\{\\an\d\}", re.I)
_SECONDS = 30
_SENTENCE_END = re.compile(r"[.!?…。！？][\"”’)»」]?$")
_LONGEST = 120
"""Seconds after which a paragraph ends even in the middle of a sentence."""


def is_captions(text: str) -> bool:
    return _BEGIN.match(text[:4096]) is not None


def spoken(text: str) -> str:
    """The captions; those that say again what the last one said, as rolling ones do, once."""
    paragraphs: list[str] = []
    begin, words, last = 0, [""], ""
    for second, line in _captions(text):
        if line == last:
            continue
        full = second - begin >= _SECONDS and _SENTENCE_END.search(words[-1])
        if len(words) > 1 and (full or second - begin >= _LONGEST):
            paragraphs.append(_paragraph(begin, words))
            words = [""]
        if len(words) == 1:
            begin = second
        words.append(line)
        last = line
    if len(words) > 1:
        paragraphs.append(_paragraph(begin, words))
    return "\n\n".join(paragraphs) or text


def _captions(text: str) -> Iterator[tuple[int, str]]:
    for cue in _CUE.finditer(text):
        hours, minutes, seconds = cue.group(1, 2, 3)
        shown = html.unescape(_TAG.sub("", _SPEAKER.sub(r"\1: ", cue.group(7))))
        line = " ".join(shown.split())
        if line:
            yield int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds), line


def _paragraph(begin: int, words: list[str]) -> str:
    return f"[{begin // 3600:02}:{begin // 60 % 60:02}:{begin % 60:02}] {' '.join(words[1:])}"
