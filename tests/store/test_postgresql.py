"""PostgreSQL with its own troubles: odd settings, lost connections, stuck writers. Told in words, never half-saved."""

from __future__ import annotations

import logging
import threading

import psycopg
import pytest
from sqlalchemy import event

from core.errors import StoreError
from core.store.engine import connected, told
from core.store.migrate import migrate
from core.store.store import open_store
from tests.databases import only_on
from tests.postgres import ENCODED, PASSWORD, USER
from tests.store.store_build import a_scenario

pytestmark = only_on("postgresql", "a file has no server that could be set up oddly, go away or hang")


def refused(call, *args):
    with pytest.raises(StoreError) as error:
        call(*args)
    return error.value


def name_of(url):
    return url.rsplit("/", 1)[1]


def shown(url, *settings):
    engine = connected(url)
    with engine.connect() as connection:
        found = {name: connection.exec_driver_sql(f"SHOW {name}").scalar() for name in settings}
    engine.dispose()
    return found


def test_what_an_administrator_chose_changes_nothing_that_is_kept_or_found(postgres, url):
    odd = {
        "default_transaction_isolation": "serializable",
        "synchronous_commit": "off",
        "datestyle": "German",
        "timezone": "America/St_Johns",
        "client_encoding": "LATIN1",
        "bytea_output": "escape",
        "standard_conforming_strings": "off",
        "lock_timeout": "0",
    }
    for name, value in odd.items():
        postgres.run(f"ALTER DATABASE {name_of(url)} SET {name} = '{value}'")
    assert shown(url, "synchronous_commit", "transaction_isolation", "lock_timeout", "statement_timeout") == {
        "synchronous_commit": "on",
        "transaction_isolation": "read committed",
        "lock_timeout": "30s",
        "statement_timeout": "2min",
    }
    store = open_store(url)
    saved = store.save(a_scenario("모델 \\' 😀"))
    again = store.save(a_scenario("모델 \\' 😀"), saved.id)
    assert store.load(saved.id)[0] == again
    assert [(one.name, one.saved_at) for one in store.list()] == [("모델 \\' 😀", again.saved_at)]
    store.close()


def test_a_stricter_choice_for_what_counts_as_saved_stays(postgres, url):
    postgres.run(f"ALTER DATABASE {name_of(url)} SET synchronous_commit = remote_apply")
    assert shown(url, "synchronous_commit") == {"synchronous_commit": "remote_apply"}


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_without_room_for_every_letter_is_refused_and_left_empty(postgres, encoding):
    name = f"in_{encoding.lower()}"
    postgres.run(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}'")
    error = refused(open_store, postgres.address(name))
    assert error.code == "store.encoding"
    assert encoding in str(error)
    assert postgres.run("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", name) == [(0,)]
    postgres.drop(name)


def test_a_server_that_was_restarted_between_two_calls_is_found_again(postgres, url):
    store = open_store(url)
    saved = store.save(a_scenario())
    postgres.restart()
    assert store.load(saved.id)[0] == saved
    assert store.save(a_scenario(), saved.id).version == 2
    store.close()


def test_a_connection_lost_in_the_middle_leaves_nothing_half_saved(postgres, url):
    store = open_store(url)
    saved = store.save(a_scenario())
    engine = store._engine

    @event.listens_for(engine, "after_cursor_execute")
    def cut(connection, cursor, statement, parameters, context, executemany):
        if statement.startswith("INSERT INTO scenario"):
            event.remove(engine, "after_cursor_execute", cut)
            postgres.end_connections(name_of(url))

    error = refused(store.save, a_scenario("lost"), saved.id)
    assert error.code == "store.unavailable"
    assert PASSWORD not in str(error)
    assert [one.version for one in store.versions(saved.id)] == [1]
    assert store.save(a_scenario("next"), saved.id).version == 2
    store.close()


def test_a_server_that_is_gone_is_said_so_and_welcomed_back(postgres, url):
    store = open_store(url)
    saved = store.save(a_scenario())
    postgres.kill()
    try:
        assert refused(store.list).code == "store.unavailable"
        assert refused(store.save, a_scenario()).code == "store.unavailable"
        assert refused(open_store, url).code == "store.unavailable"
    finally:
        postgres.start()
    assert [one.id for one in store.list()] == [saved.id]
    store.close()


