"""Conversations in the page: kept, left, found again, deleted."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser import corpus
from tests.browser.conftest import Server, Windows
from tests.browser.driving import DONE, answered, ask


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


def test_a_window_that_comes_back_in_the_middle_of_the_first_answer_finds_what_there_was(
    window: Windows, server: Server
) -> None:
    first = window()
    with server.slow_engine(first, corpus.PUMP_QUESTION):
        first.wait_for_function("location.search.includes('c=')")
        address = first.url.partition("?")[2]
        first.close()  # as a reload does
        second = window("/?" + address)
    expect(second.locator(f"{DONE} .note.stopped")).to_be_visible(timeout=60_000)
    expect(second.locator(".question")).to_contain_text("pump P-7")
    assert "c=" in second.url


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


def test_a_conversation_is_renamed_and_saved(window: Windows) -> None:
    page = window()
    ask(page, corpus.PUMP_QUESTION)
    answered(page)
    page.locator(".recent li.current").hover()
    page.locator(".recent li.current .rename").click()
    name = page.locator("dialog.rename input")
    expect(name).to_have_value(corpus.PUMP_QUESTION)
    name.fill("泵 P-7 <b>")
    name.press("Enter")
    expect(page.locator(".recent li.current .open")).to_have_text("泵 P-7 <b>")
    expect(page.locator("dialog")).to_have_count(0)
    with page.expect_download() as waited:
        page.get_by_role("link", name="Save this conversation").click()
    assert waited.value.suggested_filename.startswith("泵 P-7 b ")
    text = waited.value.path().read_text(encoding="utf-8")
    assert text.startswith("# 泵 P-7 <b>\n")
    assert "thirty months" in text
    assert "maintenance-plan.pdf, page 2: “" in text


def test_two_windows_ask_in_one_conversation(window: Windows, server: Server) -> None:
    first = window()
    ask(first, corpus.PUMP_QUESTION)
    answered(first)
    second = window("/?" + first.url.partition("?")[2])
    expect(second.locator(DONE)).to_have_count(1)
    with server.slow_engine(first, corpus.LEAVE_QUESTION):
        ask(second, corpus.PRICE_QUESTION)
        expect(second.locator("#live .turn")).to_be_visible()
    # The one that ends last shows both; each shows its own evidence.
    expect(second.locator(DONE)).to_have_count(3, timeout=180_000)
    assert "418 euros" in second.locator(f"{DONE} .answer").last.inner_text()
    for turn, words in ((2, "cooling tower"), (0, "pump P-7"), (1, "年假"), (2, "cooling tower")):
        second.locator(DONE).nth(turn).locator(".cite").first.click()
        expect(second.locator("#evidence .about")).to_contain_text(words)
    first.reload()
    expect(first.locator(DONE)).to_have_count(3)


def test_a_look_at_another_view_leaves_the_conversation_open(window: Windows) -> None:
    page = window()
    ask(page, corpus.PUMP_QUESTION)
    answered(page)
    for view in ("Documents", "System", "Evaluation", "Ask"):
        page.get_by_role("tab", name=view).click()
        assert "c=" in page.url, view
    ask(page, "And who inspects it?")
    answered(page, 2)
    page.get_by_role("tab", name="Documents").click()
    page.reload()
    expect(page.locator("#documents")).to_be_visible()
    page.get_by_role("tab", name="Ask").click()
    expect(page.locator(DONE)).to_have_count(2)
