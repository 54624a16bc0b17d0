"""A price as a person comes to it: picked from the list, its pools confirmed, read with its age, kept."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import settle
from tests.browser.test_journeys import upload

pytestmark = pytest.mark.browser

COST = re.compile(r"\$[\d.]+ per million output tokens \(\$[\d.]+–\$[\d.]+\)")


def test_a_picked_price_is_confirmed_read_and_kept(visit, shared_data):
    folder = shared_data / "public/vllm_benchmark_serving_json/SemiAnalysisAI__InferenceX/gpt-oss-120b_16gpu_1p1d"
    files = sorted(folder.glob("*.json"))
    if not files:
        pytest.skip("the published files are not here")
    page = visit("/?t=tpot-p99-16ms")
    upload(page, files)
    body = page.get_by_test_id("stMain")
    expect(body).to_contain_text("no price given: no cost")
    page.locator(".st-key-price_pick button").first.click()
    choice = page.locator(".st-key-price_pick_accelerator input")
    choice.fill("H100-SXM")
    choice.press("Enter")
    settle(page)
    page.locator(".st-key-price_pick_use button").click()
    settle(page)
    # The list closes by itself once its price is used.
    expect(page.locator(".st-key-price_pick_use button")).to_be_hidden()
    expect(body.get_by_text(re.compile("old price: ")).first).to_be_visible()
    expect(body).to_contain_text(COST)
    # The file names 8 accelerators for prefill and 8 for decode: 6.88 × 16 = 110.08 an hour.
    expect(body).to_contain_text("$110 per hour in all")
    page.get_by_role("button", name="These numbers are right").click()
    settle(page)
    expect(body).to_contain_text("Confirmed: both pools are on the bill")
    page.get_by_text("How each number is worked out").click()
    expect(body).to_contain_text("bill per hour × 10⁶ ÷ (3,600 × output tokens/s × share inside the targets)")
    expect(body).to_contain_text("8 for prefill + 8 for decode")
    cost = COST.search(body.inner_text())[0]
    page.reload()
    settle(page)
    expect(body).to_contain_text(cost)
    expect(body).to_contain_text("Confirmed: both pools are on the bill")
    expect(body).to_contain_text("old price: ")
