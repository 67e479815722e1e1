"""The evidence panel: what the answer rests on, under the numbers that the answer uses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlencode

from rag.records import Citation, Copy, Evidence
from ui.language import Texts
from ui.render.documents import ranges
from ui.render.element import Child, Html, button, element, joined, path_html
from ui.render.marks import Span, marked_html, matched, merged, window
from ui.render.numbered import unit

_EXCERPT = 420
"""Characters of a passage that are shown before the reader asks for the whole."""
_PAGES_OFFERED = 3
_COPIES_SHOWN = 3


def evidence_html(
    evidence: Sequence[Evidence],
    question: str,
    texts: Texts,
    *,
    turn: str,
    citations: Sequence[Citation] = (),
    finished: bool = False,
    left_out: int = 0,
    focus: int | None = None,
) -> Html:
    """All cards of one turn. `finished`: the answer is complete, so cards can say whether it cites them.

    `focus`: the number that the reader asked for; the page's script scrolls there.
    """
    cited = {citation.n for citation in citations}
    shortened = sum(item.excerpt for item in evidence)
    cards = [
        _card(
            item,
            question,
            texts,
            [citation for citation in citations if citation.n == item.n],
            uncited=finished and bool(cited) and item.n not in cited,
        )
        for item in evidence
    ]
    return element(
        "section",
        element(
            "header",
            element("h2", texts("evidence.title")),
            element("span", texts("evidence.count", n=len(evidence)), class_="count"),
        ),
        element("p", texts("evidence.about", question=question), class_="about"),
        *cards,
        element("p", texts("evidence.shortened", n=shortened), class_="left-out") if shortened else None,
        element("p", texts("evidence.left_out", n=left_out), class_="left-out") if left_out else None,
        class_="evidence",
        data_turn=turn,
        data_focus=focus,
        aria_label=texts("evidence.title"),
    )


def no_evidence_html(texts: Texts, key: str = "evidence.empty") -> Html:
    """The panel when there is nothing to show: before the first question, or nothing was found."""
    return element(
        "section",
        element("header", element("h2", texts("evidence.title"))),
        element("p", texts(key), class_="hint"),
        class_="evidence empty",
        aria_label=texts("evidence.title"),
    )


def _card(
    item: Evidence, question: str, texts: Texts, citations: Sequence[Citation], *, uncited: bool
) -> Html:
    if not item.text:
        return _gone(item, texts)
    quoted = _quoted(item, citations)
    spans = merged([*quoted, *matched(question, item.text)], len(item.text))
    # The answer's first quotation of it: the one that its reader looks for.
    start, end = window(item.text, spans, _EXCERPT, quoted[0] if quoted else None)
    before, after = ("… " if start else None), (" …" if end < len(item.text) else None)
    excerpt = _tight(joined(before, marked_html(item.text, spans, start, end), after))
    whole = more = None
    if before or after:
        whole = element(
            "blockquote", _tight(marked_html(item.text, spans)), class_="passage whole", hidden=True
        )
        label = texts("evidence.whole_excerpt") if item.excerpt else texts("evidence.whole")
        more = button(label, "link more", data_more=label, data_less=texts("evidence.excerpt"))
    where = element(
        "div", element("div", path_html(item.path), class_="name"), _place(item, texts), class_="where"
    )
    header = None
    if item.table_header:
        header = element(
            "div", item.table_header, class_="table-header", title=texts("evidence.table_header")
        )
    return element(
        "article",
        element("header", element("span", str(item.n), class_="n"), where, _excerpt_mark(item, texts)),
        _verdict(citations, texts, uncited),
        header,
        element("blockquote", excerpt, class_="passage"),
        whole,
        element("footer", more, *_page_buttons(item, citations, texts)),
        _copies(item, texts),
        class_="card uncited" if uncited else "card",
        data_n=item.n,
        tabindex=-1,
    )


def _excerpt_mark(item: Evidence, texts: Texts) -> Html | None:
    if not item.excerpt:
        return None
    return element("span", texts("evidence.part"), class_="excerpt", title=texts("evidence.part.title"))


def _tight(passage: Html) -> Html:
    """At most one blank line in a row; what stands in a document's file may be far apart."""
    return Html(re.sub(r"(?:[^\S\n]*\n){3,}", "\n\n", passage))


