"""Pages that are pictures: recognised where Tesseract's data is installed, named where it is not."""

from __future__ import annotations

import io
import textwrap
from pathlib import Path
from typing import Any

import pytest

from ingest import ocr
from ingest.errors import Skipped
from ingest.quality import pages_without_text
from ingest.readers import Limits, pdf, read_bytes
from ingest.readers.pdf_scans import PageText, distrust_stamps, recognise
from rag import outside
from rag.records import Document

LINES = ("The harbour depot keeps spare", "cable on the seventh shelf.", "Ask the warden for the key.")


def scan(*pages: str, lines: tuple[str, ...] = LINES, turned: int = 0) -> bytes:
    """A PDF whose pages are pictures of `lines`, with `pages` as text below; "blank" for an empty page."""
    from PIL import Image, ImageDraw, ImageFont
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    picture = Image.new("L", (1240, 1754), 255)
    drawing = ImageDraw.Draw(picture)
    for number, line in enumerate(lines):
        drawing.text((120, 200 + 90 * number), line, fill=0, font=ImageFont.load_default(size=52))
    picture = picture.rotate(turned)
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=True)
    for text in pages:
        if text != "blank":
            canvas.drawImage(ImageReader(picture), 0, 0, 595, 842)
            for number, line in enumerate(textwrap.wrap(text, 80)):
                canvas.drawString(60, 120 - 14 * number, line)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


class FakeTesseract:
    """Says that every picture holds the same words, as surely as it is told."""

    said = "Words of the picture, all of them."
    confidence = 0.9
    pictures: list[tuple[int, int]]

    def __init__(self, found: ocr.LanguageData, languages: tuple[str, ...]) -> None:
        assert languages
        FakeTesseract.pictures = []

    def recognise(self, image: Any, seconds: float) -> ocr.Recognised | None:
        assert seconds > 0
        FakeTesseract.pictures.append(image.size)
        return ocr.Recognised(self.said, self.confidence, "eng")

    def close(self) -> None:
        pass


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> type[FakeTesseract]:
    monkeypatch.setattr(pdf, "tesseract_data", lambda: ocr.LanguageData(Path("/"), ("eng",)))
    monkeypatch.setattr(ocr, "Tesseract", FakeTesseract)
    return FakeTesseract


def read(data: bytes, **limits: Any) -> Document:
    return read_bytes(data, "scan.pdf", limits=Limits(**limits))


def test_a_scan_is_read_or_named_with_what_would_help() -> None:
    """The real thing, with whatever this machine has."""
    found = ocr.tesseract_data()
    if found is None or "eng" not in found.languages:
        with pytest.raises(Skipped, match=r"its only page is empty or images only.*Install Tesseract"):
            read(scan(""))
        return
    document = read(scan(""))
    (page,) = document.pages
    assert page.ocr
    assert page.quality > 0.5
    assert " ".join(page.text.split()) == " ".join(LINES)


def test_a_scan_on_its_head_is_read_where_the_data_for_that_is_installed() -> None:
    found = ocr.tesseract_data()
    if found is None or not {"eng", "osd"} <= set(found.languages):
        return  # the test above says what happens then
    many = tuple(f"{line} Number {number}" for number in range(2) for line in LINES)
    (page,) = read(scan("", lines=many, turned=180)).pages
    assert "cable on the seventh shelf" in page.text


def test_pages_with_text_are_left_alone_and_blank_ones_are_not_drawn(fake: type[FakeTesseract]) -> None:
    long = "A page of text that nobody has to recognise, as it has more than enough letters of its own. " * 4
    document = read(scan(long, "blank", ""))
    assert [page.ocr for page in document.pages] == [False, False, True]
    assert document.pages[0].text.startswith("A page of text")
    assert document.pages[2].text == fake.said
    assert len(fake.pictures) == 1
    assert max(fake.pictures[0]) >= 2200
    assert pages_without_text(document) == [2]


def test_a_stamp_on_a_scan_is_kept_with_what_is_recognised(fake: type[FakeTesseract]) -> None:
    (page,) = read(scan("Received 3 May")).pages
    assert page.ocr
    assert page.text == f"Received 3 May\n{fake.said}"


def test_what_is_hardly_recognised_is_not_indexed(fake: type[FakeTesseract]) -> None:
    fake.confidence = 0.3
    try:
        with pytest.raises(Skipped, match="no text layer"):
            read(scan(""))
        document = read(scan("", "A page with text, which makes it worth keeping. " * 4))
        assert pages_without_text(document) == [1]
        assert not document.pages[0].ocr
    finally:
        fake.confidence = 0.9


def test_off_and_force(fake: type[FakeTesseract]) -> None:
    with pytest.raises(Skipped, match="no text layer"):
        read(scan(""), ocr="off")
    long = "Text that is there already, in letters enough for a page of its own and then some more. " * 2
    (page,) = read(scan(long), ocr="force").pages
    assert (page.ocr, page.text) == (True, fake.said)


def test_when_time_is_up_the_other_pages_are_reported(fake: type[FakeTesseract]) -> None:
    document = read(scan("A page with text, which makes it worth keeping. " * 4, "", ""), ocr_file_s=1e-9)
    assert pages_without_text(document) == [2, 3]
    assert fake.pictures == []


