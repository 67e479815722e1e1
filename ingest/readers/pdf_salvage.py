"""A damaged PDF that no library opens: the pages that are whole, put together to a file that can be read.

Of a download that broke off, the list of objects at its end is missing, and often the page tree. The objects
themselves are found by their marks. A page counts as whole if its contents and all that its fonts need to
give letters are there; every other one stays as an empty page, so that no page's number changes and those
that are lost are named. Where the page tree is lost, nothing is salvaged: many programs write the pages in
another order than they are read in, and every citation would be in doubt.
"""

from __future__ import annotations

import io
import logging
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_OBJECT = re.compile(rb"(?<!\d)(\d{1,8})[\x00\t\n\r ]+(\d{1,5})[\x00\t\n\r ]+obj\b")
_STREAM = re.compile(rb"stream\r?\n")
_LENGTH = re.compile(rb"/Length[\t\n\r ]+(\d{1,10})(?![\t\n\r ]+\d+[\t\n\r ]+R)")
_PAGE = re.compile(rb"/Type[\t\n\r ]*/Page(?![A-Za-z])")
_NODE = re.compile(rb"/Type[\t\n\r ]*/Pages(?![A-Za-z])")
_PACKED = re.compile(rb"/Type[\t\n\r ]*/ObjStm\b")
_LIST = re.compile(rb"/Type[\t\n\r ]*/XRef\b")
_KIDS = re.compile(rb"/Kids[\t\n\r ]*\[([^\]]*)\]")
_COUNT = re.compile(rb"/Count[\t\n\r ]+(\d{1,7})")
_PARENT = re.compile(rb"/Parent[\t\n\r ]+(\d+)[\t\n\r ]+\d+[\t\n\r ]+R")
_REFERENCE = re.compile(rb"(\d{1,8})[\t\n\r ]+\d{1,5}[\t\n\r ]+R")
_ENCRYPTED = re.compile(rb"/Encrypt\b|/Filter[\t\n\r ]*/(?:Standard|Adobe\.PubSec)\b")

_EMPTY_PAGE = b"<</Type/Page/MediaBox[0 0 595 842]>>"
_MOST_UNPACKED = 64 << 20
_MOST_PAGES = 20_000
_MOST_MISSES = 200
"""Objects without an end after which the file is given up: each costs a search through the rest of it."""
_DEEPEST = 64
_TAIL = 2048
_USUAL = ("/WinAnsiEncoding", "/MacRomanEncoding")


@dataclass(frozen=True, slots=True)
class Salvaged:
    """data: a PDF of the whole pages, with an empty page for each of the `lost` ones."""

    data: bytes
    lost: int


def breaks_off(data: bytes) -> bool:
    """Whether the mark is missing that ends every PDF."""
    return b"%%EOF" not in data[-_TAIL:]


def salvaged(data: bytes) -> Salvaged | None:
    """The whole pages; None if there are none, or none to be trusted."""
    if _ENCRYPTED.search(data):
        return None
    objects = _objects(data)
    pages = _in_tree(objects)
    if not pages or len(pages) > _MOST_PAGES:
        return None
    whole = _whole(_written(objects, pages), len(pages))
    kept = [number if fit else None for number, fit in zip(pages, whole, strict=True)]
    lost = kept.count(None)
    return Salvaged(_written(objects, kept), lost) if lost < len(kept) else None


def _objects(data: bytes) -> dict[int, bytes]:
    """What each object says, by its number; of several with one number the last, as in a file that was saved
    again."""
    found: dict[int, bytes] = {}
    place = 0
    unpacked = 0
    misses = 0
    while misses < _MOST_MISSES and (mark := _OBJECT.search(data, place)) is not None:
        end = _end(data, mark.end())
        if end is None:
            misses += 1
            place = mark.end()
            continue
        body = data[mark.end() : end].strip()
        head = body[:400]
        if _PACKED.search(head):
            for number, inner in _unpacked(body):
                unpacked += len(inner)
                if unpacked < _MOST_UNPACKED:
                    found[number] = inner
        elif not _LIST.search(head):
            found[int(mark[1])] = body
        place = end
    return found


def _end(data: bytes, start: int) -> int | None:
    """Where the object that begins at `start` ends; None if it is cut off or runs into the next one."""
    close = data.find(b"endobj", start)
    stream = _STREAM.search(data, start, close if close >= 0 else len(data))
    if stream is not None:
        length = _LENGTH.search(data, start, stream.start())
        if length is not None:
            behind = stream.end() + int(length[1])
            if data[behind : behind + 12].lstrip().startswith(b"endstream"):
                close = data.find(b"endobj", behind)
                return close if close >= 0 else None
        finish = data.find(b"endstream", stream.end())
        close = data.find(b"endobj", finish) if finish >= 0 else -1
        return close if close >= 0 else None
    following = _OBJECT.search(data, start, close) if close >= 0 else None
    return None if close < 0 or following is not None else close


def _unpacked(body: bytes) -> Iterator[tuple[int, bytes]]:
    """The objects inside an object stream."""
    stream = _STREAM.search(body)
    first = re.search(rb"/First[\t\n\r ]+(\d+)", body[:400])
    if stream is None or first is None or b"/DecodeParms" in body[: stream.start()]:
        return
    content = body[stream.end() : body.rfind(b"endstream")]
    if b"/FlateDecode" in body[: stream.start()]:
        try:
            content = zlib.decompressobj().decompress(content, _MOST_UNPACKED)
        except zlib.error:
            return
    begin = int(first[1])
    numbers = [int(word) for word in content[:begin].split() if word.isdigit()]
    places = [*numbers[1::2], len(content) - begin]
    for number, at, behind in zip(numbers[::2], places, places[1:], strict=False):
        yield number, content[begin + at : begin + behind].strip()


