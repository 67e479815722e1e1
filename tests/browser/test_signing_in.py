"""Signing in with a real browser: the page before, with a name, and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from ingest.sync import run
from rag import embedding
from rag import engine as engine_module
from rag.embedding.protocol import Embedder
from rag.engine.protocol import Engine
from rag.library import writing
from rag.settings import Settings
from tests.browser import corpus
from tests.browser.driving import DONE, answered, ask, overflow
from tests.ui.entry.serving import PASSWORD, Kept, served
from ui.entry.users import Users
from ui.service import Service


@dataclass
class Team:
    """A server whose one collection with papers ann may read, and bo may not."""

    url: str
    settings: Settings
    browser: Browser

    def page(self, *, language: str = "en-US", dark: bool = False, width: int = 1280) -> Page:
        context = self.browser.new_context(
            locale=language,
            color_scheme="dark" if dark else "light",
            viewport={"width": width, "height": 860},
        )
        context.set_default_timeout(30_000)
        page = context.new_page()
        page.goto(self.url)
        return page

    def readers(self, *names: str) -> None:
        with writing(self.settings) as writer:
            writer.set_readers("papers", names)


@pytest.fixture(scope="module")
def team(
    browser: Browser, embedder: Embedder, engine: Engine, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Team]:
    folder: Path = tmp_path_factory.mktemp("team")
    settings = Settings(home=folder / "home")
    run(settings, [corpus.write(folder / "papers")], "papers", embedder=embedder)
    for name in ("ann", "bo"):
        Users(settings.home).add(name, PASSWORD)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedding, "load", lambda settings: Kept(embedder))
        patch.setattr(engine_module, "load", lambda settings: Kept(engine))
        with served(Service(settings)) as url:
            made = Team(url, settings, browser)
            made.readers("ann")
            yield made


def sign_in(page: Page, name: str, password: str = PASSWORD) -> None:
    page.fill("#name", name)
    page.fill("#password", password)
    page.press("#password", "Enter")


def inside(page: Page, name: str) -> None:
    expect(page.locator("#who .name")).to_have_text(name)
    expect(page.locator("#transcript :is(.opening, .turn)").first).to_be_attached()


@pytest.mark.parametrize(("language", "title"), [("en-US", "Sign in"), ("zh-CN", "登录")])
@pytest.mark.parametrize("dark", [False, True])
def test_the_sign_in_page(team: Team, language: str, title: str, dark: bool) -> None:
    page = team.page(language=language, dark=dark, width=390)
    expect(page.locator("h1")).to_have_text(title)
    expect(page.locator("#name")).to_be_focused()
    assert not overflow(page)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(18, 22, 19)" if dark else "rgb(245, 245, 241)")
    sign_in(page, "ann")
    expect(page.locator(".sign-out")).to_be_visible()
    assert not overflow(page)
    page.context.close()


def test_a_wrong_password_is_told_and_the_name_stays(team: Team) -> None:
    page = team.page()
    sign_in(page, "ann", "not her password")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("#name")).to_have_value("ann")
    expect(page.locator("#password")).to_have_value("")
    sign_in(page, "ann")
    inside(page, "ann")
    page.context.close()


def test_each_sees_their_own(team: Team) -> None:
    ann, bo = team.page(), team.page()
    sign_in(ann, "ann")
    sign_in(bo, "bo")
    inside(ann, "ann")
    inside(bo, "bo")
    ask(ann, corpus.PUMP_QUESTION)
    assert "thirty months" in answered(ann)
    expect(bo.locator("#collections")).not_to_contain_text("papers")
    expect(bo.locator(".recent")).not_to_contain_text("pump")
    bo.goto(ann.url)
    inside(bo, "bo")
    expect(bo.locator("#transcript")).not_to_contain_text("thirty months")
    # A right that is lost is lost in an open window as well.
    team.readers("bo")
    expect(ann.locator(f"{DONE} .answer")).to_contain_text("you may no longer read")
    expect(ann.locator("body")).not_to_contain_text("thirty months")
    expect(bo.locator("#collections")).to_contain_text("papers")
    team.readers("ann")
    ann.context.close()
    bo.context.close()


def test_a_link_in_a_mail_leads_to_the_page_and_not_to_the_sign_in(team: Team) -> None:
    page = team.page()
    sign_in(page, "ann")
    inside(page, "ann")
    other = page.context.new_page()
    other.goto(team.url.replace("127.0.0.1", "localhost"))  # another site
    other.evaluate(
        """url => {
          const link = Object.assign(document.createElement('a'), {href: url, id: 'link', text: 'x'});
          document.body.append(link);
        }""",
        team.url,
    )
    other.click("#link")
    inside(other, "ann")
    page.context.close()


def test_signing_out_in_one_window_ends_the_others(team: Team) -> None:
    page = team.page()
    sign_in(page, "ann")
    inside(page, "ann")
    other = page.context.new_page()
    other.goto(team.url)
    inside(other, "ann")
    page.click(".sign-out")
    expect(page.locator("#name")).to_be_visible()
    other.bring_to_front()
    expect(other.locator("#password")).to_be_visible()
    page.go_back()
    expect(page.locator("#password")).to_be_visible()
    page.context.close()
