"""Which part of a web page is its text: navigation, hidden parts and page furniture left out.

Every removal is weighed by the text outside links, of which navigation has little and an article is made:
when too much of it would go, nothing goes but what nobody can see.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ingest.readers.html_tags import HEADINGS, NAVIGATION_ROLES, NO_TEXT

_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden"
    r"|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$)|font-size\s*:\s*0(?![.\d])",
    re.I,
)
_FURNITURE_WORDS = frozenset(
    """nav navbar navigation menu menubar submenu breadcrumb breadcrumbs sidebar sidenav footer cookie cookies
    consent gdpr advert advertisement ads adsbygoogle banner sponsored share sharing sharebar social
    newsletter subscribe popup modal overlay login signin skiplink pagination pager toolbar copyright
    sitemap topbar""".split()  # noqa: SIM905
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

_LEAST_KEPT = 0.5
"""Share of the visible text outside links that must remain; else the whole page is taken."""

_LITTLE = 200
"""Characters: a page that says less than this outside its links may be a page of links."""

_FURNITURE_SHARE = 0.25
"""An element with more of that text than this is no furniture, whatever it is called."""

_MAIN_SHARE = 0.4
"""A part that claims to be the main one must hold this much of that text to be believed."""

_LINK_LIST_LINKS = 5
_LINK_LIST_SHARE = 0.85
_LINK_LIST_LENGTH = 30


@dataclass(slots=True)
class _Weight:
    """Characters of an element's visible text, and of those inside links."""

    text: int = 0
    linked: int = 0
    links: int = 0

    @property
    def plain(self) -> int:
        return self.text - self.linked


def main_part(root: Any) -> tuple[Any, set[Any]]:
    """The element to write and the elements inside it to leave out."""
    body = next(root.iter("body"), root)
    invisible = {element for element in body.iter() if is_invisible(element, body)}
    weights = _weigh(body, invisible)
    if not weights[body].text:
        # Shown by a script only: what it would show is better than nothing.
        invisible = {element for element in body.iter() if is_no_text(element)}
        weights = _weigh(body, invisible)
    elif weights[body].text < _LITTLE and (instead := _instead_of_scripts(body)):
        invisible -= instead
        weights = _weigh(body, invisible)
    # A page that was saved with a window open over it calls nearly all of itself hidden.
    covered = {
        element
        for element in body.iter()
        if element in weights
        and element.get("aria-hidden") == "true"
        and weights[element].text < _LEAST_KEPT * weights[body].text
    }
    if covered:
        invisible |= covered
        weights = _weigh(body, invisible)
    total = weights[body].plain
    furniture = {
        element
        for element in body.iter()
        if element in weights and element is not body and _is_furniture(element, weights[element], total)
    }
    inside = _weigh(body, invisible | furniture)
    claimed = _claimed_main(body, inside)
    kept = body if claimed is None else claimed
    little = inside[kept].plain < _LITTLE and inside[kept].text < _LEAST_KEPT * weights[body].text
    if little or inside[kept].plain < _LEAST_KEPT * total:
        kept, furniture = body, set()
    return kept, invisible | furniture


def _instead_of_scripts(body: Any) -> set[Any]:
    """What browsers without scripts show, if it is more than a request for scripts."""
    return {
        element
        for element in body.iter("noscript")
        if len("".join("".join(element.itertext()).split())) >= _LITTLE
    }


def is_no_text(element: Any) -> bool:
    return not isinstance(element.tag, str) or (element.tag in NO_TEXT and element.tag != "noscript")


def is_invisible(element: Any, body: Any) -> bool:
    if not isinstance(element.tag, str) or element.tag in NO_TEXT:
        return True
    if element is body or element.tag in ("main", "article", "form"):
        # Pages that show themselves by script start out hidden.
        return False
    if element.get("hidden", "until-found") != "until-found":
        return True
    style = element.get("style")
    return bool(style and _HIDDEN_STYLE.search(style))


def _weigh(body: Any, left_out: set[Any]) -> dict[Any, _Weight]:
    """The weight of every element that is not left out (nor inside one that is)."""
    from lxml import etree

    weights: dict[Any, _Weight] = {}
    open_elements: list[tuple[Any, _Weight]] = []
    links = 0
    walker = etree.iterwalk(body, events=("start", "end"))
    for event, element in walker:
        skipped = element in left_out
        if event == "start":
            if skipped:
                walker.skip_subtree()
                continue
            links += element.tag == "a"
            weight = _Weight(links=int(element.tag == "a"))
            weights[element] = weight
            open_elements.append((element, weight))
            _count(weight, element.text, links)
            continue
        if not skipped:
            _, weight = open_elements.pop()
            links -= element.tag == "a"
            if open_elements:
                above = open_elements[-1][1]
                above.text += weight.text
                above.linked += weight.linked
                above.links += weight.links
        if open_elements:
            _count(open_elements[-1][1], element.tail, links)
    return weights


def _count(weight: _Weight, text: str | None, links: int) -> None:
    if text:
        length = len("".join(text.split()))
        weight.text += length
        weight.linked += length if links else 0


def _is_furniture(element: Any, weight: _Weight, total: int) -> bool:
    if weight.plain > _FURNITURE_SHARE * total:
        return False
    tag = element.tag
    if tag == "nav" or element.get("role") in NAVIGATION_ROLES:
        return True
    inside_main = any(above.tag in ("main", "article") for above in element.iterancestors())
    if tag in ("footer", "aside") and not inside_main:
        return True
    if tag == "header" and not inside_main:
        return not any(True for _ in element.iter("h1"))
    if _is_link_list(element, weight):
        return not inside_main
    if not any(True for _ in element.iter("main", "article", "h1")):
        names = f"{element.get('class') or ''} {element.get('id') or ''}"
        return names != " " and not _FURNITURE_WORDS.isdisjoint(word.lower() for word in _WORD.findall(names))
    return False


def _is_link_list(element: Any, weight: _Weight) -> bool:
    if element.tag not in ("ul", "ol", "div", "td", "table", "p", "dl") or weight.links < _LINK_LIST_LINKS:
        return False
    if weight.linked < _LINK_LIST_SHARE * weight.text or weight.text > _LINK_LIST_LENGTH * weight.links:
        return False
    return not any(True for _ in element.iter(*HEADINGS))


def _claimed_main(body: Any, weights: dict[Any, _Weight]) -> Any:
    """The one element that says it is the main part and holds enough text to be believed."""
    shown = [element for element in body.iter() if element in weights]
    for claims in (
        [element for element in shown if element.tag == "main"],
        [element for element in shown if element.get("role") == "main"],
        [element for element in shown if element.get("itemprop") == "articleBody"],
        [element for element in shown if element.tag == "article"],
    ):
        if len(claims) == 1 and weights[claims[0]].plain >= _MAIN_SHARE * weights[body].plain:
            return claims[0]
    return None
