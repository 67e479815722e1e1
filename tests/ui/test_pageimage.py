"""Page images: drawn from the very file that was indexed, for those who may read it, words marked."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from ingest.sync import run
from rag.embedding.protocol import Embedder
from rag.library import Library, writing
from rag.settings import Settings
from ui.pageimage import Drawn, PageImages, PageUnavailable, quotes_on

LINE = "The pump of the north hall is guaranteed for twenty-four months."


def write_pdf(path: Path) -> None:
    canvas = Canvas(str(path))
    for number in (1, 2):
        canvas.drawString(72, 700, f"Sheet {number} of the maintenance plan for the whole installation.")
        if number == 2:
            canvas.drawString(72, 680, LINE)
        canvas.showPage()
    canvas.save()


@pytest.fixture(scope="module")
def library(embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("pages")
    papers = folder / "papers"
    papers.mkdir()
    write_pdf(papers / "pump.pdf")
    settings = Settings(home=folder / "home")
    assert run(settings, [papers], embedder=embedder).added == ["pump.pdf"]
    return Library.open(settings)


def draw(library: Library, page: int, *, collections: tuple[str, ...] = ("default",)) -> Drawn:
    (file,) = library.files()
    assert file.sha256 is not None
    text = library.document(file.sha256).text
    start = text.index(LINE)
    spans = [(start, start + len(LINE))]
    return asyncio.run(PageImages(library).page(file.sha256, page, spans, collections))


def test_the_quoted_words_are_marked_on_their_page(library: Library) -> None:
    drawn = draw(library, 2)
    assert (drawn.pages, drawn.boxes) == (2, 1)
    pixels = np.asarray(Image.open(io.BytesIO(drawn.png)).convert("RGB"))
    (rows,) = np.nonzero((pixels[:, :, 0] > 240) & (pixels[:, :, 2] < 180))[:1]
    top, bottom = rows.min(), rows.max()
    # One line, 680 points above the foot of an A4 page (842 points), at two pixels a point.
    assert (842 - 680) * 2 - 40 < top < bottom < (842 - 680) * 2 + 20
    assert draw(library, 1).boxes == 0


def test_pages_that_do_not_exist(library: Library) -> None:
    with pytest.raises(PageUnavailable) as refused:
        draw(library, 3)
    assert refused.value.status == 422
    assert "2 pages" in refused.value.reason


def test_who_may_not_read_it_is_told_that_it_does_not_exist(library: Library) -> None:
    for collections in ((), ("other",)):
        with pytest.raises(PageUnavailable) as refused:
            draw(library, 1, collections=collections)
        assert refused.value.status == 404


def test_spans_are_cut_at_the_page(library: Library) -> None:
    (file,) = library.files()
    assert file.sha256 is not None
    document = library.document(file.sha256)
    whole = [(0, len(document.text))]
    first, second = (quotes_on(document, number, whole) for number in (1, 2))
    assert LINE in second[0]
    assert LINE not in first[0]
    assert quotes_on(document, 7, whole) == []


def test_a_changed_or_removed_file_is_not_drawn(
    settings: Settings, embedder: Embedder, tmp_path: Path
) -> None:
    path = tmp_path / "pump.pdf"
    write_pdf(path)
    run(settings, [path], embedder=embedder)
    library = Library.open(settings)
    (file,) = library.files()
    assert file.sha256 is not None
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(PageUnavailable) as refused:
        draw(library, 1)
    assert refused.value.status == 410
    with writing(settings) as writer:
        writer.remove("default", [str(file.absolute)])
    with pytest.raises(PageUnavailable) as refused:
        asyncio.run(PageImages(library).page(file.sha256, 1, [], ["default"]))
    assert refused.value.status == 404
