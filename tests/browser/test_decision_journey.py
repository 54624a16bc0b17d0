"""A person's own columns: typed as people type, saved, changed, and found wherever the decision is shown."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from pypdf import PdfReader

from tests.browser.conftest import settle, whole
from tests.browser.test_journeys import headline, upload
from tests.browser.test_scenarios_journey import find, open_first, save, saved_as
from tests.pages.test_plan_page import bench

pytestmark = pytest.mark.browser

LOADS = [(1, 60, 8), (16, 90, 12), (64, 160, 22), (256, 900, 71)]


def files():
    """The files of two runs, of models that tell them apart."""
    return [
        {
            "name": f"{model}_{load}.json",
            "mimeType": "application/json",
            "buffer": bench(load, ttft, tpot).replace(b"example/model-8b", f"example/{model}".encode()),
        }
        for model in ("first-8b", "second-8b")
        for load, ttft, tpot in LOADS
    ]


def unfold(page: Page) -> None:
    page.get_by_text("Demand and what else decides").click()


def fields(page: Page, column: int) -> Locator:
    """The fields of one column, in the order of the runs."""
    return page.locator(f"[class*=st-key-decision_value_{column}_] input")


def kept(page: Page, text: str) -> None:
    """What was typed stands in the comparison of the runs."""
    expect(page.get_by_test_id("stDataFrame").filter(has_text=text).first).to_be_attached()


def linked(page: Page) -> str:
    """Make a link to what was saved last."""
    page.locator(".st-key-save_open button").first.click()
    page.get_by_text("Send it as a link").click()
    settle(page)
    page.locator("[class*=st-key-link_new_] button").click()
    settle(page)
    code = page.locator("[data-testid=stPopoverBody]").get_by_test_id("stCode").first
    expect(code).to_contain_text("?s=")
    link = code.inner_text().strip()
    page.keyboard.press("Escape")
    return link


def typed_in_one_go(page: Page) -> None:
    """Type from field to field without a pause, add a column by a click in the middle of typing, and go on."""
    fields(page, 0).first.click()
    page.keyboard.type("12 weeks")
    page.keyboard.press("Tab")
    expect(fields(page, 0).nth(1)).to_be_focused()
    page.keyboard.type("3 weeks")
    page.locator("[class*=st-key-decision_add_Vendor] button").click()
    fields(page, 1).first.click()
    page.keyboard.type("Acme")


def test_own_columns_are_typed_saved_shared_compared_and_printed(visit, browser, browser_context_args):
    page = visit("/?t=ttft-p99-300ms")
    upload(page, files())
    headline(page)
    unfold(page)
    page.locator("[class*=st-key-decision_add_Lead] button").click()
    typed_in_one_go(page)
    save(page, "Own columns")
    saved_as(page, "Own columns", 1)
    page.reload()
    settle(page)
    unfold(page)
    for column, at, text in ((0, 0, "12 weeks"), (0, 1, "3 weeks"), (1, 0, "Acme"), (1, 1, "")):
        expect(fields(page, column).nth(at)).to_have_value(text)
    kept(page, "Acme")
    fields(page, 0).nth(1).fill("5 weeks")
    page.keyboard.press("Tab")
    # What was typed changes what the button for saving offers.
    settle(page)
    save(page, message="later")
    saved_as(page, "Own columns", 2)

    link = linked(page)
    elsewhere = browser.new_context(**browser_context_args)
    try:
        other = elsewhere.new_page()
        other.goto(link, timeout=60_000)
        settle(other)
        table = other.get_by_test_id("stDataFrame").filter(has_text="12 weeks").first
        expect(table).to_contain_text("5 weeks")
        expect(table).to_contain_text("Acme")
    finally:
        elsewhere.close()

    page.get_by_test_id("stTopNavLink").filter(has_text="Report").click()
    expect(page.get_by_text("One page, as the PDF prints it")).to_be_visible(timeout=60_000)
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("PDF")).click()
    (sheet,) = PdfReader(io.BytesIO(Path(download.value.path()).read_bytes())).pages
    assert whole("Lead time", "Vendor", "12 weeks", "Acme", "5 weeks").search(sheet.extract_text())

    find(page, "own columns")
    open_first(page)
    page.locator(".st-key-scenario_part").get_by_text("Versions").click()
    differences = page.get_by_test_id("stDataFrame").filter(has_text="3 weeks").first
    expect(differences).to_contain_text("5 weeks")
    expect(page.get_by_text(re.compile("1 input differs"))).to_be_visible()
