"""An answer as the statements that it makes, each with the evidence numbers that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rag.citations.markers import MARKER
from rag.citations.quoted import Quoted, quotations
from rag.citations.wording import content_words
from rag.text.sentences import sentences

_LEADING_MARKERS = re.compile(r"(?:\s*\[\d{1,9}\])+")
_CODE_BLOCK = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)")
_TABLE_HEAD = re.compile(
    r"(?m)^(?P<head>[^\n]*\|[^\n]*)\n[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$"
)
"""The titles of a table's columns, above its line of dashes."""
_DECORATION = re.compile(r"^[\s>*+#|•·-]*(?:\(?\d{1,2}[.)、](?!\d)\s*|[（(]\d{1,2}[）)]\s*)?|[\s*|_]+$")
_BOLD_LINE = re.compile(r"(?:[-*]\s+)?(\*\*|__)[^*_]{1,80}\1[:：]?")
_SOURCE_LIST = re.compile(
    r"(?im)^[\s#*_>-]*(?:sources?|references?|citations?|来源|参考(?:资料|文献|来源)?|引用|出处)"
    r"[*_]*\s*[:：]?[*_]*\s*$"
)
_NO_TITLE = 4
"""Words from which on a bold line with a marker is more than a title."""
_FILLER = re.compile(
    r"(?i)(?:yes|no|sure|of course|certainly|okay|ok|thanks?|thank you|是的?|好的?|可以|不是|没有|当然)?"
    r"[\s,.!，。！]*"
)
_PAPERS = r"(?:documents?|sources?|texts?|passages?|evidence|excerpts?|context|materials?|files?)"
_TELL = (
    r"(?:contain|mention|state|specif|say|provide|include|give|address|cover|answer|describe|discuss|indicat)"
)
_SILENCE = re.compile(
    rf"{_PAPERS}\b[^.]{{0,60}}?\b(?:do(?:es)? not|don't|doesn't|did not|didn't|never|cannot|can't)\s+"
    rf"(?:\w+\s+){{0,2}}?{_TELL}"
    r"|(?:is|are|was|were)\s+(?:not|nowhere)\s+(?:\w+\s+){0,2}?(?:mentioned|stated|specified|provided"
    rf"|given|contained|included|found|covered|described|addressed|available)\b[^.]{{0,40}}\b{_PAPERS}"
    r"|\b(?:not|nothing|no \w+(?: \w+)?)\s+(?:\w+\s+){0,3}?(?:in|from)\s+"
    rf"(?:the|these|this|your|any of the)\s+(?:\w+\s+)?{_PAPERS}"
    r"|(?:文档|文件|资料|来源|材料|文中|原文|上文|片段|上下文)[^。；]{0,12}?(?:没有?|并?未|无)[^。；]{0,6}?"
    r"(?:提到|提及|说明|包含|给出|提供|涉及|记载|回答|找到|相关|答案|指出|写明|列出|明确)"
    r"|(?:未|没有?|无法|不能)(?:能够?)?(?:在|从|根据)[^。；]{0,12}?(?:文档|文件|资料|来源|材料|原文|片段|上下文)"
    r"|\bI(?:'m| am) (?:sorry|unable|not able)\b|\bI (?:cannot|can't|could not|couldn't|do not|don't)\b"
    r"|^(?:很)?(?:抱歉|对不起)|我(?:无法|不能|不知道)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of an answer.

    start, end: its span in the answer, markers behind it included. text: its words, without markers and
    list signs. numbers: the evidence it names, in order, without repetition. stating: whether it claims
    anything that evidence could support; headings, titles of columns, lead-ins, questions and "the documents
    do not say" do not.
    quoted: its words that stand in a quotation of several sentences, as they are there; "" if it is in none.
    marked_at: where the claim starts that has the marks of such a quotation, if it is another one: they are
    its numbers, too.
    """

    start: int
    end: int
    text: str
    numbers: tuple[int, ...]
    stating: bool
    quoted: str = ""
    marked_at: int | None = None


def claims(answer: str) -> list[Claim]:
    """The sentences of an answer whose markers are clean, in order; code blocks are passed over."""
    blocked = [match.span() for match in _CODE_BLOCK.finditer(answer)]
    spans: list[tuple[int, int]] = []
    for start, end in sentences(answer):
        if any(first < end and start < last for first, last in blocked):
            continue
        leading = _LEADING_MARKERS.match(answer, start, end)
        if leading and spans and "\n" not in answer[spans[-1][1] : start]:
            # "… 25 days. [1] Unused days …": the marker belongs to what it follows.
            spans[-1] = (spans[-1][0], leading.end())
            start = leading.end()
            while start < end and answer[start].isspace():
                start += 1
        if start < end:
            spans.append((start, end))
    found = quotations(answer)
    heads = [match.span("head") for match in _TABLE_HEAD.finditer(answer)]
    result = [_claim(answer, start, end, _around(start, end, spans, found)) for start, end in spans]
    return [
        replace(one, stating=False) if any(a <= one.start and one.end <= b for a, b in heads) else one
        for one in result
    ]


@dataclass(frozen=True, slots=True)
class _Around:
    """The quotation of several sentences that one of them is part of. marked_at: as in `Claim`."""

    quoted: Quoted
    marked_at: int | None


def _around(
    start: int, end: int, spans: Sequence[tuple[int, int]], found: Sequence[Quoted]
) -> _Around | None:
    for quoted in found:
        inside = [span for span in spans if span[0] < quoted.end and quoted.start < span[1]]
        if len(inside) > 1 and (start, end) in inside:
            return _Around(quoted, None if (start, end) == inside[-1] else inside[-1][0])
    return None


def _claim(answer: str, start: int, end: int, around: _Around | None) -> Claim:
    raw = answer[start:end]
    numbers = tuple(dict.fromkeys(int(n) for n in MARKER.findall(raw)))
    quoted, marked_at = "", None
    if around is not None:
        if around.quoted.exact:
            quoted = MARKER.sub(
                "", answer[max(start, around.quoted.start) : min(end, around.quoted.end)]
            ).strip()
        if not numbers:
            numbers, marked_at = around.quoted.numbers, around.marked_at
    text = re.sub(r"\s+([.,;:!?。，；：！？])", r"\1", MARKER.sub("", raw))
    text = " ".join(_DECORATION.sub("", text).split())
    stating = _states_something(MARKER.sub("", raw).strip(), text, marked=bool(numbers))
    stating = stating and bool(numbers or not is_silence(text))
    return Claim(start, end, text, numbers, stating, quoted, marked_at)


def _states_something(raw: str, text: str, *, marked: bool) -> bool:
    if not any(char.isalnum() for char in text) or raw.startswith("#"):
        return False
    if text.rstrip("*_ ").endswith((":", "：", "?", "？")):
        return False
    # A bold line is a title, unless it is a sentence with its full stop, or names its source and says much.
    if _BOLD_LINE.fullmatch(raw) and not raw.rstrip("*_ ").endswith((".", "。", "!", "！")):
        return marked and len(content_words(text)) >= _NO_TITLE
    return _FILLER.fullmatch(text) is None


def is_silence(sentence: str) -> bool:
    """Whether a sentence says that the documents do not say something."""
    return _SILENCE.search(sentence) is not None


def without_source_list(answer: str) -> str:
    """An answer without a list of sources that the model put at its end: ours is shown beside it."""
    for match in _SOURCE_LIST.finditer(answer):
        lines = [line for line in answer[match.end() :].splitlines() if line.strip()]
        if (
            match.start() > 0
            and lines
            and all(re.match(r"[\s*>-]*(?:\d+[.)]\s*)?\[\d+\]", line) for line in lines)
        ):
            return answer[: match.start()].rstrip()
    return answer
