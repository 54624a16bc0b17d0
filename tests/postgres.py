"""A PostgreSQL of the tests' own: made in a temporary folder, started when somebody asks, stopped by its own id."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

USER = "plimsoll"
PASSWORD = "pa%ss/word@of-the:tests"
"""With signs that mean something in an address: a message that repeats the address in any form would show it."""

ENCODED = "pa%25ss%2Fword%40of-the%3Atests"
PATIENCE_S = 60
SYSTEM_USER = "postgres"

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "shared_buffers": "16MB",
    "max_connections": "150",
    "max_wal_size": "256MB",
    "autovacuum": "off",
    # Another zone and another way to write dates than the program's: it must not rest on either.
    "timezone": "Asia/Seoul",
    "datestyle": "SQL, DMY",
    "log_min_messages": "warning",
    "logging_collector": "off",
}


def binaries() -> Path | None:
    """Return the folder with `initdb` and `postgres`, the newest of Debian's, None where there is none."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: _number(path.parent.name))
    found = shutil.which("postgres")
    candidates = [*reversed(places), *([Path(found).resolve().parent] if found else [])]
    return next((path for path in candidates if (path / "initdb").exists() and (path / "postgres").exists()), None)


def why_not() -> str | None:
    """Return why no PostgreSQL can be started here, None where one can."""
    if binaries() is None:
        return "PostgreSQL is not installed; scripts/services installs it (Debian: apt-get install postgresql)"
    if os.geteuid() == 0 and _system_user() is None:
        return "PostgreSQL does not run as root, and there is no user named postgres"
    return None


class Cluster:
    """One running PostgreSQL. `kill` and `start` again are what a crash is; `stop` ends it and removes the folder."""

    def __init__(self) -> None:
        found = binaries()
        assert found is not None
        self._bin = found
        # Not under pytest's own folder: that one lets no other user in, and a socket's path must be short.
        self.folder = Path(tempfile.mkdtemp(prefix="plimsoll-pg-"))
        self._data = self.folder / "data"
        self.port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._counted = 0
        try:
            self._make()
            self.start()
        except BaseException:
            self.stop()
            raise

    def start(self) -> None:
        """Start it and wait until it answers; after a crash it first repairs itself."""
        options = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        command = [self._bin / "postgres", "-D", self._data, "-p", str(self.port), "-k", self.folder, *options]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self._as_user(command), stdout=log, stderr=log, cwd=self.folder)
        end = time.monotonic() + PATIENCE_S
        while not self.answers():
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"PostgreSQL did not start:\n{self.log()[-2000:]}")
            time.sleep(0.05)

    def restart(self) -> None:
        """Stop it as an administrator does, who waits for nobody, and start it."""
        self._end(signal.SIGINT)
        self.start()

    def kill(self) -> None:
        """Kill the server and every process of its with −9, as a lost machine would end them."""
        process = self._process
        assert process is not None
        family = [process.pid, *_children(process.pid)]
        for pid in family:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait()
        end = time.monotonic() + PATIENCE_S
        while any(_runs(pid) for pid in family[1:]) and time.monotonic() < end:
            time.sleep(0.01)
        self._process = None

    def stop(self) -> None:
        """End it at once and remove its folder."""
        self._end(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def answers(self) -> bool:
        """Whether it takes connections."""
        import psycopg

        try:
            psycopg.connect(self.address("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def address(self, database: str) -> str:
        """Return the URL of a database, as a person would write it."""
        return f"postgresql://{USER}:{ENCODED}@127.0.0.1:{self.port}/{database}"

    def run(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Run one statement outside any transaction and return its rows."""
        import psycopg

        with psycopg.connect(self.address(database), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def create(self, template: str = "template0") -> str:
        """Make a database like another one and return its name."""
        self._counted += 1
        name = f"d{self._counted}"
        self.run(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return name

    def end_connections(self, database: str) -> None:
        """End every connection to a database but the one that does so."""
        self.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            f" WHERE datname = '{database}' AND pid <> pg_backend_pid()"
        )

    def drop(self, name: str) -> None:
        """Remove a database, whoever still holds a connection to it."""
        self.run(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def log(self) -> str:
        """Return what the server wrote."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    def _make(self) -> None:
        secret = self.folder / "secret"
        secret.write_text(PASSWORD, encoding="utf-8")
        owner = _system_user() if os.geteuid() == 0 else None
        if owner is not None:
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            os.chown(secret, owner.pw_uid, owner.pw_gid)
        # The plainest locale: what is found and how it is sorted must not come from the server's language.
        options = ["--username", USER, "--pwfile", secret, "--auth", "scram-sha-256", "--encoding", "UTF8"]
        command = [self._bin / "initdb", "-D", self._data, *options, "--locale", "C", "--no-sync"]
        done = subprocess.run(self._as_user(command), capture_output=True, cwd=self.folder, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"initdb failed: {done.stderr.decode(errors='replace')[-2000:]}")

    def _as_user(self, command: list[str | Path]) -> list[str]:
        """Return the command as the user that PostgreSQL wants, to be ended with the process that started it."""
        setpriv = shutil.which("setpriv")
        plain = [str(part) for part in command]
        if setpriv is None:
            assert os.geteuid() != 0, "setpriv (util-linux) is needed to start PostgreSQL as root"
            return plain
        rights = ["--reuid", SYSTEM_USER, "--regid", SYSTEM_USER, "--clear-groups"] if os.geteuid() == 0 else []
        return [setpriv, *rights, "--pdeathsig", "QUIT", *plain]

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(how)
        try:
            process.wait(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Run a cluster for as long as the block lasts."""
    made = Cluster()
    try:
        yield made
    finally:
        made.stop()


def _system_user() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        return None


def _children(parent: int) -> list[int]:
    """Return the ids of the direct children of a process."""
    ids = [int(place.name) for place in Path("/proc").glob("[0-9]*")]
    return [pid for pid in ids if _state(pid)[1] == parent]


def _runs(pid: int) -> bool:
    """Whether a process still does something; one that only waits to be collected does not."""
    return _state(pid)[0] not in ("", "Z", "X")


def _state(pid: int) -> tuple[str, int]:
    """Return the state and the parent of a process, ("", 0) where it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "", 0
    # The name of a program stands in brackets and may hold anything, also brackets.
    state, parent, *_ = text.rpartition(")")[2].split()
    return state, int(parent)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0
