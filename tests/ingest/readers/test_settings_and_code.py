"""Settings, messages and programs: sections and definitions are headings."""

from __future__ import annotations

import pytest

from tests.ingest.readers.reading import headings, read


def test_settings_have_their_sections_as_headings() -> None:
    document = read("[tool]\na = 1\n[tool.lint]\nb = 2\n", "a.toml")
    assert (document.kind, headings(document)) == ("toml", [(1, "tool"), (2, "tool.lint")])
    document = read("# x\nservices:\n  web:\n    image: a\n  db:\n    image: b\nname: z\n", "a.yaml")
    assert headings(document) == [(1, "services"), (2, "web"), (2, "db")]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        (
            "a.py",
            "class A:\n    async def b(self):\n        pass\n\ndef c(): ...\n",
            [(1, "A"), (2, "b"), (1, "c")],
        ),
        ("a.go", "func (s *S) Run() error {\n}\ntype T struct {\n}\n", [(1, "Run"), (1, "T")]),
        ("a.rs", "impl<T> Foo for Bar {\n    pub fn y(&self) {}\n}\n", [(1, "Bar"), (2, "y")]),
        ("a.ts", "export class A {\n}\nexport const run = async (x) => {\n}\n", [(1, "A"), (1, "run")]),
        (
            "a.java",
            "public class A {\n    private int get(int a) {\n        return f(a);\n    }\n}\n",
            [(1, "A"), (2, "get")],
        ),
        ("a.c", "static int add(int a, int b)\n{\n    return g(a);\n}\n", [(1, "add")]),
        ("a.sql", "CREATE TABLE IF NOT EXISTS stock (id int);\n", [(1, "stock")]),
        ("run", "#!/bin/bash\nstart() {\n  true\n}\n", [(1, "start")]),
        ("a.css", "p { color: red }\n", []),
    ],
)
def test_programs_have_their_definitions_as_headings(
    name: str, text: str, found: list[tuple[int, str]]
) -> None:
    document = read(text, name)
    assert (document.kind, document.text, headings(document)) == ("code", text, found)


def test_letters_of_java_messages() -> None:
    text = "greeting=\\u4f60\\u597d \\ud83d\\ude00\npath=C:\\\\users\\\\u4e2d\n"
    assert read(text, "messages_zh.properties").text == "greeting=你好 😀\npath=C:\\\\users\\\\u4e2d\n"
    assert read("a = \\u4f60\n", "a.ini").text == "a = \\u4f60\n"
