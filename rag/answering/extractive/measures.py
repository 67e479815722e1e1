"""What a question counts ("how many days", 几个月), and how a text states a number of that."""

from __future__ import annotations

import re

_HAN = "一二两三四五六七八九十百千万零半几"
_NUMBER = (
    rf"(?:\d[\d.,]*|[{_HAN}]+"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w*ty))"
)
_MEASURES = (
    ("days?", "天", "天|日历天"),
    ("weeks?", "周|星期", "周|个?星期"),
    ("months?", "个月|月", "个月"),
    ("years?", "年", "年(?!假|度|龄)"),
    ("hours?", "小时", "个?小时|钟头"),
    ("minutes?", "分钟", "分钟"),
    ("seconds?", "秒", "秒"),
    ("euros?|EUR|€", "欧元", "欧元"),
    ("dollars?|USD", "美元", "美元"),
    ("yuan|RMB|CNY", "元|块钱|钱", "万?元"),
    ("percent|per cent|%", "百分之|比例", "%|％"),
    ("degrees?|°C", "度|摄氏度", "摄?氏?度|℃|°C"),
    ("people|persons|employees|staff", "人|名", "人|名"),
    ("km|kilomet(?:er|re)s?", "公里|千米", "公里|千米"),
    ("kg|kilos?|kilograms?", "公斤|千克", "公斤|千克"),
)


def counted_as(question: str) -> re.Pattern[str] | None:
    """How a text in either language states a number of what the question counts; None if it counts nothing of
    the kind.

    >>> pattern = counted_as("年假有几天？")
    >>> [pattern.search(text) is not None for text in ("享有十二天年假", "提前十个工作日", "27 days")]
    [True, False, True]
    >>> counted_as("Who signs the form?")
    """
    for english, asked, chinese in _MEASURES:
        if re.search(
            rf"\bhow many (?:\w+ )?(?:{english})\b|(?:几|多少)个?(?:{asked})", question, re.IGNORECASE
        ):
            before = r"(?:百分之|千分之)|" if "%" in english else ""
            return re.compile(
                rf"{before}{_NUMBER}\s*(?:(?:\w+ ){{0,1}}(?:{english})(?![a-z])|(?:{chinese}))", re.IGNORECASE
            )
    return None
