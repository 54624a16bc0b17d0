"""Several at once, and the one that is killed."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.store.migrate import known_revisions
from core.store.store import open_store
from tests.databases import behind
from tests.model.model_strategies import differences
from tests.store.store_build import a_scenario, url_of

SAVING = """
import sys
from core.store.migrate import known_revisions
from core.store.store import open_store
from tests.store.store_build import a_scenario
store, times, lineage = open_store(sys.argv[1]), int(sys.argv[2]), sys.argv[3] or None
for _ in range(times):
    saved = store.save(a_scenario(), lineage)
    print(saved.id, saved.version, flush=True)
"""


def integrity(path):
    raw = sqlite3.connect(path)
    found = raw.execute("PRAGMA integrity_check").fetchall() + raw.execute("PRAGMA foreign_key_check").fetchall()
    raw.close()
    return found


def test_processes_that_start_at_once_on_no_database_all_succeed(bare_url, program):
    started = [program(SAVING, bare_url, 5, "") for _ in range(3)]
    outputs = [process.communicate(timeout=120) for process in started]
    assert [process.returncode for process in started] == [0, 0, 0], outputs
    store = open_store(bare_url)
    assert {one.id for one in store.list()} == {line.split()[0] for out, _ in outputs for line in out.splitlines()}
    assert len(store.list()) == 15
    store.close()
    with behind(bare_url) as run:
        assert run("SELECT version_num FROM alembic_version") == [(revision,) for revision in known_revisions()]


def test_processes_that_save_the_same_scenario_get_a_version_each(store, url, program):
    lineage = store.save(a_scenario()).id
    started = [program(SAVING, url, 10, lineage) for _ in range(2)]
    outputs = [process.communicate(timeout=120) for process in started]
    assert [process.returncode for process in started] == [0, 0], outputs
    printed = sorted(int(line.split()[1]) for out, _ in outputs for line in out.splitlines())
    assert printed == list(range(2, 22))
    assert [one.version for one in store.versions(lineage)] == list(range(21, 0, -1))


def test_threads_that_save_and_share_at_once_all_succeed(store):
    lineage = store.save(a_scenario())

    def work(_):
        store.save(a_scenario(), lineage.id)
        return store.shares.make(lineage.id, 1).token

    with ThreadPoolExecutor(8) as pool:
        tokens = set(pool.map(work, range(24)))
    assert len(tokens) == 1
    assert len(store.versions(lineage.id)) == 25


@pytest.mark.parametrize("after", [1, 4, 9])
def test_a_process_killed_while_saving_loses_nothing_that_it_reported(path, program, after):
    process = program(SAVING, url_of(path), 100_000, "")
    lines = [process.stdout.readline() for _ in range(after)]
    process.kill()
    rest, errors = process.communicate(timeout=60)
    whole = [line for line in [*lines, *rest.splitlines(keepends=True)] if line.endswith("\n")]
    assert len(whole) >= after, errors
    store = open_store(url_of(path))
    listed = {one.id for one in store.list()}
    for line in whole:
        assert line.split()[0] in listed
    # One more may have reached the disk without being reported; it too is whole.
    assert len(listed) <= len(whole) + 1
    for one in listed:
        assert differences(store.load(one)[1], a_scenario()) == []
    store.close()
    assert integrity(path) == [("ok",)]
