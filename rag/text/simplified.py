"""Traditional Chinese characters of the words that ask, join and point, in their simplified form.

Rules about how a question is put are written in simplified characters once. What a question is about is
left as it is written: documents are searched for in their own characters.
"""

from __future__ import annotations

_TRADITIONAL = (
    "這個們麼嗎還沒該條項來時後裡裏樣種點對說請幫舉換譯總結單費價錢幾歲誰負責買賣發給號碼電話為爲與無從將長間問題內詳細寫講釋"
    "簡繼續兩會應當須實際較現導響報審準規標數額詞據過進開關辦處繳領圖顯產業務質積體溫壓療狀證義範圍徵優風險罰機構環節論變動設"
    "備類僅專別稱屬於誠謝歷"
)
_SIMPLIFIED = (
    "这个们么吗还没该条项来时后里里样种点对说请帮举换译总结单费价钱几岁谁负责买卖发给号码电话为为与无从将长间问题内详细写讲释"
    "简继续两会应当须实际较现导响报审准规标数额词据过进开关办处缴领图显产业务质积体温压疗状证义范围征优风险罚机构环节论变动设"
    "备类仅专别称属于诚谢历"
)
_TABLE = str.maketrans(_TRADITIONAL, _SIMPLIFIED)


def simplified(text: str) -> str:
    """As long as `text`: every character stands where it stood.

    >>> simplified("後來提高到多少？為什麼？")
    '后来提高到多少？为什么？'
    """
    return text.translate(_TABLE)
