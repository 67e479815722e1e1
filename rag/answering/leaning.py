"""Whether a question needs the conversation before it to be understood."""

from __future__ import annotations

import re

from rag.answering.nameless import nameless
from rag.citations.wording import content_words
from rag.text.scripts import is_unspaced
from rag.text.simplified import simplified

_ASSENT = (
    r"yes|yes,? please|yeah|yep|sure|ok|okay|please|please do|do it|that would be (?:great|nice|good)"
    r"|是|是的|好|好的|好啊|可以|行|嗯|对|对的|要|需要|请|麻烦了|谢谢，?(?:好的|是的)|好的?，?谢谢"
)
_MORE = (
    r"go on|go ahead|continue|more|tell me more|more details?|请讲|请继续|继续|继续说"
    r"|详细(?:一?点|说说|讲讲)?|说详细(?:一?点)?|展开(?:说说|讲讲)?|还有呢|然后呢"
)
_END = r"[\s,.!，。！~～吧呀啊]*"
ASSENTED = re.compile(rf"\s*(?:{_ASSENT}){_END}", re.IGNORECASE)
"""A "yes", which says nothing unless something was offered."""
MORE = re.compile(rf"\s*(?:{_MORE}){_END}", re.IGNORECASE)
"""A wish for more of the same."""
AGREED = re.compile(rf"\s*(?:{_ASSENT}|{_MORE}){_END}", re.IGNORECASE)
_IMPERSONAL = (
    r"it(?!\s+(?:\w+\s+)?(?:allowed|possible|permitted|necessary|required|mandatory|legal|okay?|true"
    r"|takes?(?!\s+(?:place|part|effect)\b))\b)"
)
"""The word "it" where it stands for something ("is it paid?", not "is it allowed to …?")."""
_LEANS = re.compile(
    r"\s*(?:and|but|or|also|then|so)\b|\s*(?:what|how) about\b|\s*(?:if|when|unless) (?:not|so|yes|no)\b"
    r"|\s*(?:why|how so|since when|until when|by whom|为什么|为何|怎么办|怎么做|何时|谁)\s*[?？]*\s*$"
    r"|\s*(?:in|for|at|on|since|until|before|after|during|by|with|without|from)\s+(?:\S+\s*){1,4}\?*\s*$"
    rf"|.*\b(?:{_IMPERSONAL}|they|them|this|these|those|he|him|she)\b"
    r"|.*\bthe (?:same|latter|former|first) one\b"
    r"|.*\b(?:is|was|does|did|about|of|for|with) that\b|.*\b(?:that|there|then)\s*\?*\s*$"
    r"|\s*(?:那么?|还(?:有|需要?|要|得|能|可以|应)|另外|以及|其中|而且|但是|所以|然后|再|同样)|.{0,12}呢[？?]?\s*$"
    r"|.*(?:它|(?<!其)他|她|其(?!他|它|实|余|次|间|中)|此(?!外|次)|这(?:个|些|项|种|样|里|份|条|次|款|是|时|件|两|几)"
    r"|那(?:个|些|项|种|样|里|份|条|次|款|时|件)|上述|上面|前面|前者|后者|两者|二者|两个都|同一|刚才|刚刚|上一?个问题|该(?:合同|协议|条款|条|项|文件|规定"
    r"|制度|公司|产品|设备|项目|供应商|部门|标准|报告|人)|本(?:条|款|项)(?!目))",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"(?P<before>.*?)\b(?:its|their|his|her)\b", re.IGNORECASE)
