"""A decision is saved, found, compared, restored and taken away, in a real browser; two who save at once both stay."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settle
from tests.browser.test_journeys import headline

pytestmark = pytest.mark.browser


def start(visit, name: str, limit: str = "300") -> Page:
    """Answer the sample, and save it under a name."""
    page = visit(f"/?t=ttft-p99-{limit}ms")
    page.locator(".st-key-sample button").click()
    headline(page)
    save(page, name)
    return page


def save(page: Page, name: str | None = None, message: str = "") -> None:
    """Fill the form and save; the form stays open."""
    if not page.locator(".st-key-save_name").is_visible():
        page.locator(".st-key-save_open button").first.click()
        settle(page)  # a field that was left by the click may have changed which form is asked
    if message:
        box = page.locator(".st-key-save_message input")
        box.fill(message)
        box.blur()
    if name:
        box = page.locator(".st-key-save_name input")
        box.fill(name)
        box.blur()
    settle(page)
    page.locator(".st-key-save button").click()
    settle(page)


def saved_as(page: Page, name: str, version: int) -> None:
    expect(page.get_by_text(f'Saved as "{name}", version {version}')).to_be_visible()
    page.keyboard.press("Escape")


def limit(page: Page, milliseconds: str) -> None:
    """Move the first target."""
    box = page.locator(".st-key-target_value_0 input")
    box.fill(milliseconds)
    box.press("Enter")
    settle(page)


def find(page: Page, words: str) -> None:
    """Go to the list and search it."""
    page.get_by_test_id("stTopNavLink").filter(has_text="Scenarios").click()
    expect(page.locator(".st-key-find")).to_be_visible()
    box = page.locator(".st-key-find input")
    box.fill(words)
    box.press("Enter")
    settle(page)


def open_first(page: Page) -> None:
    page.locator("[class*=st-key-reopen_] button").first.click()
    expect(page.locator(".st-key-scenario_back")).to_be_visible()
    settle(page)


def go_on(page: Page) -> None:
    page.locator(".st-key-go_on button").first.click()
    expect(page.locator(".st-key-target_add")).to_be_visible()
    settle(page)


def test_the_second_who_saves_is_told_sees_both_and_keeps_both(visit, browser, browser_context_args, server):
    """What the other two choices do is held by tests/pages/test_saving_at_once.py."""
    name = "Conflict journey"
    mine = start(visit, name)
    saved_as(mine, name, 1)
    elsewhere = browser.new_context(**browser_context_args)
    try:
        theirs = elsewhere.new_page()
        theirs.goto(f"{server}/scenarios?q={name.replace(' ', '+')}", timeout=60_000)
        settle(theirs)
        open_first(theirs)
        go_on(theirs)
        limit(theirs, "450")
        save(theirs, message="theirs is looser")
        saved_as(theirs, name, 2)

        limit(mine, "200")
        own = headline(mine)
        save(mine, message="mine is tighter")
        dialog = mine.get_by_role("dialog", name="There is a newer version")
        expect(dialog).to_contain_text("as version 2")
        expect(dialog).to_contain_text("theirs is looser")
        mine.keyboard.press("Escape")
        expect(mine.locator(".st-key-conflict_open button")).to_be_visible()
        settle(mine)
        assert headline(mine) == own
        mine.locator(".st-key-conflict_open button").click()
        dialog.locator(".st-key-conflict_theirs button").click()
        expect(mine.locator(".st-key-conflict_open")).to_have_count(0)
        settle(mine)
        expect(mine.get_by_text(f"{name} · version 2").first).to_be_visible()
        assert headline(mine) != own

        # What was not saved is gone on with in the other browser.
        find(theirs, name)
        theirs.get_by_text(re.compile(r"Unsaved work \(\d+\)")).click()
        theirs.locator("[class*=st-key-draft_continue_] button").first.click()
        expect(theirs.locator(".st-key-target_value_0 input")).to_have_value("200")
        settle(theirs)
        assert headline(theirs) == own
    finally:
        elsewhere.close()

    find(mine, name)
    mine.locator("[class*=st-key-scenario_menu_] button").first.click()
    mine.get_by_text("Delete", exact=True).click()
    expect(mine.get_by_text("is deleted")).to_be_visible()
    expect(mine.get_by_text("0 scenarios found")).to_be_visible()
    mine.locator(".st-key-scenario_undo button").click()
    expect(mine.get_by_text("1 scenario found")).to_be_visible()
