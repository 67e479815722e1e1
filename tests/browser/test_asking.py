"""An answer in the page: it streams, is cited, can be checked and copied, and what is missing is said."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser import corpus
from tests.browser.conftest import Server, Windows
from tests.browser.driving import DONE, answered, ask, remember


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


def test_an_answer_can_be_copied(window: Windows) -> None:
    page = window()
    ask(page, corpus.PUMP_QUESTION)
    answered(page)
    page.locator(f"{DONE} .copy").click()
    expect(page.locator(f"{DONE} .copy")).to_have_text("Copied")
    assert "thirty months" in page.evaluate("navigator.clipboard.readText()")


def test_a_long_question_leaves_room_for_its_answer(window: Windows) -> None:
    page = window(width=390, height=844)
    asked = (
        "Somebody mentioned the machines of the hall, and much was said about it. " * 38
        + corpus.PUMP_QUESTION
    )
    ask(page, asked)
    assert "thirty months" in answered(page)
    bubble = page.locator(f"{DONE} .question")
    box = bubble.bounding_box()
    assert box is not None
    assert box["height"] < 260
    bubble.get_by_role("button", name="Show the whole question").click()
    box = bubble.bounding_box()
    assert box is not None
    assert box["height"] > 1000
    expect(bubble.locator("p")).to_have_text(asked)
    bubble.get_by_role("button", name="Show less").click()
    expect(bubble.get_by_role("button")).to_have_attribute("aria-expanded", "false")
