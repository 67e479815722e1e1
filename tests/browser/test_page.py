"""The page in a real browser, on the real rooms."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import corpus
from tests.browser.conftest import ROOT, Server, Windows, environment

DONE = "#transcript .turn:is(.finished, .failed)"


def ask(page: Page, question: str) -> None:
    page.fill("#question textarea", question)
    page.press("#question textarea", "Enter")


def answered(page: Page, turns: int = 1) -> str:
    """Waits for the answer and returns its text."""
    expect(page.locator(DONE)).to_have_count(turns, timeout=60_000)
    expect(page.locator("#live .turn")).to_have_count(0)
    return page.locator(f"{DONE} .answer").last.inner_text()


def remember(page: Page, selector: str) -> None:
    """From now on the page collects in window.seen every text that an element under #live has shown."""
    page.evaluate(
        """selector => {
          window.seen = new Set();
          new MutationObserver(() => {
            const found = document.querySelector(selector);
            if (found) window.seen.add(found.innerText);
          }).observe(document.querySelector('#live'), {childList: true, subtree: true, characterData: true});
        }""",
        selector,
    )


def overflow(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


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


def test_an_answer_streams_with_citations_and_their_evidence(window: Windows, server: Server) -> None:
    page = window()
    remember(page, "#live .text")
    ask(page, corpus.PUMP_QUESTION)
    expect(page.locator("#stop")).to_be_visible()
    assert "thirty months" in answered(page)
    assert page.evaluate("window.seen.size") >= 1
    expect(page.locator("#stop")).to_be_hidden()
    expect(page.locator("#send")).to_be_visible()
    mark = page.locator(f"{DONE} .cite").first
    number = mark.inner_text()
    card = page.locator(f'#evidence .card[data-n="{number}"]')
    expect(card.locator(".file")).to_have_text("maintenance-plan.pdf")
    expect(card.locator(".place")).to_contain_text("Page")
    expect(card.locator("mark.quoted").first).to_be_visible()
    expect(card.locator(".verdict.ok")).to_contain_text("page 2")
    mark.click()
    expect(card).to_have_class(re.compile("aimed"))
    expect(card).to_be_in_viewport()
    expect(page.locator(".foot .note.ok")).to_contain_text("checked")


def test_the_evidence_scrolls_in_its_own_column(window: Windows) -> None:
    page = window(height=420)
    ask(page, corpus.PUMP_QUESTION)
    answered(page)
    last = page.locator("#evidence .card").last
    expect(last.locator("blockquote").first).not_to_be_in_viewport()
    page.locator("#evidence h2").hover()
    page.mouse.wheel(0, 20_000)
    expect(last.locator("blockquote").first).to_be_in_viewport()
    expect(page.locator("#question")).to_be_in_viewport()


def test_the_page_of_a_pdf_is_shown_with_the_words_marked(window: Windows) -> None:
    page = window()
    ask(page, corpus.PUMP_QUESTION)
    answered(page)
    with page.expect_response(re.compile(r"/pages/[0-9a-f]{64}/2\.png")) as waited:
        page.get_by_role("button", name="See page 2").first.click()
    assert waited.value.headers["x-pages"] == "3"
    assert int(waited.value.headers["x-boxes"]) >= 1
    expect(page.locator("dialog.viewer img")).to_be_visible()
    page.get_by_role("button", name="Next page").click()
    expect(page.locator("dialog.viewer h2")).to_contain_text("Page 3")
    expect(page.get_by_role("button", name="Next page")).to_be_disabled()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_chinese_questions_find_chinese_papers(window: Windows) -> None:
    page = window(language="zh-CN")
    ask(page, corpus.LEAVE_QUESTION)
    assert "十五天" in answered(page)
    expect(page.locator("#evidence .card .file").first).to_have_text("【员工手册】(终稿)#1.txt")
    expect(page.locator("#evidence mark").first).to_be_visible()


def test_what_is_not_in_the_papers_is_said_plainly(window: Windows) -> None:
    page = window()
    ask(page, "Who painted the ceiling of the Sistine Chapel?")
    answered(page)
    expect(page.locator(f"{DONE} .text.not-found")).to_be_visible()
    expect(page.locator(f"{DONE} .cite")).to_have_count(0)


def test_a_conversation_survives_a_reload_and_can_be_left_and_found_again(window: Windows) -> None:
    page = window()
    ask(page, corpus.PUMP_QUESTION)
    first = answered(page)
    ask(page, corpus.PRICE_QUESTION)
    answered(page, 2)
    # The evidence of the first turn comes back with a click on its citation.
    page.locator(f"{DONE} .cite").first.click()
    expect(page.locator("#evidence .about")).to_contain_text("pump P-7")
    page.reload()
    expect(page.locator(DONE)).to_have_count(2)
    assert page.locator(f"{DONE} .answer").first.inner_text() == first
    expect(page.locator("#evidence .about")).to_contain_text("cooling tower")
    page.click("#new")
    expect(page.locator(".opening")).to_be_visible()
    assert "c=" not in page.url
    page.locator(".recent .open", has_text="pump P-7").first.click()
    expect(page.locator(DONE)).to_have_count(2)
    assert "c=" in page.url
    page.locator(".recent li.current").hover()
    page.locator(".recent li.current .forget").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator(".opening")).to_be_visible()


