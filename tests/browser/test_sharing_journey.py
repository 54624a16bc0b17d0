"""Names and notes that would like to be more than text, in a real browser, also behind a link."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import settle
from tests.browser.test_journeys import headline

pytestmark = pytest.mark.browser


def saved_and_linked(page, name, notes):
    """Save what is in view under a name, make a link to it, and return the link."""
    settle(page)
    page.locator(".st-key-save_open button").first.click()
    page.locator(".st-key-save_notes textarea").fill(notes)
    page.locator(".st-key-save_name input").fill(name)
    page.locator(".st-key-save_name input").press("Enter")
    page.get_by_text("Send it as a link").click()
    settle(page)
    page.locator("[class*=st-key-link_new_] button").click()
    settle(page)
    code = page.locator("[data-testid=stPopoverBody]").get_by_test_id("stCode").first
    expect(code).to_contain_text("?s=")
    return code.inner_text().strip()


@contextmanager
def reading(browser, arguments, address):
    """Open an address in a browser that never saw the app."""
    context = browser.new_context(**arguments)
    try:
        page = context.new_page()
        page.goto(address, timeout=60_000)
        settle(page)
        yield page
    finally:
        context.close()


@pytest.fixture
def canary():
    """A server of our own that no browser may ever ask: its address, and what was asked of it."""
    asked = []

    class Canary(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Canary)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


def test_names_and_notes_are_text_wherever_they_stand(visit, page, browser, browser_context_args, canary):
    """The page is watched besides: a request to anywhere else, or an error of a script, fails this test."""
    address, asked = canary
    opened = []
    page.on("dialog", lambda dialog: (opened.append(dialog.message), dialog.dismiss()))
    hostile = f'![x]({address}/a.png)<img src="{address}/b.png" onerror="alert(1)"> $x$ :red[y]'
    notes = f"<script>fetch('{address}/c')</script>\n[z](javascript:alert(2)) =HYPERLINK(\"{address}/d\")"
    visit()
    page.locator(".st-key-sample button").click()
    headline(page)
    link = saved_and_linked(page, hostile, notes)
    expect(page.locator("[data-testid=stPopoverBody]")).to_contain_text(hostile)
    with reading(browser, browser_context_args, link) as other:
        other.on("dialog", lambda dialog: (opened.append(dialog.message), dialog.dismiss()))
        expect(other.get_by_test_id("stMain")).to_contain_text(hostile)
        expect(other.get_by_test_id("stMain")).to_contain_text("<script>fetch(")
        expect(other.locator("[data-testid=stMain] img[src*='127.0.0.1']")).to_have_count(0)
        expect(other.locator("[data-testid=stMain] a[href^=javascript]")).to_have_count(0)
        assert hostile not in other.title()
    visit("/scenarios")
    expect(page.get_by_test_id("stMain")).to_contain_text(hostile)
    assert not asked
    assert not opened