_OWNER = 2
"""With so many words of content before a possessive, its owner stands in the question itself."""
_BARE = re.compile(
    "|".join(
        (
            r"\s*(?:why|how) (?:so|come|not|that)\b.*",
            r"\s*(?:why|how come|how is it|为什么|为何)(?: |是|要|有)?[\d.,]+(?: ?%|\s*\S{1,2})?[\s?？]*",
            r"\s*为(?:什么|何|啥)不?是\S{1,12}",
            r"\s*(?:who|whom) (?:do|should|must|can) (?:i|we) \S+(?: \S+){0,2}\s*\?*",
            r"\s*who (?:said|says) so\b.*",
            r"\s*(?:some )?(?:more )?details?(?: on that)?,?(?: please)?[\s.?!]*",
            r"\s*(?:please )?(?:elaborate|explain(?: more)?)[\s.?!]*",
            r"\s*(?:in |for )?(?:19|20)\d\d\s*年?[\s?？]*",
            r"\s*compared (?:to|with)\b.*",
            r"\s*(?:please )?compare (?:both|the two)[\s.!]*",
            r"\s*(?:which|what) one\b.*",
            r"\s*(?:which|what|who) (?:is|are|would be) (?:the )?"
            r"(?:better|best|cheap(?:er|est)|faster|safer|newer|older|larger|smaller|higher|lower|easier)[\s?.!]*",
            r"\s*(?:the )?same (?:for|in|with|at|applies)\b.*",
            r"\s*(?:the|any) other \w+[\s?.!]*",
            r"\s*(?:are there |is there |with )?(?:any |no )?"
            r"(?:exceptions?|exclusions?|limits?|limitations?|conditions?|alternatives?|deadlines?|fees?|costs?"
            r"|penalt(?:y|ies)|requirements?|differences?)[\s?.!]*",
            r"\s*(?:which|what) \w+ (?:is|are|do i|do we|must i|should i) "
            r"(?:needed|required|necessary|need|bring|submit)[\s?.!]*",
            r"\s*is an? \w+ (?:needed|required|necessary)[\s?.!]*",
            r"\s*what if (?:i|we) (?:am|are|do|don't|can't)\b.*",
        )
    ),
    re.IGNORECASE,
)
"""Without any subject of its own."""
_SUBJECT = re.compile(
    rf"\s*(?:[a-z]+(?:n't|n’t)?\s+){{0,2}}(?:{_IMPERSONAL}|they|these|those|he|she)\b|(?:它们?|他们?|她们?)",
    re.IGNORECASE,
)
"""Whose subject is a pronoun, however long the rest is."""
_ONE = re.compile(
    r".*\b(?!(?:phase|page|level|tier|type|part|chapter|section|step|stage|no|number|class|category|group"
    r"|article|zone|day|week|year|version|any|every|each|some|loved|little|big|square|formula)\b)[a-z]+ ones?"
    r"[\s?.!]*"
    r"|.*\b(?:what|who|where|when|anything|anyone|anybody|something|someone|somebody) else\b.*"
    r"|.*\b(?:any|the|which|what about) others?[\s?.!]*",
    re.IGNORECASE,
)
"""With "one" for what was named before ("How can I create one?"), or with something else than that."""
_OBJECTLESS = re.compile(
    r"\s*(?:(?:and|so|then|but),? )?(?:how|when|where|why|can|could|may|do|should|must)\b"
    r"(?: (?:much|many|long|often|soon|early|late))?(?: (?:can|could|do|should|must|may|would|will))?"
    r" (?:i|we|you|one|someone) (?!smoke|vote|work|park|print|travel)[a-z]+(?: (?:up|in|out|for|to|off|on))?"
    r"[\s?.!]*",
    re.IGNORECASE,
)
"""That does not say what is to be done to what ("How can I apply?")."""
_QUALITY = re.compile(
    r"\s*what(?:'s|’s| is| are| was| were) the [a-z]+[\s?.!]*"
    r"|(?:有|需要)?(?:什么|哪些|多少)?(?:期限|时限|时间|费用|价格|金额|比例|上限|下限|条件|要求|流程|步骤|材料|标准|原因"
    r"|理由|好处|区别|例外|后果|地点|日期|截止日期|负责人|联系人|有效期)(?:是|有|为|要|在)?"
    r"(?:什么|多少|多久|多长|哪些|哪里|怎样|怎么样|如何|怎么算|哪天|几天|谁|几个月)?[\s?？]*",
    re.IGNORECASE,
)
"""For one quality ("What is the deadline?", "费用是多少？") without what it is one of."""
CORRECTS = re.compile(
    r"\s*(?:(?:no|sorry|oh|well|actually)[\s,.!]*)*"
    r"(?:i (?:mean|meant|asked|am asking|was asking|am talking|was talking)"
    r"|(?:不是?|不对|抱歉)?[\s，,。]*我(?:是说|是指|的意思是|指的是|说的是|问的是|是问|想问的是))"
    r"(?: about| for)?[\s,:，：]*",
    re.IGNORECASE,
)
"""What says that the question before was meant otherwise."""
_FORM = (
    r"(?:列?表格?|清单|图表?|要点|提纲|例子?|[一几两三]句话|[一几两三四五]点"
    r"|[中英日法德俄韩]文|[汉英日法德俄韩]语|普通话)"
)
_ORDERS_HAN = re.compile(
    r"(?:请|麻烦|帮我|给我|能否|能不能|可以|那就?)*(?:再|都)?"
    r"(?:把(?:这些|这个|它们?|他们|以上|上述|上面|前面|刚才|结果|答案|内容)[^，,。?？]{0,12}"
    rf"|(?:换|改|翻译?|译|整理|转换?|列|做|画|汇总)成{_FORM}|(?:列|做|画|举)(?:个|一个|一张|张|几个|些)?{_FORM}"
    rf"|(?:用|以){_FORM}(?:的?(?:形式|方式))?(?:再|来)?"
    r"(?:列|写|回答|说|讲|做|画|解释|介绍|说明|总结|概括|整理|展示|表示|表达|输出)?(?:一下|一遍|出来)?"
    r"|(?:列出?来?|翻译|总结|概括|归纳|对比|比较|重新?说|再?说|汇总|整理)(?:一下|一遍|出来|两者|二者|下|看看)?|说人话"
    r"|(?:简单|简短|简要|通俗|简洁|详细|具体)(?:一?[点些]|地)?(?:回答|说|讲|解释|介绍|概括)?(?:一下|说|讲|[一几]句)?)"
)
"""What to do with the answer before, in which form."""
_BARE_HAN_CHOICES = re.compile(
    r"(?:哪|那)?(?:一)?(?:个|种|家|款|台|份|项)?(?:更|最).{1,4}|哪(?:一)?(?:个|种|家|款|台|份|项)(?:更|最|比较)?.{1,4}"
    r"|(?:最晚|最早|最迟|最多|最少|至少)(?:是|要|在|可以)?(?:什么时候|何时|哪天|多少.{0,2}|几.{0,3})"
    r"|第[一二三四五六七八九十\d]{1,3}[条点步项款章](?:具体|详细)?(?:是|怎么|如何)?.{0,5}"
)
"""A choice among what the answer before names."""
_BARE_HAN = re.compile(
    r"(?:要|需要|得|可以|能|能不能|可不可以|是否|有没有|应该|谁(?!是)|从|什么时候|何时|多久|多少|在哪|去哪|哪里"
    r"|详细|具体|展开|举例|还有).{0,6}|(?:怎么|如何|怎样).{0,3}"
)
_MOST_BARE_HAN = 7
ORDINAL = re.compile(
    r"\b(?:the )?(?P<word>first|second|third|fourth|fifth|last)"
    r"(?: (?:point|one|step|item|part|reason|option)\b|\s*\?*\s*$)"
    r"|\b(?:step|point|item|number|no\.?) (?P<digit>\d{1,2})\b"
    r"|第(?P<han>[一二三四五六七八九十\d]{1,2})[点条步项个种]|最后(?P<last>一)[点条步项个]",
    re.IGNORECASE,
)
_EDGES_HAN = " ?？。.！!吗呢吧"
_FEW_TOLD = 4
_FEW_WORDS = 9
_FEW_HAN = 16
_SOME_WORDS = 18
_SOME_HAN = 30
"""A question of at most that many words (characters) may lean by a pronoun as its subject."""


