"""A store of its own for each test."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from core.store.store import open_store
from tests.store.store_build import url_of


@pytest.fixture
def path(tmp_path):
    return tmp_path / "home" / "plimsoll.db"


@pytest.fixture
def store(path):
    opened = open_store(url_of(path))
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def program(root, tmp_path_factory):
    """Starts a program in another process, with compiled modules kept between starts: most of its time is imports."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env |= {"PYTHONPYCACHEPREFIX": str(tmp_path_factory.mktemp("compiled"))}

    def start(code, *arguments):
        command = [sys.executable, "-c", code, *map(str, arguments)]
        return subprocess.Popen(command, cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    start("import core.store.store, tests.store.store_build").communicate()
    return start
