"""Files of each format, written by the tests that read them."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_REL = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"


def pdf(
    pages: Sequence[Sequence[str]],
    *,
    outline: Sequence[tuple[str, int, int]] = (),
    title: str | None = None,
    password: str | None = None,
    owner: str | None = None,
    font: str = "Helvetica",
    bold: Sequence[str] = (),
) -> bytes:
    """A PDF of one line of text after the other; [] for a page without text.

    outline: (title, level from 0, page index). bold: lines that are set in bold.
    """
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen.canvas import Canvas

    if font == "STSong-Light":
        pdfmetrics.registerFont(UnicodeCIDFont(font))
    encryption = StandardEncryption(password or "", owner, strength=128) if password or owner else None
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), encrypt=encryption, invariant=True)
    if title:
        canvas.setTitle(title)
    for index, lines in enumerate(pages):
        for entry, level, page in outline:
            if page == index:
                canvas.bookmarkPage(entry)
                canvas.addOutlineEntry(entry, entry, level)
        text = canvas.beginText(60, 780)
        text.setFont(font, 11)
        for line in lines:
            text.setFont("Helvetica-Bold" if line in bold else font, 11)
            text.textLine(line)
        canvas.drawText(text)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def tree_first(data: bytes) -> bytes:
    """The same document with its page tree and fonts before the contents, as many programs write it."""
    import pypdf

    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    buffer = io.BytesIO()
    writer.write(buffer)
    objects = dict(re.findall(rb"(?s)(?<!\d)(\d+) 0 obj\b(.*?)endobj", buffer.getvalue()))
    streams = {number for number, body in objects.items() if b"stream" in body}
    order = [*(number for number in objects if number not in streams), *sorted(streams, key=int)]
    root = next(number for number, body in objects.items() if b"/Catalog" in body)
    body = b"".join(b"%s 0 obj%sendobj\n" % (number, objects[number]) for number in order)
    return b"%PDF-1.7\n" + body + b"trailer\n<</Root " + root + b" 0 R>>\nstartxref\n0\n%%EOF\n"


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def docx(body: str, **parts: str) -> bytes:
    """A DOCX around the XML of its body. parts: its other parts by kind (styles="…", header1="…"); a
    part called aFChunk… is HTML, the others are XML."""
    names = {name: f"{name}.html" if name.startswith("aFChunk") else f"{name}.xml" for name in parts}
    relations = "".join(
        f'<Relationship Id="r{name}" Type="{_R}/{name.rstrip("0123456789")}" Target="{target}"/>'
        for name, target in names.items()
    )
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{_TYPES}"><Override PartName="/word/document.xml" '
            'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{_REL}"><Relationship Id="r1" '
            f'Type="{_R}/officeDocument" Target="word/document.xml"/></Relationships>',
            "word/document.xml": part("document", f"<w:body>{body}</w:body>"),
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{_REL}">{relations}</Relationships>',
            **{f"word/{names[name]}": content for name, content in parts.items()},
        }
    )


def part(root: str, content: str) -> str:
    """An XML part of WordprocessingML with this root element."""
    return f'<w:{root} xmlns:w="{_W}" xmlns:r="{_R}">{content}</w:{root}>'


def p(text: str, properties: str = "") -> str:
    """A paragraph of WordprocessingML."""
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"
