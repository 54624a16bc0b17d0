"""Fleet: from a file of requests over time to a monthly cost, kept over a reload and saved with the scenario."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settle
from tests.browser.test_journeys import headline, upload
from tests.browser.test_scenarios_journey import save, saved_as
from tests.pages.test_plan_page import bench

pytestmark = pytest.mark.browser

LOADS = [(1, 60, 8), (16, 90, 12), (64, 160, 22), (256, 900, 71)]
BY_HOUR = (
    90,
    60,
    45,
    40,
    40,
    55,
    110,
    240,
    480,
    760,
    860,
    880,
    780,
    840,
    872,
    846,
    790,
    620,
    440,
    370,
    330,
    280,
    210,
    150,
)
DEMAND = "hour,requests\n" + "".join(f"{hour},{count * 1000}\n" for hour, count in enumerate(BY_HOUR))


def files():
    return [
        {"name": f"c{load}.json", "mimeType": "application/json", "buffer": bench(load, ttft, tpot)}
        for load, ttft, tpot in LOADS
    ]


def replicas(page: Page) -> int:
    """The number of replicas in the sentence, once it is there."""
    told = page.get_by_role("heading", name=re.compile(r"[\d,]+ replicas for [\d.,]+ requests.s"))
    expect(told).to_be_visible(timeout=60_000)
    return int(re.search(r"([\d,]+) replicas for", told.inner_text())[1].replace(",", ""))


def typed(page: Page, field: str, value: str) -> None:
    box = page.locator(f".st-key-fleet_field_{field} input")
    box.fill(value)
    box.press("Enter")
    settle(page)


def test_a_demand_file_comes_to_a_monthly_cost(visit):
    page = visit("/?t=ttft-p99-300ms&price=20/h&currency=USD")
    upload(page, files())
    headline(page)
    page.get_by_test_id("stTopNavLink").filter(has_text="Fleet").click()
    expect(page.get_by_text("Say how much the service has to carry at its peak")).to_be_visible(timeout=60_000)
    settle(page)
    page.get_by_text("From a file: requests over time (CSV)").click()
    page.locator(".st-key-fleet_file input[type=file]").set_input_files(
        {"name": "day.csv", "mimeType": "text/csv", "buffer": DEMAND.encode()}
    )
    settle(page)
    # 880,000 in the highest hour are 244.4 a second.
    plain = replicas(page)
    expect(page.get_by_role("heading", name=re.compile("replicas for 244.4 requests.s"))).to_be_visible()
    expect(page.get_by_text("Read so; correct it where it is wrong")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^\$[\d,]+.* a month$")).first).to_be_visible()
    expect(page.get_by_text(re.compile("Autoscaled it would take"))).to_be_visible()
    typed(page, "spares", "2")
    assert replicas(page) == plain + 2
    expect(page.get_by_text("What each caution adds")).to_be_visible()

    with page.expect_download() as download:
        page.locator(".st-key-download_fleet_table_numbers button").click()
    text = Path(download.value.path()).read_text(encoding="utf-8-sig")
    rows = {row["Number"]: row for row in csv.DictReader(io.StringIO(text))}
    assert float(rows["Replicas"]["Value"]) == plain + 2
    # 20 an hour for each, 730 hours.
    assert float(rows["Cost per month"]["Value"]) == pytest.approx((plain + 2) * 20 * 730)
    assert rows["Cost per month"]["Currency"] == "USD"

    page.reload()
    settle(page)
    assert replicas(page) == plain + 2
    expect(page.get_by_text("Read from day.csv: a day, columns hour, requests")).to_be_visible()
    save(page, "A fleet")
    saved_as(page, "A fleet", 1)

    # A file that is cut off is refused with its place, and nothing is lost.
    page.get_by_text("From a file: requests over time (CSV)").click()
    page.locator(".st-key-fleet_file input[type=file]").set_input_files(
        {"name": "half.csv", "mimeType": "text/csv", "buffer": DEMAND.encode()[:100]}
    )
    settle(page)
    expect(page.get_by_test_id("stAlert").filter(has_text="half.csv")).to_be_visible()
    assert replicas(page) == plain + 2
