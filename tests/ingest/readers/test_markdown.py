from __future__ import annotations

from ingest.readers import read_bytes
from rag.records import Document


def read(text: str, name: str = "notes.md") -> Document:
    return read_bytes(text.encode(), name)


def headings(text: str) -> list[tuple[int, str, str]]:
    document = read(text)
    return [(h.level, h.title, document.text[h.start :].split("\n")[0]) for h in document.headings]


def test_the_text_stays_as_it_was_written() -> None:
    text = "# Title\n\nSome **bold** [link](https://example.invalid).\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    document = read(text)
    assert document.text == text
    assert (document.kind, document.title) == ("markdown", "Title")
    assert [page.number for page in document.pages] == [None]


def test_headings_of_both_kinds() -> None:
    text = "# One #\n\nTwo\n===\n\nThree\nlines\n-----\n\n###### Six\n\n#no heading\n\n"
    text += " ## Two `code` and *more* {#id}\n"
    assert headings(text) == [
        (1, "One", "# One #"),
        (1, "Two", "Two"),
        (2, "Three lines", "Three"),
        (6, "Six", "###### Six"),
        (2, "Two code and more", " ## Two `code` and *more* {#id}"),
    ]


def test_code_holds_no_headings() -> None:
    text = "# Real\n\n```sh\n# comment\nname\n====\n```\n\n~~~\n# other\n~~~\n\n"
    text += "    # indented\n\n<pre>\n# raw\n</pre>\n"
    assert headings(text) == [(1, "Real", "# Real")]


def test_front_matter_is_text_but_no_heading() -> None:
    text = '---\ntitle: "仓库 规则"\ntags: [a]\n---\n\n# 总则\n\n内容\n'
    document = read(text)
    assert document.text == text
    assert document.title == "仓库 规则"
    assert headings(text) == [(1, "总则", "# 总则")]


def test_a_rule_is_no_front_matter() -> None:
    assert headings("text\n\n---\n\n# One\n") == [(1, "One", "# One")]


def test_links_and_images_in_headings_become_words() -> None:
    assert headings('## See [the plan](a.md) and ![map](m.png "t")\n')[0][1] == "See the plan and map"


def test_line_ends_of_any_system() -> None:
    document = read("# One\r\n\r\ntext\r\rTwo\r\n---\r\n")
    assert [(h.level, h.title) for h in document.headings] == [(1, "One"), (2, "Two")]
    assert "\r" not in document.text


def test_plain_text_and_logs_are_as_they_are() -> None:
    text = "2026-01-02 10:11:12 WARN # not a heading\n\tindented,  with  blanks\n"
    document = read(text, "server.log")
    assert (document.kind, document.text, document.headings) == ("text", text, ())


def test_tables_are_spans_with_their_header() -> None:
    text = "Costs:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n```\n| no | table |\n|---|---|\n```\n"
    read = read_bytes(text.encode(), "x.md")
    (table,) = read.tables
    assert read.text[table.start : table.end] == "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"
    assert read.text[table.start : table.header_end] == "| a | b |\n|---|---|"


def test_a_text_too_large_for_the_parser_still_has_its_headings() -> None:
    filler = "word " * 700_000
    document = read_bytes(f"# One\n\n```\n# no\n```\n\n{filler}\n\n## *Two*\n\nx\n".encode(), "a.md")
    assert [(heading.level, heading.title) for heading in document.headings] == [(1, "One"), (2, "Two")]
    assert document.text[document.headings[1].start :].startswith("## *Two*")


def test_tables_are_marked_with_their_header() -> None:
    document = read_bytes(b"# T\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n| 3 | 4 |\n\nend\n", "a.md")
    (table,) = document.tables
    assert document.text[table.start : table.header_end] == "| a | b |\n|---|--:|"
    assert document.text[table.start : table.end].endswith("| 3 | 4 |")
