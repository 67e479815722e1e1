"""Pages as pictures: how much of a page one is, and the page drawn for text recognition."""

from __future__ import annotations

from typing import Any

_LEAST_SIDE, _MOST_SIDE = 2200, 3500
"""Pixels of a page's longer side: letters of ten points are then 25 to 40 pixels high."""

_MOST_OBJECTS = 400
_MOST_DRAWN = 100_000
_MOST_PIXELS = 200_000_000
"""Of one picture: an A0 sheet scanned at 300 dots an inch has 140 million."""

_THUMBNAIL = 200


def picture_share(page: Any) -> float:
    """The part of a page's area that its largest picture covers, 0 to 1. page: a pypdfium2.PdfPage."""
    import pypdfium2

    raw = pypdfium2.raw
    width, height = page.get_size()
    if width <= 0 or height <= 0:
        return 0.0
    covered = strips = 0.0
    for number, item in enumerate(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=4)):
        if number == _MOST_OBJECTS:
            break
        left, bottom, right, top = item.get_bounds()
        across = max(0.0, min(right, width) - max(left, 0.0))
        area = across * max(0.0, min(top, height) - max(bottom, 0.0))
        covered = max(covered, area)
        # Many scanners put a page together from strips.
        strips += area if across > 0.5 * width else 0.0
    return float(min(1.0, max(covered, strips) / (width * height)))


def is_reasonable(page: Any) -> bool:
    """Whether drawing the page takes bounded time and memory: no picture of hundreds of megapixels, not a
    drawing of a map's every brook."""
    import pypdfium2

    raw = pypdfium2.raw
    if raw.FPDFPage_CountObjects(page) > _MOST_DRAWN:
        return False
    pixels = 0
    for number, item in enumerate(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=4)):
        if number == _MOST_OBJECTS:
            break
        wide, high = item.get_px_size()
        pixels = max(pixels, wide * high)
    return pixels <= _MOST_PIXELS


def is_blank(page: Any) -> bool:
    """Whether nothing can be seen on the page."""
    import pypdfium2

    raw = pypdfium2.raw
    if raw.FPDFPage_CountObjects(page) == 0 and raw.FPDFPage_GetAnnotCount(page) == 0:
        return True
    drawn = _drawn(page, _THUMBNAIL)
    darkest, lightest = drawn.getextrema()
    return bool(lightest - darkest < 8)


def drawn_for_reading(page: Any) -> Any:
    """The page as a grey PIL image, in the resolution of its largest picture within reason."""
    import pypdfium2

    raw = pypdfium2.raw
    longer = max(page.get_size())
    native = 0.0
    for number, item in enumerate(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=4)):
        if number == _MOST_OBJECTS:
            break
        left, bottom, right, top = item.get_bounds()
        wide, high = item.get_px_size()
        if right - left > 1 and top - bottom > 1:
            native = max(native, longer * max(wide, high) / max(right - left, top - bottom))
    return _drawn(page, min(_MOST_SIDE, max(_LEAST_SIDE, native)))


def _drawn(page: Any, side: float) -> Any:
    bitmap = page.render(scale=side / max(page.get_size()), grayscale=True)
    try:
        return bitmap.to_pil().convert("L")
    finally:
        bitmap.close()