def _is_page(body: bytes) -> bool:
    return _PAGE.search(body) is not None and _STREAM.search(body) is None


def _in_tree(objects: Mapping[int, bytes]) -> list[int | None] | None:
    """The pages as the page tree orders them, None for each that is lost; None if there is no tree, or
    if it does not say which pages are lost."""
    nodes = {number: body for number, body in objects.items() if _NODE.search(body)}
    roots = [number for number, body in nodes.items() if _PARENT.search(body) is None]
    if len(roots) != 1:
        return None
    return _below(roots[0], nodes, objects, set(), 0)


def _below(
    number: int, nodes: Mapping[int, bytes], objects: Mapping[int, bytes], seen: set[int], depth: int
) -> list[int | None] | None:
    if number in seen or depth > _DEEPEST:
        return None
    seen.add(number)
    kids = _KIDS.search(nodes[number])
    count = _COUNT.search(nodes[number])
    if kids is None:
        return None
    branches: list[list[int | None] | None] = []
    for reference in _REFERENCE.finditer(kids[1]):
        kid = int(reference[1])
        if kid in nodes:
            branch = _below(kid, nodes, objects, seen, depth + 1)
            if branch is None:
                return None
            branches.append(branch)
        else:
            branches.append([kid] if _is_page(objects.get(kid, b"")) else None)
    lost = branches.count(None)
    known = sum(len(branch) for branch in branches if branch is not None)
    missing = (int(count[1]) if count else known + lost) - known
    # Each kid that is lost may have been one page or a branch of many.
    if lost and missing != lost and lost != 1:
        return None
    if missing < lost or missing > _MOST_PAGES:
        missing = lost
    each = missing // lost if lost else 0
    pages: list[int | None] = []
    for branch in branches:
        pages += [None] * each if branch is None else branch
    return pages


def _written(objects: Mapping[int, bytes], pages: Sequence[int | None]) -> bytes:
    """A whole file of these objects with a page tree of its own."""
    root = max(objects) + 1
    added = {root: b"<</Type/Catalog/Pages %d 0 R>>" % (root + 1)}
    kids = []
    for number in pages:
        if number is None:
            number = root + 2 + len(added)
            added[number] = _EMPTY_PAGE
        kids.append(number)
    references = b" ".join(b"%d 0 R" % number for number in kids)
    added[root + 1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), references)
    file = bytearray(b"%PDF-1.7\n")
    places: dict[int, int] = {}
    for number, body in sorted({**objects, **added}.items()):
        places[number] = len(file)
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(file)
    file += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in places.items():
        file += b"%d 1\n%010d 00000 n \n" % (number, place)
    file += b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (max(places) + 1, root, start)
    return bytes(file)


def _whole(data: bytes, pages: int) -> list[bool]:
    """Of each page, whether all is there that its text needs."""
    import pypdf
    from pypdf.errors import PyPdfError
    from pypdf.generic import ArrayObject, DictionaryObject

    # It warns of each object that is lost.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    failures = (PyPdfError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)
    try:
        tree = pypdf.PdfReader(io.BytesIO(data), strict=False).root_object["/Pages"]
    except failures:
        return [False] * pages
    kids = tree["/Kids"] if isinstance(tree, DictionaryObject) else None
    if not isinstance(kids, ArrayObject):
        return [False] * pages
    whole = []
    for kid in kids:
        try:
            page = kid.get_object()
            empty = "/Contents" not in page
            whole.append(empty or (_there(page.raw_get("/Contents")) and _fonts_there(page)))
        except failures:
            whole.append(False)
    return whole


def _there(value: Any) -> bool:
    """Whether an object, or each of an array of them, is in the file."""
    from pypdf.generic import ArrayObject, NullObject

    known = value.get_object()
    if isinstance(known, ArrayObject):
        return all(_there(one) for one in known)
    return known is not None and not isinstance(known, NullObject)


def _fonts_there(page: Any) -> bool:
    holder, steps = page, 0
    while "/Resources" not in holder and "/Parent" in holder and steps < _DEEPEST:
        if not _there(holder.raw_get("/Parent")):
            return False
        holder, steps = holder["/Parent"], steps + 1
    if "/Resources" not in holder or not _there(holder.raw_get("/Resources")):
        return False
    resources = holder["/Resources"]
    return "/Font" not in resources or _all_there(resources.raw_get("/Font"), set(), 0)


def _all_there(value: Any, seen: set[int], depth: int) -> bool:
    """Whether all is there that an object leads to: of a font its encoding, its letters and their names."""
    from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject

    if isinstance(value, IndirectObject):
        if value.idnum in seen:
            return True
        seen.add(value.idnum)
        if not _there(value):
            return False
        value = value.get_object()
    if depth > _DEEPEST:
        return False
    if isinstance(value, DictionaryObject):
        # What its codes mean is told beside the font; the letters' shapes are not needed.
        told = "/ToUnicode" in value or "/CIDSystemInfo" in value or value.get("/Encoding") in _USUAL
        return all(
            _all_there(value.raw_get(key), seen, depth + 1)
            for key in value
            if key != "/Parent" and not (told and key == "/FontDescriptor")
        )
    if isinstance(value, ArrayObject):
        return all(_all_there(one, seen, depth + 1) for one in value)
    return True
