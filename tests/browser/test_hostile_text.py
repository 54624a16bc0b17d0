"""Texts that would like to be more than text, wherever a page shows them: nothing acts, and all of it can be read."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from core.model.person import LOCAL
from core.store.store import open_store
from tests.browser.conftest import serving, settle
from tests.security.hostile import ACTING, hostile_scenario

pytestmark = pytest.mark.browser

NARROW = {"width": 420, "height": 900}
UNSEEN = "nul\x00 half\ud800 esc\x1b[31m \u202eidib\u2066 none\uffff"
LONG = "W" * 110


class Canary(BaseHTTPRequestHandler):
    """A server of our own that no browser may ever ask; it keeps what was asked of it."""

    def do_GET(self):
        self.server.asked.append(self.path)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def canary():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Canary)
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def texts(canary):
    """The same hostile words with our server's address in them, so that whoever follows one is heard."""
    at = f"http://127.0.0.1:{canary.server_port}"
    return {
        "html": f'<img src="{at}/a" onerror="alert(1)"><script>fetch("{at}/b")</script>',
        "markdown": f"![x]({at}/c) [z](javascript:alert(2)) <{at}/d> :material/home: :red[y] $x^2$ `c` ~~s~~",
        "formula": f'=HYPERLINK("{at}/e","f")',
        "blocks": "# a\n\n| b | c |\n|---|---|\n- d\n1. e",
        "unseen": UNSEEN,
        "long": LONG,
    }


@pytest.fixture(scope="module")
def known(tmp_path_factory, texts):
    """A store in which all that a person or a file may say is hostile: its folder, the scenario and a link to it."""
    home = tmp_path_factory.mktemp("hostile")
    every = tuple(texts.values())
    store = open_store(f"sqlite:///{home / 'plimsoll.db'}")
    mine = store.acting(replace(LOCAL, name=texts["html"][:80]))
    first = hostile_scenario(*every)
    saved = mine.save(first, message=texts["markdown"], tags=[each[:40] for each in every])
    mine.save(
        replace(first, name=texts["markdown"][:100], notes=texts["blocks"], targets=()),
        saved.id,
        message="\n".join(every)[:500],
    )
    for name, each in texts.items():
        if name != "blocks":
            mine.save(hostile_scenario(each), tags=[each[:40]])
        mine.comments.add(saved.id, each, 1, author=each)
    link = mine.shares.make(saved.id, 1, label=texts["html"])
    store.close()
    return home, saved.id, link.token


@pytest.fixture(scope="module")
def server(root, known):
    with serving(root, known[0]) as address:
        yield address


@pytest.fixture
def heard(page):
    """Whatever a script of somebody else's would open."""
    opened = []
    page.on("dialog", lambda dialog: (opened.append(dialog.message), dialog.dismiss()))
    yield opened
    assert not opened


LOOK = """() => ({
  pictures: [...document.images].map(each => each.src).filter(each => !/^data:|\\/media\\/|\\/static\\//.test(each)),
  links: [...document.links].map(each => each.href),
  scripts: [...document.querySelectorAll("[data-testid=stApp] script, [data-testid=stApp] iframe")].length,
  made: [...document.querySelectorAll("[data-testid=stMain] :is(.katex, s, del)")].map(each => each.outerHTML),
  handlers: [...document.querySelectorAll("[data-testid=stApp] *")].filter(each => each.hasAttribute("onerror")).length,
  over: [...document.querySelectorAll("[data-testid=stMain]")].map(each => each.scrollWidth - each.clientWidth),
  told: document.title + "\\n" + document.body.innerText
    + [...document.querySelectorAll("[title],[aria-label],[alt]")].map(each =>
      ["title", "aria-label", "alt"].map(name => each.getAttribute(name) || "").join(" ")).join("\\n"),
})"""


