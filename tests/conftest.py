"""Fixtures that every folder of tests shares."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings

from core.ingest.raw import Upload
from tests.databases import each_database
from tests.postgres import Cluster, cluster, why_not

LONGEST = (
    "tests/replicas/test_two_replicas.py",
    "tests/browser/test_whole_journey.py",
    "tests/browser/test_sharing_journey.py",
    "tests/browser/test_scenarios_journey.py",
    "tests/browser/test_sign_in_journey.py",
    "tests/store/test_trials.py",
    "tests/store/test_full_disk.py",
)
"""Begun first, so that no worker ends alone with one of them."""

ROOT = Path(__file__).resolve().parent.parent
SHARED_DATA = ROOT.parent / "shared" / "data"

# The same examples on every machine: a red build can be repeated.
settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("repeatable")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Let what asks for a database run on each."""
    each_database(metafunc)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest; within a file the order stays."""
    rank = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.nodeid.partition("::")[0], len(LONGEST)))


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


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL that lives as long as the tests; without one its tests are skipped, and fail where CI runs them."""
    reason = why_not()
    if reason is not None:
        if os.environ.get("CI", "").lower() in ("1", "true"):
            pytest.fail(reason)
        pytest.skip(reason)
    with cluster() as running:
        yield running


@pytest.fixture(scope="session")
def migrated(postgres: Cluster) -> str:
    """The name of a PostgreSQL database with today's tables and nothing in them."""
    from core.store.store import open_store

    name = postgres.create()
    open_store(postgres.address(name)).close()
    return name


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str:
    """What the test runs on, "sqlite" or "postgresql"; see `tests.databases`."""
    return str(request.param)


@pytest.fixture
def bare_url(database: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a database without tables."""
    with _fresh(database, tmp_path, request, template="template0") as address:
        yield address


@pytest.fixture
def url(database: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a database that nobody used; PostgreSQL's has its tables already, which saves time."""
    template = "" if database == "sqlite" else request.getfixturevalue("migrated")
    with _fresh(database, tmp_path, request, template) as address:
        yield address


@contextmanager
def _fresh(database: str, folder: Path, request: pytest.FixtureRequest, template: str) -> Iterator[str]:
    if database == "sqlite":
        yield f"sqlite:///{folder / 'home' / 'plimsoll.db'}"
        return
    server: Cluster = request.getfixturevalue("postgres")
    name = server.create(template)
    yield server.address(name)
    server.drop(name)
