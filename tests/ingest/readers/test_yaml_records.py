"""Lists of records in YAML are tables; whatever is not surely one stays as it was written."""

from __future__ import annotations

import pytest

from ingest.readers.yaml_records import with_tables


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("hosts:\n  - name: n1\n    port: 81\n  - name: n2\n    port: 82\nend: 1\n",
         ["name | port", "n1 | 81", "n2 | 82"]),
        ("- {a: 1, b: x}\n- {a: 2, b: y}\n", ["a | b", "1 | x", "2 | y"]),
        ("- 代码: 甲\n  容量: 5\n- 代码: 乙\n  容量: 6\n  备注: 冷\n",
         ["代码 | 容量 | 备注", "甲 | 5 |", "乙 | 6 | 冷"]),
        ("- k: \"a: b\"  # first\n  v: 'it''s'\n- k: c#1\n  v: 3.50\n",
         ["k | v", "a: b | it's", "c#1 | 3.50"]),
    ],
)  # fmt: skip
def test_flat_records_are_rows(text: str, rows: list[str]) -> None:
    written, (table,) = with_tables(text)
    assert written[table.start : table.end].split("\n") == rows
    assert written[table.start : table.header_end] == rows[0]


@pytest.mark.parametrize(
    "text",
    [
        "- a\n- b\n",
        "- name: one\n  port: 1\n",
        "- n: 1\n  t: |\n    long\n- n: 2\n  t: x\n",
        "- n: 1\n  m: 2\n# a remark\n- n: 3\n  m: 4\n",
        "- n: 1\n  of:\n    - 2\n- n: 3\n  of:\n    - 4\n",
        "- n: &anchor 1\n  m: *other\n- n: 2\n  m: 3\n",
        "- a: x | y\n  b: 1\n- a: z\n  b: 2\n",
        "key: value\nother:\n  deep: 1\n",
        "",
    ],
)
def test_all_else_stays_as_it_was_written(text: str) -> None:
    assert with_tables(text) == (text, ())
