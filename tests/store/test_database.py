"""The file itself: private, migrated once, honest when it cannot be used."""

from __future__ import annotations

import sqlite3
import stat
import sys

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import event, inspect

from core.errors import StoreError
from core.store.drafts import Work
from core.store.engine import connected
from core.store.migrate import config, migrate
from core.store.schema import Base
from core.store.store import open_store
from tests.databases import behind, only_on
from tests.store.store_build import a_scenario, url_of


def code_of(call, *args):
    with pytest.raises(StoreError) as refused:
        call(*args)
    return refused.value.code


@only_on("sqlite", "the server's files are its own business")
def test_folder_and_files_are_readable_by_their_owner_only(store, path):
    store.save(a_scenario())
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name


def test_the_database_is_set_up_to_lose_nothing(path):
    engine = connected(url_of(path))
    with engine.connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    engine.dispose()
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 30_000}


def test_the_migrations_make_exactly_the_tables_of_the_model(bare_url):
    engine = connected(bare_url)
    migrate(engine)
    with engine.connect() as connection:
        command.check(config(connection))
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
        names = {index["name"] for index in inspect(connection).get_indexes("share")}
    engine.dispose()
    assert names == {"ix_share_scenario_key"}


def test_a_migration_that_fails_leaves_nothing_half_made(bare_url, monkeypatch):
    engine = connected(bare_url)

    def fails(*args):
        command_upgrade(*args)
        raise OSError("the power went")

    command_upgrade = command.upgrade
    monkeypatch.setattr("core.store.migrate.command.upgrade", fails)
    assert code_of(migrate, engine) == "store.unavailable"
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == []
    monkeypatch.undo()
    migrate(engine)
    engine.dispose()


def test_a_database_of_a_newer_version_is_left_alone(url):
    open_store(url).close()
    with behind(url) as run:
        run("UPDATE alembic_version SET version_num = '9999'")
        run("ALTER TABLE head ADD COLUMN of_later INTEGER")
    assert code_of(open_store, url) == "store.newer_schema"
    with behind(url) as run:
        assert run("SELECT version_num FROM alembic_version") == [("9999",)]
        assert run("SELECT of_later FROM head") == []


def test_there_is_no_way_back(bare_url):
    engine = connected(bare_url)
    migrate(engine)
    with engine.connect() as connection, pytest.raises(AttributeError, match="downgrade"):
        command.downgrade(config(connection), "base")
    migrate(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    engine.dispose()


@pytest.mark.parametrize(
    "address", ["", "nonsense", "sqlite://", "sqlite:///:memory:", "mysql://a/b", "nosuch://a/b", "postgresql://a:b/c"]
)
def test_an_address_that_cannot_be_used_is_refused(address):
    assert code_of(open_store, address) == "store.url"


def test_postgresql_means_psycopg_and_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for scheme in ("postgresql", "postgres", "postgresql+psycopg"):
        with pytest.raises(StoreError) as refused:
            open_store(f"{scheme}://someone:secret@127.0.0.1:9/plimsoll")
        assert refused.value.code == "store.driver_missing"
        assert "psycopg" in str(refused.value)
        assert "requirements-server.txt" in str(refused.value)
        assert "secret" not in str(refused.value)


def test_a_file_that_is_no_database_is_left_alone(path):
    path.parent.mkdir()
    path.write_bytes(b"minutes of the meeting\n" * 200)
    assert code_of(open_store, url_of(path)) == "store.damaged"
    assert path.read_bytes() == b"minutes of the meeting\n" * 200


def test_a_folder_that_cannot_be_made_is_an_error_in_words(tmp_path):
    (tmp_path / "file").write_text("")
    assert code_of(open_store, url_of(tmp_path / "file" / "plimsoll.db")) == "store.unavailable"
    assert code_of(open_store, url_of(tmp_path)) == "store.unavailable"


@only_on("sqlite", "a server has no address that only reads; a standby is told by its own error")
def test_a_database_that_can_only_be_read_still_opens(store, path):
    saved = store.save(a_scenario())
    store.close()
    reader = open_store(f"sqlite:///file:{path}?mode=ro&uri=true")
    assert reader.load(saved.id)[1].name == "Launch"
    assert code_of(reader.save, a_scenario()) == "store.unavailable"
    assert code_of(reader.shares.make, saved.id) == "store.unavailable"
    reader.close()


FULL_DISK = """
import resource, signal, sys
from core.errors import StoreError
from core.store.store import open_store
from tests.databases import behind, only_on
from tests.store.store_build import a_scenario
store = open_store(sys.argv[1])
kept = store.save(a_scenario("kept"))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, 120_000))
saved = 0
try:
    for saved in range(1000):
        store.save(a_scenario("more"))
except StoreError as error:
    print(error.code, len(store.list()) == saved + 1, store.load(kept.id)[1].name)
"""


def test_a_full_disk_is_an_error_in_words_and_loses_nothing(path, program):
    printed, errors = program(FULL_DISK, url_of(path)).communicate(timeout=60)
    assert printed.split() == ["store.unavailable", "True", "kept"], errors


def test_a_list_of_a_thousand_reads_no_content(store, url):
    saved = store.save(a_scenario())
    with behind(url) as run:
        for table, key in (("head", "id"), ("scenario", "id")):
            names = [column.name for column in Base.metadata.tables[table].columns if column.name not in (key, "key")]
            columns = ", ".join(names)
            copied = f"INSERT INTO {table} (id, {columns}) SELECT :id, {columns} FROM {table} WHERE id = :from"
            for number in range(1, 1000):
                run(copied, {"id": f"{number:032x}", "from": saved.id})
    asked = []
    event.listen(store._engine, "before_cursor_execute", lambda *told: asked.append(told[2]))
    assert len(store.list()) == 1000
    assert len(store.list("launch")) == 1000
    assert asked
    assert len(asked) <= 6
    assert not [statement for statement in asked if "payload" in statement]


@only_on("sqlite", "a server has locks of its own, see test_postgresql")
def test_a_file_that_another_process_holds_is_told_and_nothing_is_lost(store, path, monkeypatch):
    saved = store.save(a_scenario("kept"))
    store.close()
    monkeypatch.setattr("core.store.engine.WAIT_S", 0.2)
    waiting = open_store(url_of(path))
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    assert code_of(waiting.save, a_scenario("more")) == "store.busy"
    assert code_of(waiting.drafts.keep, Work(), {}) == "store.busy"
    # Reading goes on meanwhile.
    assert waiting.load(saved.id)[1].name == "kept"
    holder.execute("ROLLBACK")
    holder.close()
    waiting.save(a_scenario("more"))
    assert {entry.name for entry in waiting.list()} == {"kept", "more"}
    waiting.close()
