"""A proxy signs people in and says in a header who they are: nginx as it is deployed, and who lies about it."""

from __future__ import annotations

import threading
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from core.model.person import Person
from core.store.store import open_store
from tests.browser.conftest import settle
from tests.replicas.conftest import Replica, proxied
from tests.store.store_build import a_scenario

pytestmark = pytest.mark.replicas

ANA, HEADER, SIGNED = "ana@example.com", "X-Auth-Request-Email", "_oauth2_proxy=of-ana"
PROXY = "127.0.0.2"
"""Where nginx comes from: so that whoever comes from 127.0.0.1 is a client like any other."""


class Vouching(BaseHTTPRequestHandler):
    """Answers as oauth2-proxy does: who a cookie is of, and the sign-in that gives it."""

    def do_GET(self):
        if self.path == "/oauth2/auth":
            cookies = SimpleCookie(self.headers.get("Cookie", ""))
            known = cookies.get("_oauth2_proxy")
            self.send_response(202 if known and known.value == "of-ana" else 401)
            # Also where it vouches for nobody: only its yes may count.
            self.send_header(HEADER, ANA)
            self.send_header("X-Auth-Request-Preferred-Username", "Ana Ruiz")
        else:
            self.send_response(302)
            self.send_header("Set-Cookie", f"{SIGNED}; Path=/; HttpOnly")
            self.send_header("Location", self.headers["X-Auth-Request-Redirect"])
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def vouching():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Vouching)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def kept_in(tmp_path_factory):
    return f"sqlite:///{tmp_path_factory.mktemp('header')}/plimsoll.db"


@pytest.fixture(scope="module")
def site(root, tmp_path_factory, nginx, vouching, kept_in):
    """One server behind nginx, which asks the sign-in."""
    folder = tmp_path_factory.mktemp("proxy")
    (folder / "sign-in.d").mkdir()
    asked = (root / "deploy" / "nginx-sign-in.conf").read_text(encoding="utf-8")
    text = asked.replace("oauth2-proxy:4180", vouching) + f"proxy_bind {PROXY};\n"
    (folder / "sign-in.d" / "oauth2-proxy.conf").write_text(text, encoding="utf-8")
    said = {"SIGN_IN": "header", "TRUSTED_PROXIES": PROXY, "NAME_HEADER": "X-Auth-Request-Preferred-Username"}
    replica = Replica("a", root, folder, kept_in, **{f"PLIMSOLL_{name}": value for name, value in said.items()})
    try:
        replica.start()
        with proxied(nginx, root, folder, {"a": replica, "b": replica}) as running:
            yield running
    finally:
        replica.end()


@pytest.fixture
def page(browser, browser_context_args):
    context = browser.new_context(**browser_context_args)
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def test_whoever_signs_in_at_the_proxy_is_known_and_comes_back_to_the_address(site, page):
    wanted = f"{site.address}/scenarios?q=a%20b&lang=ko&sort=name"
    page.goto(wanted)
    settle(page)
    expect(page.locator(".st-key-account")).to_contain_text("Ana Ruiz")
    expect(page.locator(".st-key-find input")).to_have_value("a b")
    expect(page.locator(".st-key-find")).to_contain_text("검색")
    page.locator(".st-key-account button").first.click()
    expect(page.get_by_text(ANA)).to_be_visible()


def test_a_public_link_opens_without_signing_in_and_nothing_else_does(site, page, kept_in):
    store = open_store(kept_in).acting(Person(id=f"header#{ANA}", name="Ana Ruiz", email=ANA))
    saved = store.save(a_scenario("Sent around"))
    public, inside = (store.shares.make(saved.id, public=public).token for public in (True, False))
    page.goto(f"{site.address}/?s={public}")
    settle(page)
    expect(page.get_by_text("Sent around").first).to_be_visible()
    expect(page.get_by_test_id("stTopNavLink")).to_have_count(0)
    page.goto(f"{site.address}/?s={inside}")
    settle(page)
    expect(page.get_by_text("This is for people who have signed in")).to_be_visible()
    expect(page.get_by_text("Sent around")).to_have_count(0)


@pytest.mark.parametrize(
    ("door", "headers", "known"),
    [
        ("proxy", {"Cookie": SIGNED}, True),
        ("proxy", {"Cookie": "_oauth2_proxy=forged"}, False),
        ("proxy", {HEADER: ANA}, False),
        ("proxy", {HEADER: ANA, "X-Forwarded-For": PROXY}, False),
        ("proxy", {"X-Plimsoll-Person": ANA, "X-Plimsoll-Proof": "x"}, False),
        ("port", {HEADER: ANA}, False),
        ("port", {HEADER: ANA, "X-Forwarded-For": PROXY, "Forwarded": f"for={PROXY}"}, False),
    ],
    ids=["signed", "forged", "lies", "lies twice", "lies inside", "past the proxy", "past the proxy with its address"],
)
def test_only_who_the_proxy_vouches_for_is_known(site, door, headers, known):
    host = site.address.removeprefix("http://")
    host = host if door == "proxy" else f"127.0.0.1:{site.replicas['a'].port}"
    said = first_run(f"ws://{host}/_stcore/stream", headers)
    assert ("Ana Ruiz" in said) is known
    assert ("Sign in to Plimsoll" in said) is not known


def first_run(address, headers):
    """Return everything that the app says to a client that opens it over the stream."""
    said = b""
    with connect(address, additional_headers=headers, subprotocols=["streamlit"], max_size=None) as stream:
        ask = BackMsg()
        ask.rerun_script.query_string = ""
        stream.send(ask.SerializeToString())
        while True:
            message = ForwardMsg()
            received = stream.recv(timeout=60)
            message.ParseFromString(received)
            said += received
            if message.WhichOneof("type") == "script_finished":
                return said.decode("utf-8", "replace")
