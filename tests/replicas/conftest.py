"""Two servers, nginx as it is deployed, and PostgreSQL: all on this machine, all ended by their own ids."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.browser.conftest import browser_context_args, browser_type_launch_args  # noqa: F401  # the same browser
from tests.postgres import Cluster

START_S = 90
COOKIE_SECRET = "the-same-on-every-replica-of-the-tests"


class Replica:
    """One server, started as the container starts it."""

    def __init__(self, name: str, root: Path, folder: Path, database: str, **settings: str) -> None:
        self.name, self._root, self._folder, self._database = name, root, folder, database
        self._settings = settings
        self.port = free_port()
        self.log = folder / f"{name}.log"
        self._running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        plain = {key: value for key, value in os.environ.items() if not key.startswith("PLIMSOLL_")}
        ours = {
            "PLIMSOLL_HOME": str(self._folder / self.name),
            "PLIMSOLL_DATABASE_URL": self._database,
            "PLIMSOLL_REPLICA": self.name,
            "PLIMSOLL_LOG": "json",
            "PLIMSOLL_COOKIE_SECRET": COOKIE_SECRET,
        }
        ours |= self._settings
        # The access log is on, unlike in the container: what it would tell has to be without secrets too.
        options = ["--no-proxy-headers", "--timeout-graceful-shutdown", "5", "--port", str(self.port)]
        command = [sys.executable, "-m", "uvicorn", "serve.asgi:app", *options]
        with self.log.open("ab") as log:
            self._running = subprocess.Popen(command, cwd=self._root, env=plain | ours, stdout=log, stderr=log)
        self._wait("/readyz")

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        running, self._running = self._running, None
        if running is None or running.poll() is not None:
            return
        running.send_signal(how)
        try:
            running.wait(timeout=20)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
            return answer.read().decode()

    def _wait(self, path: str) -> None:
        end = time.monotonic() + START_S
        while time.monotonic() < end and self._running is not None and self._running.poll() is None:
            try:
                self.get(path)
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.2)
            else:
                return
        pytest.fail(f"{self.name} did not start:\n{self.log.read_text(errors='replace')[-3000:]}")


class Site:
    """What people reach: an address, and what is behind it."""

    def __init__(self, address: str, replicas: dict[str, Replica], proxy_log: Path) -> None:
        self.address, self.replicas, self.proxy_log = address, replicas, proxy_log

    def logs(self) -> str:
        files = [self.proxy_log, *(replica.log for replica in self.replicas.values())]
        return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


def nginx_conf(root: Path, folder: Path, port: int, replicas: dict[str, Replica]) -> str:
    """Return deploy/nginx.conf with the addresses of this machine in it."""
    text = (root / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    text = text.replace("listen 8080;", f"listen 127.0.0.1:{port};").replace("/tmp/nginx", f"{folder}/nginx")
    text = text.replace("/etc/nginx/sign-in.d", f"{folder}/sign-in.d")
    for name, replica in replicas.items():
        text = text.replace(f"plimsoll-{name}:8501", f"127.0.0.1:{replica.port}")
    return text


@pytest.fixture(scope="session")
def nginx() -> str:
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if found is None:
        pytest.fail("nginx is not installed; scripts/services installs it (Debian: apt-get install nginx-light)")
    return found


@pytest.fixture
def site(root: Path, tmp_path: Path, postgres: Cluster, nginx: str) -> Iterator[Site]:
    """Two replicas behind nginx, with a database that nobody used."""
    name = postgres.create()
    replicas = {each: Replica(each, root, tmp_path, postgres.address(name)) for each in ("a", "b")}
    with ExitStack() as stack:
        stack.callback(postgres.drop, name)
        for replica in replicas.values():
            stack.callback(replica.end)
            replica.start()
        yield stack.enter_context(proxied(nginx, root, tmp_path, replicas))


@contextmanager
def proxied(nginx: str, root: Path, folder: Path, replicas: dict[str, Replica]) -> Iterator[Site]:
    """Run nginx with deploy/nginx.conf before running servers."""
    port = free_port()
    conf, log = folder / "nginx.conf", folder / "nginx.log"
    conf.write_text(nginx_conf(root, folder, port, replicas), encoding="utf-8")
    # Started as root it would work as nobody, who may not enter the folder of the tests.
    user = "user root; " if os.geteuid() == 0 else ""
    command = [nginx, "-p", str(folder), "-c", str(conf), "-e", "stderr", "-g", f"{user}daemon off;"]
    with log.open("ab") as out:
        running = subprocess.Popen(command, stdout=out, stderr=out)
    try:
        site = Site(f"http://127.0.0.1:{port}", replicas, log)
        _wait_for(site, running)
        yield site
    finally:
        running.terminate()
        running.wait(10)


def _wait_for(site: Site, running: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end and running.poll() is None:
        try:
            urllib.request.urlopen(f"{site.address}/healthz", timeout=5).close()
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"nginx did not start:\n{site.proxy_log.read_text(errors='replace')[-2000:]}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
