"""What the tags of HTML mean for text."""

from __future__ import annotations

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}

BLOCKS = frozenset(
    """address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure
    footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p
    pre search section summary table caption colgroup thead tbody tfoot tr td th ul""".split()  # noqa: SIM905
)

NO_TEXT = frozenset(
    """script style noscript template iframe frame object embed applet canvas audio video svg head map
    datalist select button input textarea option rt rp link meta base title annotation
    annotation-xml""".split()  # noqa: SIM905
)
"""Their content is not what the page says, or not text at all."""

NAVIGATION_ROLES = frozenset(
    "navigation banner contentinfo search menu menubar toolbar dialog alertdialog tablist".split()  # noqa: SIM905
)
