"""How likely a text is, by the letters that languages use: enough to tell in which encoding it was written.

Every candidate decodes the same bytes; the one under which they are most likely wins. The likelihood is of
single characters, by rank of frequency (1/rank, as Zipf found for letters and ideographs alike), with a
price for what no text does: a capital inside a word, a symbol between two letters. Each line may be in
another language. The tables are the usual orders of letter frequency of each language.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

from ingest import euc_tw

_SIMPLIFIED = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然"
    "家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把"
    "机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果"
    "加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔"
    "更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展"
    "马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共"
)
_TRADITIONAL = (
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然"
    "家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把"
    "機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果"
    "加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾"
    "更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展"
    "馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共"
)
_KANA = (
    "のいるたにはとてしなをがかでうんこれさりすあまっだもきらくよそけつどせめちみえわおやじゃょへばぶゆびひむぎゅろねげごべ"
    "ほふぐずぼざぬぜぞづンースイトルラアリクドシレジフタグマテバロプコサッカメムニナオパデキャチダウエブショビュハモセソミ"
    "ボネガワヤペポゴヒケィツズユザギベホヘノヨゼァェォヌゲゾヴ"
)
_KANJI = (
    "日一国人年大十二本中長出三時行見月分後前生五間上東四今金入学高円子外八六下来気小七山話女北書先名川千水男西電校語"
    "土木聞食車何南万会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野以思家世多正安院心"
    "界教文元重近考海売知道集別物使品計死特私始運終台広住真有口少町料工建空送切転研究楽起着店病質試族銀親験医写字答音"
)
_HANGUL = (
    "이다에는의을가하고지한로기를사은어자대서리그도아시나수인일정해스있보제부라만구전장상주여원들조었과게으연면공비오신회"
    "유성물선위안동국생발모세경야미와내개중요년관학무소음치반말분화것적문같람때되않없했습니까드마거결통계재"
)
_CYRILLIC = {
    "ru": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
    "uk": "оаинвтіерсклудмпзяьбгйчхцжїюєшщґф",
    "bg": "аиоентрсвлкдпмзгубъцячщжхшйюфь",
    "sr": "аиоенртсдкујмвлпзгбчцшњћжхљђфџѓќѕ",
}
_KAZAKH = {"kk": "аеынтрлдіксмоұқбғйішөңүуәжпгзвяшчхфюэцёъьһщ"}
_GREEK = {"el": "αοιετσνηυρπκςμλωίάόέγδχήθύφώβξζψ"}
_HEBREW = {"he": "יוהלאמרתבשנדחקעפםטגצןכזסךףץ"}
_ARABIC = {"ar": "اليمنوترسبعدفهحكةجقصأطشىخإضذزثئغءظآؤ،؛؟"}
_THAI = {"th": "านรอกเงมยลวดสตะปท่้ิีบคหขจพชัซุูื็์ถผใไแโำธศณฟฉฐภญษฎฏฬ"}
_WESTERN = {
    "en": "’“”–—…é",
    "de": "üäöß",
    "fr": "éèàêçùîôûâëïœ",
    "es": "óíáéñúü¿¡",
    "pt": "ãçáéóíêõàâúô",
    "it": "èàùòìé",
    "sv": "äåöé",
    "da": "øåæé",
    "is": "ðíþáæóúéýö",
    "et": "äõüöšž",
    "ca": "àéòèíçóïúü·",
}
_TURKISH = {"tr": "ışçğüöİâî", **{key: _WESTERN[key] for key in ("de", "fr", "es", "it")}}
_CENTRAL = {
    "pl": "łęąóśżćńź",
    "cs": "áíěéřčžýšůúďťňó",
    "sk": "áíéčžýšúťľôďäňĺŕó",
    "hu": "áéöóőüíúű",
    "ro": "ăîţşâ",
    "hr": "čšžćđ",
    "de": _WESTERN["de"],
}
_SERVED = {"pt": "cp860", "is": "cp861", "fr": "cp863", "da": "cp865"}
"""Languages for which DOS had a page of its own beside those of Western Europe."""

_BALTIC = {"lv": "āēīšņļūķģžč", "lt": "ėšųžįąūčę", "et": _WESTERN["et"], "de": _WESTERN["de"]}

_WIDE_MARKS = "，。、：；“”（）《》！？—…·「」『』・％　‘’【】〈〉"
_MARKS = "’“”–—…«»„‘‚°§€£©®·•´\u00a0×½²³"

LANGUAGES: Mapping[str, Mapping[str, str]] = {
    "gb18030": {"zh": _SIMPLIFIED},
    "big5hkscs": {"zh-hant": _TRADITIONAL},
    **({euc_tw.NAME: {"zh-hant": _TRADITIONAL}} if euc_tw.available() else {}),
    "cp932": {"ja": ""},
    "euc_jp": {"ja": ""},
    "cp949": {"ko": _HANGUL},
    "johab": {"ko": _HANGUL},
    "cp1251": _CYRILLIC,
    "koi8_u": _CYRILLIC,
    "mac_cyrillic": _CYRILLIC,
    "cp866": _CYRILLIC,
    "cp855": _CYRILLIC,
    "iso8859_5": _CYRILLIC,
    "kz1048": _KAZAKH,
    "ptcp154": _KAZAKH,
    "cp1253": _GREEK,
    "iso8859_7": _GREEK,
    "cp737": _GREEK,
    "cp869": _GREEK,
    "cp1255": _HEBREW,
    "cp862": _HEBREW,
    "cp1256": _ARABIC,
    "iso8859_6": _ARABIC,
    "cp720": _ARABIC,
    "cp874": _THAI,
    "cp1252": _WESTERN,
    "iso8859_15": _WESTERN,
    "mac_roman": _WESTERN,
    "cp850": _WESTERN,
    "cp437": {key: _WESTERN[key] for key in ("en", "de", "fr", "es", "it", "sv")},
    **{encoding: {key: _WESTERN[key]} for key, encoding in _SERVED.items()},
    "cp037": _WESTERN,
    "cp500": _WESTERN,
    "cp1254": _TURKISH,
    "cp1250": _CENTRAL,
    "iso8859_2": _CENTRAL,
    "cp852": _CENTRAL,
    "mac_latin2": _CENTRAL,
    "cp1257": _BALTIC,
    "cp775": _BALTIC,
    "utf_16_le": {"zh": _SIMPLIFIED, "zh-hant": _TRADITIONAL, "ja": "", "ko": _HANGUL, **_CYRILLIC},
    "utf_16_be": {"zh": _SIMPLIFIED, "zh-hant": _TRADITIONAL, "ja": "", "ko": _HANGUL, **_CYRILLIC},
}
"""Encoding → the languages that are written in it."""

PRIOR: Mapping[str, float] = {"gb18030": 0.0, "cp1252": -1.0, "big5hkscs": -1.0, "cp932": -1.0}
"""How usual an encoding is, as a logarithm; -4 for the others. It decides on texts of a few characters."""

_DOS = frozenset({"cp437", "cp850", "cp852", "cp866", "cp855", "cp737", "cp869", "cp862", "cp775",
                  *_SERVED.values()})  # fmt: skip
"""Encodings whose texts draw frames with characters."""

_NEVER = -14.0
_FRAME = -4.5
_RARE = -11.5
_CAPITAL = -2.0
_CAPITAL_INSIDE = -5.0
_SYMBOL_INSIDE = -4.0
_LETTER_ALONE = -2.5
_TWO_SCRIPTS = -4.0


def likelihood(text: str, encoding: str) -> float:
    """Log-likelihood of `text` as something written in one of the languages of `encoding`.

    Natural logarithm, summed over characters; comparable between texts decoded from the same bytes.
    """
    tables = [_table(language, letters) for language, letters in LANGUAGES[encoding].items()]
    total = PRIOR.get(encoding, -4.0) + _inside_words(text)
    framed = encoding in _DOS
    for line in text.splitlines():
        # The dotted capital of Turkish would become two characters.
        counts = Counter(line.replace("İ", "ı").lower())
        high: list[tuple[str, int]] = []
        for character, count in counts.items():
            if character.isascii():
                total += count * ascii_cost(character)
            elif framed and "\u2500" <= character <= "\u259f":
                total += count * _FRAME
            else:
                high.append((character, count))
        if high:
            total += max(
                sum(count * _cost(character, table) for character, count in high) for table in tables
            )
    return total


def _cost(character: str, table: tuple[str, dict[str, float]]) -> float:
    language, costs = table
    cost = costs.get(character)
    if cost is None:
        cost = costs[character] = _unlisted(character, language)
    return cost


@cache
def _table(language: str, letters: str) -> tuple[str, dict[str, float]]:
    """The language's listed characters with their costs; others are added when they are met."""
    shares: tuple[tuple[str, float], ...]
    if language == "ja":
        shares = ((_KANA, 0.55), (_KANJI, 0.22), (_WIDE_MARKS, 0.1))
    elif language in ("zh", "zh-hant"):
        shares = ((letters, 0.55), (_WIDE_MARKS, 0.12))
    elif language == "ko":
        shares = ((letters, 0.75), (_WIDE_MARKS, 0.02))
    else:
        shares = ((letters, 0.9), (_MARKS, 0.06))
    costs: dict[str, float] = {}
    for characters, share in shares:
        # The first few are not as much more frequent as 1/rank would have it.
        weights = [1.0 / (rank + 4) for rank in range(len(characters))]
        whole = sum(weights)
        for character, weight in zip(characters, weights, strict=True):
            costs.setdefault(character, math.log(share * weight / whole))
    return language, costs


