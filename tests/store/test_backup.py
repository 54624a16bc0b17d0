"""A backup is everything, at one moment, and comes back exactly: from each database to each, or not at all."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import subprocess
import sys
import threading
import zipfile
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from core.errors import StoreError
from core.model.person import NOBODY, Person
from core.store.backup_form import every_table
from core.store.store import open_store
from tests.databases import only_on
from tests.model.model_strategies import differences
from tests.store.store_build import A_MAPPING, url_of
from tests.store.test_drafts import ASKED, work
from tests.store.test_records import records, with_records

KIM = Person(id="issuer|kim", name="김 🚢 <b>", email="kim@example.org")


@pytest.fixture
def filled(store):
    """A store with something in nearly every table."""
    kims = store.acting(KIM)
    saved = kims.save(with_records(records(2_000)), tags=("a b", "결정"), message="first")
    kims.save(with_records(records(2_000), records(900, 1)), saved.id, based_on=1)
    link = kims.shares.make(saved.id, expires_at=datetime.now(UTC) + timedelta(days=3), label="팀")
    kims.shares.revoke(kims.shares.make(saved.id, 1).token)
    kims.comments.add(saved.id, "line one\nline two", 1)
    kims.preferences.set("logo", bytes(range(256)))
    store.mappings.keep(A_MAPPING)
    store.people.seen(KIM)
    draft = kims.drafts.keep(work(), ASKED, runs=["one"])
    store.facts = (saved.id, link.token, draft.id)
    return store


@pytest.fixture
def elsewhere(tmp_path, database, postgres):
    """An empty store on the other database."""
    if database == "postgresql":
        opened = open_store(url_of(tmp_path / "elsewhere" / "plimsoll.db"))
        yield opened
        opened.close()
        return
    name = postgres.create()
    opened = open_store(postgres.address(name))
    yield opened
    opened.close()
    postgres.drop(name)


def content(store):
    """Every row of every table, times in UTC; where blobs lie is the store's own matter."""
    with store._engine.connect() as connection:
        return {
            table.name: sorted(
                tuple(value for name, value in row.items() if name != "place")
                for row in connection.execute(table.select()).mappings()
            )
            for table in every_table()
        }


def backed_up(store):
    out = io.BytesIO()
    store.backups.stream(out)
    return out.getvalue()


def code(action, *arguments, **named):
    with pytest.raises(StoreError) as raised:
        action(*arguments, **named)
    return raised.value.code


def test_everything_comes_back_on_the_other_database_and_back_again(filled, elsewhere, tmp_path):
    before = content(filled)
    assert {name for name, rows in before.items() if not rows} <= {"member", "original", "team"}
    elsewhere.backups.restore(io.BytesIO(backed_up(filled)))
    assert content(elsewhere) == before
    again = open_store(url_of(tmp_path / "again" / "plimsoll.db"))
    again.backups.restore(io.BytesIO(backed_up(elsewhere)))
    assert content(again) == before
    again.close()


def test_links_drafts_and_numbering_go_on_where_they_were(filled, elsewhere):
    scenario_id, token, draft = filled.facts
    elsewhere.backups.restore(io.BytesIO(backed_up(filled)))
    shown = elsewhere.shares.open(token)
    assert (shown.saved.id, shown.saved.version) == (scenario_id, 2)
    assert differences(shown.scenario, filled.load(scenario_id)[1]) == []
    assert differences(elsewhere.acting(KIM).drafts.find(draft).work, work()) == []
    assert elsewhere.acting(KIM).save(with_records(records(2_000)), scenario_id).version == 3
    elsewhere.acting(KIM).comments.add(scenario_id, "after", 3)
    assert len(elsewhere.acting(KIM).comments.of(scenario_id)) == 2


@only_on("sqlite", "the form of the file is the same for each")
def test_blobs_of_a_folder_come_along_and_go_to_where_the_other_store_keeps_them(filled, tmp_path, monkeypatch):
    monkeypatch.setenv("PLIMSOLL_BLOBS", f"folder:{tmp_path / 'blobs'}")
    other = open_store(url_of(tmp_path / "other" / "plimsoll.db"))
    other.backups.restore(io.BytesIO(backed_up(filled)))
    assert len([path for path in (tmp_path / "blobs").rglob("*") if path.is_file()]) == len(content(filled)["blob"])
    assert all(row[2] is None for row in content(other)["blob"])
    scenario_id = filled.facts[0]
    assert differences(other.load(scenario_id)[1], filled.load(scenario_id)[1]) == []
    monkeypatch.delenv("PLIMSOLL_BLOBS")
    back = open_store(url_of(tmp_path / "back" / "plimsoll.db"))
    back.backups.restore(io.BytesIO(backed_up(other)))
    assert content(back) == content(filled)
    other.close()
    back.close()


