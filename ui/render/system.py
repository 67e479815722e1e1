"""The system view: where the device's memory goes, predicted and measured."""

from __future__ import annotations

from rag.engine.protocol import EngineInfo, Line
from ui.language import Texts
from ui.render.element import Html, element, joined
from ui.render.frame import both


def frame_html() -> Html:
    """What never changes of it, in both languages; `system_html` goes into its live part."""
    return element(
        "div",
        element("h1", both("system.title")),
        element("p", both("system.lead")),
        element("div", class_="live"),
        class_="title",
    )


def system_html(info: EngineInfo | None, texts: Texts) -> Html:
    """The engine as it is now, and its ledger once the model is loaded."""
    if info is None:
        return element("p", texts("system.loading"))
    facts = [
        (texts("system.model"), info.model),
        (texts("system.context"), f"{info.context:,}"),
        (texts("system.parallel"), str(info.parallel)),
        (texts("system.cache"), f"{info.cache_mib:,.0f} MiB"),
    ]
    listed = element("dl", *(joined(element("dt", name), element("dd", value)) for name, value in facts))
    notes = [element("p", text, class_="note") for text in (info.adjusted, info.problem) if text]
    if not info.ledger:
        return joined(listed, *notes, element("p", texts("system.no_ledger"), class_="note"))
    head = element(
        "tr",
        element("th", texts("system.line"), scope="col"),
        element("th", texts("system.predicted"), scope="col"),
        element("th", texts("system.measured"), scope="col"),
    )
    rows = (_row(line, texts) for line in info.ledger)
    return joined(listed, *notes, element("table", element("thead", head), element("tbody", *rows)))


def _row(line: Line, texts: Texts) -> Html:
    measured = "–" if line.measured is None else f"{line.measured:,.0f}"
    return element(
        "tr",
        element("th", texts(f"system.line.{line.name}"), scope="row"),
        element("td", f"{line.predicted:,.0f}"),
        element("td", measured),
        class_=line.name,
    )
