"""Pages whose fonts do not say what their characters are."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import pytest

from ingest.quality import POOR, pages_without_text
from ingest.readers import Limits, read_bytes
from ingest.readers.pdf_trust import is_doubtful, is_named
from rag.outside import tesseract_data
from tests.ingest.readers.files import pdf

LINES = (
    "The delivery date of the pump is the fourth of May.",
    "Spare cables lie on the seventh shelf of the depot.",
    "The valve opens at nine bar and closes at four bar.",
)
_NAMES = {" ": "space", ".": "period"}


def drawn_font(
    lines: Sequence[str], name: Callable[[str, int], str], code: Callable[[str, int], int]
) -> bytes:
    """A PDF whose letters are little pictures (a font of type 3) without a table of what they mean.

    name, code: of a glyph, by its letter and its number among the letters.
    """
    from PIL import Image, ImageDraw, ImageFont
    from pypdf import PdfWriter
    from pypdf.generic import (
        ArrayObject,
        DecodedStreamObject,
        DictionaryObject,
        FloatObject,
        NameObject,
        NumberObject,
    )

    face = ImageFont.load_default(size=80)
    letters = list(dict.fromkeys("".join(lines)))
    codes = {letter: code(letter, number) for number, letter in enumerate(letters)}
    writer = PdfWriter()
    page = writer.add_blank_page(595, 842)
    glyphs = DictionaryObject()
    widths = {}
    for number, letter in enumerate(letters):
        wide = max(8, round(face.getlength(letter)))
        picture = Image.new("1", (wide, 110), 1)
        ImageDraw.Draw(picture).text((0, 5), letter, font=face, fill=0)
        widths[codes[letter]] = wide * 10
        glyph = DecodedStreamObject()
        glyph.set_data(
            b"%d 0 0 -200 %d 900 d1 q %d 0 0 1100 0 -200 cm "
            b"BI /W %d /H 110 /IM true /BPC 1 /F /AHx ID %s> EI Q"
            % (wide * 10, wide * 10, wide * 10, wide, picture.tobytes().hex().encode())
        )
        glyphs[NameObject("/" + name(letter, number))] = writer._add_object(glyph)
    first, last = min(widths), max(widths)
    differences: list[NumberObject | NameObject] = []
    for number, letter in enumerate(letters):
        differences += [NumberObject(codes[letter]), NameObject("/" + name(letter, number))]
    box = [NumberObject(value) for value in (0, -200, 900, 900)]
    scale = [FloatObject(value) for value in (0.001, 0, 0, 0.001, 0, 0)]
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type3"),
            NameObject("/FontBBox"): ArrayObject(box),
            NameObject("/FontMatrix"): ArrayObject(scale),
            NameObject("/CharProcs"): glyphs,
            NameObject("/Encoding"): DictionaryObject({NameObject("/Differences"): ArrayObject(differences)}),
            NameObject("/FirstChar"): NumberObject(first),
            NameObject("/LastChar"): NumberObject(last),
            NameObject("/Widths"): ArrayObject(
                NumberObject(widths.get(place, 0)) for place in range(first, last + 1)
            ),
        }
    )
    page[NameObject("/Resources")] = DictionaryObject(
        {NameObject("/Font"): DictionaryObject({NameObject("/F1"): writer._add_object(font)})}
    )
    shown = " ".join(
        f"1 0 0 1 60 {740 - 28 * number} Tm <{''.join(f'{codes[letter]:02x}' for letter in line)}> Tj"
        for number, line in enumerate(lines)
    )
    content = DecodedStreamObject()
    content.set_data(f"BT /F1 14 Tf {shown} ET".encode())
    page[NameObject("/Contents")] = writer._add_object(content)
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def numbered(letter: str, number: int) -> str:
    return f"g{number}"


def by_number(letter: str, number: int) -> int:
    return 33 + number


def test_codes_that_mean_nothing_are_recognised_or_not_trusted() -> None:
    data = drawn_font(LINES, numbered, by_number)
    document = read_bytes(data, "a.pdf", limits=Limits(ocr="off"))
    assert pages_without_text(document) == [1]
    found = tesseract_data()
    if found and found.languages:
        document = read_bytes(data, "a.pdf")
        assert document.pages[0].ocr
        assert "seventh shelf of the depot" in document.text


def test_letters_are_known_by_the_names_of_their_glyphs() -> None:
    data = drawn_font(LINES, lambda letter, number: _NAMES.get(letter, letter), by_number)
    document = read_bytes(data, "a.pdf", limits=Limits(ocr="off"))
    assert document.text.split() == " ".join(LINES).split()
    assert document.pages[0].quality >= POOR


def test_codes_of_ascii_are_believed() -> None:
    data = drawn_font(LINES, numbered, lambda letter, number: ord(letter))
    document = read_bytes(data, "a.pdf", limits=Limits(ocr="off"))
    assert document.text.split() == " ".join(LINES).split()
    assert document.pages[0].quality == 1
    short = read_bytes(pdf([["Pump 7"]]), "a.pdf", limits=Limits(ocr="off"))
    assert short.pages[0].quality == 1


@pytest.mark.parametrize(
    ("share", "text", "doubtful"),
    [
        (0.9, "7KH GHOLYHU\\ GDWH RI WKH SXPS LV WKH IRXUWK RI 0D\\ DQG VR RQ DQG VR IRUWK", True),
        (0.9, "The delivery date of the pump is the fourth of May and so on and so forth.", False),
        (0.9, "Pump", True),
        (0.1, "Pump", False),
        (0.9, "本合同的有效期为三年，自双方签字之日起算，期满可以续签一次。", False),
        (0.9, "瑟膛鹇讧忐馥鳎炻槲缈蹊轸酆麴枞佧氚璁鲰罅鞔狳", True),
    ],
)
def test_a_page_is_believed_if_it_reads_like_a_language(share: float, text: str, doubtful: bool) -> None:
    assert is_doubtful(share, text) == doubtful


def test_names_that_pypdf_passes_on_are_no_letters() -> None:
    assert is_named("pump", "abcd")
    assert not is_named("p u m p", "pump")
    assert not is_named("/rect ab", "ab")
