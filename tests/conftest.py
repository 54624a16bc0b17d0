"""Fixtures that every folder of tests shares."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from core.ingest.raw import Upload

ROOT = Path(__file__).resolve().parent.parent
SHARED_DATA = ROOT.parent / "shared" / "data"

# The same examples on every machine: a red build can be repeated.
settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real result files that are read in place and never copied; the test is skipped where they are absent."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the folder of real result files is not beside this checkout")
    return SHARED_DATA


@pytest.fixture(scope="session")
def upload() -> Callable[[Path], Upload]:
    """Makes an upload of a file on disk, named by its last two parts as a folder upload would."""

    def make(path: Path) -> Upload:
        return Upload("/".join(path.parts[-2:]), path.read_bytes())

    return make
