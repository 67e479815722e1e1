"""The choice of days between which a document was last changed, in the rail."""

from __future__ import annotations

from ui.language import Texts
from ui.render.element import Html, element

_DAYS = (7, 30, 365)
_LAST = "9999-12-31"
"""Browsers take years of six digits otherwise."""


def dates_html(texts: Texts) -> Html:
    """static/dates.js reads it: an option's value is "", a number of days back from today, or "between"."""
    label = texts("rail.dates")
    options = [
        element("option", texts("dates.any"), value=""),
        *(element("option", texts(f"dates.last.{days}"), value=days) for days in _DAYS),
        element("option", texts("dates.between"), value="between"),
    ]
    ends = [
        element("label", element("span", words), element("input", type="date", id=end, max=_LAST))
        for end, words in (("since", texts("dates.since")), ("until", texts("dates.until")))
    ]
    return element(
        "div",
        element("label", label, for_="changed", title=texts("dates.hint")),
        element("select", *options, id="changed", title=texts("dates.hint")),
        element("div", *ends, class_="between", hidden=True),
        class_="dates",
    )