def test_every_page_is_told_of() -> None:
    told = []
    pages = [PageText("", 0.0) for _ in range(3)]
    reader = FakeTesseract(ocr.LanguageData(Path("/"), ("eng",)), ("eng",))
    recognise(
        pages, [0, 2], lambda index: Picture(), reader,  # type: ignore[arg-type]
        page_s=5, file_s=50, force=False, told=lambda: told.append(1),
    )  # fmt: skip
    assert [page.ocr for page in pages] == [True, False, True]
    assert len(told) == 2


class Picture:
    size = (10, 10)


def test_the_same_stamp_on_several_scans_is_no_text() -> None:
    pages = [PageText(f"Scanned with Lens, page {n}", 1.0) for n in range(3)] + [PageText("A cover", 1.0)]
    distrust_stamps(pages, [0, 1, 2, 3])
    assert [page.score for page in pages] == [0.25, 0.25, 0.25, 1.0]


def test_languages() -> None:
    found = ocr.LanguageData(Path("/"), ("afr", "chi_sim", "chi_sim_vert", "deu", "eng", "fra", "osd"))
    assert ocr.languages_for(found) == ("eng", "chi_sim", "deu", "fra")
    assert ocr.languages_for(found, "deu+fra, chi_sim") == ("deu+fra", "chi_sim")
    assert ocr.languages_for(found, "xyz eng") == ("eng",)


def test_data_is_looked_for_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    (tmp_path / "tessdata").mkdir()
    (tmp_path / "tessdata" / "osd.traineddata").write_bytes(b"")
    monkeypatch.setattr(outside, "_FOLDERS", ())
    assert ocr.tesseract_data() is None
    assert ocr.identity("auto") == "auto none"
    (tmp_path / "tessdata" / "eng.traineddata").write_bytes(b"")
    assert ocr.tesseract_data() == ocr.LanguageData(tmp_path / "tessdata", ("eng", "osd"))
    assert ocr.identity("auto") == "auto eng"
    assert ocr.identity("off") == "off none"


def test_blanks_between_ideographs_go() -> None:
    assert ocr.tidied("尺 度 之 所 以   a  b\n\n\n\n不 同 ， 部\x0c") == "尺度之所以 a b\n\n不同，部"


class Surer:
    """Stands in for one language of the library: how sure it is depends on the language alone."""

    def __init__(self, sureness: dict[str, tuple[float, str]]) -> None:
        self.sureness = sureness
        self.asked: list[str] = []

    def __call__(self, image: Any, language: str, deadline: float, turned: bool) -> ocr.Recognised:
        self.asked.append(f"{language}{' turned' if turned else ''}")
        confidence, text = self.sureness[self.asked[-1]]
        return ocr.Recognised(text, confidence, language)


def test_the_surest_language_wins_and_is_asked_first_for_the_next_page() -> None:
    reader = ocr.Tesseract(ocr.LanguageData(Path("/"), ("chi_sim", "eng")), ("eng", "chi_sim"))
    surer = Surer({"eng": (0.3, "BA HK"), "chi_sim": (0.85, "商品和货币")})
    reader._one = surer  # type: ignore[method-assign]
    assert [reader.recognise(None, 9).language for _ in range(2)] == ["chi_sim"] * 2  # type: ignore[union-attr]
    assert surer.asked == ["eng", "chi_sim", "chi_sim"]
    # English words by the Chinese model are not enough.
    surer.sureness = {"chi_sim": (0.8, "SLEREAXE COMPANY"), "eng": (0.93, "SLEREXE COMPANY")}
    best = reader.recognise(None, 9)
    assert best is not None
    assert best.text == "SLEREXE COMPANY"


def test_a_page_that_nobody_is_sure_of_is_tried_turned() -> None:
    reader = ocr.Tesseract(ocr.LanguageData(Path("/"), ("eng", "osd")), ("eng",))
    surer = Surer({"eng": (0.35, "xoesg"), "eng turned": (0.92, "The key")})
    reader._one = surer  # type: ignore[method-assign]
    best = reader.recognise(None, 9)
    assert best is not None
    assert best.text == "The key"


def test_a_page_in_two_scripts_is_read_by_both_languages_together() -> None:
    installed = ocr.LanguageData(Path("/"), ("chi_sim", "deu", "eng"))
    mixed = (0.92, "The key 钥匙在门房")
    answers = {
        "eng": ocr.Recognised("The key AERH", 0.8, "eng", doubted=0.2),
        "eng+chi_sim": ocr.Recognised(mixed[1], mixed[0], "eng+chi_sim"),
        "chi_sim": ocr.Recognised("钥匙在门房，请向看门人领取。the keyis here", 0.86, "chi_sim"),
    }
    asked = []

    def one(image: Any, language: str, deadline: float, turned: bool) -> ocr.Recognised | None:
        asked.append(language)
        return answers[language]

    for languages in (("eng", "chi_sim"), ("chi_sim", "eng")):
        asked.clear()
        reader = ocr.Tesseract(installed, languages)
        reader._one = one  # type: ignore[method-assign, assignment]
        assert [reader.recognise(None, 9).text for _ in range(2)] == [mixed[1]] * 2  # type: ignore[union-attr]
        assert asked == [languages[0], "eng+chi_sim", "eng+chi_sim"]
    # A page that one language reads well costs no second look.
    asked.clear()
    answers["eng"] = ocr.Recognised("The key is here", 0.93, "eng", doubted=0.02)
    reader = ocr.Tesseract(installed, ("eng", "chi_sim"))
    reader._one = one  # type: ignore[method-assign, assignment]
    best = reader.recognise(None, 9)
    assert best is not None
    assert asked == ["eng"]
