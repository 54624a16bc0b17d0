"""The app served for a measurement: on a free loopback port, with a data folder of its own, ended by its pid."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.cookies import SimpleCookie
from pathlib import Path

from benchmarks.speed.measure import memory_mb

ROOT = Path(__file__).resolve().parents[2]
LONGEST_START_S = 60.0
_TICKS = os.sysconf("SC_CLK_TCK")
_COOKIE = "_streamlit_xsrf"
_BOUNDARY = "plimsoll-benchmark"


@dataclass(frozen=True, slots=True)
class Server:
    """A running app."""

    port: int
    pid: int

    @property
    def stream(self) -> str:
        return f"ws://127.0.0.1:{self.port}/_stcore/stream"

    def rss_mb(self) -> float:
        return memory_mb(self.pid, "VmRSS")

    def cpu_s(self) -> float:
        """Return CPU seconds of the process so far, threads that ended included; in steps of 10 ms."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def healthy(self) -> bool:
        try:
            self._health()
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False
        return True

    def upload_token(self) -> str:
        """Return the token that an upload has to carry twice."""
        return SimpleCookie(self._health())[_COOKIE].value

    def put(self, path: str, token: str, name: str, data: bytes) -> None:
        """Send one file to the place that the app gave for it."""
        head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data=head.encode() + data + f"\r\n--{_BOUNDARY}--\r\n".encode(),
            method="PUT",
            headers={
                "Content-Type": f"multipart/form-data; boundary={_BOUNDARY}",
                "Cookie": f"{_COOKIE}={token}",
                "X-Xsrftoken": token,
            },
        )
        urllib.request.urlopen(request, timeout=60).close()

    def _health(self) -> str:
        """Return the cookie that comes with the answer of a server that is up."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/_stcore/health", timeout=10) as answer:
            return str(answer.headers["Set-Cookie"])


@contextmanager
def serving(compiled: Path | None = None) -> Iterator[Server]:
    """Serve the app until the block ends.

    Args:
        compiled: folder for compiled modules, so that a second start finds them as an installed app does,
            whatever the environment says about writing them; None leaves it to the environment.

    Raises:
        RuntimeError: it does not answer within `LONGEST_START_S`.
    """
    with tempfile.TemporaryDirectory() as home:
        port = _free_port()
        environment = {**os.environ, "PLIMSOLL_HOME": home, "OPENBLAS_NUM_THREADS": "1"}
        if compiled:
            environment |= {"PYTHONPYCACHEPREFIX": str(compiled), "PYTHONDONTWRITEBYTECODE": ""}
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
        process = subprocess.Popen(
            [*command, "--server.address", "127.0.0.1"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            server = Server(port, process.pid)
            _wait(process, server)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _wait(process: subprocess.Popen[bytes], server: Server) -> None:
    until = time.monotonic() + LONGEST_START_S
    while time.monotonic() < until and process.poll() is None:
        if server.healthy():
            return
        time.sleep(0.1)
    raise RuntimeError("the app did not start")
