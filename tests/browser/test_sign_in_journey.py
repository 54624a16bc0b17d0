"""People sign in at a real provider on loopback: what they see before, what they may do, and when it ends."""

from __future__ import annotations

import json
import re
import time

import pytest
from playwright.sync_api import expect
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from core.model.person import Person
from core.store.store import open_store
from pages.parts import keys
from tests.browser.conftest import settle
from tests.browser.signing_in import (
    ANA,
    BEN,
    COOKIE_SECRET,
    EVE,
    ROOT,
    app,
    go,
    provider,
    save_sample,
    sign_in,
    signed_out,
    somebody,
    with_provider,
)

pytestmark = pytest.mark.browser

SHORT_S = 45
"""Life of a token in the test of its end: long enough to sign in on a busy machine."""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("people")


@pytest.fixture(scope="module")
def issuer(root, home):
    with provider(root, home) as address:
        yield address


@pytest.fixture(scope="module")
def served(root, home, issuer):
    """The app, with an empty store and the provider in front."""
    with app(root, home, **with_provider(issuer)) as address:
        yield address


@pytest.fixture
def browse(browser, browser_context_args):
    """Open pages of browsers that have nothing in common."""
    opened = []

    def fresh():
        context = somebody(browser, browser_context_args)
        opened.append(context)
        return context.__enter__().new_page()

    yield fresh
    for context in opened:
        context.__exit__(None, None, None)


@pytest.fixture
def ana(browse, served):
    return sign_in(go(browse(), served), ANA)


def acting(home, issuer, who):
    """Open the store of the served app as a person whom the provider knows."""
    person = Person(id=f"{issuer}#{who['sub']}", name=who["name"], email=who["email"])
    return open_store(f"sqlite:///{home / 'plimsoll.db'}").acting(person)


@pytest.mark.parametrize(
    "path", ["/", "/data", "/scenarios", "/people", "/report", "/guide", "/?d=AAAAAAAAAAAAAAAAAAAAAA"]
)
def test_before_signing_in_there_is_the_sign_in_page_alone(browse, served, path):
    signed_out(go(browse(), served + path))


def test_a_draft_is_not_opened_for_somebody_else(browse, ana, served):
    ana.locator(".st-key-sample button").click()
    expect(ana).to_have_url(re.compile(r"[?&]d="))
    stranger = go(browse(), ana.url)
    signed_out(stranger)
    expect(stranger.get_by_text("concurrent requests")).to_have_count(0)
    sign_in(stranger, BEN)
    expect(stranger.get_by_text(re.compile("concurrent requests, safely"))).to_have_count(0)


def test_signing_in_leads_back_to_the_address_that_was_opened(browse, served):
    page = go(browse(), f"{served}/data?t=ttft-p99-444ms&lang=ko")
    page.locator(".st-key-sign_in_default button").click()
    page.get_by_role("button", name="ben", exact=True).click(timeout=60_000)
    expect(page.locator(".st-key-account")).to_be_visible(timeout=60_000)
    expect(page).to_have_url(re.compile(r"/data\?.*ttft-p99-444ms"))
    expect(page).to_have_url(re.compile("lang=ko"))
    expect(page.locator(".st-key-account")).to_contain_text("Ben Osei")


def test_the_language_is_switched_without_signing_in(browse, served):
    page = go(browse(), f"{served}/data?t=ttft-p99-444ms")
    page.locator(".st-key-language").get_by_text("한국어").click()
    expect(page.get_by_role("heading", name="Plimsoll에 로그인")).to_be_visible()
    expect(page).to_have_url(re.compile(r"ttft-p99-444ms.*lang=ko"))


NAME = "Shared with Ben"


def at_it(page, served, at):
    """Open a scenario at its own address."""
    go(page, f"{served}/scenarios?{keys.Q_SCENARIO}={at}")
    expect(page.get_by_role("heading", name=NAME)).to_be_visible()


def popover(page):
    return page.get_by_test_id("stPopoverBody")


def give(page, to, role):
    """Give a role through the form of the open scenario."""
    page.locator("[class*=st-key-rights] button").first.click()
    field = page.locator("[class*=st-key-rights_to] input")
    field.fill(to)
    page.get_by_role("option", name=to).click()
    page.locator("[class*=st-key-rights_new] input").click()
    page.get_by_role("option", name=role).click()
    page.locator("[class*=st-key-rights_add] button").click()
    settle(page)


def team(page, name, member):
    """Make a team through the page of people."""
    page.get_by_test_id("stTopNavLink").filter(has_text="People").click()
    page.locator(".st-key-team_name input").fill(name)
    page.locator(".st-key-team_make button").click()
    page.locator("[class*=st-key-member_email_] input").fill(member)
    page.locator("[class*=st-key-member_add_] button").click()
    expect(page.get_by_text(member, exact=True)).to_be_visible()


def part(page, name):
    page.locator(".st-key-scenario_part").get_by_text(name).click()
    settle(page)


