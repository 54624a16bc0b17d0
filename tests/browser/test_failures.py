"""What nobody foresaw: a sentence with a number on the page, the traceback in the log under the same number."""

from __future__ import annotations

import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import settle
from tests.serve.server import uvicorn

pytestmark = pytest.mark.browser

SECRET = "the-text-of-the-error"
NUMBER = re.compile(r"\b[A-HJ-NP-Z2-9]{8}\b")


@pytest.fixture(scope="module")
def failing(root, tmp_path_factory):
    with uvicorn(root, tmp_path_factory.mktemp("failing"), "tests.serve.failing_entry:app") as running:
        yield running


@pytest.fixture
def failed(failing, browser, browser_context_args):
    """Press a button of the failing app, and return what stands on the page."""
    context = browser.new_context(**browser_context_args)

    def press(key: str):
        page = context.new_page()
        page.goto(failing[0], timeout=60_000)
        settle(page)
        page.locator(f".st-key-{key} button").click()
        settle(page)
        return page

    yield press
    context.close()


@pytest.mark.parametrize(
    ("key", "kind"), [("callback", "RuntimeError"), ("page", "KeyError"), ("fragment", "ZeroDivisionError")]
)
def test_the_person_sees_a_number_and_the_log_has_the_rest(failed, failing, key, kind):
    page = failed(key)
    alert = page.get_by_test_id("stAlert")
    expect(alert).to_be_visible()
    number = NUMBER.search(alert.inner_text())[0]
    body = page.locator("body").inner_text()
    assert not [each for each in (SECRET, kind, "Traceback", ".py") if each in body]
    log = failing[1].read_text(encoding="utf-8")
    told = log.partition(f"error {number}: {kind}")[2]
    assert "Traceback" in told
    assert SECRET in told
    assert log.count(f"{kind}: ") == 1, "the traceback stands there once"


def test_an_error_that_has_words_says_them(failed):
    alert = failed("words").get_by_test_id("stAlert")
    expect(alert).to_contain_text("Nobody knows this. Try again")


def test_a_request_that_fails_says_a_number_too(failing):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{failing[0]}/fail", timeout=10)
    text = refused.value.read().decode()
    assert refused.value.code == 500
    assert SECRET not in text
    assert f"error {NUMBER.search(text)[0]}: RuntimeError" in failing[1].read_text(encoding="utf-8")
