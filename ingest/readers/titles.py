"""Is what the metadata calls the title one?"""

from __future__ import annotations

import re


def plausible_title(title: str | None) -> str | None:
    """The title in the metadata, unless it is a converter's or a file name."""
    title = " ".join((title or "").split())
    if len(re.findall(r"[^\W\d_]", title)) < 2 or len(title) > 300:
        return None
    if re.match(r"(?i)untitled|microsoft (?:word|powerpoint|excel)|slide 1$|无标题|未命名", title):
        return None
    if re.search(r"(?i)\.(?:docx?|pptx?|xlsx?|pdf|tex|dvi|rtf|odt|indd|qxd|html?)$", title):
        return None
    return title