def go_on(page):
    page.locator(".st-key-go_on button").click()
    expect(page.locator(".st-key-target_add")).to_be_visible()
    settle(page)


def limit(page, milliseconds):
    """Move the first target."""
    box = page.locator(".st-key-target_value_0 input")
    box.fill(milliseconds)
    box.press("Enter")
    settle(page)


def save_as(page, name="", message=""):
    """Fill the open form and save."""
    for key, words in ((".st-key-save_name input", name), (".st-key-save_message input", message)):
        if words:
            page.locator(key).fill(words)
    page.locator(".st-key-save button").click()


def trail(page, served, of):
    """Return the audit trail as it is offered for download."""
    go(page, f"{served}/people")
    page.get_by_role("tab", name="Audit trail").click()
    box = page.locator(".st-key-audit_of input")
    box.click()
    page.get_by_role("option", name=of, exact=True).click()
    settle(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Numbers as CSV").click()
    return waiting.value.path().read_text(encoding="utf-8-sig")


def only_reads(ben, served, at):
    """Hold that a viewer sees it, that nothing is there that changes it, and that an own copy is kept."""
    at_it(ben, served, at)
    expect(ben.locator("[class*=st-key-rights]")).to_have_count(0)
    expect(ben.get_by_text("Name and tags")).to_have_count(0)
    ben.locator("[class*=st-key-scenario_menu_] button").first.click()
    expect(ben.get_by_text("Duplicate", exact=True)).to_be_visible()
    for act in ("Archive", "Delete"):
        expect(ben.get_by_text(act, exact=True)).to_have_count(0)
    ben.keyboard.press("Escape")
    part(ben, "Links")
    expect(ben.get_by_text("Editors and owners of this scenario can make links to it")).to_be_visible()
    expect(ben.locator("[class*=st-key-link_new_]")).to_have_count(0)
    go_on(ben)
    ben.locator(".st-key-save_open button").first.click()
    expect(ben.get_by_text("You may not save versions of")).to_be_visible()
    expect(ben.locator(".st-key-save_as")).to_have_count(0)
    save_as(ben, "Ben's own")
    expect(ben.get_by_text('Saved as "Ben\'s own", version 1')).to_be_visible()


def tells_all(told):
    """Hold that the trail names who saved, shared, withdrew, gave and took."""
    for who, what in (
        ("Ana Ruiz", "Saved version 1"),
        ("Ana Ruiz", "Gave ben@example.com the role Viewer"),
        ("Ana Ruiz", "Took the role Viewer from Ben Osei"),
        ("Ana Ruiz", "Gave Capacity the role Editor"),
        ("Ben Osei", "Saved version 2"),
        ("Ana Ruiz", "Made a link"),
        ("Ana Ruiz", "Withdrew a link"),
        ("Ana Ruiz", "Took the role Editor from Capacity"),
    ):
        assert f"{who},{what},{NAME}" in told


def without_times(told):
    return {line.partition(",")[2] for line in told.splitlines()}


def test_a_colleague_sees_what_was_given_and_changes_it_only_with_more(browse, ana, served, home, issuer):
    save_sample(ana, NAME)
    at = next(entry.id for entry in acting(home, issuer, ANA).list() if entry.name == NAME)
    ben = sign_in(go(browse(), f"{served}/scenarios?{keys.Q_SCENARIO}={at}"), BEN)
    expect(ben.get_by_text("There is no such saved scenario")).to_be_visible()
    ben.locator(".st-key-scenario_back button").click()
    expect(ben.get_by_text("Nothing is saved yet")).to_be_visible()

    # As a viewer: what changes it is not there, and an own copy is.
    at_it(ana, served, at)
    give(ana, BEN["email"], "Viewer")
    expect(popover(ana).get_by_text("Ben Osei")).to_be_visible()
    only_reads(ben, served, at)
    popover(ana).locator("[class*=st-key-rights_take_][class*=_email_] button").click()
    expect(popover(ana).get_by_text("Ben Osei has no role any more")).to_be_visible()
    go(ben, f"{served}/scenarios?{keys.Q_SCENARIO}={at}")
    expect(ben.get_by_text("There is no such saved scenario")).to_be_visible()

    # As an editor, through a team.
    ana.keyboard.press("Escape")
    team(ana, "Capacity", BEN["email"])
    at_it(ana, served, at)
    give(ana, "Capacity", "Editor")
    expect(popover(ana).get_by_text("Team", exact=True)).to_be_visible()
    at_it(ben, served, at)
    expect(ben.get_by_text("Name and tags")).to_be_visible()
    expect(ben.locator("[class*=st-key-rights]")).to_have_count(0)
    go_on(ben)
    limit(ben, "450")
    ben.locator(".st-key-save_open button").first.click()
    save_as(ben, message="looser first token")
    expect(ben.get_by_text(f'Saved as "{NAME}", version 2')).to_be_visible()
    ben.keyboard.press("Escape")

    # The right goes while a tab is open: words, and nothing that was typed is lost.
    limit(ben, "475")
    ben.locator(".st-key-save_open button").first.click()
    expect(ben.locator(".st-key-save_as")).to_be_visible()
    ben.locator(".st-key-save_message input").fill("and looser still")
    store = acting(home, issuer, ANA)
    store.shares.revoke(store.shares.make(at).token)
    popover(ana).locator("[class*=st-key-rights_take_][class*=_team_] button").click()
    expect(popover(ana).get_by_text("Capacity has no role any more")).to_be_visible()
    ben.locator(".st-key-save button").click()
    expect(ben.get_by_text("Nothing was saved. Save again")).to_be_visible()
    expect(ben.locator(".st-key-save_message input")).to_have_value("and looser still")
    expect(ben.locator(".st-key-target_value_0 input")).to_have_value("475")
    assert store.entry(at).latest == 2
    save_as(ben, "Ben's other")
    expect(ben.get_by_text('Saved as "Ben\'s other", version 1')).to_be_visible()
    expect(ben.get_by_text("Traceback")).to_have_count(0)

    told = trail(ana, served, NAME)
    tells_all(told)
    everything = trail(sign_in(go(browse(), served), ROOT), served, "All scenarios")
    assert without_times(told) < without_times(everything)
    assert "Ben Osei,Saved version 1,Ben's other" in everything
    assert "Ana Ruiz,Made the team Capacity" in everything


def test_an_address_that_is_not_verified_gives_nothing(browse, ana, served):
    save_sample(ana, "For Ana alone")
    eve = sign_in(go(browse(), served), EVE)
    go(eve, f"{served}/scenarios")
    expect(eve.get_by_text("For Ana alone")).to_have_count(0)


def test_a_public_link_opens_and_another_one_asks_to_sign_in(browse, ana, served, home, issuer):
    save_sample(ana, "Sent around")
    store = acting(home, issuer, ANA)
    at = next(entry.id for entry in store.list() if entry.name == "Sent around")
    public, inside = store.shares.make(at).token, store.shares.make(at, public=False).token
    page = go(browse(), f"{served}/?s={public}")
    expect(page.get_by_text("Sent around").first).to_be_visible()
    expect(page.get_by_test_id("stFileUploader")).to_have_count(0)
    expect(page.get_by_test_id("stTopNavLink")).to_have_count(0)
    page = go(browse(), f"{served}/?s={inside}")
    expect(page.get_by_text("This is for people who have signed in")).to_be_visible()
    expect(page.get_by_text("Sent around")).to_have_count(0)
    sign_in(page, BEN)
    expect(page.get_by_text("Sent around").first).to_be_visible()


def test_signing_out_ends_it_also_for_the_next_visit(ana, served):
    ana.locator(".st-key-account button").first.click()
    ana.locator(".st-key-sign_out button").click()
    ana.get_by_role("button", name="End session").click(timeout=60_000)
    settle(ana)
    signed_out(ana)
    signed_out(go(ana, f"{served}/scenarios"))


def test_a_forged_or_past_cookie_signs_nobody_in(browse, served, issuer):
    now = int(time.time())
    claims = {"iss": issuer, "sub": "ana", "iat": now, "exp": now + 600, "origin": served, "is_logged_in": True}
    forged = {
        "of another secret": ("another-secret-of-32-characters!", claims),
        "past": (COOKIE_SECRET, {**claims, "iat": now - 700, "exp": now - 100}),
        "without an end": (COOKIE_SECRET, {key: value for key, value in claims.items() if key != "exp"}),
        "of another origin": (COOKIE_SECRET, {**claims, "origin": "http://127.0.0.1:1"}),
        "too old": (COOKIE_SECRET, {**claims, "iat": now - 13 * 3600}),
    }
    for secret, said in forged.values():
        signed_out(_with_cookie(browse(), served, secret, said))
    good = _with_cookie(browse(), served, COOKIE_SECRET, claims)
    expect(good.get_by_test_id("stFileUploader").first).to_be_visible()


def _with_cookie(page, served, secret, claims):
    value = create_signed_value(secret, "_streamlit_user", json.dumps(claims)).decode()
    page.context.add_cookies([{"name": "_streamlit_user", "value": value, "url": served}])
    return go(page, served)


def test_a_sign_in_ends_with_its_token_in_an_open_tab_too(browse, root, home):
    folder = home / "short"
    folder.mkdir()
    with (
        provider(root, folder, "--token-max-age", str(SHORT_S)) as issuer,
        app(root, folder, **with_provider(issuer)) as address,
    ):
        page = sign_in(go(browse(), address), ANA)
        begun = time.monotonic()
        expect(page.get_by_test_id("stFileUploader").first).to_be_visible()
        page.wait_for_timeout(max(0.0, SHORT_S + 1 - (time.monotonic() - begun)) * 1000)
        page.locator(".st-key-sample button").click()
        signed_out(page)
        expect(page.get_by_text("Your sign-in has ended")).to_be_visible()
        page.reload()
        settle(page)
        signed_out(page)
