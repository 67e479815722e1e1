"""What the control words of RTF mean: characters, encodings, and groups whose text nobody sees."""

from __future__ import annotations

import codecs
import re

CHARSETS = {
    0: "cp1252", 77: "mac_roman", 78: "cp932", 79: "cp949", 80: "gb18030", 81: "big5hkscs", 128: "cp932",
    129: "cp949", 130: "johab", 134: "gb18030", 136: "big5hkscs", 161: "cp1253", 162: "cp1254", 163: "cp1258",
    177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 255: "cp437",
}  # fmt: skip
CODE_PAGES = {936: "gb18030", 950: "big5hkscs", 932: "cp932", 949: "cp949", 1361: "johab",
               10000: "mac_roman",               65001: "utf-8"}  # fmt: skip
CHARACTERS = {
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
    "bullet": "•", "emspace": " ", "enspace": " ", "qmspace": " ", "tab": " ", "line": "\n", "lbr": "\n",
    "softline": "\n", "zwj": "", "zwnj": "",
}  # fmt: skip
ENDS_PARAGRAPH = frozenset({"par", "sect", "page", "column", "pagebb"})
LEFT_OUT = frozenset(
    """colortbl pict nonshppict objdata fldinst bkmkstart bkmkend themedata colorschememapping datastore
    xmlnstbl listtable listoverridetable rsidtbl generator latentstyles filetbl revtbl tc xe atnid atnauthor
    atndate atnref atntime atrfstart atrfend pn pntxta pntxtb template fontemb fontfile panose falt userprops
    mmathPr docvar ftnsep ftnsepc aftnsep aftnsepc background passwordhash annotationdate annotationauthor
    shprslt sn objclass objname wgrffmtfilter pgptbl factoidname ffname ffdeftext ffformat formfield
    htmltag mhtmltag author operator company category manager comment doccomm keywords subject hlinkbase
    blipuid blipuid picprop""".split()  # noqa: SIM905
)
KEPT_THOUGH_OPTIONAL = frozenset({"shpinst", "ud", "do", "footnote", "ftnalt", "annotation", "pntext"})
HEADING_STYLE = re.compile(r"(?:heading|标题|überschrift|titre|título)\s*([1-9])", re.I)


def code_page(number: int) -> str:
    """Python's name of a code page of Windows; of the western one for numbers that mean nothing."""
    name = CODE_PAGES.get(number, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"
