"""Presentations and workbooks, written part by part by the tests that read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.ingest.readers.files import zipped

_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_REL = "http://schemas.openxmlformats.org/package/2006/relationships"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
NAMESPACES = f'xmlns:a="{_A}" xmlns:p="{_P}" xmlns:r="{_R}" xmlns:c="{_C}"'


def relations(targets: Mapping[str, tuple[str, str]]) -> str:
    """id → (kind, target)."""
    inner = "".join(
        f'<Relationship Id="{identity}" Type="{_R}/{kind}" Target="{target}"/>'
        for identity, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="{_REL}">{inner}</Relationships>'


def paragraphs(*texts: str) -> str:
    return "<p:txBody>" + "".join(f"<a:p><a:r><a:t>{t}</a:t></a:r></a:p>" for t in texts) + "</p:txBody>"


def shape(*texts: str, placeholder: str | None = None) -> str:
    kind = f'<p:ph type="{placeholder}"/>' if placeholder else ""
    return f"<p:sp><p:nvSpPr><p:nvPr>{kind}</p:nvPr></p:nvSpPr><p:spPr/>{paragraphs(*texts)}</p:sp>"


def slide(content: str, attributes: str = "", root: str = "sld") -> str:
    return f"<p:{root} {NAMESPACES} {attributes}><p:cSld><p:spTree>{content}</p:spTree></p:cSld></p:{root}>"


def pptx(
    slides: Sequence[str],
    related: Mapping[int, Mapping[str, tuple[str, str]]] | None = None,
    **parts: str | bytes,
) -> bytes:
    """slides: their XML, in order. related: number of a slide → its relations; parts: other parts by name,
    with __ for / and _dot_ for the dot."""
    number = range(1, len(slides) + 1)
    ids = "".join(f'<p:sldId id="{255 + n}" r:id="r{n}"/>' for n in number)
    members: dict[str, str | bytes] = {
        "_rels/.rels": relations({"r1": ("officeDocument", "ppt/presentation.xml")}),
        "ppt/presentation.xml": f"<p:presentation {NAMESPACES}><p:sldIdLst>{ids}</p:sldIdLst>"
        "</p:presentation>",
        # Stored in another order than they are shown in.
        "ppt/_rels/presentation.xml.rels": relations(
            {f"r{n}": ("slide", f"slides/s{9 - n}.xml") for n in number}
        ),
    }
    for n, content in enumerate(slides, start=1):
        members[f"ppt/slides/s{9 - n}.xml"] = content
        if related and n in related:
            members[f"ppt/slides/_rels/s{9 - n}.xml.rels"] = relations(related[n])
    for name, data in parts.items():
        members["ppt/" + name.replace("__", "/").replace("_dot_", ".")] = data
    return zipped(members)


def xlsx(
    sheets: Mapping[str, str],
    *,
    states: Mapping[str, str] | None = None,
    styles: Sequence[str] = (),
    shared: Sequence[str] = (),
    parts: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """sheets: name → the XML inside its sheetData and after it. styles: format codes; style number n + 1 has
    the n-th. shared: texts that cells of type s point to."""
    names = list(sheets)
    entries = "".join(
        f'<sheet name="{name}" sheetId="{n}" r:id="s{n}" state="{(states or {}).get(name, "visible")}"/>'
        for n, name in enumerate(names, start=1)
    )
    formats = "".join(f'<numFmt numFmtId="{200 + n}" formatCode="{code}"/>' for n, code in enumerate(styles))
    cells = '<xf numFmtId="0"/>' + "".join(f'<xf numFmtId="{200 + n}"/>' for n in range(len(styles)))
    texts = "".join(f"<si><t>{text}</t></si>" for text in shared)
    return zipped(
        {
            "_rels/.rels": relations({"r1": ("officeDocument", "xl/workbook.xml")}),
            "xl/workbook.xml": f'<workbook xmlns="{_S}" xmlns:r="{_R}"><sheets>{entries}</sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations(
                {
                    **{f"s{n}": ("worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(names) + 1)},
                    "styles": ("styles", "styles.xml"),
                    "texts": ("sharedStrings", "sharedStrings.xml"),
                }
            ),
            "xl/styles.xml": f'<styleSheet xmlns="{_S}"><numFmts>{formats}</numFmts><cellXfs>{cells}'
            "</cellXfs></styleSheet>",
            "xl/sharedStrings.xml": f'<sst xmlns="{_S}">{texts}</sst>',
            **{
                f"xl/worksheets/sheet{n}.xml": f'<worksheet xmlns="{_S}" xmlns:r="{_R}">{content}</worksheet>'
                for n, content in enumerate(sheets.values(), start=1)
            },
            **(parts or {}),
        }
    )


def rows(*lines: Sequence[str | int | float]) -> str:
    """sheetData of these values from A1 on; "" leaves a cell out."""
    out = []
    for number, line in enumerate(lines, start=1):
        cells = ""
        for column, value in enumerate(line):
            place = f"{chr(65 + column)}{number}"
            if isinstance(value, str) and value:
                cells += f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'
            elif not isinstance(value, str):
                cells += f'<c r="{place}"><v>{value}</v></c>'
        out.append(f'<row r="{number}">{cells}</row>')
    return f"<sheetData>{''.join(out)}</sheetData>"
