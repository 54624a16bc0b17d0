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


def test_save_reload_new_version_compare_and_restore(visit):
    page = start(visit, "Versions journey")
    saved_as(page, "Versions journey", 1)
    before = headline(page)
    page.reload()
    settle(page)
    assert headline(page) == before
    expect(page.get_by_text("Versions journey · version 1").first).to_be_visible()
    limit(page, "450")
    expect(page.get_by_text(re.compile("not saved$")).first).to_be_visible()
    after = headline(page)
    save(page, message="looser first token")
    saved_as(page, "Versions journey", 2)

    find(page, "versions journey")
    expect(page.get_by_text("2 versions")).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]q=versions"))
    page.reload()
    settle(page)
    expect(page.locator(".st-key-find input")).to_have_value("versions journey")
    open_first(page)
    assert headline(page) == after
    page.locator(".st-key-scenario_part").get_by_text("Versions").click()
    expect(page.get_by_text("looser first token")).to_be_visible()
    expect(page.get_by_text(re.compile("1 input differs"))).to_be_visible()
    page.locator(".st-key-version_restore_1 button").first.click()
    expect(page.get_by_text("made from version 1")).to_be_visible()
    page.locator(".st-key-scenario_part").get_by_text("Numbers as saved").click()
    settle(page)
    assert headline(page) == before
    page.reload()
    settle(page)
    assert headline(page) == before


@pytest.mark.parametrize("choice", ["mine", "theirs", "own"])
def test_the_second_who_saves_is_told_sees_both_and_chooses(visit, browser, browser_context_args, server, choice):
    name = f"Conflict {choice}"
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
    finally:
        elsewhere.close()
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
    dialog.locator(f".st-key-conflict_{choice} button").click()
    expect(mine.locator(".st-key-conflict_open")).to_have_count(0)
    settle(mine)
    match choice:
        case "mine":
            expect(mine.get_by_text(f"{name} · version 3").first).to_be_visible()
            assert headline(mine) == own
        case "theirs":
            expect(mine.get_by_text(f"{name} · version 2").first).to_be_visible()
            assert headline(mine) != own
            find(mine, name)
            mine.get_by_text(re.compile(r"Unsaved work \(\d+\)")).click()
            mine.locator("[class*=st-key-draft_continue_] button").first.click()
            expect(mine.locator(".st-key-target_add")).to_be_visible()
            settle(mine)
            assert headline(mine) == own
        case _:
            expect(mine.get_by_text(f"{name} (mine) · version 1").first).to_be_visible()
            assert headline(mine) == own


def test_what_is_deleted_is_brought_back(visit):
    page = start(visit, "Deleted journey")
    saved_as(page, "Deleted journey", 1)
    find(page, "deleted journey")
    page.locator("[class*=st-key-scenario_menu_] button").first.click()
    page.get_by_text("Delete", exact=True).click()
    expect(page.get_by_text("is deleted")).to_be_visible()
    expect(page.get_by_text("0 scenarios found")).to_be_visible()
    page.locator(".st-key-scenario_undo button").click()
    expect(page.get_by_text("1 scenario found")).to_be_visible()


def test_unsaved_work_is_found_and_gone_on_with(visit, browser, browser_context_args, server):
    page = visit("/?t=ttft-p99-275ms")
    page.locator(".st-key-sample button").click()
    before = headline(page)
    settle(page)
    later = browser.new_context(**browser_context_args)
    try:
        other = later.new_page()
        other.goto(f"{server}/scenarios", timeout=60_000)
        settle(other)
        other.get_by_text(re.compile(r"Unsaved work \(\d+\)")).click()
        other.locator("[class*=st-key-draft_continue_] button").first.click()
        expect(other.locator(".st-key-target_value_0 input")).to_have_value("275")
        assert headline(other) == before
    finally:
        later.close()
