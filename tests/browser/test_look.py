"""How the page looks and is used: its first look, languages, narrow windows, the keyboard."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import corpus
from tests.browser.conftest import ROOT, Server, Windows, environment
from tests.browser.driving import DONE, answered, ask, overflow


def test_an_empty_library_says_what_to_do(server: Server) -> None:
    assert "Begin with your documents" in server.first["opening"]
    assert "python -m ingest" in server.first["opening"]
    assert "No documents yet" in server.first["documents"]
    assert server.first["seconds"] < 20


def test_an_ingest_at_the_command_line_is_seen_by_an_open_window(server: Server) -> None:
    assert server.first["rows"] == 5


def test_the_opening_page_speaks_the_browsers_language(window: Windows) -> None:
    english, chinese = window(), window(language="zh-CN")
    expect(english.locator(".opening h1")).to_have_text("What would you like to know?")
    expect(chinese.locator(".opening h1")).to_have_text("您想了解什么？")
    expect(english.get_by_role("tab", name="Documents")).to_be_visible()
    expect(chinese.get_by_role("tab", name="文档")).to_be_visible()
    expect(english.locator("#question textarea")).to_have_attribute(
        "placeholder", "Ask about your documents…"
    )
    expect(chinese.locator("#question textarea")).to_have_attribute("placeholder", "就您的文档提问……")
    expect(english.locator(".banner.demo")).to_contain_text("A demo model is at work.")
    expect(chinese.locator(".banner.demo")).to_contain_text("当前使用的是演示模型。")
    assert english.evaluate("document.documentElement.lang") == "en"
    assert chinese.evaluate("document.documentElement.lang") == "zh-CN"


@pytest.mark.parametrize("dark", [False, True])
def test_narrow_windows(window: Windows, dark: bool) -> None:
    page = window(width=390, height=844, dark=dark)
    assert not overflow(page)
    ask(page, corpus.PUMP_QUESTION)
    answered(page)
    assert not overflow(page)
    answer = page.locator(DONE).bounding_box()
    evidence = page.locator("#evidence").bounding_box()
    assert answer is not None
    assert evidence is not None
    assert evidence["y"] >= answer["y"] + answer["height"] - 1
    assert evidence["width"] <= 390
    page.get_by_role("tab", name="Documents").click()
    expect(page.locator("#files .row", has_text="quarterly-report")).to_be_visible()
    assert not overflow(page)
    dark_ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (dark_ground == "rgb(18, 22, 19)") is dark


def test_the_keyboard(window: Windows) -> None:
    page = window()
    area = page.locator("#question textarea")
    area.fill("First line")
    area.press("Shift+Enter")
    area.type("second line")
    assert area.input_value() == "First line\nsecond line"
    expect(page.locator("#live .turn")).to_have_count(0)
    # Enter that ends the composition of a Chinese word is not Enter.
    area.evaluate(
        "area => area.dispatchEvent(new KeyboardEvent('keydown', "
        "{key: 'Enter', isComposing: true, bubbles: true, cancelable: true}))"
    )
    expect(page.locator("#live .turn")).to_have_count(0)
    assert area.input_value() == "First line\nsecond line"


def test_a_port_that_is_taken_is_said(server: Server, tmp_path: Path) -> None:
    port = server.url.rsplit(":", 1)[1]
    done = subprocess.run(
        [sys.executable, "-m", "ui", "--port", port],
        cwd=ROOT,
        env=environment(tmp_path / "home"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "--port" in done.stderr


def test_views_are_tabs_and_errors_speak_the_readers_language(window: Windows) -> None:
    page = window(language="zh-CN")
    expect(page.get_by_role("tablist", name="视图")).to_be_visible()
    page.get_by_role("tab", name="提问").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="文档")).to_be_focused()
    expect(page.locator("#documents")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.fill("#only :is(input, textarea)", "没有这个文件")
    ask(page, corpus.LEAVE_QUESTION)
    expect(page.locator(".toast-title")).to_be_hidden()
    expect(page.locator(".toast-body")).to_contain_text("没有与“没有这个文件”相符的文档。")
    # What was asked can be asked again.
    expect(page.locator("#question textarea")).to_have_value(corpus.LEAVE_QUESTION)


def test_the_mode_that_was_chosen_last_stays_chosen(window: Windows) -> None:
    page = window()
    chosen = page.locator("#mode input:checked")
    expect(chosen).to_have_value("complete")
    page.locator("#mode label", has_text="Quick").click()
    expect(chosen).to_have_value("quick")
    page.reload()
    page.wait_for_selector("#transcript .opening", state="attached")
    expect(chosen).to_have_value("quick")
    expect(page.locator("#composer .hint")).to_contain_text("One search, one answer.")
    page.evaluate("localStorage.setItem('bonsai-mode', 'nonsense')")
    page.reload()
    expect(chosen).to_have_value("complete")
