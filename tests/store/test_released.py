"""Databases of every released schema open in this version, with every number that they held."""

from __future__ import annotations

import gzip
import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect

from core.store.engine import connected
from core.store.migrate import SCRIPTS, config, known_revisions
from core.store.schema import Base
from core.store.store import open_store
from tests.store.store_build import A_MAPPING, url_of

HERE = Path(__file__).with_name("released")
RELEASED = sorted(path.stem for path in HERE.glob("v*.json"))


@pytest.fixture(params=RELEASED)
def stored(request, database, tmp_path):
    """The address of a stored database as it was, and what was written down when it was made."""
    expected = json.loads((HERE / f"{request.param}.json").read_text("utf-8"))
    if database == "sqlite":
        path = tmp_path / "plimsoll.db"
        path.write_bytes(gzip.decompress((HERE / f"{request.param}.db.gz").read_bytes()))
        yield url_of(path), expected
        return
    server = request.getfixturevalue("postgres")
    name = server.create()
    server.run(gzip.decompress((HERE / f"{request.param}.sql.gz").read_bytes()).decode(), name)
    yield server.address(name), expected
    server.drop(name)


@pytest.fixture
def opened(stored):
    """The stored database, migrated by being opened."""
    url, expected = stored
    store = open_store(url)
    yield store, expected
    store.close()


def as_written(saved):
    return {"id": saved.id, "name": saved.name, "version": saved.version, "saved_at": saved.saved_at.isoformat()}


def test_there_is_a_database_of_every_schema():
    revisions = sorted(path.name[:5] for path in (SCRIPTS / "versions").glob("v[0-9]*.py"))
    assert [f"v{int(name[1:])}" for name in revisions] == RELEASED
    for name in RELEASED:
        assert (HERE / f"{name}.db.gz").exists()
        assert (HERE / f"{name}.sql.gz").exists()


def test_each_scenario_of_then_has_its_head(opened):
    store, expected = opened
    latest, other, first = expected["versions"]
    for entry, newest, oldest in zip(store.list(), (latest, other), (first, other), strict=True):
        assert (entry.id, entry.name, entry.latest) == (newest["id"], newest["name"], newest["version"])
        assert entry.saved_at.isoformat() == newest["saved_at"]
        # Since heads are kept they are made a moment before their first version; before, they have its time.
        assert timedelta(0) <= datetime.fromisoformat(oldest["saved_at"]) - entry.created_at < timedelta(seconds=1)
        assert store.list(search=entry.name.upper()) == (entry,)


def test_tables_of_then_become_exactly_those_of_today(opened):
    store, _ = opened
    with store._engine.connect() as connection:
        command.check(config(connection))
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


DIES = """
import os, signal, sys
from alembic import op
from core.store.store import open_store
done = []
wanted = int(sys.argv[2])
for name in ("create_table", "add_column", "create_index"):
    def act(*args, _real=getattr(op, name), **values):
        done.append(1)
        _real(*args, **values)
        if len(done) == wanted:
            os.kill(os.getpid(), signal.SIGKILL)
    setattr(op, name, act)
open_store(sys.argv[1])
"""


@pytest.mark.parametrize("steps", [1, 9])
def test_a_migration_that_is_killed_leaves_the_old_database_whole(stored, program, steps):
    url, expected = stored
    before = shape(url)
    killed = program(DIES, url, steps)
    _, errors = killed.communicate(timeout=120)
    if before[1] != [(revision,) for revision in known_revisions()]:
        assert killed.returncode == -9, errors
        assert shape(url) == before
    store = open_store(url)
    assert len(store.list()) == len({one["id"] for one in expected["versions"]})
    store.close()
    assert shape(url)[1] == [(revision,) for revision in known_revisions()]


def test_two_who_open_a_database_of_then_migrate_it_once(stored, program):
    url, expected = stored
    code = "import sys; from core.store.store import open_store; print(len(open_store(sys.argv[1]).list()))"
    started = [program(code, url) for _ in range(2)]
    outputs = [process.communicate(timeout=120) for process in started]
    count = len({one["id"] for one in expected["versions"]})
    assert [out.strip() for out, _ in outputs] == [str(count)] * 2, outputs


