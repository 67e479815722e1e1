"""Whether a question asks for a whole document, and by which words it names one."""

from __future__ import annotations

import re

from rag.citations.wording import content_words

_UNITS_EN = r"(?:chapter|section|part|page)"
_CHAPTERWISE = re.compile(
    rf"\b{_UNITS_EN}[- ]by[- ]{_UNITS_EN}\b"
    r"|\b(?:summar\w+|overview|outline|gist|key points|main points|content)\b.*"
    r"\b(?:each|every|all|per|of the) (?:chapters?|sections?)\b"
    r"|\b(?:each|every) (?:chapter|section)\b.*\b(?:summar\w+|overview|say|about|key points|main points)\b"
    r"|逐[章节篇]|[按分](?:章节?|各章|篇章)|(?:每一?|各)个?(?:章节|章)",
    re.IGNORECASE,
)
_SUMS_UP = re.compile(
    r"\b(?:summar(?:y|ies|i[sz]e[sd]?|i[sz]ing)|sum up|overview|outline|abstract|synopsis|digest|recap)\b"
    r"|总结|概括|概述|摘要|归纳|综述|概要|提要|小结",
    re.IGNORECASE,
)
_SAYS_WHOLE = re.compile(
    r"\b(?:whole|entire|full|complete|long|documents?|files?|pdfs?|texts?|chapters?|sections?|pages?|by|each|every"
    r"|all|per|brief|briefly|short|shortly|detailed|key|main|points?|content|contents|attached|uploaded|one|write"
    r"|make|create|show|want|need|would|like|called|named|titled|entitled|english|chinese|sentences?)\b"
    r"|全文|整[篇份本个部]|通篇|全部|文档|文件|资料|章节|逐[章节篇]|每一?[章节篇]|各章|分章|按章|内容|主要|要点|详细|简要|简短"
    r"|一下|请|帮我|给我|写|做|篇|份|本|这|那|个|的|章|节|对|把|进行|分别|用|中文|英文",
    re.IGNORECASE,
)
_SHORT_OF = re.compile(r"\b(?:answer|question|email|mail|meeting with|conversation|above)\b", re.IGNORECASE)


def by_chapters(question: str) -> bool:
    """Whether a question asks for every chapter of a document by itself, in so many words.

    >>> by_chapters("Give me a chapter-by-chapter summary"), by_chapters("逐章总结员工手册")
    (True, True)
    >>> by_chapters("What does chapter 3 say about leave?")
    False
    """
    return _CHAPTERWISE.search(question) is not None


def sums_up(question: str) -> bool:
    """Whether a question asks for a summary of something; what of, `named_words` tells."""
    return _SUMS_UP.search(question) is not None and _SHORT_OF.search(question) is None


def named_words(question: str) -> frozenset[str]:
    """The words that are left to name a document once those that only ask for a whole summary are gone.

    >>> sorted(named_words("Please summarize the whole travel policy, chapter by chapter"))
    ['policy', 'travel']
    """
    left = _SAYS_WHOLE.sub(" ", _SUMS_UP.sub(" ", _CHAPTERWISE.sub(" ", question)))
    return frozenset(content_words(left))
