"""The sample corpus holds what examples/questions.toml says, in the formats that its names claim."""

from __future__ import annotations

import functools
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from ingest import readers
from ingest.kinds import kind_of
from rag.records import Document
from rag.text.language import language
from rag.text.normal import find_quote

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CORPUS = EXAMPLES / "corpus"
FILES = sorted(path for path in CORPUS.rglob("*") if path.is_file())
QUESTIONS: list[dict[str, Any]] = tomllib.loads((EXAMPLES / "questions.toml").read_text(encoding="utf-8"))[
    "question"
]
KINDS = {".pdf": "pdf", ".docx": "docx", ".html": "html", ".md": "markdown", ".txt": "text"}
PRINTED = {
    "manual.html": "product/HK-420-installation-manual.pdf",
    "safety.html": "product/电气安全须知.pdf",
    "travel.html": "hr/travel-and-expenses-policy.pdf",
    "contract.html": "purchasing/传感器供应框架合同.pdf",
}


@functools.cache
def document(path: str) -> Document:
    return readers.read(CORPUS / path)


def by_id(question: dict[str, Any]) -> str:
    return str(question["id"])


def test_the_corpus_is_small_and_mixed() -> None:
    assert 10 <= len(FILES) <= 12
    assert sum(path.stat().st_size for path in FILES) < 2_000_000
    assert {path.suffix for path in FILES} == set(KINDS)
    languages = Counter(language(document(str(path.relative_to(CORPUS))).text) for path in FILES)
    assert min(languages["zh"], languages["en"]) >= 5
    assert max(len(document(path).pages) for path in PRINTED.values()) >= 8


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_file_is_what_its_name_says(path: Path) -> None:
    assert kind_of(path) == KINDS[path.suffix]
    assert len(document(str(path.relative_to(CORPUS))).text) > 800


def test_the_minutes_are_in_gb18030_and_equal_their_source() -> None:
    (minutes,) = (CORPUS / "meetings").iterdir()
    data = minutes.read_bytes()
    with pytest.raises(UnicodeDecodeError):
        data.decode("utf-8")
    assert data.decode("gb18030") == (EXAMPLES / "sources" / "minutes.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("question", QUESTIONS, ids=by_id)
def test_every_quote_stands_where_the_question_says(question: dict[str, Any]) -> None:
    for evidence in question["evidence"]:
        doc = document(evidence["doc"])
        if doc.kind == "pdf":
            text = doc.pages[evidence["page"] - 1].text
        else:
            assert "page" not in evidence, "only PDFs have pages"
            text = doc.text
        assert find_quote(evidence["quote"], text), f"{evidence['quote']!r} is not in {evidence['doc']}"


@pytest.mark.parametrize("question", QUESTIONS, ids=by_id)
def test_every_question_is_complete(question: dict[str, Any]) -> None:
    assert language(question["question"]) == question["lang"]
    vital = [nugget for nugget in question["nuggets"] if nugget["vital"]]
    assert bool(vital) == bool(question["evidence"]) == bool(question["answers"]) == question["answerable"]
    assert all(language(nugget["text"]) == question["lang"] for nugget in question["nuggets"])
    if question["kind"] == "cross-document":
        assert len({evidence["doc"] for evidence in question["evidence"]}) >= 2


def test_the_opening_page_has_three_questions_in_each_language() -> None:
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS)
    for lang in ("en", "zh"):
        opening = [question for question in QUESTIONS if question["lang"] == lang and "opening" in question]
        assert [question["opening"] for question in opening] == [1, 2, 3]
        assert all(question["answerable"] for question in opening)
        assert any(question["kind"] == "cross-document" for question in opening)


@pytest.mark.parametrize(("source", "target"), PRINTED.items(), ids=PRINTED)
def test_each_pdf_is_the_print_of_its_source(source: str, target: str) -> None:
    """Somebody who edits a source and forgets to build is told so."""
    soup = BeautifulSoup((EXAMPLES / "sources" / source).read_text(encoding="utf-8"), "html.parser")
    pages = document(target).pages
    for element in soup.select("p, li, td, h2, h3"):
        # Superscripts and line breaks split a run; the longest unbroken run must be there.
        said = max(element.get_text("\n").split("\n"), key=len).strip(" −")
        if len(re.sub(r"\W", "", said)) < 4:
            continue
        # A paragraph that runs over the end of a page is looked for by its beginning.
        found = any(find_quote(said, page.text) for page in pages)
        assert found or any(find_quote(said[:40], page.text, whole_words=False) for page in pages), said


def test_the_contents_of_the_manual_name_the_right_pages() -> None:
    pages = document(PRINTED["manual.html"]).pages
    entries = re.findall(r"^(\d+ [^\n]*?)[ .\n]+(\d+)$", pages[1].text, re.M)
    assert len(entries) == 12
    for title, number in entries:
        assert find_quote(title, pages[int(number) - 1].text), f"{title} is not on page {number}"
