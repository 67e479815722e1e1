"""Draws one page of a PDF with some of its words boxed. Runs as a process of its own: a damaged file can
crash or stall the PDF library, and that must not end the page's server.

    python -m ui.drawing < {"path": …, "page": 3, "quotes": ["…"]}  → PNG on standard output

The first line of standard error is JSON: {"pages": n, "boxes": n} or {"problem": "…"} (exit code 3).
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

from ingest.readers.pdf_salvage import salvaged
from rag.text.normal import find_quote
from rag.text.sentences import sentences

MAX_PIXELS = 3_000_000
MAX_SCALE = 2.0
"""Pixels a point: 144 dpi."""
CPU_SECONDS = 20
MEMORY_BYTES = 2 << 30


class Undrawable(Exception):
    """The page cannot be drawn; the message says why, for the reader."""


def draw(path: str, number: int, quotes: list[str]) -> tuple[Any, int, int]:
    """The page as a PIL image, the number of pages of the file, and of boxes drawn."""
    import pypdfium2 as pdfium

    try:
        pdf = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        rest = salvaged(Path(path).read_bytes())
        if rest is None:
            raise Undrawable(f"the file cannot be opened ({error})") from error
        pdf = pdfium.PdfDocument(rest.data)
    if not 1 <= number <= len(pdf):
        raise Undrawable(f"the file has {len(pdf)} pages")
    page = pdf[number - 1]
    width, height = page.get_size()
    scale = min(MAX_SCALE, math.sqrt(MAX_PIXELS / max(1.0, width * height)))
    bitmap = page.render(scale=scale, may_draw_forms=False)
    image = bitmap.to_pil().convert("RGB")
    boxes = _boxes(page, quotes)
    convert = bitmap.get_posconv(page)
    corners = []
    for left, bottom, right, top in boxes:
        first, second = convert.to_bitmap(left, top), convert.to_bitmap(right, bottom)
        corners.append(
            (
                min(first[0], second[0]),
                min(first[1], second[1]),
                max(first[0], second[0]),
                max(first[1], second[1]),
            )
        )
    return _marked(image, corners), len(pdf), len(boxes)


def _boxes(page: Any, quotes: list[str]) -> list[tuple[float, float, float, float]]:
    """(left, bottom, right, top) in points of each line of each quote that stands on the page."""
    import pypdfium2.raw as raw

    textpage = page.get_textpage()
    codes = [raw.FPDFText_GetUnicode(textpage, place) for place in range(textpage.count_chars())]
    # One character a place, so that a span of the text is a span of places.
    text = "".join(chr(code) if 0 < code < 0xD800 or 0xE000 <= code < 0x110000 else " " for code in codes)
    boxes = []
    for quote in quotes:
        for start, end in _places(quote, text):
            for place in range(textpage.count_rects(start, end - start)):
                boxes.append(textpage.get_rect(place))
    return _lines(boxes)


def _lines(boxes: list[tuple[float, float, float, float]]) -> list[tuple[float, float, float, float]]:
    """One box a line: neighbours that stand on the same line are joined."""
    lines: list[tuple[float, float, float, float]] = []
    for left, bottom, right, top in boxes:
        if lines:
            first = lines[-1]
            height = max(top - bottom, first[3] - first[1])
            shared = min(top, first[3]) - max(bottom, first[1])
            if shared > 0.3 * min(top - bottom, first[3] - first[1]) and -height < left - first[2] < height:
                lines[-1] = (
                    min(first[0], left),
                    min(first[1], bottom),
                    max(first[2], right),
                    max(first[3], top),
                )
                continue
        lines.append((left, bottom, right, top))
    return lines


def _places(quote: str, text: str) -> list[tuple[int, int]]:
    """Where the quote stands, or else each of its sentences or lines that can be found."""
    whole = find_quote(quote, text)
    if whole is not None:
        return [whole]
    parts = [quote[start:end] for start, end in sentences(quote)]
    parts = [line for part in parts for line in ([part] if find_quote(part, text) else part.splitlines())]
    found = [find_quote(part, text) for part in parts if len(part.strip()) >= 6]
    return [place for place in found if place is not None]


def _marked(image: Any, corners: list[tuple[float, float, float, float]]) -> Any:
    if not corners:
        return image
    from PIL import Image, ImageChops, ImageDraw

    # Multiplying keeps the letters black under the colour, as a marker pen does.
    layer = Image.new("RGB", image.size, "white")
    pen = ImageDraw.Draw(layer)
    for left, top, right, bottom in corners:
        pen.rectangle((left - 2, top - 2, right + 2, bottom + 2), fill=(255, 229, 130))
    return ImageChops.multiply(image, layer)


def main() -> int:
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    wanted = json.load(sys.stdin)
    try:
        image, pages, boxes = draw(wanted["path"], wanted["page"], wanted["quotes"])
    except Undrawable as error:
        print(json.dumps({"problem": str(error)}), file=sys.stderr)
        return 3
    print(json.dumps({"pages": pages, "boxes": boxes}), file=sys.stderr)
    image.save(sys.stdout.buffer, "PNG", compress_level=4)
    return 0


if __name__ == "__main__":
    sys.exit(main())
