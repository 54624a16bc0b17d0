"""A real identity provider and an app that asks it, both on loopback; and people who sign in there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import _free_port, _wait_until_healthy, settle

COOKIE_SECRET = "0123456789abcdef0123456789abcdef"  # of a test, on loopback
ANA = {"sub": "ana", "name": "Ana Ruiz", "email": "ana@example.com", "email_verified": True}
BEN = {"sub": "ben", "name": "Ben Osei", "email": "ben@example.com", "email_verified": True}
EVE = {"sub": "eve", "name": "Eve", "email": "ana@example.com", "email_verified": False}
ROOT = {"sub": "root", "name": "Root", "email": "root@example.com", "email_verified": True}


@contextmanager
def process(command: list[str], root: Path, log: Path, probe: str, **settings: str) -> Iterator[None]:
    """Run a server until it is no longer needed; only this one is ended."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PLIMSOLL_")}
    with log.open("wb") as out:
        running = subprocess.Popen(command, cwd=root, env={**ours, **settings}, stdout=out, stderr=subprocess.STDOUT)
        try:
            _wait(probe, running, log)
            yield
        finally:
            running.terminate()
            try:
                running.wait(timeout=10)
            except subprocess.TimeoutExpired:
                running.kill()


def _wait(probe: str, running: subprocess.Popen[bytes], log: Path) -> None:
    if probe.endswith("/_stcore/health"):
        _wait_until_healthy(probe.removesuffix("/_stcore/health"), running, log)
        return
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(probe, timeout=2).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise AssertionError(log.read_text(encoding="utf-8", errors="replace")[-2000:])


@contextmanager
def provider(root: Path, home: Path, *options: str) -> Iterator[str]:
    """Run an OpenID provider that knows four people, and return its address."""
    port = _free_port()
    known = [part for each in (ANA, BEN, EVE, ROOT) for part in ("--user-claims", json.dumps(each))]
    command = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port), *known, *options]
    address = f"http://127.0.0.1:{port}"
    with process(command, root, home / f"provider-{port}.log", f"{address}/.well-known/openid-configuration"):
        yield address


@contextmanager
def app(root: Path, home: Path, entry: str = "serve/asgi.py", **settings: str) -> Iterator[str]:
    """Serve the app with settings of signing in, and return its address."""
    port = _free_port()
    address = f"http://127.0.0.1:{port}"
    filled = {name: value.replace("{address}", address) for name, value in settings.items()}
    command = [sys.executable, "-m", "streamlit", "run", entry, "--server.port", str(port)]
    log = home / f"app-{port}.log"
    with process(command, root, log, f"{address}/_stcore/health", PLIMSOLL_HOME=str(home), **filled):
        yield address


def with_provider(issuer: str) -> dict[str, str]:
    """Return the settings of an app that signs people in at a provider."""
    return {
        "PLIMSOLL_SIGN_IN": "oidc",
        "PLIMSOLL_ADMINS": ROOT["email"],
        "PLIMSOLL_OIDC_ISSUER": issuer,
        "PLIMSOLL_OIDC_CLIENT_ID": "plimsoll",
        "PLIMSOLL_OIDC_CLIENT_SECRET": "of-no-importance",
        "PLIMSOLL_OIDC_REDIRECT_URI": "{address}/oauth2callback",
        "PLIMSOLL_COOKIE_SECRET": COOKIE_SECRET,
    }


def go(page: Page, address: str) -> Page:
    """Open an address and wait until the app has settled."""
    page.goto(address, timeout=60_000)
    settle(page)
    return page


def sign_in(page: Page, who: dict[str, object]) -> Page:
    """Press the button, choose a person at the provider, and wait for the app."""
    page.locator(".st-key-sign_in_default button").click()
    page.get_by_role("button", name=str(who["sub"]), exact=True).click(timeout=60_000)
    expect(page.get_by_test_id("stApp")).to_be_visible(timeout=60_000)
    settle(page)
    expect(page.locator(".st-key-account")).to_contain_text(str(who["name"]))
    return page


def signed_out(page: Page) -> None:
    """Hold that there is the sign-in page and nothing else of the app."""
    expect(page.get_by_role("heading", name="Sign in to Plimsoll")).to_be_visible()
    expect(page.get_by_test_id("stTopNavLink")).to_have_count(0)
    expect(page.get_by_test_id("stFileUploader")).to_have_count(0)
    expect(page.get_by_text("Page not found")).to_have_count(0)


def save_sample(page: Page, name: str) -> None:
    """Take the sample and save it under a name."""
    page.locator(".st-key-sample button").click()
    expect(page.get_by_role("heading", name=re.compile(r"concurrent requests, safely"))).to_be_visible()
    settle(page)
    page.locator(".st-key-save_open button").first.click()
    page.locator(".st-key-save_name input").fill(name)
    page.locator(".st-key-save_name input").press("Enter")
    expect(page.get_by_text(f'Saved as "{name}"')).to_be_visible()


@contextmanager
def somebody(browser, browser_context_args) -> Iterator[BrowserContext]:
    """Give a browser of its own, with no cookie of anybody else."""
    context = browser.new_context(**browser_context_args)
    context.set_default_timeout(30_000)
    try:
        yield context
    finally:
        context.close()