def leans(question: str) -> bool:
    """Whether a question needs the conversation before it to be understood."""
    question = simplified(question)
    if AGREED.fullmatch(question) or not content_words(question) or nameless(question):
        return True
    han = sum(map(is_unspaced, question))
    if CORRECTS.match(question) or (
        _SUBJECT.match(question) and (han <= _SOME_HAN if han else len(question.split()) <= _SOME_WORDS)
    ):
        return True
    if not is_short(question):
        return False
    if any(pattern.fullmatch(question) for pattern in (_ONE, _OBJECTLESS, _QUALITY)):
        return True
    owned = _POSSESSIVE.match(question)
    if owned and len(content_words(owned["before"])) < _OWNER:
        return True
    bare_han = question.strip(_EDGES_HAN)
    if han and han <= _MOST_BARE_HAN and _BARE_HAN.fullmatch(bare_han):
        return True
    if han and (_BARE_HAN_CHOICES.fullmatch(bare_han) or orders(question)):
        return True
    told = len(content_words(ORDINAL.sub(" ", question)))
    bare = _BARE.fullmatch(question) or (ORDINAL.search(question) and told <= _FEW_TOLD)
    return bool(bare) or _LEANS.match(question) is not None


def is_short(question: str) -> bool:
    """Whether a question has so few words that others may belong to it."""
    han = sum(map(is_unspaced, question))
    return han <= _FEW_HAN if han else len(question.split()) <= _FEW_WORDS


def orders(question: str) -> bool:
    """Whether a question only says what to do with the answer before it ("用表格列出来"), in Chinese.

    >>> orders("請用英文回答"), orders("比较鹿特丹和苏州的年假")
    (True, False)
    """
    return _ORDERS_HAN.fullmatch(simplified(question).strip(_EDGES_HAN)) is not None
