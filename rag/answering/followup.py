"""What to search for when a question leans on the conversation before it.

A question that stands on its own is searched for as it is, wherever in a conversation it comes. Only one
that shows that it leans on others ("and in 2022?", "是的", "what about it?") gets their words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag.citations.markers import MARKER
from rag.citations.wording import content_words
from rag.records import Turn
from rag.text.scripts import is_unspaced
from rag.text.sentences import sentences

AGREED = re.compile(
    r"\s*(?:yes|yes,? please|yeah|yep|sure|ok|okay|please|please do|go on|go ahead|continue|more|tell me more"
    r"|more details?|do it|that would be (?:great|nice|good)|是|是的|好|好的|好啊|可以|行|嗯|对|对的|要|需要"
    r"|请|请讲|请继续|继续|继续说|麻烦了|详细(?:一?点|说说|讲讲)?|说详细(?:一?点)?|展开(?:说说|讲讲)?|还有呢|然后呢"
    r"|谢谢，?(?:好的|是的)|好的?，?谢谢)[\s,.!，。！~～吧呀啊]*",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"\s*(?:and|but|or|also|then|so)\b|\s*(?:what|how) about\b"
    r"|\s*(?:why|how so|since when|until when|by whom|为什么|为何|怎么办|怎么做|何时|谁)\s*[?？]*\s*$"
    r"|\s*(?:in|for|at|on|since|until|before|after|during|by|with|without|from)\s+(?:\S+\s*){1,4}\?*\s*$"
    r"|.*\b(?:its?(?!\s+(?:\w+\s+)?(?:allowed|possible|permitted|necessary|required|mandatory|legal|okay?|takes?)"
    r"\b)|they|them|their|this|these|those|he|him|his|she|her|the (?:same|latter|former|first) one)\b"
    r"|.*\b(?:is|was|does|did|about|of|for|with) that\b|.*\b(?:that|there|then)\s*\?*\s*$"
    r"|\s*(?:那么?|还有|另外|以及|其中|而且|但是|所以|然后|再|同样)|.{0,12}呢[？?]?\s*$"
    r"|.*(?:它|(?<!其)他|她|其(?!他|它|实|余|次|间|中)|此(?!外|次)|这(?:个|些|项|种|样|里|份|条|次|款|是|时|件)"
    r"|那(?:个|些|项|种|样|里|份|条|次|款|时|件)|上述|上面|前者|后者|同一|刚才)",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"\s*(?:why|how) (?:so|come|not|that)\b.*"
    r"|\s*(?:who|whom) (?:do|should|must|can) (?:i|we) \S+(?: \S+){0,2}\s*\?*"
    r"|\s*(?:some )?(?:more )?details?(?: on that)?,?(?: please)?[\s.?!]*"
    r"|\s*(?:please )?(?:elaborate|explain(?: more)?)[\s.?!]*"
    r"|\s*(?:in |for )?(?:19|20)\d\d\s*年?[\s?？]*|\s*compared (?:to|with)\b.*|\s*(?:which|what) one\b.*",
    re.IGNORECASE,
)
"""Without any subject of its own."""
_BARE_HAN = re.compile(
    r"(?:要|需要|得|可以|能|能不能|可不可以|是否|有没有|应该|谁(?!是)|从|什么时候|何时|多久|多少|怎么|如何|在哪|去哪|哪里"
    r"|详细|具体|展开|举例|还有).{0,6}"
)
_MOST_BARE_HAN = 7
_ORDINAL = re.compile(
    r"\b(?:the )?(?P<word>first|second|third|fourth|fifth|last)"
    r"(?: (?:point|one|step|item|part|reason|option)\b|\s*\?*\s*$)"
    r"|\b(?:step|point|item|number|no\.?) (?P<digit>\d{1,2})\b"
    r"|第(?P<han>[一二三四五六七八九十\d]{1,2})[点条步项个种]|最后(?P<last>一)[点条步项个]",
    re.IGNORECASE,
)
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1} | {
    char: n for n, char in enumerate("一二三四五六七八九十", start=1)
}
_ITEM = re.compile(r"(?m)^\s*(?:[-*•]|\(?\d{1,2}[.)、]|[（(]\d{1,2}[）)])\s*(?P<text>\S.*)$")
_TITLE = re.compile(r"(?m)^\*\*([^*\n]+)\*\*[ \t]*$")
"""The title of a part of an answer: the part of the question that it answers."""
_PARTICLES = re.compile(r"那么?|呢|吧|一下")
_FEW_TOLD = 4
_FEW_WORDS = 9
_FEW_HAN = 16
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)\s*年?")
_OFFER = re.compile(
    r".*?(?:\b(?:would you like|do you want)(?: me)?(?: to)?(?: know| hear| see| learn)?(?: more)?(?: about)?"
    r"|\b(?:shall|should|can|may) i(?: also)?|\bi can(?: also)?"
    r"|\blet me know if you (?:want|would like)(?: to)?"
    r"|(?:是否)?(?:需要|要不要|想)(?:我|让我)?(?:为您|为你|给您|给你|帮您)?(?:再|继续|进一步|详细)?|我(?:还)?可以(?:为您)?)"
    r"\s*(?:explain|describe|list|show|tell you|give you|look up|summari[sz]e)?"
    r"(?:说明|介绍|解释|列出|讲讲|了解|知道|查找)?"
    r"(?:一下)?\s*(?P<offer>.+?)\s*[?？.。吗呢]*\s*$",
    re.IGNORECASE | re.DOTALL,
)
"""The last sentence of an answer that offers to say more, and what it offers."""


def leans(question: str) -> bool:
    """Whether a question needs the conversation before it to be understood."""
    if AGREED.fullmatch(question) or not content_words(question):
        return True
    han = sum(map(is_unspaced, question))
    short = han <= _FEW_HAN if han else len(question.split()) <= _FEW_WORDS
    if not short:
        return False
    if han and han <= _MOST_BARE_HAN and _BARE_HAN.fullmatch(question.strip(" ?？。吗呢")):
        return True
    told = len(content_words(_ORDINAL.sub(" ", question)))
    bare = _BARE.fullmatch(question) or (_ORDINAL.search(question) and told <= _FEW_TOLD)
    return bool(bare) or _LEANS.match(question) is not None


def search_questions(question: str, history: Sequence[Turn]) -> list[str]:
    """The words to search for, and what to try next if nothing is found. history: the oldest turn first."""
    if not history or not leans(question):
        return [question]
    before = search_questions(history[-1].question, history[:-1])[0]
    if AGREED.fullmatch(question):
        offer = _offer(history[-1].answer)
        if not offer:
            return [before]
        return [f"{before} {offer}", offer] if leans(offer) else [offer, f"{before} {offer}"]
    part = _nth(question, _TITLE.findall(history[-1].answer))
    if part:
        # A part of an earlier question is a question itself; the other parts would only draw away from it.
        more = content_words(_PARTICLES.sub(" ", _ORDINAL.sub(" ", question)))
        return [f"{part} {question}" if more else part, f"{before} {part}"]
    item = _nth_item(question, history[-1].answer)
    if item:
        return [f"{before} {item} {question}", f"{before} {question}"]
    if _YEAR.search(question):
        before = " ".join(_YEAR.sub(" ", before).split())  # "and in 2022?" asks for that year instead
    return [f"{before} {question}", before]


def _nth_item(question: str, answer: str) -> str:
    """The point of an answer that a question names by its number, "" if there is none."""
    answer = MARKER.sub("", answer)
    items = [found["text"] for found in _ITEM.finditer(answer)]
    return _nth(question, items or [answer[start:end] for start, end in sentences(answer)])


def _nth(question: str, items: Sequence[str]) -> str:
    """That of the items which a question names by its number, "" if there is none."""
    match = _ORDINAL.search(question)
    if match is None:
        return ""
    named = (match["word"] or match["digit"] or match["han"] or "last").lower()
    number = _NTH.get(named) or (int(named) if named.isdigit() else 0)
    place = number - 1 if number > 0 else len(items) - 1
    return items[place].strip() if 0 <= place < len(items) else ""


def _offer(answer: str) -> str:
    """What an answer offers in its last sentence, "" if nothing."""
    answer = MARKER.sub("", answer)
    spans = sentences(answer)
    match = _OFFER.fullmatch(answer[slice(*spans[-1])]) if spans else None
    return match["offer"].strip() if match else ""
