"""Health, readiness and metrics: what they say, and to whom."""

from __future__ import annotations

import pytest

from core.serving import Serving
from core.store.readiness import Readiness
from tests.serve.front import PROXY, STRANGER, client

TOKEN = "a-token-of-the-tests-1234"


def test_health_needs_nothing_but_the_process():
    answer = client(state=Readiness.UNREACHABLE).get("/healthz")
    assert (answer.status_code, answer.text) == (200, "ok")


@pytest.mark.parametrize("state", list(Readiness))
def test_readiness_is_what_the_database_says(state):
    answer = client(state=state).get("/readyz")
    assert (answer.status_code, answer.text) == (200 if state is Readiness.READY else 503, state.value)


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/capacity/healthz", "/capacity/readyz"])
def test_they_answer_under_the_base_and_at_the_root(path):
    assert client(base="/capacity").get(path).text in ("ok", "ready")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_they_are_only_read(method):
    assert client().request(method, "/readyz").status_code == 405


@pytest.mark.parametrize("path", ["/metrics", "/_stcore/metrics", "/_stcore/metrics/", "/metrics/"])
def test_metrics_are_not_told_to_strangers(path):
    answer = client(peer=STRANGER).get(path)
    assert answer.status_code == 403
    assert "plimsoll_" not in answer.text


@pytest.mark.parametrize("name", ["X-Forwarded-For", "X-Real-IP", "Forwarded", "Via", "X-Forwarded-Proto"])
@pytest.mark.parametrize("path", ["/metrics", "/_stcore/metrics"])
def test_nor_to_strangers_behind_a_proxy_on_this_machine(name, path):
    assert client(peer=PROXY, url="http://localhost").get(path, headers={name: "203.0.113.7"}).status_code == 403


def test_nor_to_a_page_that_has_its_own_name_lead_here():
    assert client(peer=PROXY, url="http://evil.example").get("/metrics").status_code == 403


def test_a_program_on_this_machine_reads_them():
    answer = client(peer=PROXY, url="http://127.0.0.1:8501").get("/metrics")
    assert answer.status_code == 200
    for name in ("sessions", "script_seconds_bucket", "script_errors_total", "saves_total", "shares_opened_total"):
        assert f"plimsoll_{name}" in answer.text
    assert "plimsoll_database_up 1.0" in answer.text
    assert 'plimsoll_build_info{method="' in answer.text


def test_with_a_token_only_the_token_counts():
    settings = Serving(metrics_token=TOKEN)
    near = client(settings, peer=PROXY, url="http://localhost")
    assert near.get("/metrics").status_code == 401
    assert near.get("/_stcore/metrics").status_code == 401
    for said in ("", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer \xff"):
        assert client(settings).get("/metrics", headers={"Authorization": said.encode("latin-1")}).status_code == 401
    assert client(settings).get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_a_down_database_is_told_as_a_number():
    text = client(peer=PROXY, url="http://localhost", state=Readiness.UNREACHABLE).get("/metrics").text
    assert "plimsoll_database_up 0.0" in text
    assert "plimsoll_database_ready 0.0" in text
    behind = client(peer=PROXY, url="http://localhost", state=Readiness.BEHIND).get("/metrics").text
    assert "plimsoll_database_up 1.0" in behind
    assert "plimsoll_database_ready 0.0" in behind


def counted(place: str, method: str, status: str) -> float:
    from serve.counts import REGISTRY

    labels = {"place": place, "method": method, "status": status}
    return REGISTRY.get_sample_value("plimsoll_http_requests_total", labels) or 0.0


def test_requests_are_counted_by_class_and_never_by_address():
    before = counted("media", "GET", "200"), counted("page", "other", "200")
    client().get("/media/secret-name.pdf?s=token")
    client().request("BREW", "/anything")
    assert counted("media", "GET", "200") == before[0] + 1
    assert counted("page", "other", "200") == before[1] + 1
    text = client(peer=PROXY, url="http://localhost").get("/metrics").text
    assert "secret-name" not in text
    assert "token" not in text
    assert "BREW" not in text
