"""Tables of questions, the validator, drafts: what a person brings and gets back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from eval import __main__ as command
from eval.drafting import Source, drafts
from eval.tables import questions_of, rows_of
from eval.validating import look_through
from ingest.reading import Bounds, Reader
from rag.engine.protocol import EngineInfo, Token
from rag.errors import NothingToWorkOn, UsageError
from rag.records import Document, Page
from rag.settings import Settings

CHINESE = (
    "问题,答案,要点,文档,页码,引文\n"
    "水泵多久检修一次？,五百小时,每500小时；更换滤芯,pump.txt,,每运行五百小时\n"
)


def test_a_chinese_table_in_both_encodings(tmp_path: Path) -> None:
    for encoding in ("utf-8", "utf-8-sig", "gb18030"):
        path = tmp_path / f"{encoding}.csv"
        path.write_bytes(CHINESE.encode(encoding))
        (found,) = questions_of(rows_of(path), path.name)
        assert found["question"] == "水泵多久检修一次？"
        assert [nugget["text"] for nugget in found["nuggets"]] == ["每500小时", "更换滤芯"]
        assert found["evidence"] == [{"doc": "pump.txt", "quote": "每运行五百小时"}]
        assert (found["lang"], found["answerable"], found["id"]) == ("zh", True, "q1")


def test_semicolons_tabs_and_quoted_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('Question;Facts;Extras;Answerable\n"Why; how?";"one\ntwo";three;no\n\n')
    (found,) = questions_of(rows_of(path), "t.csv")
    assert found["question"] == "Why; how?"
    assert [(n["text"], n["vital"]) for n in found["nuggets"]] == [
        ("one", True),
        ("two", True),
        ("three", False),
    ]
    assert found["answerable"] is False
    path.write_text("question\tanswer\nWhat?\tthat\n")
    assert questions_of(rows_of(path), "t.csv")[0]["answers"] == ["that"]


def test_a_workbook(tmp_path: Path) -> None:
    """Written by hand: the smallest XLSX that there is."""
    import zipfile

    path = tmp_path / "t.xlsx"
    rows = [["id", "question", "answer", "page"], ["7", "What?", "that", ""]]
    cells = "".join(
        "<row>" + "".join(f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in row) + "</row>"
        for row in rows
    )
    space = "http://schemas.openxmlformats.org"
    kinds = "application/vnd.openxmlformats"
    with zipfile.ZipFile(path, "w") as book:
        book.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{space}/package/2006/content-types">'
            f'<Default Extension="rels" ContentType="{kinds}-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{kinds}-officedocument.'
            'spreadsheetml.sheet.main+xml"/></Types>',
        )
        relation = f"{space}/officeDocument/2006/relationships"
        book.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{space}/package/2006/relationships"><Relationship Id="r" '
            f'Type="{relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        book.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{space}/spreadsheetml/2006/main" xmlns:r="{relation}"><sheets>'
            '<sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>',
        )
        book.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{space}/package/2006/relationships"><Relationship Id="r1" '
            f'Type="{relation}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        )
        book.writestr(
            "xl/worksheets/sheet1.xml",
            f'<worksheet xmlns="{space}/spreadsheetml/2006/main"><sheetData>{cells}</sheetData></worksheet>',
        )
    (found,) = questions_of(rows_of(path), "t.xlsx")
    assert (found["id"], found["answers"]) == ("7", ["that"])
    path.write_bytes(b"PK\x03\x04 torn")
    with pytest.raises(UsageError, match="cannot be read"):
        rows_of(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("what,who\n1,2\n", "no column is called question; there are: what, who"),
        ("question,answer\n,x\n", "row 2, column question: is empty"),
        ("question,answer\nWhy?,\n", "row 2, column answer: is empty"),
        ("question,answer,answerable\nWhy?,x,perhaps\n", "row 2, column answerable"),
        ("question,answer,doc,page\nWhy?,x,a.pdf,zero\n", "row 2, column page"),
        ("id,question,answer\n1,a?,x\n1,b?,y\n", "row 3, column id: '1' stands in row 2 too"),
        ("question,query\na,b\n", "column query: stands there twice"),
    ],
)
def test_mistakes_are_named_by_row_and_column(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(UsageError, match=message):
        questions_of(rows_of(path), "t.csv")


def test_empty_tables(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for text in ("", "\n\n", "question,answer\n"):
        path.write_text(text)
        with pytest.raises(NothingToWorkOn):
            questions_of(rows_of(path), "t.csv")


GOOD = {
    "id": "q1",
    "question": "When?",
    "answers": [],
    "nuggets": [{"text": "at seven", "vital": True}],
    "evidence": [{"doc": "a.md", "quote": "opens at  seven"}],
    "lang": "en",
    "kind": "fact",
    "answerable": True,
}


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Gate\n\nThe gate opens at\nseven.\n")
    return tmp_path


def looked_through(dataset: Path, *lines: Any) -> list[tuple[int, str, str, str]]:
    path = dataset / "questions.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    with Reader(Bounds.of(Settings(home=dataset / "home"))) as reader:
        _, problems = look_through(path, dataset / "docs", reader)
    return [(one.line, one.field, one.weight, one.problem) for one in problems]


def test_a_good_set_has_no_problem(dataset: Path) -> None:
    assert looked_through(dataset, GOOD) == []


def test_every_problem_is_told_with_line_and_field(dataset: Path) -> None:
    absent = {**GOOD, "id": "q2", "evidence": [{"doc": "a.md", "quote": "closes at nine"}]}
    bare = {**GOOD, "id": "q3", "nuggets": [], "evidence": []}
    found = looked_through(
        dataset,
        GOOD,
        "{",
        absent,
        bare,
        GOOD,
        {**GOOD, "id": "q4", "lang": 3},
        {**GOOD, "id": "q5", "draft": True},
    )
    assert [(line, field, weight) for line, field, weight, _ in found] == [
        (2, "the line", "error"),
        (3, "evidence[0].quote", "error"),
        (4, "nuggets", "error"),
        (4, "evidence", "warning"),
        (5, "id", "error"),
        (6, "lang", "error"),
        (7, "draft", "warning"),
    ]
    assert "does not stand in what is read of 'a.md'" in found[1][3]


def test_import_validate_and_new_as_commands(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "mine.csv"
    table.write_text("question,answer,document,quote\nWhen?,at seven,a.md,opens at seven\n")
    made = tmp_path / "made"
    asked = ["import", str(table), "-o", str(made), "--docs", str(dataset / "docs"), "--json"]
    assert command.main(asked) == 0
    assert json.loads(capsys.readouterr().out)["questions"] == 1
    assert (made / "docs" / "a.md").is_file()
    assert command.main(asked) == 2
    capsys.readouterr()
    assert command.main(["validate", str(made), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True
    table.write_text("question,answer,document,quote\nWhen?,at seven,a.md,never\n")
    assert command.main([*asked, "--force"]) == 3
    capsys.readouterr()
    assert (
        command.main(["new", str(dataset / "docs"), "-o", str(tmp_path / "new"), "--count", "2", "--json"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["extractive"] is True
    line = json.loads((tmp_path / "new" / "questions.jsonl").read_text().splitlines()[0])
    assert line["draft"] is True
    assert line["evidence"][0]["doc"] == "a.md"


class Writer:
    """An engine that writes the same every time."""

    def __init__(self, text: str, *, demo: bool = False) -> None:
        self._text = text
        self._demo = demo

    def info(self) -> EngineInfo:
        return EngineInfo("writer", 4096, "ready", demo=self._demo)

    def stream(self, messages: Any, **options: Any) -> Iterator[Token]:
        assert not self._demo
        yield Token(self._text)


TEXT = "The gate opens at seven in the morning. The guard closes it at nine in the evening on 12 May 2026."


def test_a_models_draft_is_taken_if_its_quote_stands_in_the_text() -> None:
    source = Source("gate.md", Document("0", "md", (Page(None, TEXT),), title="Gate"))
    written = {"question": "When does it open?", "facts": ["at seven"], "quote": "opens at seven"}
    (draft,) = drafts([source], 1, Writer(f"Here: {json.dumps(written)}"))  # type: ignore[arg-type]
    assert draft["question"] == "When does it open?"
    assert draft["evidence"] == [{"doc": "gate.md", "quote": "opens at seven"}]
    written["quote"] = "invented words"
    (draft,) = drafts([source], 1, Writer(json.dumps(written)))  # type: ignore[arg-type]
    assert draft["evidence"][0]["quote"] in TEXT


@pytest.mark.parametrize("said", ["no JSON at all", '{"question": 3}', "{broken"])
def test_a_useless_draft_is_replaced_by_the_documents_own_words(said: str) -> None:
    source = Source("gate.md", Document("0", "md", (Page(4, TEXT),), title="Gate"))
    (draft,) = drafts([source], 3, Writer(said))  # type: ignore[arg-type]
    assert draft["nuggets"][0]["text"] == "The guard closes it at nine in the evening on 12 May 2026."
    assert draft["evidence"][0]["page"] == 4
    (own,) = drafts([source], 3, Writer("", demo=True))  # type: ignore[arg-type]
    assert own == draft
