"""What the numbered parts of a document are called: pages, slides of a presentation, sheets of a workbook."""

from __future__ import annotations

from ui.language import Texts

_SLIDES = (".pptx", ".pptm", ".ppsx", ".potx", ".ppt", ".odp")
_SHEETS = (".xlsx", ".xlsm", ".xltx", ".xlsb", ".xls", ".ods")


def unit(path: str, n: int, texts: Texts) -> str:
    """The word for n of them, as it stands inside a sentence."""
    name = path.lower()
    kind = "slide" if name.endswith(_SLIDES) else "sheet" if name.endswith(_SHEETS) else "page"
    return texts(f"unit.{kind}", n=n)
