"""Titles: is what the metadata calls one a title, and does the file's name serve as one?"""

from __future__ import annotations

import re
from pathlib import PurePath

_NO_NAME = re.compile(
    r"[0-9a-f-]{12,}|(?:img|dsc|scan|image|document|untitled|file|new|copy|readme|index)[\W\d_]*", re.I
)
_PLACEHOLDER = re.compile(
    r"untitled|unknown(?: title)?$|microsoft (?:word|powerpoint|excel)|powerpoint presentation$"
    r"|\(?anonymous\)?$|(?:slide 1|presentation)$|无标题|未命名|演示文稿\d*$",
    re.I,
)
"""What programs call a document that nobody has named."""


def plausible_title(title: str | None) -> str | None:
    """The title in the metadata, unless it is a converter's or a file name."""
    title = " ".join((title or "").split())
    if len(re.findall(r"[^\W\d_]", title)) < 2 or len(title) > 300:
        return None
    if _PLACEHOLDER.match(title):
        return None
    if re.search(r"(?i)\.(?:docx?|pptx?|xlsx?|pdf|tex|dvi|rtf|odt|indd|qxd|html?)$", title):
        return None
    return title


def title_from_name(name: str) -> str | None:
    """The file's name as words, unless it is a number, a hash or what a camera or scanner calls a file."""
    title = " ".join(re.sub(r"[_\s]+", " ", PurePath(name).stem).split())
    letters = re.findall(r"[^\W\d_]", title)
    if len(letters) < 2 or len(title) > 200:
        return None
    if re.fullmatch(
        r"(?i)[0-9a-f-]{12,}|(?:img|dsc|scan|image|document|untitled|file|new|copy|readme|index)[\W\d_]*",
        title,
    ):
        return None
    # A name that is mostly figures says when or which, not what.
    return title if len(letters) * 3 >= len(re.findall(r"\w", title)) else None