def shape(url):
    """The tables with their columns, and the revision."""
    engine = connected(url)
    with engine.connect() as connection:
        found = inspect(connection)
        tables = {table: [each["name"] for each in found.get_columns(table)] for table in found.get_table_names()}
        revision = [tuple(row) for row in connection.exec_driver_sql("SELECT version_num FROM alembic_version")]
    engine.dispose()
    return tables, revision


def test_every_version_is_listed_as_it_was(opened):
    store, expected = opened
    latest, other, first = expected["versions"]
    assert [as_written(store.versions(entry.id)[0]) for entry in store.list()] == [latest, other]
    assert [as_written(saved) for saved in store.versions(first["id"])] == [latest, first]
    assert all(datetime.fromisoformat(one["saved_at"]).utcoffset() is not None for one in expected["versions"])


def test_every_number_is_the_one_that_was_saved(opened):
    """The numbers are those of `store_build`, written out here: that file may change, these may not."""
    store, expected = opened
    for one in expected["versions"]:
        scenario = store.load(one["id"], one["version"])[1]
        answer, level = scenario.answers[0], scenario.runs[0].stages[0]
        assert scenario.name == one["name"]
        assert (scenario.targets[0].limit, scenario.think_time_s) == (0.30000000000000004, 12.5)
        assert (scenario.price.amount, scenario.price.currency, scenario.price.accelerators) == (
            2.5,
            "KRW",
            (("r", 8),),
        )
        assert (answer.capacity.safe, answer.capacity.concurrency.mid, answer.capacity.concurrency.high) == (
            41,
            47.7,
            None,
        )
        assert answer.cost.per_million_output.low == 0.3333333333333333
        assert level.statistics["ttft"].quantiles == {0.5: 0.3333333333333333, 0.999: 9.094947017729282e-13}
        assert [repr(float(value)) for value in level.requests.ttft_s] == ["0.30000000000000004", "nan"]
        assert [repr(float(value)) for value in level.requests.e2e_s] == ["-0.0", "inf"]
        assert level.requests.good.tolist() == [True, False]
        assert str(scenario.runs[0].findings[0].what) == "2 requests at 8.0"


def test_a_link_of_then_opens_what_it_opened_then(opened):
    store, expected = opened
    shared = expected["shared"]
    opened = store.shares.open(shared["token"])
    saved, scenario = opened.saved, opened.scenario
    assert (saved.id, saved.version) == (shared["id"], shared["version"])
    assert scenario.name == "Launch in spring"


def test_a_database_of_then_can_be_saved_to(opened):
    store, expected = opened
    first = expected["versions"][2]
    kept = store.load(first["id"], 1)[1]
    assert store.save(kept, first["id"]).version == 3
    assert store.load(first["id"], 1)[1].name == first["name"]


def test_column_meanings_of_then_are_those_that_were_kept(opened):
    """The meanings are those of `store_build` when the database was made, written out here."""
    store, expected = opened
    kept = expected.get("mapping")
    found = store.mappings.list()
    assert [(each.id, each.mapping.name) for each in found] == ([(kept["id"], kept["name"])] if kept else [])
    for each in found:
        assert (each.mapping.headers, each.mapping.transposed, each.mapping.sheet) == (
            ("동접", "응답(99)", ""),
            True,
            "결과",
        )
        meanings = each.mapping.columns
        assert (meanings["동접"].role, meanings["#3"].role) == ("asked_concurrency", "ignored")
        latency = meanings["응답(99)"]
        assert (latency.role, latency.metric, latency.statistic, latency.unit) == ("latency", "ttft", "p99", "ms")


def test_a_database_of_then_keeps_column_meanings(opened):
    store, _ = opened
    before = len(store.mappings.list())
    store.mappings.keep(A_MAPPING)
    assert len(store.mappings.list()) == before + 1
