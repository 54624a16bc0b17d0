"""A table that nobody knows, in a real browser: refused, told about, read, answered, kept for the next one."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settle
from tests.pages.test_mapping import LATER, ODD

pytestmark = pytest.mark.browser


def upload(page: Page, name: str, text: str) -> None:
    files = {"name": name, "mimeType": "text/csv", "buffer": text.encode()}
    page.get_by_test_id("stFileUploader").locator("input[type=file]").first.set_input_files(files)


def choose(page: Page, key: str, words: str) -> None:
    box = page.locator(f".st-key-{key} input").first
    box.click()
    box.fill(words)
    page.get_by_role("option", name=words).first.click()
    settle(page)


def test_an_unknown_table_is_told_about_read_and_kept_for_the_next_one(visit, server, context):
    page = visit()
    body = page.get_by_test_id("stMain")
    upload(page, "부하시험.csv", ODD)
    page.get_by_role("button", name="Say what the columns are").click()
    expect(body).to_contain_text("What the columns of 부하시험.csv are")
    settle(page)
    expect(body).to_contain_text('"동접" was not recognised')
    expect(body).to_contain_text("Nothing can be read yet")
    expect(page.locator(".st-key-mapping_apply button")).to_be_disabled()

    choose(page, "mapping_role_0_0", "Load: Concurrent requests that were held")
    choose(page, "mapping_role_0_1", "Latency: Time to first token (TTFT)")
    choose(page, "mapping_statistic_0_1", "p99")
    expect(body).to_contain_text("says neither seconds nor milliseconds")
    choose(page, "mapping_unit_0_1", "seconds")
    expect(body).to_contain_text("8 levels would be read")

    page.locator(".st-key-mapping_keep label").first.click()
    name = page.locator(".st-key-mapping_name_0 input")
    expect(name).to_have_value("부하시험")
    name.fill("Load test team")
    name.press("Tab")
    settle(page)
    page.locator(".st-key-mapping_apply button").click()
    expect(body).to_contain_text("Load levels")
    settle(page)
    expect(body).not_to_contain_text("does not know what this file is")

    # The plan answers from it, and a reload loses nothing.
    page.get_by_test_id("stTopNavLink").filter(has_text="Plan").click()
    expect(body).to_contain_text("concurrent requests, safely")
    settle(page)
    expect(page).to_have_url(re.compile(r"[?&]d="))
    page.reload()
    expect(body).to_contain_text("concurrent requests, safely", timeout=60_000)
    settle(page)

    # Another visitor's table with the same headers is read at once, and says why.
    other = context.new_page()
    other.goto(server, timeout=60_000)
    settle(other)
    upload(other, "다음.csv", LATER)
    expect(other.get_by_test_id("stMain")).to_contain_text("concurrent requests, safely")
    settle(other)
    other.get_by_test_id("stTopNavLink").filter(has_text="Data").click()
    expect(other.get_by_test_id("stMain")).to_contain_text('kept as "Load test team"')
    other.get_by_text("Kept column meanings (1)").click()
    expect(other.get_by_test_id("stMain")).to_contain_text("Rename, download or delete")
