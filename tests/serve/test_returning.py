"""After signing in a browser comes back to where it was, whichever replica answers; and nowhere else."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import RedirectResponse

import serve.returning
from serve.returning import COOKIE, MOST, PARAMETER, Returning, opened, sealed
from tests.serve.front import TestClient

WANTED = "/capacity/data?t=ttft-p99-444ms&t=tpot-p99-50ms&lang=ko&q=%EA%B9%80"


@pytest.fixture(autouse=True)
def secret(monkeypatch):
    monkeypatch.setattr(serve.returning, "get_cookie_secret", lambda: "the-same-on-all-replicas" * 2)


def replica(base="/capacity"):
    """One process of several: a sign-in that leads to a provider, and from there to the start."""

    async def streamlit(scope, receive, send):
        to = "https://id.example/authorize" if scope["path"].endswith("/auth/login") else f"{base}/"
        await RedirectResponse(to, status_code=302)(scope, receive, send)

    return TestClient(Returning(streamlit, base), base_url="http://plimsoll.example", follow_redirects=False)


def back_from(kept, first=None, second=None):
    """Sign in through two replicas; return where that leads, and what the browser is told to keep."""
    first, second = first or replica(), second or replica()
    there = first.get(f"/capacity/auth/login?{urlencode({'provider': 'x', PARAMETER: kept})}")
    assert there.headers["location"] == "https://id.example/authorize"
    cookie = there.headers.get("set-cookie", "").partition(";")[0]
    answer = second.get("/capacity/oauth2callback?code=1&state=2", headers={"Cookie": cookie} if cookie else {})
    return answer.headers["location"], there.headers.get("set-cookie", ""), answer.headers.get("set-cookie", "")


def test_another_replica_leads_back_and_only_once():
    where, kept, dropped = back_from(sealed(WANTED))
    assert where == WANTED
    for part in ("Path=/capacity", "HttpOnly", "SameSite=Lax", "Max-Age=900"):
        assert part in kept
    assert dropped.startswith(f"{COOKIE}=;")
    assert "Max-Age=0" in dropped


@pytest.mark.parametrize(
    "address",
    [
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "",
        "x",
        "/a\r\nSet-Cookie: b=c",
        "/" + "a" * MOST,
        "/김",
    ],
)
def test_an_address_elsewhere_is_not_kept(address):
    assert sealed(address) == ""


def test_what_this_app_did_not_write_leads_to_the_start(monkeypatch):
    for forged in ("", "x", WANTED, sealed(WANTED)[:-1], sealed(WANTED) + "x"):
        assert back_from(forged)[0] == "/capacity/"
    assert (
        replica().get("/capacity/oauth2callback", headers={"Cookie": f"{COOKIE}={WANTED}"}).headers["location"]
        == "/capacity/"
    )
    kept = sealed(WANTED)
    monkeypatch.setattr(serve.returning, "LIFETIME_S", -86_400)
    assert opened(kept) == ""


@given(st.text())
def test_whatever_a_cookie_says_nothing_but_an_own_address_opens(text):
    assert opened(text) == ""


def test_other_answers_are_left_alone():
    answer = replica().get("/capacity/other", headers={"Cookie": f"{COOKIE}={sealed(WANTED)}"})
    assert answer.headers["location"] == "/capacity/"
    assert "set-cookie" not in answer.headers
