"""What memory allows, in a real browser: a config.json dropped, an accelerator chosen, kept over a reload, undone."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import settle, whole
from tests.limits import configs

pytestmark = pytest.mark.browser


def test_a_config_and_an_accelerator_tell_what_memory_allows(visit):
    page = visit("/")
    page.locator(".st-key-sample button").click()
    settle(page)
    body = page.get_by_test_id("stMain")
    page.get_by_text("What memory allows").click()
    dropped = {"name": "config.json", "mimeType": "application/json", "buffer": json.dumps(configs.LLAMA_8B).encode()}
    page.locator("[class*=st-key-allows_drop] input[type=file]").set_input_files(dropped)
    expect(body).to_contain_text("Choose the accelerator to see what its memory allows")
    settle(page)
    chosen = page.get_by_role("combobox", name="Accelerator", exact=True)
    # A list that was opened by a click alone is shut again where the page is drawn anew just then; typing opens it.
    chosen.click()
    chosen.fill("L4")
    page.get_by_role("option", name="L4", exact=True).click()
    # 15.0 GB at 300 GB/s, and the cache of one request.
    expect(body).to_contain_text(whole("No load meets TPOT p99 ≤ 50 ms"))
    expect(page.locator("[class*=st-key-allows][class*=bar] .js-plotly-plot").first).to_be_visible()
    settle(page)
    page.reload()
    settle(page)
    expect(body).to_contain_text(whole("No load meets TPOT p99 ≤ 50 ms"))
