"""The page and the engine: stopping, closing, its death, and several windows at once."""

from __future__ import annotations

import os
import signal

from playwright.sync_api import expect

from tests.browser import corpus
from tests.browser.conftest import Server, Windows
from tests.browser.driving import DONE, answered, ask


def test_stop_leaves_the_engine_idle_within_a_second(window: Windows, server: Server) -> None:
    page = window()
    with server.slow_engine(page, corpus.PUMP_QUESTION):
        page.click("#stop")
    server.wait_for(lambda health: health["engine"] == "ready" and not health["under_way"], 1.0)
    answered(page)
    expect(page.locator(f"{DONE} .note.stopped")).to_have_text("Stopped")
    ask(page, corpus.PUMP_QUESTION)
    assert "thirty months" in answered(page, 2)


def test_closing_the_window_stops_the_engine(window: Windows, server: Server) -> None:
    page = window()
    with server.slow_engine(page, corpus.PUMP_QUESTION):
        page.close()
        server.wait_for(lambda health: health["under_way"] == 1, 2)
    server.wait_for(lambda health: health["engine"] == "ready" and not health["under_way"], 3)


def test_the_death_of_the_engine_is_told_and_the_next_question_answered(
    window: Windows, server: Server
) -> None:
    page = window()
    with server.slow_engine(page, corpus.PUMP_QUESTION):
        os.kill(server.health()["pid"], signal.SIGKILL)
        expect(page.locator(".problem > p").first).to_have_text(
            "The model process ended (signal 9). It restarts with your next question.", timeout=2_000
        )
    answered(page)
    ask(page, corpus.PUMP_QUESTION)
    assert "thirty months" in answered(page, 2)


def test_two_windows_at_once_are_both_answered_in_full(window: Windows, server: Server) -> None:
    first, second, third = window(), window(), window(language="zh-CN")
    with server.slow_engine(first, corpus.PUMP_QUESTION):
        ask(second, corpus.PUMP_QUESTION)
        expect(second.locator("#live .progress.waiting")).to_have_text("1 question ahead", timeout=20_000)
        ask(third, corpus.PUMP_QUESTION)
        expect(third.locator("#live .progress.waiting")).to_have_text("前面还有 2 个问题", timeout=20_000)
        # Meanwhile nothing else waits.
        third.get_by_role("tab", name="文档").click()
        expect(third.locator("#files .row").first).to_be_visible(timeout=2_000)
        third.fill("#filter input, #filter textarea", "maintenance")
        expect(third.locator("#files .row")).to_have_count(1)
    for page in (first, second, third):
        assert "thirty months" in answered(page)


def test_one_question_does_not_wait_for_those_of_a_browser_with_many(window: Windows, server: Server) -> None:
    first = window()
    tabs = [first.context.new_page() for _ in range(2)]
    for tab in tabs:
        tab.goto(server.url)
        tab.wait_for_selector("#transcript :is(.opening, .turn)", state="attached")
    other = window()
    with server.slow_engine(first, corpus.PUMP_QUESTION):
        for place, tab in enumerate(tabs, start=1):
            ask(tab, corpus.PUMP_QUESTION)
            expect(tab.locator("#live .progress.waiting")).to_contain_text(str(place), timeout=20_000)
        ask(other, corpus.PUMP_QUESTION)
        expect(other.locator("#live .progress.waiting")).to_have_text("1 question ahead", timeout=20_000)
        # It has passed them, and they are told.
        for place, tab in enumerate(tabs, start=2):
            expect(tab.locator("#live .progress.waiting")).to_have_text(f"{place} questions ahead")
    for page in (other, first, *tabs):
        assert "thirty months" in answered(page)
