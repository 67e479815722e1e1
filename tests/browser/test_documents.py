"""Documents in the page: added, named as they are, deleted."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser import corpus
from tests.browser.conftest import Server, Windows
from tests.browser.driving import DONE, answered, ask


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