def test_the_list_of_conversations_stays_open_when_their_order_changes(window: Windows) -> None:
    page = window()
    ask(page, corpus.PUMP_QUESTION)
    answered(page)
    page.click("#new")
    ask(page, corpus.LEAVE_QUESTION)
    answered(page)
    page.locator(".recent .open", has_text="pump P-7").first.click()
    expect(page.locator(DONE)).to_contain_text("thirty months")
    ask(page, "And where is it?")
    answered(page, 2)
    expect(page.locator(".recent .open").first).to_be_visible()
    expect(page.locator(".recent .open").first).to_contain_text("pump P-7")
    # A reader who closes it finds it closed after the next answer.
    page.locator(".recent summary").click()
    ask(page, "And where is it?")
    answered(page, 3)
    expect(page.locator(".recent .open").first).to_be_hidden()


def test_stop_leaves_the_engine_idle_within_a_second(window: Windows, server: Server) -> None:
    page = window()
    with server.slow_engine(page, corpus.PUMP_QUESTION):
        page.click("#stop")
    server.wait_for(lambda health: health["engine"] == "ready" and not health["under_way"], 1.0)
    answered(page)
    expect(page.locator(f"{DONE} .note.stopped")).to_have_text("Stopped")
    ask(page, corpus.PUMP_QUESTION)
    assert "thirty months" in answered(page, 2)


def test_a_new_conversation_leaves_the_answer_under_way(window: Windows, server: Server) -> None:
    page = window()
    kept = page.locator(".recent .open").count()
    with server.slow_engine(page, corpus.PUMP_QUESTION):
        page.click("#new")
        expect(page.locator(".opening")).to_be_visible()
    server.wait_for(lambda health: health["engine"] == "ready" and not health["under_way"], 2)
    expect(page.locator("#send")).to_be_visible()
    expect(page.locator("#live .turn")).to_have_count(0)
    expect(page.locator(".opening")).to_be_visible()
    # What there was of it is kept.
    expect(page.locator(".recent .open")).not_to_have_count(kept)
    page.locator(".recent .open", has_text="pump P-7").first.click()
    expect(page.locator(f"{DONE} .note.stopped")).to_be_visible()


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


def test_names_are_shown_as_text_wherever_they_stand(window: Windows) -> None:
    page = window()
    ask(page, corpus.PRICE_QUESTION)
    assert "418 euros" in answered(page)
    card = page.locator("#evidence .card", has_text="418 euros")
    expect(card.locator(".file")).to_have_text(corpus.EVIL)
    expect(card.locator(".passage").first).to_contain_text("<script>alert(2)</script>")
    assert corpus.EVIL in (page.locator(f"{DONE} .cite").first.get_attribute("title") or "")
    page.get_by_role("tab", name="Documents").click()
    row = page.locator("#files .row", has_text="onerror")
    expect(row.locator(".path")).to_have_text(corpus.EVIL)
    row.locator(".delete").click()
    expect(page.locator("dialog .what")).to_have_text(corpus.EVIL)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("img[src='x']")).to_have_count(0)


def test_uploads_are_indexed_or_refused_with_a_reason_and_can_be_deleted(
    window: Windows, server: Server, tmp_path: Path
) -> None:
    good, bad = tmp_path / "【报告】(终稿)#1.txt", tmp_path / "torn.pdf"
    good.write_text("The canteen of the south hall opens at half past eleven on every working day.")
    bad.write_bytes(b"%PDF-1.7\n" + b"torn" * 300)
    page = window("/#documents")
    page.set_input_files("#files-input", [good, bad])
    expect(page.locator("#jobs .job")).to_have_count(2)
    expect(page.locator("#jobs .clear-jobs")).to_be_visible(timeout=60_000)
    expect(page.locator("#jobs .job.added .name")).to_have_text(good.name)
    expect(page.locator("#jobs .job:is(.failed, .skipped) .reason")).not_to_be_empty()
    row = page.locator("#files .row", has_text="【报告】")
    expect(row.locator(".state-live")).to_be_visible()
    expect(page.locator("#files .row", has_text="torn.pdf").locator(".reason")).not_to_be_empty()
    page.get_by_role("tab", name="Ask").click()
    ask(page, "When does the canteen of the south hall open?")
    assert "half past eleven" in answered(page)
    expect(page.locator("#evidence .card .file").first).to_have_text(good.name)
    page.get_by_role("tab", name="Documents").click()
    for name in ("【报告】", "torn.pdf"):
        found = page.locator("#files .row", has_text=name)
        found.locator(".delete").click()
        expect(page.locator("dialog")).to_contain_text("are deleted")
        page.locator("dialog .danger").click()
        expect(found).to_have_count(0, timeout=20_000)
    assert [path for path in (server.home / "uploads").rglob("*") if path.is_file()] == []
    page.get_by_role("tab", name="Ask").click()
    page.click("#new")
    expect(page.locator(".opening")).to_be_visible()
    ask(page, "When does the canteen of the south hall open?")
    assert "half past eleven" not in answered(page)


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


def test_an_answer_can_be_copied(window: Windows) -> None:
    page = window()
    ask(page, corpus.PUMP_QUESTION)
    answered(page)
    page.locator(f"{DONE} .copy").click()
    expect(page.locator(f"{DONE} .copy")).to_have_text("Copied")
    assert "thirty months" in page.evaluate("navigator.clipboard.readText()")


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
