"""What every answer carries, and what only some do."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

from core.serving import Serving
from serve.headers import page_scripts, policy
from tests.serve.front import PROXY, STRANGER, client

EVERYWHERE = (
    "/",
    "/compare",
    "/media/ab.png",
    "/static/js/a.js",
    "/healthz",
    "/readyz",
    "/metrics",
    "/_stcore/host-config",
)


@pytest.mark.parametrize("path", EVERYWHERE)
def test_every_answer_forbids_sniffing_framing_and_telling_the_address(path):
    headers = client().get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("PUT", "/_stcore/upload_file/a/b", 401), ("POST", "/x", 413), ("GET", "/_stcore/agent/openapi.json", 404)],
)
def test_a_refusal_carries_them_too(method, path, status):
    from core.sign_in import Way

    answer = client(Serving(way=Way.HEADER)).request(method, path, content=b"x" * 100_000 if method == "POST" else b"")
    assert answer.status_code == status
    assert answer.headers["content-security-policy"]
    assert answer.headers["referrer-policy"] == "no-referrer"


def directives(text: str) -> dict[str, set[str]]:
    return {part.split()[0]: set(part.split()[1:]) for part in text.split(";")}


def test_the_policy_lets_no_script_run_but_ours():
    told = directives(client().get("/").headers["content-security-policy"])
    assert told["default-src"] == {"'self'"}
    assert "'unsafe-inline'" not in told["script-src"]
    assert "'unsafe-eval'" not in told["script-src"]
    assert not any("*" in source or source.startswith("http") for sources in told.values() for source in sources)
    assert told["object-src"] == told["frame-src"] == {"'none'"}
    assert told["base-uri"] == told["form-action"] == told["connect-src"] == {"'self'"}


def test_the_scripts_of_the_page_are_known_by_what_they_say():
    assert page_scripts(), "Streamlit's page has a script in itself; without its digest the page would break"
    allowed = directives(policy("'none'", page_scripts()))["script-src"]
    for script in page_scripts():
        assert f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" in allowed


def test_a_file_that_somebody_made_runs_nothing_where_it_is_opened():
    told = directives(client().get("/media/report.html").headers["content-security-policy"])
    assert told["default-src"] == {"'none'"}
    assert "sandbox" in told


def test_who_may_frame_the_app_is_a_setting():
    headers = client(Serving(frames="'self' https://intranet.example")).get("/").headers
    assert "frame-ancestors 'self' https://intranet.example" in headers["content-security-policy"]
    assert "x-frame-options" not in headers


@pytest.mark.parametrize("path", ["/", "/?s=abc", "/shared?s=abc", "/?d=abc", "/media/a.pdf", "/html"])
def test_pages_and_files_are_kept_by_no_cache_and_found_by_no_search(path):
    headers = client().get(path).headers
    assert headers["cache-control"] == "no-store"
    assert "noindex" in headers["x-robots-tag"]


def test_what_never_changes_may_be_kept_unless_its_address_opens_something():
    assert "immutable" in client().get("/static/js/index.js").headers["cache-control"]
    assert client().get("/static/js/index.js?s=token").headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("peer", "told", "counts"),
    [(PROXY, "https", True), (PROXY, "http", False), (STRANGER, "https", False), (PROXY, "https, http", False)],
)
def test_https_counts_only_on_the_word_of_a_trusted_proxy(peer, told, counts):
    headers = client(peer=peer, url="http://localhost").get("/", headers={"X-Forwarded-Proto": told}).headers
    assert ("strict-transport-security" in headers) is counts
    assert ("; Secure" in headers["set-cookie"]) is counts
    assert re.fullmatch(r"a=b; Path=/(; Secure)?", headers["set-cookie"])


def test_a_replica_says_its_name_where_it_has_one():
    assert "x-plimsoll-replica" not in client().get("/").headers
    assert client(Serving(replica="b-2")).get("/").headers["x-plimsoll-replica"] == "b-2"