def _unlisted(character: str, language: str) -> float:
    """Other ideographs and syllables by how central their place in the national standard is."""
    if character == "\ufffd" or unicodedata.category(character) in ("Cc", "Cn", "Co", "Cs"):
        return 2 * _NEVER
    code = ord(character)
    if language == "zh" and 0x4E00 <= code <= 0x9FFF:
        return _by_rank(character, "gb2312", (0xB0, 0xD8), -9.1)
    if language == "zh-hant" and 0x4E00 <= code <= 0x9FFF:
        return _by_rank(character, "big5", (0xA4, 0xC7), -9.4)
    if language == "ja":
        if 0x4E00 <= code <= 0x9FFF:
            return _by_rank(character, "euc_jp", (0xB0, 0xD0), -9.6)
        if 0x3041 <= code <= 0x30FF:
            return -9.0
    if language == "ko" and 0xAC00 <= code <= 0xD7A3:
        return _by_rank(character, "euc_kr", (0xB0, 0xC9), -9.0)
    if language in ("zh", "zh-hant", "ja", "ko") and 0xFF01 <= code <= 0xFF5E:
        return -8.5
    return _NEVER


def _by_rank(character: str, standard: str, common_rows: tuple[int, int], common: float) -> float:
    try:
        row = character.encode(standard)[0]
    except UnicodeEncodeError:
        return _NEVER
    return common if common_rows[0] <= row < common_rows[1] else _RARE


