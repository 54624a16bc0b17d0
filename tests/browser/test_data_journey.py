"""A folder of mixed files in a real browser: asked about, decided, renamed, left out, and still so after a reload."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import serving, settle
from tests.pages.test_data_page import slower
from tests.pages.test_plan_page import SWEEP

pytestmark = pytest.mark.browser


@pytest.fixture
def drop(tmp_path):
    """Two folders with other results of the same levels, a file without results, and a damaged one."""
    folder = tmp_path / "drop"
    for where, changed in (("monday", lambda data: data), ("tuesday", slower)):
        (folder / where).mkdir(parents=True)
        for name, data in SWEEP.items():
            (folder / where / name.rpartition("/")[2]).write_bytes(changed(data))
    latency = {"avg_latency": 1.5, "latencies": [1.5], "percentiles": {"50": 1.5}}
    (folder / "monday" / "latency.json").write_text(json.dumps(latency))
    (folder / "damaged.json").write_bytes(b"{")
    return folder


def upload_folder(page: Page, folder) -> None:
    page.locator(".st-key-drop_folder label").first.click()
    settle(page)
    page.get_by_test_id("stFileUploader").locator("input[type=file]").first.set_input_files(folder)
    expect(page.get_by_text("Load levels")).to_be_visible()
    settle(page)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).last.click()
    settle(page)


def merge_and_rename(page: Page) -> None:
    press(page, "Put together")
    page.locator("[class*=st-key-merge_with] input").click()
    page.get_by_role("option").first.click()
    page.keyboard.press("Escape")
    press(page, "Put together")
    expect(page.get_by_test_id("stMain")).to_contain_text("Put together:")
    page.keyboard.press("Escape")
    press(page, "Rename")
    name = page.locator("[class*=st-key-rename_to] input")
    name.fill("Both days")
    name.press("Enter")
    expect(page.get_by_test_id("stMain")).to_contain_text("Renamed to Both days")
    page.keyboard.press("Escape")
    settle(page)


def leave_out(page: Page) -> None:
    press(page, "Leave out")
    page.locator("[class*=st-key-exclude_level] input").click()
    page.get_by_role("option").nth(3).click()
    reason = page.locator("[class*=st-key-exclude_why] input")
    reason.fill("another job ran")
    reason.press("Enter")
    expect(page.get_by_test_id("stMain")).to_contain_text("Left out: level 64 of Both days. another job ran")
    # The address follows at the end of the run of the page.
    settle(page)


def test_the_first_link_into_a_fresh_server_may_be_of_any_page(root, tmp_path, context):
    with serving(root, tmp_path) as address:
        page = context.new_page()
        page.goto(f"{address}/data", timeout=60_000)
        settle(page)
        expect(page.get_by_text("No files are held yet")).to_be_visible()
        expect(page.get_by_test_id("stException")).to_have_count(0)


def test_a_folder_of_mixed_files_is_asked_about_decided_and_kept(visit, drop):
    page = visit()
    page.get_by_test_id("stTopNavLink").filter(has_text="Data").click()
    settle(page)
    upload_folder(page, drop)
    body = page.get_by_test_id("stMain")

    # What could not be read is told of, what holds no results is no alarm.
    expect(page.get_by_test_id("stAlert")).to_have_count(1)
    expect(page.get_by_test_id("stAlert")).to_contain_text("damaged.json")
    expect(body).to_contain_text("1 file holds no results of its own")

    # The doubt is asked with both readings, and answered in one click.
    expect(body).to_contain_text("the same run, measured again?")
    expect(body.get_by_role("table")).to_have_count(3)
    page.get_by_role("button", name="Read it so").click()
    expect(body).to_contain_text("1 change by hand")
    expect(page.locator(".st-key-run_pick")).to_have_count(0)

    # It is taken back, merged by hand instead, renamed, and a level left out with a reason.
    press(page, "Take back")
    expect(page.locator(".st-key-run_pick")).to_be_visible()
    page.get_by_role("button", name="Keep it so").click()
    settle(page)
    merge_and_rename(page)
    leave_out(page)

    # All of it is there after a reload, and the Plan page rests on it.
    page.reload()
    settle(page)
    expect(body).to_contain_text("Left out: level 64 of Both days. another job ran")
    expect(body).to_contain_text("Renamed to Both days")
    page.get_by_test_id("stTopNavLink").filter(has_text="Plan").click()
    settle(page)
    expect(body).to_contain_text("runs: 1 · levels used: 5, left out: 1")
    expect(body).to_contain_text("concurrent requests, safely")
    page.get_by_test_id("stTopNavLink").filter(has_text="Data").click()
    settle(page)

    # And it can be split again as the files alone say.
    press(page, "Split")
    page.locator("[class*=st-key-split_] button").last.click()
    settle(page)
    expect(page.locator(".st-key-run_pick")).to_be_visible()
