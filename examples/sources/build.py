"""Make the printed papers of examples/corpus from their sources in this folder.

    python examples/sources/build.py [NAME…]

HTML sources are printed to PDF by chromium (`apt install chromium fonts-noto-cjk`), Markdown sources
become DOCX files, and the minutes are written in GB18030. The other documents of the corpus are their
own sources. `{{contents}}` in a source is replaced by the headings and the pages on which they stand,
which takes a second printing.
"""

from __future__ import annotations

import html
import re
import subprocess
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

import docx
import pypdfium2
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

SOURCES = Path(__file__).resolve().parent
CORPUS = SOURCES.parent / "corpus"

TARGETS = {
    "manual.html": "product/HK-420-installation-manual.pdf",
    "safety.html": "product/电气安全须知.pdf",
    "travel.html": "hr/travel-and-expenses-policy.pdf",
    "contract.html": "purchasing/传感器供应框架合同.pdf",
    "handbook.md": "hr/员工手册.docx",
    "incident.md": "support/incident-report-2026-014.docx",
    "minutes.txt": "meetings/2026-09-15-产品例会纪要.txt",
}
DATES = {"handbook.md": datetime(2025, 12, 9, 10), "incident.md": datetime(2026, 2, 27, 16)}
"""What the DOCX files say about their own making; python-docx would say 2013."""


def main(names: list[str]) -> None:
    for name in names or TARGETS:
        source, target = SOURCES / name, CORPUS / TARGETS[name]
        target.parent.mkdir(parents=True, exist_ok=True)
        make = {".html": pdf_from_html, ".md": docx_from_markdown, ".txt": gb18030_from_text}[source.suffix]
        make(source, target)
        print(f"{target.relative_to(CORPUS)}  {target.stat().st_size / 1024:.0f} KiB")


def pdf_from_html(source: Path, target: Path) -> None:
    text = source.read_text(encoding="utf-8")
    print_to_pdf(text, target)
    if "{{contents}}" in text:
        # The contents take the same room whatever the numbers are, so the second printing is final.
        print_to_pdf(text.replace("{{contents}}", contents(text, {})), target)
        print_to_pdf(text.replace("{{contents}}", contents(text, pages_of_headings(target))), target)


def contents(text: str, pages: dict[str, int]) -> str:
    titles = [html.unescape(title) for title in re.findall(r"<h2[^>]*>(.*?)</h2>", text)]
    rows = (f"<div>{html.escape(title)}<i></i>{pages.get(title, 0)}</div>" for title in titles)
    return "\n".join(rows)


def pages_of_headings(path: Path) -> dict[str, int]:
    pdf = pypdfium2.PdfDocument(path)
    found: dict[str, int] = {}
    for entry in pdf.get_toc():
        place = entry.get_dest()
        if place is not None and place.get_index() is not None:
            found[entry.get_title()] = place.get_index() + 1
    pdf.close()
    return found


def print_to_pdf(text: str, target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(text, encoding="utf-8")
        (Path(folder) / "paper.css").write_bytes((SOURCES / "paper.css").read_bytes())
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
        command += ["--generate-pdf-document-outline", f"--user-data-dir={folder}/profile"]
        command += [f"--print-to-pdf={target}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)


def docx_from_markdown(source: Path, target: Path) -> None:
    text = source.read_text(encoding="utf-8")
    paper = docx.Document()
    chinese = len(re.findall(r"[\u4e00-\u9fff]", text)) > len(text) / 5
    set_fonts(paper, latin="Calibri", east_asian="Microsoft YaHei" if chinese else "SimSun")
    for node in SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(text)).children:
        if node.type == "heading":
            level = int(node.tag[1:])
            paper.add_heading(plain(node), 0 if level == 1 else level - 1)
            if level == 1:
                paper.core_properties.title = plain(node)
        elif node.type == "paragraph":
            paper.add_paragraph(plain(node))
        elif node.type in ("ordered_list", "bullet_list"):
            style = "List Number" if node.type == "ordered_list" else "List Bullet"
            for item in node.children:
                paper.add_paragraph(plain(item), style=style)
        elif node.type == "table":
            add_table(paper, node)
        else:
            raise ValueError(f"{source.name}: no way to print a Markdown {node.type}")
    properties = paper.core_properties
    properties.author, properties.comments = "Halmkas", ""
    properties.created = properties.modified = DATES[source.name]
    paper.save(str(target))


def plain(node: SyntaxTreeNode) -> str:
    if node.type in ("text", "code_inline"):
        return node.content
    if node.type == "softbreak":
        return " "
    return "".join(plain(child) for child in node.children)


def set_fonts(paper: Any, latin: str, east_asian: str) -> None:
    for name in ("Normal", "Title", "Heading 1", "Heading 2", "List Number", "List Bullet"):
        style = paper.styles[name]
        style.font.name = latin
        style.element.get_or_add_rPr().get_or_add_rFonts().set(qn("w:eastAsia"), east_asian)
        if name.startswith(("Title", "Heading")):
            style.font.color.rgb = RGBColor(0x14, 0x52, 0x3A)
    paper.styles["Normal"].font.size = Pt(10.5)


def add_table(paper: Any, node: SyntaxTreeNode) -> None:
    rows = [row for part in node.children for row in part.children]
    table = paper.add_table(rows=0, cols=len(rows[0].children), style="Table Grid")
    for number, row in enumerate(rows):
        for cell, source in zip(table.add_row().cells, row.children, strict=True):
            cell.text = plain(source)
            if number == 0:
                for run in cell.paragraphs[0].runs:
                    run.bold = True
                shade = OxmlElement("w:shd")
                shade.set(qn("w:val"), "clear")
                shade.set(qn("w:fill"), "E6EFEA")
                cell._tc.get_or_add_tcPr().append(shade)
    paper.add_paragraph()


def gb18030_from_text(source: Path, target: Path) -> None:
    target.write_bytes(source.read_text(encoding="utf-8").encode("gb18030"))


if __name__ == "__main__":
    main(sys.argv[1:])
