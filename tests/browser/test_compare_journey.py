"""Three runs, one of other lengths: not ranked, the way out, what is accepted, the leader, the file, the saved view."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settle
from tests.browser.test_scenarios_journey import save, saved_as
from tests.compare.compare_build import table

pytestmark = pytest.mark.browser

ASKED = "/?t=tpot-p99-30ms&t=ttft-p99-800ms&price=2.5/gpu-h&demand=500-concurrency"
LEADER = "llama-3.1-70b · 8 × H200"


def files():
    three = {"a": {}, "b": {"gpu": "8xMI300X", "slower": 1.3}, "c": {"gpu": "8xH200", "slower": 0.9, "isl": 8192}}
    return [
        {"name": f"{name}.csv", "mimeType": "text/csv", "buffer": table(**sweep).encode()}
        for name, sweep in three.items()
    ]


def upload(page: Page) -> None:
    """Hand the files over, and wait until they are answered, however busy the machine is."""
    page.get_by_test_id("stFileUploader").locator("input[type=file]").first.set_input_files(files())
    expect(page.get_by_text("Files read: 3 · runs: 3").first).to_be_visible(timeout=90_000)
    settle(page)


def first(page: Page):
    return page.locator("h3").first


def accept(page: Page) -> None:
    """Let every difference stand, one condition after the other."""
    boxes = page.locator("[class*=st-key-compare_accept_]")
    for place in range(boxes.count()):
        boxes.nth(place).locator("label").click()
        settle(page)


def test_three_runs_one_of_other_lengths(visit, tmp_path: Path):
    page = visit(ASKED)
    upload(page)
    page.get_by_role("link", name="Compare").click()
    settle(page)
    expect(first(page)).to_contain_text("Not ranked: Lengths, Hardware and engine differ")
    expect(page.get_by_text(f"Remeasure {LEADER} at 1k/256").first).to_be_visible()
    expect(page.get_by_text("How many times")).to_have_count(0)
    expect(page.locator(".js-plotly-plot")).to_have_count(2)

    accept(page)
    expect(first(page)).to_contain_text(f"{LEADER} leads by the cost a month of what the demand needs")
    expect(page.get_by_text("Accepted differences: Input tokens, mean: 1,024 against 8,192").first).to_be_visible()
    said = page.get_by_text(re.compile(r"carries 1\.\d+× \(1[.\d]*–1\.\d+\) the concurrent requests")).first
    expect(said).to_be_visible()

    with page.expect_download() as waiting:
        page.get_by_role("button", name="Numbers as CSV").first.click()
    shown = waiting.value.path().read_text(encoding="utf-8-sig")
    assert said.inner_text() in shown
    assert "Accepted differences: Input tokens, mean: 1,024 against 8,192" in shown

    # A reload, a saved version and the memo's page keep what was accepted.
    page.reload()
    settle(page)
    expect(first(page)).to_contain_text(f"{LEADER} leads")
    page.get_by_role("link", name="Plan").click()
    settle(page)
    expect(page.get_by_text(f"{LEADER} leads by the cost a month").first).to_be_visible()
    save(page, "Which one")
    saved_as(page, "Which one", 1)
