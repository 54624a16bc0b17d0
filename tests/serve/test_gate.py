"""Who a request may say it is from: every way to lie about it."""

from __future__ import annotations

import json
import time

import pytest

from core.serving import Serving
from core.sign_in import Way
from core.vouched import PROOF
from tests.serve.front import PROXY, STRANGER, client

LIES = {
    "X-Plimsoll-Person": "boss@example.com",
    "X-Plimsoll-Name": "Boss",
    "X-Plimsoll-Proof": PROOF,
}
BY_HEADER = Serving(way=Way.HEADER, name_header="x-auth-request-name")
SAID = {"X-Auth-Request-Email": "ana@example.com", "X-Auth-Request-Name": "Ana"}


def heard(settings, peer, headers, url="http://localhost"):
    """What the app hears, over a request and over a websocket: they have to be the same."""
    browser = client(settings, peer=peer, url=url)
    asked = browser.get("/x", headers=headers).json()["headers"]
    with browser.websocket_connect("/_stcore/stream", headers=headers) as socket:
        streamed = json.loads(socket.receive_text())
    ours = [{k: v for k, v in each.items() if k.startswith("x-plimsoll")} for each in (asked, streamed)]
    assert ours[0] == ours[1]
    return ours[0]


@pytest.mark.parametrize("way", list(Way))
@pytest.mark.parametrize("peer", [STRANGER, PROXY])
def test_what_a_client_says_of_itself_never_arrives(way, peer):
    assert heard(Serving(way=way), peer, LIES) == {}


def test_a_trusted_proxy_says_who_it_is_and_the_lies_are_gone():
    assert heard(BY_HEADER, PROXY, LIES | SAID) == {
        "x-plimsoll-person": "ana@example.com",
        "x-plimsoll-name": "Ana",
        "x-plimsoll-proof": PROOF,
    }


@pytest.mark.parametrize("way", [Way.OFF, Way.OIDC])
def test_the_proxys_header_says_nothing_where_people_sign_in_otherwise(way):
    assert heard(Serving(way=way), PROXY, SAID) == {}


def test_a_peer_that_is_no_proxy_says_nothing():
    assert heard(BY_HEADER, STRANGER, SAID) == {}
    assert heard(BY_HEADER, ("10.0.0.1", 1), SAID) == {}


@pytest.mark.parametrize(
    ("peer", "forwarded"),
    [
        # The server in front of the app believed a header: uvicorn writes its address with the port 0 …
        (("127.0.0.1", 0), "127.0.0.1"),
        # … or with the port that the header named.
        (("127.0.0.1", 5555), "127.0.0.1:5555"),
        (("::1", 5555), "203.0.113.9, [::1]:5555"),
    ],
)
def test_an_address_that_was_read_from_a_header_is_no_proxys(peer, forwarded):
    assert heard(BY_HEADER, peer, SAID | {"X-Forwarded-For": forwarded}) == {}


def test_two_headers_of_one_name_are_believed_neither():
    said = [("X-Auth-Request-Email", "boss@example.com"), ("X-Auth-Request-Email", "ana@example.com")]
    answer = client(BY_HEADER, peer=PROXY, url="http://localhost").get("/x", headers=said)
    assert "x-plimsoll-person" not in answer.json()["headers"]


@pytest.mark.parametrize("value", ["", "   ", "a" * 600, "a\tb@example.com"])
def test_a_header_that_names_nobody_vouches_for_nobody(value):
    assert heard(BY_HEADER, PROXY, {"X-Auth-Request-Email": value}) == {}


def test_uploads_need_a_person_where_people_sign_in():
    upload = "/_stcore/upload_file/session/file"
    assert client(BY_HEADER, peer=PROXY, url="http://localhost").put(upload).status_code == 401
    assert client(BY_HEADER, peer=STRANGER).put(upload, headers=SAID).status_code == 401
    assert client(BY_HEADER, peer=PROXY, url="http://localhost").put(upload, headers=SAID).status_code == 200
    assert client(Serving(way=Way.OFF)).put(upload).status_code == 200


def claims(**changed):
    now = time.time()
    good = {"iss": "https://id.example", "sub": "ana", "iat": now - 60, "exp": now + 600, "is_logged_in": True}
    return good | changed


def test_a_sign_in_that_has_ended_is_forgotten_on_both_sides(monkeypatch):
    from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

    import serve.signed

    secret = "the-right-secret" * 3
    monkeypatch.setattr(serve.signed, "get_cookie_secret", lambda: secret)

    def asked(path, said, names=("_streamlit_user", "_streamlit_user_tokens", "_streamlit_user_1")):
        signed = {name: create_signed_value(secret, name, json.dumps(said)).decode() for name in names}
        cookies = "; ".join(f"{name}={value}" for name, value in {"own": "1", **signed, "theme": "x"}.items())
        browser = client(Serving(way=Way.OIDC))
        answer = browser.get(path, headers={"Cookie": cookies})
        with browser.websocket_connect("/_stcore/stream", headers={"Cookie": cookies}) as socket:
            streamed = json.loads(socket.receive_text())["cookie"]
        upload = browser.put("/_stcore/upload_file/session/file", headers={"Cookie": cookies})
        forgotten = {line.partition("=")[0] for line in answer.headers.get_list("set-cookie") if "Max-Age=0" in line}
        return answer.json()["headers"]["cookie"], streamed, forgotten, upload.status_code

    for ended in (claims(exp=time.time() - 1), claims(iat=time.time() - 13 * 3600), claims(sub=""), []):
        heard, streamed, forgotten, upload = asked("/x", ended)
        assert heard == streamed == "own=1; theme=x"
        assert forgotten == {"_streamlit_user", "_streamlit_user_tokens", "_streamlit_user_1"}
        assert upload == 401
    heard, streamed, forgotten, upload = asked("/x", claims())
    assert "_streamlit_user=" in heard
    assert heard == streamed
    assert (forgotten, upload) == (set(), 200)
    # Signing out leads out of the provider too, also afterwards.
    assert "_streamlit_user_tokens=" in asked("/auth/logout", claims(exp=1))[0]


def test_a_cookie_that_this_server_did_not_sign_signs_nobody_in(monkeypatch):
    from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

    import serve.signed

    monkeypatch.setattr(serve.signed, "get_cookie_secret", lambda: "the-right-secret" * 3)
    upload = "/_stcore/upload_file/session/file"

    def asked(secret):
        cookie = create_signed_value(secret, "_streamlit_user", json.dumps(claims())).decode()
        return client(Serving(way=Way.OIDC)).put(upload, headers={"Cookie": f"_streamlit_user={cookie}"}).status_code

    assert client(Serving(way=Way.OIDC)).put(upload).status_code == 401
    assert asked("another-secret" * 3) == 401
    assert asked("the-right-secret" * 3) == 200
