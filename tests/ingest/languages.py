"""Sentences in many languages, and the encodings in which each was written."""

from __future__ import annotations

SENTENCES = {
    "zh": "仓库在每月第一个星期一盘点，盘点时暂停发货。请各部门提前两天提交清单，谢谢配合。",
    "zh-hant": "倉庫在每月第一個星期一盤點，盤點時暫停出貨。請各部門提前兩天提交清單，謝謝配合。",
    "ja": "倉庫は毎月最初の月曜日に棚卸しをします。その間は出荷を止めますので、ご注意ください。",
    "ko": "창고는 매월 첫째 월요일에 재고를 조사합니다. 조사하는 동안에는 출고를 하지 않습니다.",
    "ru": "Склад проверяют в первый понедельник каждого месяца. В этот день товар не отпускают.",
    "uk": "Склад перевіряють у перший понеділок кожного місяця. Цього дня товар не відпускають.",
    "bg": "Складът се проверява всеки първи понеделник от месеца. Тогава стока не се дава.",
    "el": "Η αποθήκη ελέγχεται την πρώτη Δευτέρα κάθε μήνα. Εκείνη την ημέρα δεν παραδίδονται προϊόντα.",
    "he": "המחסן נבדק ביום שני הראשון של כל חודש. באותו יום לא מוציאים סחורה.",
    "ar": "يتم جرد المستودع في أول يوم اثنين من كل شهر. لا تخرج البضائع في ذلك اليوم.",
    "th": "คลังสินค้าจะตรวจนับทุกวันจันทร์แรกของเดือน ในวันนั้นจะไม่มีการส่งสินค้า",
    "de": "Das Lager wird am ersten Montag geprüft. Dann dürfen keine Güter hinaus, außer größeren.",
    "fr": "L'entrepôt est contrôlé le premier lundi; ce jour-là rien n'est livré à l'extérieur, même pressé.",
    "es": "El almacén se revisa el lunes. ¿Y qué día no se entregará ningún artículo? Mañana también.",
    "pl": "Magazyn sprawdza się w pierwszy poniedziałek miesiąca. Wtedy nie wydaje się żadnych towarów.",
    "cs": "Sklad se kontroluje první pondělí každého měsíce. Ten den se zboží nevydává, ani když spěchá.",
    "hu": "A raktárt minden hónap első hétfőjén ellenőrzik. Aznap nem adnak ki árut, csak külön, hűtőből.",
    "sr": "Складиште се проверава сваког првог понедељка у месецу. Тада се роба не издаје, јер се броји.",
    "kk": "Қойма әр айдың бірінші дүйсенбісінде тексеріледі. Сол күні тауар берілмейді, өйткені есеп жүреді.",
    "pt": "O armazém é revisto na primeira segunda-feira; nesse dia não há saída de artigos, só à mão.",
    "is": "Vörugeymslan er talin fyrsta mánudag hvers mánaðar. Þann dag er ekkert afhent, því það er talið.",
    "lv": "Noliktavu pārbauda katra mēneša pirmajā pirmdienā. Tajā dienā preces neizsniedz, jo tās skaita.",
    "tr": "Depo her ayın ilk pazartesi günü sayılır. O gün dışarıya ürün çıkışı yapılmaz, çünkü sayımdadır.",
}


WRITTEN_IN = {
    "zh": "gb18030 gbk",
    "zh-hant": "big5 euc_tw",
    "ja": "cp932 euc_jp",
    "ko": "euc_kr",
    "ru": "cp1251 koi8_r mac_cyrillic cp866 iso8859_5",
    "uk": "cp1251",
    "bg": "cp1251",
    "el": "cp1253 iso8859_7 cp737 cp869",
    "he": "cp1255 cp862",
    "ar": "cp1256 iso8859_6 cp720",
    "th": "cp874",
    "de": "cp1252 cp437 cp037 cp500",
    "fr": "cp1252",
    "es": "cp1252",
    "pl": "cp1250 iso8859_2",
    "cs": "cp1250 iso8859_2 mac_latin2",
    "hu": "cp1250",
    "tr": "cp1254",
    "sr": "cp1251 iso8859_5",
    "kk": "kz1048 ptcp154",
    "pt": "cp1252 cp860",
    "is": "cp1252 cp861",
    "lv": "cp1257 cp775",
}


LEGACY = [(language, encoding) for language, names in WRITTEN_IN.items() for encoding in names.split()]


EAST_ASIAN = [pair for pair in LEGACY if pair[0] in ("zh", "zh-hant", "ja", "ko")]


UNICODE = ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-le"]
