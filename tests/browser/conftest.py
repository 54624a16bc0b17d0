"""A real server on a free port of this machine, and a real Chromium that must never leave it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

START_S = 60
PATIENCE_MS = 30_000

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    chromium = os.environ.get("CHROMIUM") or "/usr/bin/chromium"
    return {
        **browser_type_launch_args,
        "executable_path": chromium,
        "args": ["--no-sandbox", "--disable-dev-shm-usage"],
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    return {
        **browser_context_args,
        "viewport": {"width": 1440, "height": 1000},
        "locale": "en-US",
        "timezone_id": "UTC",
        "reduced_motion": "reduce",
    }


@pytest.fixture(scope="session")
def server(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start the app with an empty store and return its address."""
    with serving(root, tmp_path_factory.mktemp("home")) as address:
        yield address


@contextmanager
def serving(root: Path, home: Path, **settings: str) -> Iterator[str]:
    """Serve the app from a process of its own, with its store in `home` where the settings name no other."""
    port = _free_port()
    command = [sys.executable, "-m", "streamlit", "run", "serve/asgi.py", "--server.port", str(port)]
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PLIMSOLL_")}
    environment = {**plain, "PLIMSOLL_HOME": str(home), "FORWARDED_ALLOW_IPS": "", **settings}
    with (home / "server.log").open("wb") as log:
        running = subprocess.Popen(command, cwd=root, env=environment, stdout=log, stderr=subprocess.STDOUT)
        address = f"http://127.0.0.1:{port}"
        try:
            _wait_until_healthy(address, running, home / "server.log")
            yield address
        finally:
            running.terminate()
            try:
                running.wait(timeout=10)
            except subprocess.TimeoutExpired:
                running.kill()


TELL_BLOCKED = """document.addEventListener("securitypolicyviolation", event =>
  console.error(`blocked: ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}`))"""


@pytest.fixture
def watched(server: str, context: BrowserContext) -> Iterator[BrowserContext]:
    """A browser context whose requests, script errors and breaches of the policy are checked at the end."""
    strangers: list[str] = []
    faults: list[str] = []
    blocked: list[str] = []
    origin = urlsplit(server).netloc

    def watch_request(request) -> None:
        address = urlsplit(request.url)
        if address.scheme in ("http", "https", "ws", "wss") and address.netloc != origin:
            strangers.append(request.url)

    context.on("request", watch_request)

    def watch_console(message) -> None:
        if message.text.startswith("blocked:") or "Content Security Policy" in message.text:
            blocked.append(message.text)

    context.add_init_script(TELL_BLOCKED)
    context.on("console", watch_console)
    context.on("weberror", lambda fault: faults.append(str(fault.error)))
    context.set_default_timeout(PATIENCE_MS)
    yield context
    assert not strangers
    assert not faults
    assert not blocked


@pytest.fixture
def page(watched: BrowserContext) -> Page:
    """A page of the watched context."""
    return watched.new_page()


@pytest.fixture
def visit(server: str, page: Page):
    """Open a path of the app in the page, wait until it has settled, and return the page."""

    def go(path: str = "/") -> Page:
        page.goto(server + path, timeout=60_000)
        settle(page)
        return page

    return go


def settle(page: Page) -> None:
    """Wait until the server has nothing more to say about the last act."""
    idle = page.locator("[data-testid=stApp][data-test-script-state=notRunning]")
    expect(idle).to_be_visible(timeout=60_000)
    page.wait_for_timeout(250)
    expect(idle).to_be_visible(timeout=60_000)


def whole(*words: str) -> re.Pattern[str]:
    """Return a pattern that finds the words in this order, whatever stands between them."""
    return re.compile(".*".join(re.escape(word) for word in words), re.DOTALL)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_healthy(address: str, running: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        if running.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    pytest.fail(f"the server did not start:\n{log.read_text(encoding='utf-8', errors='replace')[-2000:]}")
