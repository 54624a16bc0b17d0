"""The real entry, over a real connection: what only the whole can show."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from urllib.parse import urlsplit

import pytest

from tests.serve.server import uvicorn

TOKEN = "dG9rZW4tb2YtdGhlLXRlc3Rz"


@pytest.fixture(scope="module")
def served(root, tmp_path_factory):
    # From another folder: the settings in .streamlit belong to the app, not to where it is started.
    with uvicorn(root, tmp_path_factory.mktemp("home"), cwd=tmp_path_factory.mktemp("elsewhere")) as running:
        yield running


def ask(served, path, method="GET", headers=None, body=None):
    connection = http.client.HTTPConnection(urlsplit(served[0]).netloc, timeout=20)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()
    finally:
        connection.close()


def test_it_becomes_ready_by_itself(served):
    assert ask(served, "/healthz")[::2] == (200, "ok")
    end = time.monotonic() + 30
    while (state := ask(served, "/readyz")[2]) != "ready" and time.monotonic() < end:
        time.sleep(0.1)
    assert state == "ready"


def test_the_page_is_kept_nowhere_and_its_own_script_is_allowed(served):
    status, headers, page = ask(served, f"/?s={TOKEN}")
    assert status == 200
    assert headers["cache-control"] == "no-store"
    assert "noindex" in headers["x-robots-tag"]
    assert headers["referrer-policy"] == "no-referrer"
    assert page.count("<script>") == headers["content-security-policy"].count("'sha256-")


def test_an_upload_from_elsewhere_is_refused(served):
    body = b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\na\r\n--x--\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    assert ask(served, "/_stcore/upload_file/a/b", "PUT", headers, body)[0] == 403
    cookie = ask(served, "/_stcore/health")[1]["set-cookie"].split(";")[0]
    forged = headers | {"Cookie": cookie, "X-Xsrftoken": "2|00000000|00|0"}
    assert ask(served, "/_stcore/upload_file/a/b", "PUT", forged, body)[0] == 403
    right = headers | {"Cookie": cookie, "X-Xsrftoken": cookie.partition("=")[2]}
    # With the token it is the session that is unknown: the refusal above was the token's.
    assert ask(served, "/_stcore/upload_file/a/b", "PUT", right, body)[0] == 400


def test_a_body_that_announces_too_much_is_refused_at_once(served):
    begun = time.monotonic()
    status, headers, _ = ask(served, "/_stcore/upload_file/a/b", "PUT", {"Content-Length": str(10**12)})
    assert (status, headers["connection"]) == (413, "close")
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    "path", ["/app/static/../app.py", "/static/%2e%2e/%2e%2e/app.py", "/static/..%2f..%2fapp.py", "//etc/passwd"]
)
def test_no_path_leads_out_of_what_is_served(served, path):
    status, _, text = ask(served, path)
    assert "st.navigation" not in text
    assert "root:" not in text
    assert status in (400, 404) or "<!DOCTYPE html>" in text


def test_a_name_that_leads_here_is_refused(served):
    assert ask(served, "/", headers={"Host": "evil.example"})[0] == 421


def test_metrics_count_what_was_asked(served):
    text = ask(served, "/metrics")[2]
    assert 'plimsoll_http_requests_total{method="GET",place="page",status="200"}' in text
    assert ask(served, "/metrics", headers={"X-Forwarded-For": "203.0.113.1"})[0] == 403
    assert ask(served, "/_stcore/metrics", headers={"X-Forwarded-For": "203.0.113.1"})[0] == 403


def test_the_log_of_all_this_has_no_token(served):
    ask(served, f"/?s={TOKEN}&d={TOKEN}")
    ask(
        served,
        f"/auth/login?next=%2F%3Fs%3D{TOKEN}",
        headers={"Cookie": f"a={TOKEN}", "Authorization": f"Bearer {TOKEN}"},
    )
    time.sleep(0.5)
    text = served[1].read_text(encoding="utf-8")
    assert "GET /?s=" in text
    assert TOKEN not in text


def test_an_app_below_a_path_answers_there(root, tmp_path):
    folder = tmp_path / ".streamlit"
    folder.mkdir()
    (folder / "config.toml").write_text('[server]\nbaseUrlPath = "capacity"\nheadless = true\n', encoding="utf-8")
    with uvicorn(root, tmp_path, cwd=tmp_path) as running:
        assert ask(running, "/capacity/healthz")[2] == "ok"
        assert ask(running, "/capacity/readyz")[0] in (200, 503)
        assert ask(running, "/capacity/metrics", headers={"Via": "x"})[0] == 403
        assert ask(running, "/capacity/_stcore/metrics", headers={"Via": "x"})[0] == 403
        assert ask(running, "/capacity/_stcore/upload_file/a/b", "PUT", {"Content-Length": str(10**12)})[0] == 413


@pytest.mark.parametrize(
    ("name", "value"),
    [("PLIMSOLL_SIGN_IN", "ldap"), ("PLIMSOLL_TRUSTED_PROXIES", "everybody"), ("PLIMSOLL_METRICS_TOKEN", "short")],
)
def test_a_setting_that_nobody_can_follow_stops_the_start(root, tmp_path, name, value):
    environment = {"PATH": "", "PLIMSOLL_HOME": str(tmp_path), name: value}
    command = [sys.executable, "-c", "import serve.asgi"]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert name in done.stderr
    assert "Traceback" not in done.stderr
    assert value not in done.stderr.replace(name, "")


def test_json_lines_are_json(root, tmp_path):
    with uvicorn(root, tmp_path, settings={"PLIMSOLL_LOG": "json"}) as running:
        ask(running, f"/?s={TOKEN}")
        time.sleep(0.5)
    lines = running[1].read_text(encoding="utf-8").splitlines()
    events = [json.loads(line) for line in lines if line.startswith("{")]
    assert [event for event in events if event["logger"] == "uvicorn.access"]
    assert TOKEN not in "".join(lines)