@cache
def ascii_cost(character: str) -> float:
    """Of a small letter or any other character of ASCII, the same in every language."""
    if character.islower():
        return -3.0
    if character == " ":
        return -2.0
    if character.isdigit() or character in ".,\t":
        return -4.0
    return 2 * _NEVER if character < " " and character not in "\n\r\f\x1b" else -6.0


def _inside_words(text: str) -> float:
    """The price of capitals, and of what words do not do: capitals, symbols and other scripts inside."""
    total = 0.0
    for before, character, after in _triples(text):
        if character.isupper():
            if before.islower():
                total += _CAPITAL_INSIDE
            elif not before.isupper():
                total += _CAPITAL
        elif character > "\x7f" and before.isalpha() and after.isalpha() and not character.isalpha():
            # Accents are no symbols, and neither are the marks between ideographs.
            apart = character in "’·‘" or before > "\u2e7f" or after > "\u2e7f"
            if not apart and unicodedata.category(character)[0] != "M":
                total += _SYMBOL_INSIDE
        elif "\x7f" < character < "\u2e80" and character.isalpha():
            if not (before.isalpha() or after.isalpha()):
                total += _LETTER_ALONE if character < "\u0400" else 0.0
            elif character >= "\u0370":
                total += sum(_TWO_SCRIPTS for other in (before, after) if other.isascii() and other.isalpha())
    return total


def _triples(text: str) -> Iterator[tuple[str, str, str]]:
    padded = f" {text} "
    return zip(padded, padded[1:], padded[2:], strict=False)
