"""The parts that a question consists of, found without a model: what its own grammar says.

Numbered lists, several question marks, "…, and how …", one question about several things
(`rag.answering.distributing`), "compare A and B". What cannot be told apart surely stays together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rag.answering.comparing import sides_of
from rag.answering.distributing import distributed_en, distributed_zh
from rag.citations.wording import content_words
from rag.prompting.kinds import compares
from rag.text.language import language
from rag.text.scripts import is_han

MOST = 8
"""Parts of one question, at most; a longer list is answered as far as that, and the rest together."""
TITLED = 3
"""From so many parts on each part of an answer has its question as a title."""

_ASKS_EN = (
    r"(?:how|what|when|which|who|whom|whose|why|where|is|are|was|were|does|do|did|can|may|must|should|has"
    r"|have)"
)
_STARTS_EN = r"(?:how|what|when|which|who|whom|whose|why|where)"
_ASKS_ZH = (
    r"(?:什么|怎么|怎样|如何|为何|多少|多久|多长|多大|多高|几[天个年月次条项步种人]|谁|哪"
    r"|是否|能否|可否|吗|何时)"
)
_ITEM = re.compile(
    r"(?m)^[ \t]*(?:[-*+•·]|\(?\d{1,2}[.)、．](?!\d)|[（(][一二三四五六七八九十\d]{1,3}[）)]|[①-⑳]"
    r"|[一二三四五六七八九十]{1,2}、|[a-h][.)])[ \t]*(?=\S)"
)
_INLINE_ITEM = re.compile(r"(?:(?<=[\s:：,，;；。?？])|^)(?:[（(]\d{1,2}[）)]|[①-⑳]|\d{1,2}[)、](?!\d))\s*")
_SENTENCE = re.compile(r"[^?？。!！;；\n]*[?？;；!！。\n]+|[^?？。!！;；\n]+$")
_STATEMENT_END = re.compile(r"(?<=[a-z0-9)\]])\.\s+(?=[A-Z])")
_JOINT_EN = re.compile(
    rf"\s*[,;]\s*(?:(?:and|or|but)\s+)?(?:also\s+|then\s+)?(?={_STARTS_EN}\b)"
    rf"|\s+(?:and|as well as)\s+(?:also\s+|then\s+)?(?={_STARTS_EN}\b)"
    rf"|\s*,\s*and\s+(?={_ASKS_EN}\s+(?:the|a|an|it|they|this|that|there|i|we|you|my|our)\b)"
    rf"|\s*,\s*(?={_ASKS_EN}\s+(?:there|it|they)\b)",
    re.IGNORECASE,
)
_JOINT_ZH = re.compile(r"\s*[，,]\s*(?:以及|并且|而且|还有|另外|同时|和|又|那么?)?|(?:以及|并且|还有)")
_FEW_WORDS = 2
_FEWEST_ASKING = 3
_FEW_HAN = 7
_ONLY_WHEN = re.compile(
    r"(?:需要|要|得|应该?|最晚|最迟|截止|截至|截止到|最多|最少|一共|总共|分别|大概|大约|是|在|到|于|从|由|的|呢|吗)*"
    r"(?:什么时候|何时|多久|多长时间|多少钱?|几[天个年月次]|哪里|哪儿|谁|怎么办)"
    r"(?:开始|结束|完成|截止|到期|负责|之前|之内|以内|呢|吗|的)*[？?。]*"
)
"""A part that asks when, where or how much, and not of what."""
_ONLY_REQUESTS = re.compile(
    r"(?:please\s+|kindly\s+)?(?:tell\s+me|answer|give\s+me|list|state|name|questions?|i\s+want\s+to\s+know)"
    r"(?:\s+(?:the\s+following|these|this|these\s+questions|about))?"
    r"|(?:请|请您|麻烦)?(?:分别)?(?:回答|告诉我|列出|说明|介绍|问题|我想知道)(?:下列|以下|下面|几个)?(?:的)?(?:问题|内容|几点)?",
    re.IGNORECASE,
)
"""What stands before a list and says nothing of what is asked."""
_LEANS = re.compile(
    r"\b(?:it|its|they|them|their|this|these|those|he|she|that)\b|\bthere\s*\?*\s*$|[它他她其]|这|那|此|该",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Part:
    """text: what is asked, as shown. search: what to search for, with the words that it leans on.

    also: further searches whose passages the part needs (each side of a comparison).
    """

    text: str
    search: str
    also: tuple[str, ...] = ()

    @property
    def sides(self) -> tuple[str, ...]:
        """What a comparison compares; () if the part is none."""
        sides = (each.removeprefix(self.text).strip() for each in self.also if each.startswith(self.text))
        return tuple(side for side in sides if side)


def parts_of(question: str) -> list[Part]:
    """The parts of a question in their order; the question itself, as one, if it has no others."""
    question = question.strip()
    pieces = [piece for piece in _pieces(question) if content_words(piece) or _is_whole(piece)] or [question]
    pieces = list(dict.fromkeys(pieces))
    if len(pieces) > MOST:
        pieces = [*pieces[: MOST - 1], " ".join(pieces[MOST - 1 :])]
    if len(pieces) == 1:
        return [Part(question, question, _compared(question))]
    context = "" if _listed(question) else _context(question)
    return [
        Part(piece, _search(piece, pieces[:place], context), _compared(piece))
        for place, piece in enumerate(pieces)
    ]


def _pieces(question: str) -> list[str]:
    listed = _listed(question)
    if listed:
        return listed
    found: list[str] = []
    for sentence in _asking(question):
        found += _coordinated(sentence)
    return found


def _listed(question: str) -> list[str]:
    """The items of a numbered or dashed list, each with what stands before the list."""
    for pattern in (_ITEM, _INLINE_ITEM):
        starts = list(pattern.finditer(question))
        if len(starts) < 2:
            continue
        lead = question[: starts[0].start()].strip().rstrip(":：，,;；")
        ends = [match.start() for match in starts[1:]] + [len(question)]
        items = [
            question[match.end() : end].strip(" \t\r\n;；,，、")
            for match, end in zip(starts, ends, strict=True)
        ]
        items = [" ".join(item.split()) for item in items if item.strip()]
        lead = "" if _ONLY_REQUESTS.fullmatch(lead) else lead
        return [
            item if not lead or _asks(item) else f"{lead}{'：' if language(lead) == 'zh' else ': '}{item}"
            for item in items
        ]
    return []


def _asking(question: str) -> list[str]:
    """The sentences that ask; those that only tell are left to the context."""
    sentences: list[str] = []
    for match in _SENTENCE.finditer(question):
        sentences += [part.strip() for part in _STATEMENT_END.split(match.group()) if part.strip()]
    sentences = [part for part in sentences if content_words(part) or _asks(part)]
    asking = [part for part in sentences if _asks(part)]
    return [part.rstrip(";；。 ") for part in asking or sentences[:1]] if len(sentences) > 1 else [question]


def _asks(text: str) -> bool:
    if text.rstrip().endswith(("?", "？")):
        return True
    return bool(
        re.search(_ASKS_ZH, text)
        or re.match(rf"\s*(?:and\s+)?{_ASKS_EN}\b", text, re.IGNORECASE)
        or re.match(
            r"\s*(?:please\s+)?(?:list|name|give|state|tell|show|compare|explain|describe|summari[sz]e|"
            r"find|请|列出|说明|介绍|比较|总结|概括|给出)",
            text,
            re.IGNORECASE,
        )
    )


def _coordinated(sentence: str) -> list[str]:
    """One sentence as the questions that it joins."""
    if compares(sentence):
        return [sentence]
    if language(sentence) == "zh":
        return _coordinated_zh(sentence)
    pieces = [piece.strip() for piece in _JOINT_EN.split(sentence)]
    pieces = _rejoined(pieces, sentence)
    if len(pieces) == 1:
        pieces = distributed_en(pieces[0])
    return [_as_question(piece, "?") for piece in pieces] if len(pieces) > 1 else [sentence]


def _rejoined(pieces: list[str], sentence: str) -> list[str]:
    """Pieces too short to ask anything go back to the one before ("what, when and why …")."""
    kept: list[str] = []
    for piece in pieces:
        lacking = kept and (not content_words(kept[-1]) or not re.search(rf"\b{_ASKS_EN}\b", kept[-1], re.I))
        if kept and (lacking or not (content_words(piece) or _is_whole(piece))):
            kept[-1] = sentence[sentence.index(kept[-1]) : sentence.index(piece) + len(piece)]
        else:
            kept.append(piece)
    return kept


def _is_whole(piece: str) -> bool:
    """Whether words that tell nothing by themselves are a question all the same ("What should I do?")."""
    return len(piece.split()) >= _FEWEST_ASKING and _asks(piece)


def _coordinated_zh(sentence: str) -> list[str]:
    pieces: list[str] = []
    for piece in _JOINT_ZH.split(sentence):
        piece = piece.strip()
        # A clause without a question of its own says what the next one is about, or goes on from the last.
        if pieces and not re.search(_ASKS_ZH, pieces[-1]):
            pieces[-1] = f"{pieces[-1]}，{piece}"
        elif piece and (not pieces or re.search(_ASKS_ZH, piece)):
            pieces.append(piece)
        elif piece:
            pieces[-1] = f"{pieces[-1]}，{piece}"
    spread = [part for piece in pieces for part in distributed_zh(piece)]
    return [_as_question(piece, "？") for piece in spread] if len(spread) > 1 else [sentence]


def _as_question(piece: str, mark: str) -> str:
    piece = piece.strip(" ,，;；。.")
    piece = piece if piece.endswith(("?", "？")) else piece + mark
    # "iPhone" stays as it is written.
    return piece[0].upper() + piece[1:] if piece.split()[0].islower() else piece


def _context(question: str) -> str:
    """The sentences of a question that tell and do not ask ("The HK-420 shows alarm A-31.")."""
    told = []
    for match in _SENTENCE.finditer(question):
        told += [part for part in _STATEMENT_END.split(match.group()) if part.strip() and not _asks(part)]
    return " ".join(" ".join(told).split())


def _search(piece: str, before: list[str], context: str) -> str:
    if context:
        return f"{context} {piece}"
    # A part of few words of its own, or one that points back, is searched for with the first one.
    zh = language(piece) == "zh"
    few = (
        sum(map(is_han, piece)) < _FEW_HAN or _ONLY_WHEN.fullmatch(piece)
        if zh
        else len(set(content_words(piece))) < _FEW_WORDS
    )
    if before and (few or _LEANS.search(piece)):
        return f"{before[0]} {piece}"
    return piece


def _compared(question: str) -> tuple[str, ...]:
    """A search for each side of a comparison."""
    return tuple(f"{question} {side}" for side in sides_of(question))
