"""Which kind of text a text is: told by its shape, and by its name between shapes that are alike."""

from __future__ import annotations

import json
import re
from pathlib import PurePath

from ingest.code_languages import language_of
from ingest.csv_shape import is_table
from ingest.errors import Skipped

_HTML_ROOT = re.compile(r"<(?:html|head|body)\b", re.I)
_HTML_TYPE = re.compile(r"<!doctype\s+html\b", re.I)
_HTML_BLOCK = re.compile(r"</(?:p|div|table|ul|ol|h[1-6]|body|section|article|span|td)\s*>", re.I)
_SVG_ROOT = re.compile(r"<(?:\w+:)?svg\b", re.I)
_XML_ROOT = re.compile(r"<([A-Za-z_][\w.:-]*)([^<>]*)>")
_OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
_FLAT_DOCUMENT = re.compile(r"\w:mimetype=[\"']application/vnd\.oasis\.opendocument\.([a-z]+)")
_XML_NAMES = frozenset(
    """.xml .rss .atom .rdf .xsd .xsl .xslt .wsdl .dbk .dita .ditamap .tei .opml .kml .gpx .plist .fodt .fods
    .fodp .xliff .xlf .tmx .resx .config .csproj .pom .jats .nxml .fb2""".split()  # noqa: SIM905
)
_MARKDOWN_NAMES = frozenset({".md", ".markdown", ".mdown", ".mkd", ".mdx", ".rmd", ".qmd"})
_HTML_NAMES = frozenset({".html", ".htm", ".xhtml", ".shtml"})
_PLAIN_NAMES = frozenset({".txt", ".text", ".log", ".rst", ".adoc", ".tex", ".srt", ".vtt"})
_TABLE_NAMES = frozenset({".csv", ".tsv", ".tab", ".psv", ".xls", ".xlsx"})
_JSON_NAMES = frozenset({".json", ".geojson", ".jsonld", ".webmanifest", ".ipynb", ".har"})
_JSON_LINES_NAMES = frozenset({".jsonl", ".ndjson", ".jsonlines"})
_JSON_START = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*(?:[\[{\"\]\d-]|true|false|null))")
_SETTINGS_NAMES = {".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".ini": "ini", ".cfg": "ini",
                   ".conf": "ini", ".properties": "ini", ".desktop": "ini"}  # fmt: skip
_PARSED_TO_BE_SURE = 4 << 20

_MAIL_HEADER = re.compile(rb"^([A-Za-z][A-Za-z0-9-]{0,60})[ \t]*:", re.M)
_MAIL_TECHNICAL = {b"message-id", b"mime-version", b"received", b"return-path", b"delivered-to",
                   b"content-type", b"x-mailer", b"content-transfer-encoding"}  # fmt: skip
_MAIL_USUAL = {b"from", b"to", b"subject", b"date", b"received"}
_MAIL_SENT = {b"from", b"to", b"received", b"return-path", b"delivered-to"}
_RELATED = re.compile(rb"^content-type[ \t]*:\s*multipart/related", re.I | re.M)
"""Office saves web pages as parts of a message that nobody has sent, under any name."""

_MBOX_START = re.compile(rb"From \S{1,200} [^\n]{0,60}\d\d:\d\d[^\n]{0,30}\d{4}")
_COUNT = re.compile(rb"\A\d{1,12}[ \t]*\r?\n(?=[A-Za-z-]+:)")
"""Apple's files begin with the number of bytes."""
_MBOX_NEXT = re.compile(rb"\n\r?\nFrom \S{1,200} [^\n]{0,60}\d\d:\d\d[^\n]{0,30}\d{4}")


def text_kind(text: str, name: str) -> str:
    """The kind of a text that is no mail. Raises Skipped for drawings."""
    suffix = PurePath(name).suffix.lower()
    head = text[:16_384]
    start, is_html = _root_of(head)
    if is_html or _HTML_ROOT.match(start):
        return "html"
    if _SVG_ROOT.match(start):
        raise Skipped("an image (SVG), a kind that is not read")
    xml = _xml_kind(head, start, suffix)
    if xml:
        return xml
    if suffix in _MARKDOWN_NAMES:
        return "markdown"
    if suffix in _HTML_NAMES and re.search(r"<[a-z!/][^<>]*>", head, re.I):
        return "html"
    if suffix == "" and head.lstrip().startswith("<") and len(_HTML_BLOCK.findall(head)) >= 3:
        return "html"
    json_kind = _json_kind(text, suffix)
    if json_kind:
        return json_kind
    if suffix in _SETTINGS_NAMES:
        return _SETTINGS_NAMES[suffix]
    if language_of(name, head):
        return "code"
    if is_table(text, sure=suffix in _TABLE_NAMES, doubtful=suffix in _PLAIN_NAMES):
        return "csv"
    return "text"


def mail_kind(data: bytes, name: str) -> str | None:
    """ "eml" for a message, "mbox" for several in one file, "mhtml" for a web page saved as one, else None.

    data: the file in an encoding that has ASCII's characters at their places.
    """
    suffix = PurePath(name).suffix.lower()
    head = data[:65_536].lstrip(b"\xef\xbb\xbf\r\n")
    if _MBOX_START.match(head) and (suffix == ".mbox" or _MBOX_NEXT.search(data)):
        return "mbox"
    head = _COUNT.sub(b"", head)
    top = (
        re.split(rb"\r?\n[ \t]*\r?\n|\r\r", head, maxsplit=1)[0].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    )
    if not re.match(rb">?From \S+|[A-Za-z][A-Za-z0-9-]*[ \t]*:", top):
        return None
    names = {match.lower() for match in _MAIL_HEADER.findall(top)}
    if b"snapshot-content-location" in names or re.search(rb"(?im)^From: <Saved by", top):
        return "mhtml"
    if names & {b"mime-version"} and not names & _MAIL_SENT and _RELATED.search(top):
        return "mhtml"
    if suffix in (".mht", ".mhtml") and names & _MAIL_TECHNICAL:
        return "mhtml"
    if suffix in (".eml", ".emlx"):
        return "eml" if names & (_MAIL_USUAL | _MAIL_TECHNICAL) else None
    if suffix in _PLAIN_NAMES | _MARKDOWN_NAMES:
        # Notes are written like mails too; a stored mail has been through several hands.
        return "eml" if len(names & _MAIL_TECHNICAL) >= 2 and names & _MAIL_USUAL else None
    return "eml" if names & _MAIL_TECHNICAL and names & _MAIL_USUAL else None


def _root_of(head: str) -> tuple[str, bool]:
    """What follows the declarations and comments that may stand before a root element, and whether one of
    them says that this is HTML."""
    place = 0
    while True:
        while head[place : place + 1].isspace():
            place += 1
        if head.startswith("<?", place):
            end = head.find("?>", place)
            behind = end + 2
        elif head.startswith("<!--", place):
            end = head.find("-->", place)
            behind = end + 3
        elif head[place : place + 9].lower() == "<!doctype":
            if _HTML_TYPE.match(head, place):
                return head[place:], True
            end = _end_of_type(head, place)
            behind = end + 1
        else:
            return head[place:], False
        if end < 0:
            return "", False
        place = behind


def _end_of_type(head: str, place: int) -> int:
    """Of a document type that may hold declarations of its own in brackets."""
    end = head.find(">", place)
    bracket = head.find("[", place)
    if 0 <= bracket < end:
        closed = head.find("]", bracket)
        return head.find(">", closed) if closed >= 0 else -1
    return end


def _xml_kind(head: str, start: str, suffix: str) -> str | None:
    declared = head.lstrip().startswith("<?xml")
    root = _XML_ROOT.match(start)
    if root is None or not (declared or suffix in _XML_NAMES or "xmlns" in root.group(2)):
        return "xml" if declared else None
    if root.group(1).rpartition(":")[2] == "document" and _OPEN_DOCUMENT in root.group(2):
        flat = _FLAT_DOCUMENT.search(head)
        return {"spreadsheet": "ods", "presentation": "odp", "graphics": "odp"}.get(
            flat.group(1) if flat else "", "odt"
        )
    return "xml"


def _json_kind(text: str, suffix: str) -> str | None:
    if suffix in _JSON_LINES_NAMES:
        return "jsonl"
    if not _JSON_START.match(text[:4096]):
        return None
    if suffix in _JSON_NAMES and text.rstrip()[-1:] in ("}", "]"):
        return "json"
    if suffix in _MARKDOWN_NAMES or len(text) > _PARSED_TO_BE_SURE:
        return None
    if _parses(text):
        return "json"
    first = [line for line in text[:65_536].splitlines()[:6] if line.strip()][:4]
    if len(first) > 1 and all(line.lstrip()[:1] in ("{", "[") and _parses(line) for line in first[:-1]):
        return "jsonl"
    return None


def _parses(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False
