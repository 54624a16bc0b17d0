"""Upload, save, open the link on the other server, stop the first one: nothing is lost."""

from __future__ import annotations

import re
import signal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import settle
from tests.replicas.conftest import Site

pytestmark = pytest.mark.replicas

SAFE = re.compile(r"([\d,]+) concurrent requests, safely")


def replica_of(context: BrowserContext) -> str:
    """The name of the server that holds a browser's session."""
    return {cookie["name"]: cookie["value"] for cookie in context.cookies()}["plimsoll_replica"]


def headline(page: Page) -> str:
    heading = page.get_by_role("heading", name=SAFE)
    expect(heading).to_be_visible(timeout=60_000)
    return SAFE.search(heading.inner_text())[0]


def visit(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address, timeout=60_000)
    settle(page)
    return page


def ask_to_save(page: Page, name: str) -> None:
    field = page.locator(".st-key-save_name input")
    again = page.get_by_text("Save again, or as a copy")
    if again.is_visible():  # what was saved last is still said, and the form folded below it
        if not field.is_visible():
            again.click()
    elif not field.is_visible():
        page.locator(".st-key-save_open button").first.click()
    field.fill(name)
    field.press("Enter")


def save(page: Page, name: str) -> str:
    """Save what is in view under a name and return a new link to it."""
    ask_to_save(page, name)
    expect(page.get_by_text(re.compile(f'Saved as "{name}", version')).first).to_be_visible()
    settle(page)
    make = page.locator("[class*=st-key-link_new_] button")
    if not make.is_visible():
        page.get_by_text("Send it as a link").click()
        settle(page)
    links = page.get_by_test_id("stCode").filter(has_text="?s=")
    before = links.count()
    make.click()
    # Counted, not seen: the panel may have closed itself over them. The newest stands above those of earlier versions.
    expect(links).to_have_count(before + 1)
    settle(page)
    return links.first.text_content().strip()


@pytest.fixture
def people(browser: Browser, browser_context_args):
    """Makes browsers that never saw the app."""
    made: list[BrowserContext] = []

    def somebody(replica: str | None = None, site: Site | None = None) -> BrowserContext:
        context = browser.new_context(**browser_context_args)
        context.set_default_timeout(60_000)
        if replica and site:
            context.add_cookies([{"name": "plimsoll_replica", "value": replica, "url": site.address}])
        made.append(context)
        return context

    yield somebody
    for context in made:
        context.close()


def upload(page: Page, root) -> None:
    files = sorted((root / "data/samples/vllm_cpu").glob("*.json"))
    page.get_by_test_id("stFileUploader").locator("input[type=file]").first.set_input_files(files)
    settle(page)


def test_a_link_opens_on_the_other_server_and_nothing_is_lost_when_the_first_one_stops(site, people, root):
    ana = people()
    page = visit(ana, f"{site.address}/?t=ttft-p99-300ms")
    upload(page, root)
    safe = headline(page)
    link = save(page, "Before the move")
    assert link.startswith(f"{site.address}/?s=")
    token = link.partition("?s=")[2].partition("&")[0]
    first = replica_of(ana)
    other = "b" if first == "a" else "a"

    ben = people(other, site)
    shown = visit(ben, link)
    expect(shown.get_by_text("Before the move")).to_be_visible()
    assert headline(shown) == safe
    assert replica_of(ben) == other

    draft = re.search(r"[?&]d=([\w-]+)", page.url)[1]
    site.replicas[first].end(signal.SIGTERM)
    page.reload()
    settle(page)
    assert replica_of(ana) == other
    assert headline(page) == safe, "the draft is in the database: a reload on another server finds the files"
    page.get_by_test_id("stTopNavLink").filter(has_text="Scenarios").click()
    expect(page.get_by_text("Before the move").first).to_be_visible()
    saved_again = visit(ana, f"{site.address}/?t=ttft-p99-300ms&d={draft}")
    assert headline(saved_again) == safe

    # The first one comes back: whoever went to the other stays there, uploads too.
    site.replicas[first].start()
    page = visit(ana, f"{site.address}/?t=ttft-p99-300ms")
    upload(page, root)
    assert headline(page) == safe
    assert replica_of(ana) == other
    nothing_secret(site.logs(), token, draft)


def nothing_secret(log: str, *secrets: str) -> None:
    """The whole log of all servers and of the proxy has none of these, and no password or cookie."""
    from tests.postgres import ENCODED, PASSWORD
    from tests.replicas.conftest import COOKIE_SECRET

    assert log.count("\n") > 20, "the log has to be there for this to say anything"
    for secret in (*secrets, ENCODED, PASSWORD, COOKIE_SECRET):
        assert secret not in log
    assert "_streamlit_xsrf=2" not in log
    assert "Traceback" not in log


def test_a_server_killed_while_people_save_loses_nothing_that_it_said_was_saved(site, people):
    browsers = {name: people(name, site) for name in ("a", "b")}
    pages = {name: visit(context, f"{site.address}/?t=ttft-p99-300ms") for name, context in browsers.items()}
    for page in pages.values():
        page.locator(".st-key-sample button").click()
        headline(page)
    links = [save(pages[name], f"Kept by {name}") for name in pages]
    # The next one is asked for and not waited for.
    ask_to_save(pages["a"], "Perhaps kept")
    site.replicas["a"].end(signal.SIGKILL)

    reader = people("a", site)
    for link, name in zip(links, pages, strict=True):
        page = visit(reader, link)
        expect(page.get_by_text(f"Kept by {name}")).to_be_visible()
        headline(page)
        page.close()
    assert replica_of(reader) == "b"
    again = save(pages["b"], "Kept afterwards")
    expect(visit(reader, again).get_by_text("Kept afterwards")).to_be_visible()
