"""CJK radicals that PDF producers write in place of the characters which look the same.

Kangxi radicals (U+2F00–2FDF) have a compatibility mapping, so Unicode's own tables repair them. Most of
the supplement (U+2E80–2EFF) has none; the table below gives the unified character of the same shape.
"""

from __future__ import annotations

import unicodedata

_SUPPLEMENT = (
    "⺁厂⺄乙⺅亻⺆冂⺇几⺈刀⺉刂⺊卜⺋㔾⺌小⺍小⺎兀⺏尣⺐尢⺒巳⺓幺⺔彑⺕彐⺖忄⺗心⺘扌⺙攵⺛旡⺜日⺝月⺞歺"
    "⺠民⺡氵⺢氺⺣灬⺤爫⺥爫⺦丬⺧牛⺨犭⺩王⺪疋⺫目⺬示⺭礻⺮竹⺯糹⺰纟⺱罓⺲罒⺳罓⺴罓⺵罓⺶羊⺷羊⺸羊"
    "⺹耂⺺肀⺻聿⺼月⺽臼⺾艹⺿艹⻀艹⻁虎⻂衤⻃西⻄西⻅见⻆角⻇角⻈讠⻉贝⻊足⻋车⻌辶⻍辶⻎辶⻏阝⻐钅"
    "⻑長⻒镸⻓长⻔门⻕阝⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻞飠⻟飠⻠饣⻡首⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦"
    "⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻲亀"
)

RADICALS: dict[int, str] = {
    **{code: unicodedata.normalize("NFKC", chr(code)) for code in range(0x2F00, 0x2FD6)},
    **{
        code: unicodedata.normalize("NFKC", chr(code))
        for code in range(0x2E80, 0x2F00)
        if unicodedata.normalize("NFKC", chr(code)) != chr(code)
    },
    **{ord(_SUPPLEMENT[i]): _SUPPLEMENT[i + 1] for i in range(0, len(_SUPPLEMENT), 2)},
}
"""For `str.translate`: code point of a radical → the character of the same shape (one for one)."""
