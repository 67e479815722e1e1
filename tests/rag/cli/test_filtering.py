"""The options of `rag search` that name documents, kinds and days."""

from __future__ import annotations

import argparse
import json
from datetime import datetime
from pathlib import Path

import pytest

from rag.cli import main
from rag.cli.filtering import add_filter_options, filters_of
from rag.errors import UsageError


def parsed(*argv: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_filter_options(parser)
    return parser.parse_args(argv)


def test_whole_days_at_both_ends() -> None:
    where = filters_of(parsed("--since", "2026-03-01", "--until", "2026-03-31"))
    assert where.modified_after == datetime(2026, 3, 1)
    assert where.modified_before == datetime(2026, 3, 31, 23, 59, 59, 999999)
    assert not filters_of(parsed()).restrict


def test_a_moment_may_be_named() -> None:
    assert filters_of(parsed("--since", "2026-03-01T12:30")).modified_after == datetime(2026, 3, 1, 12, 30)


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01", "31.3.2026"])
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not a date"):
        filters_of(parsed("--since", text))


@pytest.fixture(autouse=True)
def papers(monkeypatch: pytest.MonkeyPatch, papers_home: Path) -> None:
    monkeypatch.setenv("RAG_HOME", str(papers_home))


def test_search_in_one_document_and_one_kind(capsys: pytest.CaptureFixture[str]) -> None:
    question = "How many days of annual leave do employees receive?"
    argv = ["search", question, "--document", "hr", "--kind", "pdf", "--json"]
    assert main(argv) == 0
    assert {row["document"] for row in json.loads(capsys.readouterr().out)["passages"]} == {"hr/leave.pdf"}


@pytest.mark.parametrize(
    ("option", "value", "hint"),
    [("--document", "hr/leave.pdff", "hr/leave.pdf"), ("--kind", "xlsm", "pdf")],
)
def test_what_is_not_there_is_named(
    option: str, value: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", "annual leave", option, value]) == 2
    said = capsys.readouterr().err
    assert value in said
    assert hint in said
