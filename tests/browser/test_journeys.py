"""What a person does, in a real browser: upload, ask, doubt, reload, share."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from playwright.sync_api import Page, expect

from core.present.numbers import money
from tests.browser.conftest import settle, whole

pytestmark = pytest.mark.browser

SAFE = re.compile(r"([\d,]+) concurrent requests, safely")


@pytest.fixture
def real_files(shared_data):
    """Eight levels of gpt-oss-120b on 16 accelerators, as published."""
    folder = shared_data / "public/vllm_benchmark_serving_json/SemiAnalysisAI__InferenceX/gpt-oss-120b_16gpu_1p1d"
    files = sorted(folder.glob("*.json"))
    if not files:
        pytest.skip("the published files are not here")
    return files


def upload(page: Page, files) -> None:
    page.get_by_test_id("stFileUploader").locator("input[type=file]").first.set_input_files(files)
    expect(page.get_by_test_id("stPlotlyChart").first).to_be_visible()
    settle(page)


def headline(page: Page) -> str:
    heading = page.get_by_role("heading", name=SAFE)
    expect(heading).to_be_visible()
    return SAFE.search(heading.inner_text())[0]


def test_published_files_answer_with_a_range_a_reason_and_a_cost_as_the_command_line_does(visit, real_files, root):
    command = [sys.executable, "-m", "core", "plan", *map(str, real_files), "--slo", "tpot p99 <= 16ms", "--json"]
    done = subprocess.run([*command, "--price", "2.5/gpu-h"], cwd=root, capture_output=True, text=True, check=False)
    told = json.loads(done.stdout)["runs"][0]
    page = visit("/?t=tpot-p99-16ms&price=2.5/gpu-h")
    upload(page, real_files)
    safe = int(headline(page).split()[0])
    assert safe == told["capacity"]["safe_concurrency"]
    body = page.get_by_test_id("stMain")
    expect(body).to_contain_text(whole("estimate", "range", "stopped by TPOT p99"))
    expect(body).to_contain_text(re.compile(r"\$[\d.]+ per million output tokens \(\$[\d.]+–\$[\d.]+\)"))
    expect(body).to_contain_text(money(told["cost"]["per_million_output"]["mid"], "USD"))
    range_ = told["capacity"]["concurrency"]
    expect(body).to_contain_text(f"estimate {range_['mid']:.0f}, range {range_['low']:.0f}–{range_['high']:.0f}")
    assert 140 <= range_["mid"] <= 205
    assert range_["low"] <= safe <= range_["mid"] <= range_["high"]
    expect(page.locator(".st-key-latency_chart .scatterlayer .point").first).to_be_visible()


def test_too_few_requests_are_said_with_the_way_out(visit, real_files):
    page = visit("/?t=ttft-p99-500ms")
    upload(page, real_files)
    expect(page.get_by_role("heading", name=re.compile("Cannot tell TTFT p99"))).to_contain_text(
        whole("it rests on", "requests", "holds up to", "To know, run")
    )
    expect(page.get_by_test_id("stCode").first).to_contain_text("vllm bench serve")
    expect(page.get_by_role("heading", name=SAFE)).to_have_count(0)


def test_the_sample_is_one_click_away_outlives_a_reload_and_follows_to_other_pages(visit):
    page = visit("/?t=ttft-p99-300ms")
    page.locator(".st-key-sample button").click()
    before = headline(page)
    value = page.locator(".st-key-target_value_0 input")
    value.fill("450")
    value.press("Enter")
    expect(page.get_by_role("heading", name=SAFE)).not_to_have_text(re.compile(rf"^{re.escape(before)}"))
    after = headline(page)
    expect(page).to_have_url(re.compile("ttft-p99-450ms"))
    page.reload()
    settle(page)
    assert headline(page) == after
    expect(page.locator(".st-key-target_value_0 input")).to_have_value("450")
    page.get_by_test_id("stTopNavLink").filter(has_text="Data").click()
    expect(page.get_by_text("Load levels")).to_be_visible()
    expect(page).to_have_url(re.compile("ttft-p99-450ms"))
    page.reload()
    settle(page)
    expect(page.get_by_text("Load levels")).to_be_visible()
    page.get_by_test_id("stTopNavLink").filter(has_text="Plan").click()
    assert headline(page) == after


def test_an_unknown_link_is_said_to_be_unknown(visit):
    page = visit("/?s=no-such-link")
    expect(page.get_by_test_id("stAlert")).to_be_visible()
    expect(page.get_by_text("Traceback")).to_have_count(0)


def test_a_korean_browser_is_answered_in_korean(visit, page):
    page.set_extra_http_headers({"Accept-Language": "ko-KR"})
    page.add_init_script("Object.defineProperty(navigator, 'language', {get: () => 'ko-KR'})")
    visit()
    page.locator(".st-key-sample button").click()
    lead = page.get_by_role("heading", name=re.compile(r"동시 요청 \d+"))
    expect(lead).to_be_visible()
    # A line of Korean ends between words, also where Streamlit's own style of the element says otherwise.
    for said in (lead, page.get_by_test_id("stMarkdownContainer").locator("p").first):
        expect(said).to_have_css("word-break", "keep-all")
    page.locator(".st-key-language").get_by_text("English").click()
    headline(page)


def test_bad_files_do_not_take_the_good_ones_with_them(visit, root):
    page = visit()
    good = sorted((root / "data/samples/vllm_cpu").glob("*.json"))
    files = [{"name": f.name, "mimeType": "application/json", "buffer": f.read_bytes()} for f in good]
    bad = {"name": "![x](http://a.example/x.png).json", "mimeType": "application/json", "buffer": b"{broken"}
    upload(page, [*files, bad])
    headline(page)
    # An invisible joiner keeps the address in it from becoming a link.
    shown = re.compile("\u2060?".join(re.escape(letter) for letter in bad["name"]))
    expect(page.get_by_text(shown)).to_be_visible()


def test_everything_can_be_reached_by_keyboard(visit):
    page = visit()
    reached = set()
    for _ in range(25):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.closest('[class*=st-key-]')?.className || ''"))
    assert any("st-key-sample" in name for name in reached)
    assert any("st-key-drop" in name for name in reached)
    assert any("st-key-language" in name for name in reached)
