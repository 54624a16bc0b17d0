"""A decision from being saved to its link being withdrawn, on each database, in browsers with nothing in common."""

from __future__ import annotations

import re
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import serving, settle
from tests.browser.test_journeys import SAFE, headline
from tests.browser.test_scenarios_journey import find, limit, open_first, save, saved_as, start

pytestmark = pytest.mark.browser

NAME = "The whole way"


@pytest.fixture
def settings(database, url):
    """The setting that puts the store where the test wants it; SQLite is what the app takes without one."""
    return {} if database == "sqlite" else {"PLIMSOLL_DATABASE_URL": url}


@pytest.fixture
def server(root, tmp_path, settings):
    with serving(root, tmp_path, **settings) as address:
        yield address


@contextmanager
def elsewhere(browser, arguments, address):
    """Open an address in a browser that never saw the app."""
    context = browser.new_context(**arguments)
    try:
        page = context.new_page()
        page.goto(address, timeout=60_000)
        settle(page)
        yield page
    finally:
        context.close()


def test_save_reload_compare_share_fork_and_withdraw(visit, browser, browser_context_args, root, tmp_path, settings):
    page = start(visit, NAME)
    saved_as(page, NAME, 1)
    first = headline(page)
    page.reload()
    settle(page)
    assert headline(page) == first
    expect(page.get_by_text(f"{NAME} · version 1").first).to_be_visible()
    limit(page, "450")
    expect(page.get_by_text(re.compile("not saved$")).first).to_be_visible()
    second = headline(page)
    assert second != first
    save(page, message="looser first token")
    saved_as(page, NAME, 2)

    opened_from_the_list(page)
    expect(page.get_by_test_id("stMain")).to_contain_text("450")

    link = new_link(page)
    with elsewhere(browser, browser_context_args, link) as other:
        assert headline(other) == second
        expect(other.locator(".st-key-target_add, .st-key-save_open")).to_have_count(0)
        other.locator(".st-key-make_copy button").click()
        expect(other.locator(".st-key-target_add")).to_be_visible()
        settle(other)
        assert headline(other) == second
        limit(other, "200")
        save(other, "A copy of the way")
        saved_as(other, "A copy of the way", 1)
        copied = headline(other)

    # The same store, served anew: what was saved and sent has to be there.
    with serving(root, tmp_path, **settings) as again:
        with elsewhere(browser, browser_context_args, again + link[link.index("/?s=") :]) as other:
            assert headline(other) == second
        with elsewhere(browser, browser_context_args, f"{again}/scenarios?q=way") as other:
            expect(other.get_by_text("2 scenarios found")).to_be_visible()
            open_first(other)
            assert headline(other) == copied

    restore_the_first(page)
    assert headline(page) == first
    page.reload()
    settle(page)
    assert headline(page) == first

    page.locator(".st-key-scenario_part").get_by_text("Links").click()
    page.locator("[class*=st-key-link_revoke_] button").first.click()
    expect(page.get_by_text("Links that open no more (1)")).to_be_visible()
    with elsewhere(browser, browser_context_args, link) as other:
        expect(other.get_by_test_id("stAlert")).to_contain_text("withdrawn")
        expect(other.get_by_role("heading", name=SAFE)).to_have_count(0)
        expect(other.get_by_text(NAME)).to_have_count(0)


def opened_from_the_list(page):
    """Find the two versions in the list, after a reload too, and open what they differ in."""
    find(page, NAME)
    expect(page.get_by_text("2 versions")).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]q=The"))
    page.reload()
    settle(page)
    expect(page.locator(".st-key-find input")).to_have_value(NAME)
    open_first(page)
    page.locator(".st-key-scenario_part").get_by_text("Versions").click()
    expect(page.get_by_text(re.compile("1 input differs"))).to_be_visible()
    expect(page.get_by_text("looser first token")).to_be_visible()


def restore_the_first(page):
    """Make the newest version of the first one, and show its numbers."""
    page.locator(".st-key-scenario_part").get_by_text("Versions").click()
    page.locator(".st-key-version_restore_1 button").first.click()
    expect(page.get_by_text("made from version 1")).to_be_visible()
    page.locator(".st-key-scenario_part").get_by_text("Numbers as saved").click()
    settle(page)


def new_link(page):
    """Make a link to the scenario whose page is open, and return it."""
    page.locator(".st-key-scenario_part").get_by_text("Links").click()
    expect(page.get_by_text("nothing can be changed through it")).to_be_visible()
    settle(page)
    page.locator("[class*=st-key-link_new_] button").click()
    settle(page)
    code = page.get_by_test_id("stCode").filter(has_text="?s=").first
    expect(code).to_be_visible()
    return code.inner_text().strip()
