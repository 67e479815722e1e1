from __future__ import annotations

import pytest

from ingest.errors import Skipped, Unreadable
from ingest.readers import read_bytes
from tests.ingest.readers.files import zipped

_XHTML = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>{}</body></html>'
_OPF = (
    '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
    "<dc:title>The depot</dc:title></metadata><manifest>"
    '<item id="b" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/>'
    '<item id="a" href="text/one.xhtml" media-type="application/xhtml+xml"/>'
    '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/></manifest>'
    '<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>'
)
_BOOK = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": '<container><rootfiles><rootfile full-path="O/p.opf"/></rootfiles></container>',
    "O/p.opf": _OPF,
    "O/nav.xhtml": _XHTML.format(
        '<nav><a href="text/one.xhtml">First</a> <a href="text/two%20b.xhtml">Second</a></nav>'
    ),
    "O/text/one.xhtml": _XHTML.format("<h1>Chapter One</h1><p>It began.</p>"),
    "O/text/two b.xhtml": _XHTML.format("<p>It went on.&nbsp;<br/>And on.</p>"),
}


def test_chapters_in_reading_order_with_their_names() -> None:
    document = read_bytes(zipped(_BOOK), "a.epub")
    assert document.text == "Chapter One\n\nIt began.\n\nSecond\n\nIt went on.\nAnd on."
    assert [heading.title for heading in document.headings] == ["Chapter One", "Second"]
    assert document.title == "The depot"
    assert [page.number for page in document.pages] == [None]


def test_copy_protection_is_named_and_hidden_fonts_are_none() -> None:
    encryption = (
        '<encryption><EncryptedData><EncryptionMethod Algorithm="{}"/><CipherReference URI="{}"/>'
        "</EncryptedData>"
        "</encryption>"
    )
    locked = encryption.format("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "O/text/one.xhtml")
    with pytest.raises(Skipped, match="copy protection"):
        read_bytes(zipped({**_BOOK, "META-INF/encryption.xml": locked}), "a.epub")
    fonts = encryption.format("http://www.idpf.org/2008/embedding", "O/f.otf")
    assert "It began." in read_bytes(zipped({**_BOOK, "META-INF/encryption.xml": fonts}), "a.epub").text


def test_a_book_without_package_is_damaged() -> None:
    with pytest.raises(Unreadable, match="package"):
        read_bytes(zipped({"mimetype": "application/epub+zip"}), "a.epub")
