"""Which names the app answers to, and what it never answers."""

from __future__ import annotations

import pytest
from starlette.websockets import WebSocketDisconnect
from streamlit import config

from serve.hosts import Hosts
from tests.serve.front import TestClient, client, echo


def asked(host: str, here: str, path: str = "/"):
    """Ask a server that listens at `here` under the name `host`."""

    async def listening(scope, receive, send):
        await Hosts(echo)({**scope, "server": (here, 8501)}, receive, send)

    return TestClient(listening, raise_server_exceptions=False).get(path, headers={"Host": host}).status_code


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1:8501", "[::1]:8501", "app.localhost"])
def test_on_this_machine_its_own_names_are_answered(host):
    assert asked(host, "127.0.0.1") == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "", "a@b:c", "[", "10.0.0.1"]
)
def test_on_this_machine_other_names_are_refused(host):
    assert asked(host, "127.0.0.1") == 421
    assert asked(host, "::1") == 421
    # Probes ask under the address of a machine.
    assert asked(host, "127.0.0.1", "/healthz") == 200


def test_a_page_elsewhere_cannot_open_the_stream_under_its_own_name():
    async def listening(scope, receive, send):
        await Hosts(echo)({**scope, "server": ("127.0.0.1", 8501)}, receive, send)

    browser = TestClient(listening)
    origin = {"Host": "evil.example", "Origin": "http://evil.example"}
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect("/_stcore/stream", headers=origin):
        pass


def test_elsewhere_the_names_are_the_setting(monkeypatch):
    assert asked("any.example", "10.0.0.5") == 200
    told = {"server.allowedHosts": ["plimsoll.example", "*.intranet.example"]}
    real = config.get_option
    monkeypatch.setattr(config, "get_option", lambda name: told.get(name) or real(name))
    assert asked("plimsoll.example", "10.0.0.5") == 200
    assert asked("a.intranet.example:443", "127.0.0.1") == 200
    assert asked("any.example", "10.0.0.5") == 421
    assert asked("localhost", "127.0.0.1") == 421
    assert asked("10.0.0.5:8501", "10.0.0.5", "/readyz") == 200


@pytest.mark.parametrize("path", ["/_stcore/agent/openapi.json", "/_stcore/agent/interact", "/_stcore/agent/mcp"])
def test_the_interface_for_programs_is_not_there(path):
    assert client().post(path, json={}).status_code == 404
    assert client().get(path).status_code == 404
