"""Formulas and charts of an OpenDocument file, which are documents of their own inside the package, put in
the place where they are shown."""

from __future__ import annotations

import posixpath
from typing import Any

from ingest.errors import Unreadable
from ingest.readers.archive import Archive
from ingest.readers.docx_text import local
from ingest.readers.formulas import linear

_HREF = "{http://www.w3.org/1999/xlink}href"


def put_in_place(content: Any, archive: Archive | None) -> None:
    """Frames with a formula become its text; frames with a chart hold its titles and the table of its
    figures. archive: None for a flat file, which has the objects in their frames."""
    for shown in list(content.iter("{*}object")):
        frame = shown.getparent()
        root = _document(shown, archive)
        if frame is None or root is None:
            continue
        if local(root) == "math":
            _formula(frame, root)
            continue
        # office:chart is the body, chart:chart inside it the chart itself.
        chart = next((one for one in root.iter("{*}chart") if local(one.getparent()) == "chart"), None)
        if chart is not None:
            titles = [text for title in chart if local(title) == "title" for text in title]
            for child in [child for child in frame if child is not shown]:
                frame.remove(child)  # the picture of the chart
            frame.extend(titles + list(chart.iter("{*}table"))[:1])
            frame.remove(shown)


def _document(shown: Any, archive: Archive | None) -> Any:
    """The root of an object's document; None if it cannot be had."""
    for inside in shown:
        if local(inside) in ("document", "math"):
            return inside
    part = posixpath.normpath(posixpath.join(shown.get(_HREF, ""), "content.xml"))
    if archive is None or part not in archive:
        return None
    try:
        return archive.xml(part)
    except Unreadable:
        return None  # the text around it is worth reading without it


def _formula(frame: Any, root: Any) -> None:
    for child in list(frame):
        frame.remove(child)
    # Any element that is no frame is read as a run of the text around it.
    frame.tag = frame.tag.rpartition("}")[0] + "}span"
    frame.text = linear(root)
