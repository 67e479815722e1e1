"""A search is narrowed to documents that were changed between two days."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, Windows, start_server
from tests.browser.driving import answered, ask, overflow

QUESTION = "When does the swimming hall open?"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A page whose library has what was handed in through it: two papers that are years apart."""
    folder = tmp_path_factory.mktemp("dates")
    (folder / "home").mkdir()
    return start_server(folder / "home")


@pytest.fixture(scope="module", autouse=True)
def _ended(server: Server) -> object:
    yield
    server.process.terminate()
    server.process.wait(timeout=20)


def hand_in(page: Page, folder: Path) -> None:
    recent = datetime.now() - timedelta(days=3)
    for name, hour, changed in (
        ("old.txt", "six", datetime(2019, 5, 17, 12)),
        ("new.txt", "nine", recent),
    ):
        path = folder / name
        path.write_text(f"House rules. The swimming hall opens at {hour} in the morning.", encoding="utf-8")
        os.utime(path, (changed.timestamp(), changed.timestamp()))
    page.set_input_files("#files-input", [folder / "old.txt", folder / "new.txt"])
    expect(page.locator("#files .row .state-live")).to_have_count(2, timeout=60_000)


def answer_of(page: Page) -> str:
    page.click("#new")
    expect(page.locator(".opening")).to_be_visible()
    ask(page, QUESTION)
    return answered(page)


def test_a_search_between_two_days(window: Windows, tmp_path: Path) -> None:
    page = window("/#documents")
    hand_in(page, tmp_path)
    # An upload keeps the file's own date, and the table tells it.
    expect(page.locator("#files .row", has_text="old.txt").locator(".updated")).to_have_attribute(
        "title", "File of 2019-05-17"
    )
    page.get_by_role("tab", name="Ask").click()
    both = answer_of(page)
    assert "at six" in both
    assert "at nine" in both

    expect(page.get_by_label("From", exact=True)).to_be_hidden()
    page.get_by_label("Last changed").select_option("In the last 30 days")
    recent = answer_of(page)
    assert "at nine" in recent
    assert "at six" not in recent

    page.get_by_label("Last changed").select_option("Between two days…")
    expect(page.get_by_label("From", exact=True)).to_be_focused()
    page.get_by_label("From", exact=True).fill("2019-05-17")
    page.get_by_label("To", exact=True).fill("2019-05-17")
    old = answer_of(page)
    assert "at six" in old
    assert "at nine" not in old

    page.get_by_label("From", exact=True).fill("2018-01-01")
    page.get_by_label("To", exact=True).fill("2018-12-31")
    ask(page, QUESTION)
    expect(page.locator(".toast-body").last).to_contain_text("No document was last changed in that time.")
    expect(page.locator("#question textarea")).to_have_value(QUESTION)
    page.get_by_label("From", exact=True).fill("2020-01-01")
    page.click("#send")
    expect(page.locator(".toast-body").last).to_contain_text("The first day lies after the last one.")

    page.get_by_label("Last changed").select_option("Any time")
    expect(page.get_by_label("From", exact=True)).to_be_hidden()
    assert "at nine" in answer_of(page)


@pytest.mark.parametrize("dark", [False, True])
def test_the_days_on_a_narrow_chinese_window(window: Windows, dark: bool) -> None:
    page = window(language="zh-CN", width=390, height=844, dark=dark)
    page.get_by_label("最后修改").select_option("指定日期范围……")
    page.get_by_label("从").fill("2019-05-01")
    assert not overflow(page)
    box = page.get_by_label("从").bounding_box()
    assert box is not None
    assert box["height"] >= 30
    ground = page.get_by_label("从").evaluate("input => getComputedStyle(input).backgroundColor")
    assert (ground == "rgb(26, 31, 28)") is dark
