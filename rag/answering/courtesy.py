"""Words that end a matter and ask nothing: they are answered politely, and nothing is searched for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag.answering.leaning import AGREED, ASSENTED
from rag.answering.offers import offered
from rag.records import Turn
from rag.text.language import Language

_THANKS = re.compile(
    r"\s*(?:(?:oh|ah|ok(?:ay)?|great|perfect|good|fine|got it|i see|no)[\s,.!]*)*(?:many )?"
    r"(?:thanks?(?: you)?|thx|cheers)(?: a lot| so much| very much)?[\s,.!]*"
    r"|\s*(?:好的?|明白了?|知道了|懂了|不用了?|不需要了?|没有了|不了)?[\s，,。!！]*"
    r"(?:非常|多)?(?:感谢|谢谢)(?:你|您|了)?[\s，,。!！]*",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\s*(?:no|nope|not now|never mind|no need|that's all|that is all)[\s,.!]*"
    r"|\s*(?:不用|不需要|不要|不必|没有|没了|不|算了|够了)了?[\s，,。!！]*",
    re.IGNORECASE,
)


def courtesy(question: str, history: Sequence[Turn], of: Language) -> str:
    """What to say to thanks, to a "no" in a conversation, to a "yes" that nothing was offered before; "" to
    everything else."""
    if _THANKS.fullmatch(question):
        return "不客气。还有问题请继续问。" if of == "zh" else "You are welcome. Ask on whenever you like."
    if not history and AGREED.fullmatch(question):
        return "请写下您的问题。" if of == "zh" else "What would you like to know?"
    assented = history and ASSENTED.fullmatch(question) and not offered(history[-1].answer)
    if assented or (history and _NO.fullmatch(question)):
        return "好的。还有问题请继续问。" if of == "zh" else "All right. Ask on whenever you like."
    return ""