def looked(page, server, canary):
    """Fail where anything on the page is more than text; return what it says."""
    expect(page.get_by_test_id("stException")).to_have_count(0)
    found = page.evaluate(LOOK)
    assert not found["pictures"]
    assert not [each for each in found["links"] if not each.startswith(server)]
    assert (found["scripts"], found["handlers"], found["made"]) == (0, 0, [])
    assert not set(found["told"]) & (set(ACTING) - set("\u2066\u2069")), page.url
    assert max(found["over"], default=0) <= 1, page.url
    assert not canary.asked
    return found["told"].replace("\u2060", "")


def tab(page, name):
    page.locator(".st-key-scenario_part").get_by_text(name, exact=True).click()
    settle(page)


def unfold(page):
    """Open every panel that is shut: what is in it is drawn only then."""
    shut = page.get_by_test_id("stMain").locator("details:not([open]) > summary")
    expect(shut.first).to_be_visible()
    for _ in range(shut.count()):
        left = shut.count()
        shut.first.click()
        expect(shut).to_have_count(left - 1)
        settle(page)


def test_what_is_saved_is_text_on_every_page_of_a_telephone(visit, page, server, canary, heard, known, texts):
    _, scenario, token = known
    page.set_viewport_size(NARROW)
    visit("/scenarios")
    told = looked(page, server, canary)
    assert all(words in told for words in (texts["html"][:60], texts["markdown"][:60], texts["formula"], "idib"))
    visit(f"/scenarios?scenario={scenario}&v=1")
    assert texts["html"][:60] in looked(page, server, canary)
    for name in ("Versions", "Links", "Comments"):
        tab(page, name)
        told = looked(page, server, canary)
        assert {"Versions": texts["markdown"], "Links": texts["html"], "Comments": texts["formula"]}[name] in told
    visit(f"/?s={token}")
    told = looked(page, server, canary)
    assert texts["html"][:60] in told
    assert "# a" in told


def test_what_is_read_and_gone_on_with_is_text_too(visit, page, server, canary, heard, known, texts):
    """Going on from a saved version, the report of it, an undo, and files with hostile names and contents."""
    visit(f"/scenarios?scenario={known[1]}&v=1")
    page.locator(".st-key-go_on button").click()
    expect(page.get_by_test_id("stPlotlyChart").first).to_be_visible()
    settle(page)
    unfold(page)
    assert texts["formula"] in looked(page, server, canary)
    for name in ("Data", "Report"):
        page.get_by_test_id("stTopNavLink").filter(has_text=name).click()
        settle(page)
        looked(page, server, canary)
    visit("/")
    page.get_by_test_id("stFileUploader").locator("input[type=file]").first.set_input_files(files(texts))
    expect(page.get_by_test_id("stPlotlyChart").first).to_be_visible()
    settle(page)
    assert re.search("onerror|javascript", looked(page, server, canary))
    page.get_by_test_id("stTopNavLink").filter(has_text="Data").click()
    settle(page)
    assert "x.txt" in looked(page, server, canary)


def files(texts):
    """Levels of one model whose names and settings are hostile, and a file that is none."""
    body = {
        "request_throughput": 2.0,
        "mean_ttft_ms": 100.0,
        "p99_ttft_ms": 200.0,
        "mean_tpot_ms": 20.0,
        "duration": 60.0,
    }
    more = {"completed": 120, "num_prompts": 120, "output_throughput": 300.0, "total_input_tokens": 12_000}
    levels = []
    for load in (4, 8, 16, 32):
        document = {**body, **more, "total_output_tokens": 24_000, "max_concurrency": load, "backend": texts["unseen"]}
        document |= {"p99_ttft_ms": 50.0 * load, "model_id": texts["html"], "tokenizer_id": texts["markdown"]}
        levels.append((f"![x](javascript:alert(3)) <b>{load}\u202e.json", json.dumps(document)))
    levels.append((f"<img src=x onerror=alert(1)> {LONG} x.txt", "nothing that anybody reads"))
    return [{"name": name, "mimeType": "application/json", "buffer": data.encode()} for name, data in levels]
