"""JSON, JSON Lines and notebooks: every value under its path."""

from __future__ import annotations

import json

from tests.ingest.readers.reading import headings, read


def test_numbers_stand_as_they_are_written() -> None:
    text = read('{"price": 3.50, "id": 12345678901234567890, "x": NaN, "y": [1.0, 2e3]}', "a.json").text
    assert text == "price: 3.50\nid: 12345678901234567890\nx: NaN\ny: 1.0, 2e3"


def test_json_keeps_both_values_of_a_key_that_stands_there_twice() -> None:
    assert read('{"a": 1, "b": 2.50, "a": "x"}', "a.json").text == "a: 1, x\nb: 2.50"


def test_json_keeps_the_path_of_every_value() -> None:
    value = {
        "name": "Depot",
        "open": True,
        "address": {"street": "Harbour Lane", "geo": {"lat": 1.5}},
        "tags": ["dry", "cold"],
        "stock": [{"item": "Cable", "count": 420}, {"item": "Rope", "count": 9, "note": "old"}],
        "people": [{"name": "Ann", "roles": [{"x": 1}]}],
        "grid": [[1, 2], [3, 4]],
        "nothing": None,
    }
    document = read(json.dumps(value), "a.json")
    assert document.text == (
        "name: Depot\nopen: true\ntags: dry, cold\n\naddress.street: Harbour Lane\n\naddress.geo."
        "lat: 1.5\n\nstock:\n\n"
        "item | count | note\nCable | 420 |\nRope | 9 | old\n\npeople[1].name: Ann\n\npeople[1]."
        "roles[1].x: 1\n\ngrid:\n\n"
        "1 | 2\n3 | 4"
    )
    assert document.title == "Depot"
    assert len(document.tables) == 2


def test_json_lines_damage_and_depth() -> None:
    lines = '{"id": 1, "text": "one"}\n{"id": 2, "text": "two"}\n{"id": 3, "te'
    assert "id: 1\ntext: one" in read(lines, "a.jsonl").text
    assert read(lines.rpartition("\n")[0], "a.jsonl").text == "id | text\n1 | one\n2 | two"
    broken = '{"a": 1, // comment\n "b": 2}'
    assert read(broken, "a.json").text == broken
    deep = "[" * 100_000 + "]" * 100_000
    assert read(deep, "a.json").text == deep
    assert "a: 1" in read(json.dumps([[[{"a": 1}]]]), "a.json").text


def test_a_notebook() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Stock\n", "How much?\n"]},
        {
            "cell_type": "code",
            "source": "print(420)",
            "outputs": [{"output_type": "stream", "text": ["420\n"]}],
        },
    ]
    document = read(json.dumps({"nbformat": 4, "cells": cells}), "a.ipynb")
    assert document.text == "Stock\n\nHow much?\n\nprint(420)\n\n420"
    assert headings(document) == [(1, "Stock")]


def test_notebooks_of_the_third_format() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Flow"]},
        {
            "cell_type": "code",
            "input": ["measure()"],
            "outputs": [{"output_type": "stream", "text": ["17 l"]}],
        },
    ]
    document = read(json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}), "a.ipynb")
    assert document.text == "Flow\n\nmeasure()\n\n17 l"
    assert headings(document) == [(2, "Flow")]


def test_no_value_steers_a_terminal() -> None:
    document = read('{"note": "cable\\u001b]0;gone\\u0007 on shelf \\u009b2Jseven"}', "a.json")
    assert document.text == "note: cable ]0;gone  on shelf  2Jseven"
