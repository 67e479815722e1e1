from __future__ import annotations

import pytest

from ingest.quality import POOR, pages_without_text, quality
from rag.records import Document, Page

ENGLISH = "The depot keeps 420 metres of spare cable on shelf seven; see page 12 (or ask Ms. Lane). " * 4
CHINESE = "仓库第七号货架存放备用电缆四百二十米，验收人是陆明远。详见第十二页。" * 4


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH,
        CHINESE,
        "short",
        "7",
        "Склад проверяют в первый понедельник. Η αποθήκη ελέγχεται. المستودع 仓库 창고 คลัง " * 5,
        "நிறுவனத்தின் கிடங்கு மாதந்தோறும் சரிபார்க்கப்படுகிறது. " * 5,
        "x = a + b, y = c - d, f(x) = x^2, where a, b, c and d are given; then the sum of all is e. " * 4,
        "Der Donaudampfschifffahrtsgesellschaftskapitän fährt los. " + ENGLISH,
        "1,234 5,678 9,012 3.4% (56) $ 78\n" * 20,
        "👍🏽 great! 🏳️‍🌈 ★ → ✓ ① Ⅳ",
    ],
)
def test_real_text_is_trusted(text: str) -> None:
    assert quality(text) > 0.9


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "(cid:12)(cid:44)(cid:9) " * 30,
        "/C67/C117/C108/C116 " * 30,
        "\ue001\ue002\ue003 \ue004\ue005 " * 20,
        "\x01\x02\x03 \x04\x05\x06 " * 20,
        "\ufffd\ufffd the \ufffd\ufffd\ufffd of \ufffd " * 10,
        "ߋ႒ಀ۲ն\u0bdcബྷࢳ ՎൔၛࣉྛĐ ᓆܓᆼᇉϱ\u0dfb࿊ ଲܨuࠏఖ࿐༝" * 5,
        "T h e d e p o t k e e p s f o u r h u n d r e d m e t r e s " * 6,
        "Thedepotkeepsfourhundredandtwentymetresofsparecableonshelfseven " * 6,
        "Ã©tÃ© Ã  lâ€™Ã©cole dÃ©jÃ  Ã©tÃ© " * 6,
    ],
)
def test_broken_text_is_not(text: str) -> None:
    assert quality(text) < POOR


def test_a_few_wrong_characters_cost_little() -> None:
    assert quality(ENGLISH + "\ue001\ue002") > 0.9


def test_pages_without_text_are_physical_numbers() -> None:
    pages = (
        Page(1, ENGLISH),
        Page(2, "", quality=0.0),
        Page(3, "\ue001", quality=0.2),
        Page(4, "x", quality=0.9),
    )
    assert pages_without_text(Document("0" * 64, "pdf", pages)) == [2, 3]
    assert pages_without_text(Document("0" * 64, "text", (Page(None, "?", quality=0.1),))) == []


def test_letters_exchanged_for_others_are_no_text() -> None:
    plain = "The quality measure should notice when a font has exchanged all letters for others. " * 6
    shifted = "".join(chr((ord(c.lower()) - 97 + 3) % 26 + 97) if c.isalpha() else c for c in plain)
    assert quality(plain) == 1
    assert quality(shifted) < POOR
    # Too little to tell.
    assert quality(shifted[:80]) == 1


def test_one_large_script_is_not_many() -> None:
    assert quality("ሰላም ለዓለም ሁሉ ይሁን። ቀጵሿ " * 9) == 1
    assert quality("ꀀꁁꂂꃃꄄꅅꆆꇇꈈꉉ " * 9) == 1
    assert quality("ꀀꁁ ሰላም ᐁᐂ " * 30) < 1
