"""Words that ask, join and point rather than tell: every text has them, so they say nothing about any."""

from __future__ import annotations

import re

_ENGLISH = """
a about after all am an and any are as at be been before being between both but by calculate calculated can
could describe did do does doing done during each else every explain few for from had handled happen happens
has have having he her hers him his how i if in into is it its just least less many may me mean means might
more most much must my no nor not of off on once one only or other our out over per please s shall she should
so some soon still such t tell than that the their them then there these they this those through to too under
until up upon us very was we were what when where whether which while who whom whose why will with within
without would you your
"""
_CHINESE = """
什么 甚么 怎么 怎样 如何 多少 哪些 哪个 哪里 哪儿 几个 为何 为什 是否 能否 可否 有没 没有 多久 多长 多大
请问 告诉 诉我 以及 或者 还是 并且 关于 对于 其中 这个 那个 这些 那些 一个 可以 应该 需要 必须 我们 他们
么时 时候 些什 是什 了什 有什 有哪 是哪 是多 有多 是谁 是如 有几 个什 在哪 的是 么样
计算 规定 处理 办理 具体
的 了 是 在 和 与 或 吗 呢 吧
谁 几 哪 何 我 你 他 她 它 们 这 那 有 都 也 就 才 会 能 要 把 被 对 为 从 到 由 等 中 上 下
"""
ASKING = frozenset((*_ENGLISH.split(), *_CHINESE.split()))
"""As `rag.text.words.words` yields them: folded words, and pairs of Chinese characters."""

_PHRASES = re.compile(
    "请问|请?告诉我|是?什么时候|是什么|什么|甚么|怎么样|怎么办|怎么|怎样|如何|[是有]?多少钱?|[是有]?多久|[是有]?多长|[是有]?多大"
    "|有?哪些|是?哪个|在?哪里|在?哪儿|为何|是否|能否|可否|有没有|是谁|[吗呢吧]"
)

_DETERMINED = (
    r"(?:all\s+)?(?:the|these|those|my|our|your)\s+(?:uploaded\s+|attached\s+)?(?:documents?|files?|sources?)"
)
_PLACES = re.compile(
    rf"\b(?:do|does|did)\s+{_DETERMINED}\s+(?:say|state|mention|tell(?:\s+(?:me|us))?|contain)\b(?:\s+(?:about|on)\b)?"
    rf"|\b(?:according\s+to|based\s+on)\s+{_DETERMINED}\b"
    rf"|^\s*(?:in|from)\s+{_DETERMINED}\b|\b(?:in|from)\s+{_DETERMINED}\s*[?.!]*\s*$"
    r"|\b(?:is|was)\s+said\s+(?:about|on)\b"
    r"|(?:根据|按照|依据|基于)(?:这些|上述|以上|上传的|我的)?(?:文档|文件|资料)(?:的?内容)?(?=[，,：:\s])"
    r"|^\s*(?:在?(?:这些|上传的|我的)?(?:文档|文件|资料)(?:之?中|里面?|内))(?:关于|对于|提到)?"
    r"|是?(?:怎么|如何|怎样)(?:说|写|描述|介绍)的",
    re.IGNORECASE,
)
"""Where a question says that it is to be answered from the documents. Every question is."""


def without_asking(question: str) -> str:
    """The question with blanks in the place of Chinese phrases that ask, and of such that name the documents
    as the place to look in ("What do the documents say about …", 根据文档，…).

    A Chinese phrase has no blanks around it: uncut, it would make words with its neighbours that no text has
    (违约金怎么算 → 金怎), and those would pass for the rarest of the question; "documents" and "say" would,
    too. A question that consists of such phrases comes back as it is.
    """
    cut = _PHRASES.sub(" ", _PLACES.sub(" ", question))
    return cut if any(character.isalnum() for character in cut) else question