def test_a_backup_is_of_one_moment_while_others_save(filled):
    """Every version that it holds has its head, and every blob that it needs."""
    stop = threading.Event()

    def save():
        number = 0
        while not stop.is_set():
            number += 1
            filled.save(with_records(records(300, number)))

    writer = threading.Thread(target=save)
    writer.start()
    try:
        taken = [backed_up(filled) for _ in range(3)]
    finally:
        stop.set()
        writer.join()
    for data in taken:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            names = set(file.namelist())
            rows = {
                name: [msgspec.json.decode(line) for line in file.read(f"tables/{name}.jsonl").splitlines()]
                for name in ("scenario", "head", "blob_use")
            }
        latest = {row["id"]: row["latest"] for row in rows["head"]}
        assert all(row["version"] <= latest[row["id"]] for row in rows["scenario"])
        assert sum(latest.values()) == len(rows["scenario"])
        assert all(f"blobs/{row['sha256']}" in names for row in rows["blob_use"])


def test_a_store_that_holds_something_is_not_replaced_unasked(filled, store):
    data = backed_up(filled)
    before = content(store)
    assert code(store.backups.restore, io.BytesIO(data)) == "backup.not_empty"
    assert content(store) == before
    store.save(with_records(records(10)))
    store.backups.restore(io.BytesIO(data), replace=True)
    assert content(store) == before


def test_a_restore_that_fails_half_way_changes_nothing(filled, monkeypatch):
    data = backed_up(filled)
    filled.save(with_records(records(10)))
    before = content(filled)
    monkeypatch.setattr("core.store.restore._count_on", lambda *_: (_ for _ in ()).throw(OSError("No space left")))
    assert code(filled.backups.restore, io.BytesIO(data), replace=True) == "store.unavailable"
    assert content(filled) == before


@only_on("sqlite", "who may is asked before any database")
def test_backups_are_for_those_who_may_do_everything(filled):
    for who in (KIM, NOBODY):
        backups = filled.acting(who).backups
        for action in (
            backups.is_empty,
            lambda b=backups: b.stream(io.BytesIO()),
            lambda b=backups: b.restore(io.BytesIO()),
        ):
            assert code(action) == "store.not_allowed"