def test_a_stuck_writer_is_a_sentence_and_not_a_hang(postgres, url, monkeypatch):
    """What holds the lock may be a replica that stands still, a backup, or a table that somebody locked by hand."""
    monkeypatch.setattr("core.store.engine.WAIT_S", 0.3)
    store = open_store(url)
    saved = store.save(a_scenario())
    foreign = connected(url)
    with foreign.connect() as other:
        other.exec_driver_sql("SELECT pg_advisory_xact_lock(1349282157)")
        assert refused(store.save, a_scenario()).code == "store.busy"
        assert store.load(saved.id)[0] == saved
        other.rollback()
        other.exec_driver_sql("LOCK TABLE head IN ACCESS EXCLUSIVE MODE")
        assert refused(store.save, a_scenario()).code == "store.busy"
        assert refused(store.list).code == "store.busy"
    foreign.dispose()
    assert store.save(a_scenario(), saved.id).version == 2
    store.close()


def test_one_that_stands_still_with_the_lock_is_put_out(url, monkeypatch):
    monkeypatch.setattr("core.store.postgresql.IDLE_S", 0.2)
    store = open_store(url)
    still = threading.Event()
    engine = store._engine

    def stand_still():
        from core.store.engine import writing

        with told(), writing(engine).begin() as connection:
            connection.exec_driver_sql("SELECT 1")
            still.wait(5)
            connection.exec_driver_sql("SELECT 1")

    stuck = threading.Thread(target=lambda: refused(stand_still))
    stuck.start()
    assert store.save(a_scenario()).version == 1
    still.set()
    stuck.join()
    store.close()


def test_a_statement_that_never_ends_is_ended(url, monkeypatch):
    monkeypatch.setattr("core.store.postgresql.STATEMENT_S", 0.2)
    engine = connected(url)

    def wait():
        with told(), engine.connect() as connection:
            connection.exec_driver_sql("SELECT pg_sleep(60)")

    assert refused(wait).code == "store.busy"
    engine.dispose()


@pytest.mark.parametrize("wrong", ["password", "port", "database", "user", "host", "option", "number"])
def test_no_message_and_no_log_repeats_the_password(postgres, url, wrong, caplog):
    changed = {
        "password": url.replace(ENCODED, ENCODED + "x"),
        "port": url.replace(str(postgres.port), "9"),
        "database": url + "-not-there",
        "user": url.replace(f"//{USER}:", "//stranger:"),
        "host": url.replace("127.0.0.1", "no-such-host.invalid"),
        "option": url + "?no_such_option=1",
        "number": url.replace(f":{postgres.port}/", ":port/"),
    }[wrong]
    caplog.set_level(logging.DEBUG)
    error = refused(open_store, changed)
    assert error.code in ("store.unavailable", "store.url")
    told_to_person = f"{error} {error.what} {error.fix} {error!r}"
    for secret in (PASSWORD, ENCODED, PASSWORD.split("%")[1]):
        assert secret not in told_to_person
        assert secret not in caplog.text
        assert secret not in _chain(error)


def _chain(error):
    said = []
    while error is not None:
        said.append(f"{error!r} {error}")
        error = error.__cause__ or error.__context__
    return " ".join(said)


def test_a_failure_names_neither_values_nor_rows(url):
    """A log of what failed must not hold the token of a link or what somebody wrote."""
    engine = connected(url)
    migrate(engine)

    def fail():
        with told(), engine.begin() as connection:
            connection.exec_driver_sql(
                "INSERT INTO share (token_sha256, token, scenario_key, created_at) VALUES (%s, %s, %s, now())",
                ("h", "secret-token", None),
            )

    error = refused(fail)
    assert "secret-token" not in f"{error} {error!r}"
    assert "secret-token" not in f"{error.__cause__}".split("[SQL")[1]
    engine.dispose()


def test_two_who_use_one_statement_often_outlive_a_change_of_its_table(postgres, url):
    """A replica of the old version still runs while the new one migrates."""
    store = open_store(url)
    saved = store.save(a_scenario())
    for _ in range(12):
        store.load(saved.id)
        store.list()
    with psycopg.connect(postgres.address(name_of(url)), autocommit=True) as raw:
        raw.execute("ALTER TABLE scenario ADD COLUMN later text")
        raw.execute("ALTER TABLE head ALTER COLUMN name TYPE varchar(400)")
    assert store.load(saved.id)[0] == saved
    assert len(store.list()) == 1
    store.close()
