"""Comparing runs and reporting on them, over runs whose difference is known."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from eval import __main__ as command
from eval import runs
from eval.comparing import comparison, comparisons, read, worst
from eval.judges import checking
from eval.judges.exact import ExactJudge
from eval.measures import means
from eval.report.contents import contents
from eval.report.html import page
from eval.report.markdown import markdown
from eval.report.words import LANGUAGES, table
from rag.errors import NothingToWorkOn, UsageError

SCRIPT = "<script>alert(1)</script>"


def write(path: Path, name: str, recalls: list[float], **more: Any) -> Path:
    head = runs.header(
        "answers",
        more.pop("dataset", "set"),
        strategy={"name": name, "about": ""},
        hashes={"docs": more.pop("docs", "d"), "questions": {"q.jsonl": "h"}},
        judges=["exact"],
        judges_code="c",
        settings={},
        report={"documents": 3},
        agreement=[checking.check(ExactJudge()).as_json()],
    )
    lines = [
        {
            "file": "q.jsonl",
            "id": f"q{n}",
            "question": f"Question {n} {SCRIPT}?",
            "reference": ["yes"],
            "lang": "en" if n % 2 else "zh",
            "kind": "fact",
            "answerable": True,
            "answer": f"Answer {n} {SCRIPT}",
            "found": True,
            "evidence": [{"n": 1, "document": "a.md", "pages": [2], "tokens": 3, "text": "words"}],
            "facts": [
                {
                    "text": f"fact {n}",
                    "vital": True,
                    "verdicts": {"exact": {"support": "support" if value == 1 else "none", "where": ""}},
                }
            ],
            "figures": {"vital": value, "refused_wrongly": 1 - value, "characters": 100 + 10 * value},
        }
        for n, value in enumerate(recalls)
    ]
    runs.write(path, head, lines)
    return path


@pytest.fixture
def three(tmp_path: Path) -> list[Path]:
    full = [1.0] * 40
    half = [1.0 if n % 2 else 0.0 for n in range(40)]
    nearly = [0.0, *[1.0] * 39]
    return [
        write(tmp_path / f"{name}.jsonl", name, recalls)
        for name, recalls in (("full", full), ("half", half), ("nearly", nearly))
    ]


def searched(path: Path, found: list[float], refused: list[float], documents: list[float]) -> Path:
    """A run of `eval retrieval`; where `found` is empty, one whose evidence names documents only."""
    head = runs.header(
        "retrieval",
        "set",
        hashes={"docs": "d", "questions": {"q.jsonl": "h"}},
        settings={},
        result={"documents": 3, "embedder": "small@1"},
    )
    lines = [
        {
            "file": "q.jsonl",
            "id": f"q{n}",
            "question": f"Question {n}?",
            "lang": "en",
            "kind": "fact",
            "answerable": True,
            "shares": {"in chunks": 1.0, "fused@8": found[n], "refused@8": refused[n]} if found else {},
            "documents_found": documents[n],
        }
        for n in range(len(documents))
    ]
    runs.write(path, head, lines)
    return path


def test_of_two_searches_the_one_that_finds_more_and_refuses_less_is_better(tmp_path: Path) -> None:
    ones, none = [1.0] * 20, [0.0] * 20
    a = read(searched(tmp_path / "a.jsonl", none, ones, ones))
    b = read(searched(tmp_path / "b.jsonl", ones, none, ones))
    found = comparison(a, b)
    assert (found.headline.measure.key, found.headline.verdict) == ("fused@8", "better")
    verdicts = {row.measure.key: row.verdict for row in found.rows}
    assert verdicts["refused@8"] == "better"
    assert verdicts["documents_found"] == "unclear"


def test_searches_are_compared_by_documents_where_no_quotes_are_known(tmp_path: Path) -> None:
    a = read(searched(tmp_path / "a.jsonl", [], [], [0.0] * 20))
    b = read(searched(tmp_path / "b.jsonl", [], [], [1.0] * 20))
    found = comparison(a, b)
    assert (found.headline.measure.key, found.headline.verdict) == ("documents_found", "better")


def test_the_report_of_a_search_names_what_searched(tmp_path: Path) -> None:
    html = page(contents([searched(tmp_path / "a.jsonl", [1.0], [0.0], [1.0])]), "en")
    assert "· small@1</p>" in html
    assert "gold quotes in the first 8 passages" in html


def test_five_questions_are_told_that_nothing_is_drawn(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{name}.jsonl", name, [1.0, 0.0, 1.0, 0.0, 1.0]) for name in ("a", "b")]
    html = page(contents(paths), "en")
    assert "fewer than 6 questions nothing is drawn" in html
    assert html.count("<svg") == 1


def test_a_known_difference_is_found_and_a_small_one_left_open(three: list[Path]) -> None:
    base, half, nearly = map(read, three)
    found, open_ = comparisons(base, [half, nearly])
    assert found.headline.measure.key == "vital"
    assert found.headline.verdict == "worse"
    assert found.headline.paired.difference == -0.5
    assert found.headline.corrected >= found.headline.paired.p
    assert open_.headline.verdict == "unclear"
    refused = next(row for row in found.rows if row.measure.key == "refused_wrongly")
    assert (refused.verdict, refused.gains, refused.setbacks) == ("worse", 0, 20)
    length = next(row for row in found.rows if row.measure.key == "characters")
    assert length.verdict == "different"
    assert {row.group for row in found.groups} == {"en", "zh"}
    assert worst(found, 3) == [("q.jsonl", "q0"), ("q.jsonl", "q2"), ("q.jsonl", "q4")]


def test_a_run_against_itself_shows_nothing(three: list[Path], tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(three[0].read_bytes())
    found = comparison(read(three[0]), read(copy))
    assert all(row.verdict == "unclear" for row in found.rows)


def test_runs_over_other_questions_or_documents_are_refused(three: list[Path], tmp_path: Path) -> None:
    base = read(three[0])
    with pytest.raises(UsageError, match="different data sets: set, other"):
        comparison(base, read(write(tmp_path / "o.jsonl", "o", [1.0], dataset="other")))
    with pytest.raises(UsageError, match="documents have changed"):
        comparison(base, read(write(tmp_path / "d.jsonl", "d", [1.0], docs="e")))
    empty = tmp_path / "e.jsonl"
    runs.write(empty, runs.header("answers", "set"), [])
    with pytest.raises(NothingToWorkOn):
        read(empty)


def test_failed_questions_are_left_out_and_counted(three: list[Path]) -> None:
    head, lines = runs.read(three[1])
    lines[0] = {**lines[0], "error": "died", "figures": {}}
    runs.write(three[1], head, lines)
    found = comparison(read(three[0]), read(three[1]))
    assert (len(found.keys), found.left_out) == (39, 1)


class Outline(HTMLParser):
    """Tags that are open at the end, and every address that a browser would ask for."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]
        if tag not in ("meta", "br", "link", "input", "hr", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_page_is_whole_and_asks_nobody(three: list[Path], language: Any, count: int) -> None:
    html = page(contents(three[:count]), language)
    outline = Outline()
    outline.feed(html)
    assert outline.open == []
    assert outline.addresses == []
    assert outline.scripts == 0
    assert "url(" not in html
    assert "@import" not in html
    assert SCRIPT not in html
    assert ("&lt;script&gt;" in html) == True  # noqa: E712 - the questions are there, as text
    assert html.count("<svg") == {1: 0, 2: 5, 3: 10}[count]  # forests also for a phone
    assert "κ" in html
    assert not re.search(r"\bnan\b|Undefined|\{\{", html)


def test_markdown_and_json_say_the_same(three: list[Path]) -> None:
    found = contents(three)
    text = markdown(found, "en")
    assert "half is worse than full" in text
    assert "Question 0" in text
    quiet = markdown(found.without_texts(), "zh", texts=False)
    assert "Question 0" not in quiet
    assert "half 不如 full" in quiet
    value = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert value["comparisons"][0]["headline"]["verdict"] == "worse"
    assert value["runs"][1]["means"]["vital"] == 0.5
    assert "Question" not in json.dumps(value)


def test_both_languages_have_the_same_words() -> None:
    english, chinese = table("en"), table("zh")
    assert english.keys() == chinese.keys()
    assert english["measure_names"].keys() == chinese["measure_names"].keys()
    for key, text in english.items():
        if isinstance(text, str):
            fields = set(re.findall(r"\{(\w+)\}", text))
            assert fields == set(re.findall(r"\{(\w+)\}", chinese[key])), key


def test_the_commands(three: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["compare", str(three[0]), str(three[1]), "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert value["headline"]["measure"] == "vital"
    assert (value["headline"]["wins"], value["headline"]["losses"]) == (0, 20)
    assert command.main(["compare", str(three[0]), str(three[1])]) == 0
    assert "half is worse than full" in capsys.readouterr().out
    files = [tmp_path / f"r{end}" for end in (".html", ".md", ".json")]
    asked = ["report", *map(str, three)]
    for file in files:
        asked += ["-o", str(file)]
    assert command.main(asked) == 0
    assert all(file.stat().st_size > 1000 for file in files)
    assert command.main(["report", str(three[0]), "-o", str(tmp_path / "r.pdf")]) == 2
    assert command.main(["report", str(three[0]), str(three[0]), "-o", str(files[0])]) == 2


def test_means_are_over_the_questions_that_have_a_figure() -> None:
    lines = [{"figures": {"vital": 1.0, "fused@8": 0.5}}, {"figures": {"vital": 0.0}}, {"figures": {}}]
    assert means(lines) == {"vital": 0.5, "fused@8": 0.5}