def rewritten(data, change):
    """The backup with one change to its members, and a list that agrees unless the change says otherwise."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        members = {name: file.read(name) for name in file.namelist()}
    manifest = msgspec.json.decode(members.pop("manifest.json"))
    change(members, manifest)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content_ in members.items():
            file.writestr(name, content_)
        file.writestr("manifest.json", msgspec.json.encode(manifest))
    return out.getvalue()


def listed(members, manifest, name, content_):
    members[name] = content_
    sha256 = hashlib.sha256(content_).hexdigest()
    manifest["members"][name] = {"size": len(content_), "sha256": sha256, "rows": content_.count(b"\n")}


def a_blob(members):
    return next(name for name in members if name.startswith("blobs/"))


DAMAGES = {
    "a blob that is another": lambda m, _: m.update({a_blob(m): m[a_blob(m)][:-1] + b"?"}),
    "a blob under another name": lambda m, f: listed(m, f, "blobs/" + "0" * 64, b"x"),
    "a blob that is missing": lambda m, _: m.pop(a_blob(m)),
    "a blob that nothing lists": lambda m, _: m.update({"blobs/" + "0" * 64: b"x"}),
    "a table that is missing": lambda m, f: (m.pop("tables/head.jsonl"), f["members"].pop("tables/head.jsonl")),
    "a table that nobody knows": lambda m, f: listed(m, f, "tables/users.jsonl", b"{}\n"),
    "a path upwards": lambda m, f: listed(m, f, "../outside", b"x"),
    "a path from the root": lambda m, f: listed(m, f, "/etc/outside", b"x"),
    "rows that are cut": lambda m, _: m.update({"tables/head.jsonl": m["tables/head.jsonl"][:-5]}),
    "rows that are none": lambda m, f: listed(m, f, "tables/comment.jsonl", b"[1]\n"),
    "a column that nobody knows": lambda m, f: listed(m, f, "tables/team.jsonl", b'{"admin": true}\n'),
    "a value of another kind": lambda m, f: listed(m, f, "tables/team.jsonl", b'{"id": {"a": 1}}\n'),
    "fewer rows than it says": lambda _, f: f["members"]["tables/event.jsonl"].update(rows=0),
    "a list of another form": lambda _, f: f.update(members=[]),
}


@only_on("sqlite", "the form of the file is the same for each")
def test_what_was_changed_is_refused_and_changes_nothing(filled, tmp_path):
    data = backed_up(filled)
    other = open_store(url_of(tmp_path / "other" / "plimsoll.db"))
    for name, change in DAMAGES.items():
        assert code(other.backups.restore, io.BytesIO(rewritten(data, change))) == "backup.unreadable", name
        assert other.backups.is_empty(), name
    assert [path.name for path in tmp_path.rglob("outside")] == []
    other.backups.restore(io.BytesIO(rewritten(data, lambda *_: None)))
    assert content(other) == content(filled)
    other.close()


@only_on("sqlite", "the form of the file is the same for each")
def test_what_is_no_backup_is_refused(store):
    empty = io.BytesIO()
    zipfile.ZipFile(empty, "w").close()
    for data in (b"", b"PK\x03\x04", b"SQLite format 3\x00" * 50, empty.getvalue(), backed_up(store)[:-40]):
        assert code(store.backups.restore, io.BytesIO(data)) == "backup.unreadable"


@only_on("sqlite", "the form of the file is the same for each")
def test_what_a_newer_version_wrote_is_named_as_such(filled, tmp_path):
    data = backed_up(filled)
    other = open_store(url_of(tmp_path / "other" / "plimsoll.db"))
    for change in ({"format": 2}, {"format": 2, "members": "elsewhere"}, {"revision": "9999"}):
        lie = rewritten(data, lambda _, manifest, change=change: manifest.update(change))
        assert code(other.backups.restore, io.BytesIO(lie)) == "store.newer_schema"
    other.close()


@only_on("sqlite", "the form of the file is the same for each")
@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_what_an_older_version_wrote_is_not_called_newer(filled, tmp_path, revision):
    """Its rows lack columns of today: the version that wrote it restores it, and the store is migrated when opened."""
    lie = rewritten(backed_up(filled), lambda _, manifest: manifest.update(revision=revision, app_version="0.0.9"))
    other = open_store(url_of(tmp_path / "other" / "plimsoll.db"))
    with pytest.raises(StoreError) as refused:
        other.backups.restore(io.BytesIO(lie))
    assert refused.value.code == "backup.older"
    assert "0.0.9" in str(refused.value)
    assert other.backups.is_empty()
    other.close()


@only_on("sqlite", "the form of the file is the same for each")
def test_a_bomb_is_not_unpacked(filled, tmp_path, monkeypatch):
    monkeypatch.setattr("core.store.restore._LEAST", 1_000_000)
    bomb = rewritten(backed_up(filled), lambda m, f: listed(m, f, "tables/comment.jsonl", b" " * 300_000_000))
    monkeypatch.setattr("core.store.restore._checked", lambda *_: pytest.fail("it was read"))
    other = open_store(url_of(tmp_path / "other" / "plimsoll.db"))
    assert code(other.backups.restore, io.BytesIO(bomb)) == "backup.unreadable"
    other.close()


@only_on("sqlite", "the file is the same for each")
def test_a_backup_is_its_owners_file_and_appears_when_it_is_whole(filled, tmp_path, monkeypatch):
    path = tmp_path / "kept" / "backup.zip"
    path.parent.mkdir()
    filled.backups.to(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    whole = path.read_bytes()

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert code(filled.backups.to, path) == "store.full"
    assert [each.name for each in path.parent.iterdir()] == ["backup.zip"]
    assert path.read_bytes() == whole


def run(root, home, *arguments, **more):
    env = {**os.environ, "PLIMSOLL_HOME": str(home)}
    command = [sys.executable, "-m", "core", *map(str, arguments)]
    return subprocess.run(command, cwd=root, env=env, capture_output=True, check=False, **more)


@only_on("sqlite", "the command line is the same for each")
def test_the_commands(filled, path, root, tmp_path):
    kept = tmp_path / "kept.zip"
    done = run(root, path.parent, "backup", kept)
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"Backed up" in done.stderr
    streamed = run(root, path.parent, "backup", "-")
    assert streamed.returncode == 0
    new = tmp_path / "new"
    assert run(root, new, "restore", kept).returncode == 0
    restored = open_store(url_of(new / "plimsoll.db"))
    assert content(restored) == content(filled)
    restored.close()
    refused = run(root, new, "restore", kept)
    assert refused.returncode == 2
    assert b"[backup.not_empty]" in refused.stderr
    (tmp_path / "streamed.zip").write_bytes(streamed.stdout)
    replaced = run(root, new, "restore", tmp_path / "streamed.zip", "--replace")
    assert replaced.returncode == 0
    (before,) = tmp_path.glob("streamed.before-*.zip")
    assert stat.S_IMODE(before.stat().st_mode) == 0o600
    (tmp_path / "broken.zip").write_bytes(b"no backup")
    broken = run(root, tmp_path / "third", "restore", tmp_path / "broken.zip")
    assert broken.returncode == 3
    assert b"[backup.unreadable]" in broken.stderr
    assert b"Traceback" not in broken.stderr
