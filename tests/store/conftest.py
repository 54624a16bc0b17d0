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
def compiled():
    """The environment of other processes, which find compiled modules: most of their time is imports."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@pytest.fixture(scope="session")
def program(root, compiled):
    """Starts a program in another process."""

    def start(code, *arguments):
        command = [sys.executable, "-c", code, *map(str, arguments)]
        return subprocess.Popen(
            command, cwd=root, env=compiled, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    return start
