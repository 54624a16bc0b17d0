"""A store of its own for each test, on each database."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from core.store.store import open_store


@pytest.fixture
def path(tmp_path):
    """Where SQLite's file is, for tests about the file."""
    return tmp_path / "home" / "plimsoll.db"


@pytest.fixture
def store(url):
    opened = open_store(url)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def compiled(root, tmp_path_factory):
    """The environment of other processes, with compiled modules kept between starts: most of their time is imports."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env |= {"PYTHONPYCACHEPREFIX": str(tmp_path_factory.mktemp("compiled"))}
    code = "import core.store.store, tests.store.store_build"
    subprocess.run([sys.executable, "-c", code], cwd=root, env=env, check=True)
    return env


@pytest.fixture(scope="session")
def program(root, compiled):
    """Starts a program in another process."""

    def start(code, *arguments):
        command = [sys.executable, "-c", code, *map(str, arguments)]
        return subprocess.Popen(
            command, cwd=root, env=compiled, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    return start
