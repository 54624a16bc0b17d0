"""A link with conditions, from being made to being withdrawn while somebody reads it."""

from __future__ import annotations

import re
import struct
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import settle
from tests.browser.test_journeys import SAFE, headline

pytestmark = pytest.mark.browser

PRICE = 7920
MONEY = re.compile(r"\$\d|per million|\d per hour")
"""An amount; a field for a price, which a copy has, is none."""
TOLD = (b"7,920", struct.pack("<d", PRICE), struct.pack(">d", PRICE))
"""The ways in which the price could travel to a browser: as text, and as a number of eight bytes."""


def link_of(page, label, *, hide=False, ends=None):
    """Make a link to what was saved under the conditions, and return it."""
    page.locator("[class*=st-key-link_label_] input").fill(label)
    page.keyboard.press("Tab")
    settle(page)
    if ends:
        page.locator("[class*=st-key-link_ends_]").get_by_text(ends).click()
        settle(page)
    if hide:
        page.locator("[class*=st-key-link_prices_] label").first.click()
        settle(page)
    before = page.get_by_test_id("stCode").filter(has_text="?s=").count()
    page.locator("[class*=st-key-link_new_] button").click()
    expect(page.get_by_test_id("stCode").filter(has_text="?s=")).to_have_count(before + 1)
    settle(page)
    return page.get_by_test_id("stCode").filter(has_text="?s=").first.inner_text().strip()


@contextmanager
def reading(browser, arguments, address):
    """Open an address in a browser that never saw the app; give its page and all that the server sends it."""
    context = browser.new_context(**arguments)
    sent = []
    try:
        page = context.new_page()
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(_bytes(frame))))
        page.goto(address, timeout=60_000)
        settle(page)
        yield page, sent
    finally:
        context.close()


def _bytes(frame):
    return frame if isinstance(frame, bytes) else frame.encode()


def tells_price(sent):
    return any(form in frame for frame in sent for form in TOLD)


def to_list(page):
    """The ways from a page to the list of scenarios, where the prices stand."""
    return page.locator("a[href*='/scenarios']")


def saved_with_price(visit):
    """Save the sample with a price; return the page with its links in view, and its headline."""
    page = visit(f"/?t=ttft-p99-300ms&price={PRICE}/h")
    page.locator(".st-key-sample button").click()
    safe = headline(page)
    settle(page)
    expect(page.get_by_test_id("stMain")).to_contain_text(MONEY)
    page.locator(".st-key-save_open button").first.click()
    page.locator(".st-key-save_name input").fill("For the vendor")
    page.locator(".st-key-save_name input").press("Enter")
    expect(page.get_by_text('Saved as "For the vendor"')).to_be_visible()
    visit("/scenarios?q=vendor")
    page.locator("[class*=st-key-reopen_] button").first.click()
    expect(page.locator(".st-key-scenario_back")).to_be_visible()
    page.locator(".st-key-scenario_part").get_by_text("Links").click()
    expect(page.get_by_text("nothing can be changed through it")).to_be_visible()
    settle(page)
    return page, safe


def explore(page, safe):
    """Try another limit in the view, reload, and go back to what was saved."""
    body = page.get_by_test_id("stMain")
    page.locator(".st-key-try_targets label").first.click()
    limit = page.locator(".st-key-try_limit_0 input")
    limit.fill("150")
    limit.press("Enter")
    expect(body).to_contain_text("not what was saved")
    expect(page).to_have_url(re.compile("ttft-p99-150ms"))
    settle(page)
    explored = headline(page)
    assert explored != safe
    page.reload()
    settle(page)
    assert headline(page) == explored
    expect(body).to_contain_text(f'Saved was: "{safe}')
    page.locator(".st-key-try_back button").click()
    expect(body).to_contain_text("Numbers as saved")
    assert headline(page) == safe


def test_a_link_without_prices_is_read_explored_copied_and_withdrawn(visit, browser, browser_context_args):
    page, safe = saved_with_price(visit)
    whole = link_of(page, "With prices")
    link = link_of(page, "For ACME", hide=True, ends="after 7 days")
    expect(page.get_by_test_id("stMain")).to_contain_text(re.compile(r"without prices · until .* not opened yet"))

    with reading(browser, browser_context_args, whole) as (other, sent):
        assert headline(other) == safe
        expect(to_list(other)).not_to_have_count(0)
        assert tells_price(sent)
    with reading(browser, browser_context_args, link) as (copying, sent):
        copying.locator(".st-key-make_copy button").click()
        expect(copying.locator(".st-key-target_add")).to_be_visible()
        assert headline(copying) == safe
        expect(to_list(copying)).to_have_count(0)
        settle(copying)
        assert not MONEY.search(copying.get_by_test_id("stMain").inner_text())
        assert not tells_price(sent)
    with reading(browser, browser_context_args, link) as (other, sent):
        expect(other.get_by_test_id("stMain")).to_contain_text("prices are hidden in this view")
        explore(other, safe)
        assert not MONEY.search(other.get_by_test_id("stMain").inner_text())
        assert not tells_price(sent)

        page.locator("[class*=st-key-link_revoke_] button").first.click()
        page.get_by_text("Links that open no more (1)").click()
        expect(page.get_by_text(re.compile("withdrawn on .* opened 2 times"))).to_be_visible()
        other.locator(".st-key-try_targets label").first.click()
        expect(other.get_by_test_id("stAlert")).to_contain_text("withdrawn")
        expect(other.get_by_role("heading", name=SAFE)).to_have_count(0)
    with reading(browser, browser_context_args, link) as (other, _):
        expect(other.get_by_test_id("stAlert")).to_contain_text("withdrawn")
        expect(other.get_by_text("For the vendor")).to_have_count(0)
    with reading(browser, browser_context_args, whole) as (other, _):
        assert headline(other) == safe
