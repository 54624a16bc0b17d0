"""A database that lies: whatever stands in it, opening says a sentence, and the other scenarios still open."""

from __future__ import annotations

import hashlib
import json
import zlib

import pytest

from core.errors import PlimsollError
from core.model.codec import encode
from core.model.person import NOBODY
from core.store.store import open_store
from tests.databases import behind, only_on
from tests.store.store_build import a_scenario


def put(url, scenario_id, payload):
    """Put bytes in the place of what was saved, with the hash that belongs to them."""
    values = {"id": scenario_id, "payload": payload, "sha256": hashlib.sha256(payload).hexdigest()}
    with behind(url) as run:
        run("UPDATE scenario SET payload = :payload, payload_sha256 = :sha256 WHERE id = :id", values)


def written(change):
    """Return a scenario's payload whose JSON was changed."""
    document = json.loads(encode(a_scenario()))
    change(document)
    return zlib.compress(json.dumps(document).encode())


def at(document, *path, value):
    for key in path[:-1]:
        document = document[key]
    document[path[-1]] = value


ANSWER = ("value", "answers", 0)
STAGE = ("value", "runs", 0, "stages", 0)
WRONG = {
    "a number for a name": (("value", "name"), 7),
    "a list for a name": (("value", "name"), ["a"]),
    "a name of a megabyte": (("value", "name"), "x" * 1_000_000),
    "text for a limit": (("value", "targets", 0, "limit"), "fast"),
    "no runs": (("value", "runs"), None),
    "an unknown metric": (("value", "targets", 0, "metric"), "speed"),
    "an unknown status": ((*ANSWER, "capacity", "status"), "certain"),
    "a huge whole number": ((*ANSWER, "capacity", "safe"), 10**400),
    "a limit below zero": (("value", "targets", 0, "limit"), -1.0),
    "a demand of nothing": (("value", "demand"), {"peak": 0.0, "kind": "users"}),
    "too many columns": (("value", "decision"), [{"name": str(n), "values": {}} for n in range(100)]),
    "an array that is none": (("arrays",), {"f8:0": {"n": -1, "zlib": "!"}}),
    "an array that unfolds without end": (("arrays",), "everything"),
    "another form": (("format",), 99),
    "a form that is no number": (("format",), "one"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_payload_of_wrong_types_is_said_to_be_unreadable_and_the_others_open(store, url, name):
    lying, other = store.save(a_scenario("lying")), store.save(a_scenario("other"))
    token = store.shares.make(lying.id).token
    path, value = WRONG[name]
    put(url, lying.id, written(lambda document: at(document, *path, value=value)))
    for call in (lambda: store.load(lying.id), lambda: store.acting(NOBODY).shares.open(token)):
        with pytest.raises(PlimsollError) as refused:
            call()
        assert refused.value.code in ("store.unreadable", "store.newer_schema", "store.damaged")
        assert str(refused.value.fix)
        assert len(str(refused.value)) < 2_000
    assert store.load(other.id)[1].name == "other"
    assert len(store.list()) == 2


def packed(start, middle=b"", end=b"}"):
    return zlib.compress(b'{"format": 1, "value": ' + start + middle + end)


# Made when they are asked for: some hold hundreds of megabytes before they are packed.
BYTES = {
    "nothing": lambda: b"",
    "not compressed": lambda: b"{}",
    "compressed nothing": lambda: zlib.compress(b""),
    "compressed noise": lambda: zlib.compress(bytes(range(256)) * 10),
    "a million lists in each other": lambda: packed(b"[" * 1_000_000, b"]" * 1_000_000),
    "a list of a million lists": lambda: packed(b"[", b",".join([b"[]"] * 1_000_000), b"]}"),
    "not a number": lambda: packed(b"NaN"),
    "half a character": lambda: packed(b'{"name": "\\ud800"}'),
    "a bomb": lambda: packed(b'"', b"a" * 300_000_000, b'"}'),
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_that_are_no_scenario_are_said_to_be_unreadable(store, url, name):
    lying, other = store.save(a_scenario("lying")), store.save(a_scenario("other"))
    put(url, lying.id, BYTES[name]())
    with pytest.raises(PlimsollError) as refused:
        store.load(lying.id)
    assert refused.value.code in ("store.unreadable", "store.damaged")
    assert store.load(other.id)[1].name == "other"


def test_a_link_to_a_scenario_that_is_not_there_opens_nothing(url):
    store = open_store(url)
    saved = store.save(a_scenario())
    token = store.shares.make(saved.id).token
    with behind(url) as run:
        run("ALTER TABLE share DROP CONSTRAINT fk_share_scenario_key_scenario" if "postgresql" in url else "SELECT 1")
    with behind(url) as run:
        if "sqlite" in url:
            run("PRAGMA defer_foreign_keys = ON")
        else:
            run("UPDATE share SET scenario_key = 99999")
    if "sqlite" in url:
        lost(url)
    with pytest.raises(PlimsollError) as refused:
        store.shares.open(token)
    store.close()
    assert refused.value.code == "store.not_found"


def lost(url):
    """Break a reference in SQLite, which minds references only where a connection asks it to."""
    import sqlite3

    with sqlite3.connect(url.removeprefix("sqlite:///")) as raw:
        raw.execute("UPDATE share SET scenario_key = 99999")
    raw.close()


COLUMNS = {
    "summary": ("scenario", ["not json", "[]", '[{"label": 7}]', '{"a": ' * 500 + "1" + "}" * 500, "null"]),
    "tags": ("head", ["not json", "7", "null", '{"a": 1}', "[[[]]]"]),
    "detail": ("event", ["not json", "[]", "7", "null"]),
    "words": ("head", ["", "\n" * 50]),
}


@pytest.mark.parametrize("column", COLUMNS)
def test_lists_and_trails_stand_whatever_their_rows_say(store, url, column):
    saved = store.save(a_scenario(), tags=("one",))
    table, values = COLUMNS[column]
    for value in values:
        with behind(url) as run:
            run(f"UPDATE {table} SET {column} = :value", {"value": value})
        assert [entry.id for entry in store.list()] == [saved.id]
        assert store.audit.of(saved.id)
        assert store.load(saved.id)[1].name == "Launch"


@only_on("sqlite", "PostgreSQL itself refuses a time or a number that is none")
@pytest.mark.parametrize("column", ["expires_at", "created_at", "last_view_at"])
def test_a_time_that_is_none_is_said_to_be_damaged(store, url, column):
    saved = store.save(a_scenario())
    token = store.shares.make(saved.id).token
    with behind(url) as run:
        run(f"UPDATE share SET {column} = 'yesterday'")
    with pytest.raises(PlimsollError) as refused:
        store.shares.open(token)
    assert refused.value.code in ("store.damaged", "store.unavailable")
    assert store.load(saved.id)[1].name == "Launch"
