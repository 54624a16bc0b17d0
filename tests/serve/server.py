"""A server of the tests' own, as people start it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

START_S = 60


@contextmanager
def uvicorn(
    root: Path,
    home: Path,
    entry: str = "serve.asgi:app",
    settings: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Iterator[tuple[str, Path]]:
    """Serve an entry and yield its address and its log."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PLIMSOLL_")}
    environment = {**plain, "PLIMSOLL_HOME": str(home), **(settings or {})}
    options = ["--app-dir", str(root), "--port", str(port), "--no-proxy-headers"]
    command = [sys.executable, "-m", "uvicorn", entry, *options]
    log = home / "server.log"
    with log.open("wb") as out:
        running = subprocess.Popen(command, cwd=cwd or root, env=environment, stdout=out, stderr=out)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(f"{address}/_stcore/health", running, log)
        yield address, log
    finally:
        running.terminate()
        try:
            running.wait(timeout=10)
        except subprocess.TimeoutExpired:
            running.kill()


def _wait(address: str, running: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end and running.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except urllib.error.HTTPError:
            return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"the server did not start:\n{log.read_text(errors='replace')[-2000:]}")
