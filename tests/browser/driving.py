"""What a reader does with the page: asks, waits for the answer, looks."""

from __future__ import annotations

from playwright.sync_api import Page, expect

DONE = "#transcript .turn:is(.finished, .failed)"


def ask(page: Page, question: str) -> None:
    page.fill("#question textarea", question)
    page.press("#question textarea", "Enter")


def answered(page: Page, turns: int = 1) -> str:
    """Waits for the answer and returns its text."""
    expect(page.locator(DONE)).to_have_count(turns, timeout=180_000)
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