def _gone(item: Evidence, texts: Texts) -> Html:
    """The card of a kept answer whose document is not in the library any more."""
    name = element("div", path_html(item.path), class_="name")
    where = element("div", name, _place(item, texts), class_="where")
    return element(
        "article",
        element("header", element("span", str(item.n), class_="n"), where, _excerpt_mark(item, texts)),
        element("p", texts("evidence.gone"), class_="verdict warn"),
        class_="card uncited",
        data_n=item.n,
        tabindex=-1,
    )


def _place(item: Evidence, texts: Texts) -> Html | None:
    page = heading = None
    if item.pages:
        first, last = item.pages[0], item.pages[-1]
        named = unit(item.path, last - first + 1, texts).capitalize()
        if first == last:
            line = texts("place.page", page=first, unit=named)
        else:
            line = texts("place.pages", first=first, last=last, unit=named)
        page = element("span", line, class_="page")
    if item.heading:
        heading = element("span", " › ".join(item.heading), class_="heading")
    return element("div", page, heading, class_="place") if page or heading else None


def _verdict(citations: Sequence[Citation], texts: Texts, uncited: bool) -> Html | None:
    if uncited:
        return element("p", texts("verdict.uncited"), class_="verdict none")
    if not citations:
        return None
    good = [citation for citation in citations if citation.verified]
    if not good:
        return element("p", texts("verdict.unverified"), class_="verdict warn")
    pages = {citation.page for citation in good if citation.page is not None}
    if not pages:
        line = texts("verdict.verified")
    else:
        named = unit(good[0].path, len(pages), texts)
        line = texts("verdict.verified_pages", pages=ranges(pages), unit=named)
    return element("p", line, class_="verdict ok")


def _quoted(item: Evidence, citations: Sequence[Citation]) -> list[Span]:
    return [
        Span(citation.start - item.start, citation.end - item.start, "quoted")
        for citation in citations
        if citation.verified and citation.start is not None and citation.end is not None
    ]


def _page_buttons(item: Evidence, citations: Sequence[Citation], texts: Texts) -> list[Html]:
    """Buttons that show the pages themselves, with the quoted words marked. Only PDF pages can be drawn; of
    other documents the text around the passage is shown."""
    good = [citation for citation in citations if citation.verified]
    spans = [f"{c.start}-{c.end}" for c in good if c.start is not None] or [f"{item.start}-{item.end}"]
    query = urlencode([("span", span) for span in dict.fromkeys(spans)])
    if not _drawn(item.path):
        return [_place_button(texts("evidence.place"), item.document, query, item.path)]
    cited = [citation.page for citation in good if citation.page is not None]
    return [
        _page_button(texts("evidence.page_image", page=page), item.document, page, query, item.path)
        for page in list(dict.fromkeys([*cited, *item.pages]))[:_PAGES_OFFERED]
    ]


def _drawn(path: str) -> bool:
    return path.lower().endswith(".pdf")


def _page_button(label: Child, document: str, page: int, query: str, name: str) -> Html:
    source = f"pages/{document}/{page}.png?{query}"
    return button(label, "link page-image", data_page=page, data_src=source, data_name=name)


def _place_button(label: Child, document: str, query: str, name: str) -> Html:
    return button(label, "link place-text", data_src=f"places/{document}?{query}", data_name=name)


def _copies(item: Evidence, texts: Texts) -> Html | None:
    """Where else the passage stands; each opens that document there."""
    if not item.copies:
        return None
    links = [element("li", _copy(copy, item, texts)) for copy in item.copies]
    first, rest = links[:_COPIES_SHOWN], links[_COPIES_SHOWN:]
    more = None
    if rest:
        label = texts("evidence.copies.more", n=len(rest))
        more = element("details", element("summary", label), element("ul", *rest))
    return element(
        "div", element("span", texts("evidence.copies")), element("ul", *first), more, class_="copies"
    )


def _copy(copy: Copy, item: Evidence, texts: Texts) -> Html:
    notes = []
    if copy.pages:
        named = unit(copy.path, len(copy.pages), texts)
        notes.append(texts("evidence.copies.pages", pages=ranges(copy.pages), unit=named))
    if copy.collection != item.collection:
        notes.append(copy.collection)
    if not copy.whole:
        notes.append(texts("evidence.copies.part"))
    note = element("span", " · ".join(notes), class_="note") if notes else None
    query = urlencode([("span", f"{copy.start}-{copy.end}")])
    if _drawn(copy.path) and copy.page is not None:
        opens = _page_button(path_html(copy.path), copy.document, copy.page, query, copy.path)
    else:
        opens = _place_button(path_html(copy.path), copy.document, query, copy.path)
    return joined(opens, note)
