"""A disk that runs full at any moment: what was acknowledged stays, nothing is half there, and it is said in words."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import StoreError
from core.ingest.raw import Upload
from core.model.person import Role
from core.model.run import FileRef
from core.store.drafts import Work
from core.store.store import open_store
from tests.databases import behind, only_on
from tests.model.model_strategies import differences
from tests.store.full_disk import MOUNTED, Limited, Mounted
from tests.store.store_build import A_MAPPING, a_scenario, url_of
from tests.store.test_backup import KIM, content
from tests.store.test_drafts import ASKED, a_file
from tests.store.test_records import records, with_records

ROOMS = (0, 8_192, 60_000, 250_000)
"""Bytes that are left: none, and up to somewhere within what is written."""

N = 10_000
"""Requests of what is written: half a megabyte that cannot be packed."""

RELEASED = Path(__file__).with_name("released")
IN_WORDS = {"store.full": "no room left on the disk", "store.unavailable": "the disk is not full"}


@pytest.fixture
def disk(tmp_path):
    """A disk with an empty folder on it."""
    mounted = os.environ.get(MOUNTED)
    found = Mounted(Path(mounted) / "disk") if mounted else Limited(tmp_path / "disk")
    found.folder.mkdir()
    yield found
    shutil.rmtree(found.folder)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The file of a store that nobody used: making its tables takes longer than most of what is done with it."""
    path = tmp_path_factory.mktemp("made") / "plimsoll.db"
    open_store(url_of(path)).close()
    return path.read_bytes()


@pytest.fixture(params=["database", "folder"])
def place(request, disk, monkeypatch):
    """Where large tables lie: in the database or in a folder, both on the disk."""
    setting = "database" if request.param == "database" else f"folder:{disk.folder / 'blobs'}"
    monkeypatch.setenv("PLIMSOLL_BLOBS", setting)
    return setting


@pytest.fixture
def kept(disk, place, made, monkeypatch):
    """A store on the disk that holds something already."""
    monkeypatch.setenv("PLIMSOLL_KEEP_ORIGINALS", "whole")
    (disk.folder / "plimsoll.db").write_bytes(made)
    store = open_store(url_of(disk.folder / "plimsoll.db"))
    store.save(with_records(records(500)), tags=("kept",))
    store.drafts.keep(Work(files=(a_file(n=200),)), ASKED)
    yield store
    store.close()


def found_on(disk):
    """Every file on the disk but SQLite's own and blobs, which have to be whole: one that nobody needs harms nobody."""
    files = {path for path in disk.folder.rglob("*") if path.is_file() and not path.name.startswith("plimsoll.db")}
    blobs = {path for path in files if path.is_relative_to(disk.folder / "blobs")}
    assert {path.name for path in blobs} == {hashlib.sha256(path.read_bytes()).hexdigest() for path in blobs}
    return {path.name: path.stat().st_size for path in files - blobs}


def in_words(error, disk, *, opening=False):
    """Say what happened, where on which disk, and what to do.

    Args:
        error: as it was raised.
        disk: that is full.
        opening: SQLite's own side file had no room, which SQLite does not tell from a device that fails.
    """
    assert error.code in (*disk.codes, *(["store.unavailable"] if opening else [])), error
    assert IN_WORDS[error.code] in str(error)
    assert str(disk.folder) in str(error.what)
    assert "try again" in str(error.fix)


def whatever_room(disk, state, act):
    """Whatever room there is, it is done whole or refused in words with nothing changed; with room again, it works.

    Args:
        disk: that runs full.
        state: gives what may not change when it is refused.
        act: does it for the n-th time, and returns what makes sure that it was done.
    """
    done, refused = [], 0
    for number, room in enumerate(ROOMS):
        before, error = (state(), found_on(disk)), None
        with disk.full(room):
            try:
                done.append(act(number))
            except StoreError as raised:
                error = raised
        if error is not None:
            in_words(error, disk)
            assert (state(), found_on(disk)) == before, room
            refused += 1
    assert refused, "there was room each time"
    done.append(act(len(ROOMS)))
    for is_there in done:
        is_there()


def test_a_save(kept, disk):
    scenario_id = kept.list()[0].id

    def act(number):
        scenario = with_records(records(N, number), name=f"after {number}")
        saved = kept.save(scenario, scenario_id if number % 2 else None)
        return lambda: same(kept.load(saved.id, saved.version)[1], scenario)

    whatever_room(disk, lambda: content(kept), act)


def test_a_draft(kept, disk):
    def act(number):
        work = Work(files=(a_file(n=N, seed=number),))
        draft = kept.drafts.keep(work, ASKED)
        return lambda: same(kept.drafts.find(draft.id).work, work)

    whatever_room(disk, lambda: content(kept), act)


def test_an_original(kept, disk):
    def act(number):
        data = records(N, number).ttft_s.tobytes() + records(N, number).e2e_s.tobytes()
        upload = Upload(f"{number}.bin", data)
        sha256 = hashlib.sha256(data).hexdigest()
        assert kept.originals.keep([upload], {sha256}) == ()
        return lambda: opens(kept, sha256, data)

    whatever_room(disk, lambda: content(kept), act)


def opens(store, sha256, data):
    """Save what rests on a file, as its uploader does, and open the file."""
    store.drafts.keep(Work(files=(replace(a_file(n=10), sha256=sha256),)), {})
    scenario = a_scenario()
    run = replace(scenario.runs[0], files=(FileRef("a", sha256),))
    saved = store.save(replace(scenario, runs=(run,)))
    assert store.originals.open(saved.id, 1, sha256) == data


def test_everything_that_is_small(kept, disk):
    """On a disk without any room: what finds a page that was written before may be done, the rest is refused whole."""
    scenario_id = kept.list()[0].id
    draft = kept.drafts.mine()[0].id
    acts = (
        lambda: kept.rename(scenario_id, "other"),
        lambda: kept.tag(scenario_id, ["b"]),
        lambda: kept.archive(scenario_id),
        lambda: kept.duplicate(scenario_id),
        lambda: kept.restore(scenario_id, 1),
        lambda: kept.shares.make(scenario_id),
        lambda: kept.comments.add(scenario_id, "text", 1),
        lambda: kept.people.give(scenario_id, "email", "kim@example.org", Role.EDITOR),
        lambda: kept.people.seen(KIM),
        lambda: kept.preferences.set("logo", bytes(200)),
        lambda: kept.mappings.keep(A_MAPPING),
        lambda: kept.drafts.ask(draft, {"t": ["1"]}),
        lambda: kept.drafts.discard(draft),
        lambda: kept.delete(scenario_id),
    )
    refused = 0
    for act in acts:
        before = content(kept)
        try:
            with disk.full(0):
                act()
        except StoreError as error:
            in_words(error, disk)
            assert content(kept) == before
            refused += 1
            act()
        assert content(kept) != before
    assert refused >= len(acts) / 2


def test_a_backup(kept, disk, made):
    kept.save(with_records(records(N)))
    path = disk.folder / "kept.zip"
    kept.backups.to(path)
    before = path.read_bytes()

    def act(number):
        kept.backups.to(disk.folder / f"{number}.zip" if number else path)
        return lambda: None

    whatever_room(disk, path.read_bytes, act)
    assert path.read_bytes()[:4] == before[:4]
    restored(disk.folder / f"{len(ROOMS)}.zip", disk.folder / "plimsoll.db.again", made, content(kept))


@pytest.mark.parametrize("replaced", [False, True])
def test_a_restore(kept, disk, made, replaced, monkeypatch):
    """Into an empty store, or in the place of what a store holds; its large tables go to a folder of its own."""
    path = disk.folder / "kept.zip"
    kept.save(with_records(records(N)))
    kept.backups.to(path)
    wanted = content(kept)
    (disk.folder / "plimsoll.db.other").write_bytes(made)
    if os.environ["PLIMSOLL_BLOBS"] != "database":
        monkeypatch.setenv("PLIMSOLL_BLOBS", f"folder:{disk.folder / 'blobs' / 'other'}")
    store = open_store(url_of(disk.folder / "plimsoll.db.other"))
    if replaced:
        store.save(with_records(records(N, 1)))
    before = content(store), found_on(disk)
    for room in ROOMS:
        with disk.full(room), pytest.raises(StoreError) as raised:
            store.backups.restore(path, replace=replaced)
        in_words(raised.value, disk)
        assert (content(store), found_on(disk)) == before, room
    store.backups.restore(path, replace=replaced)
    assert content(store) == wanted
    store.close()


def test_the_first_start(disk, place):
    """Also a file of no length is no reason to fail once there is room."""
    url = url_of(disk.folder / "plimsoll.db")
    for room in ROOMS[:3]:
        with disk.full(room), pytest.raises(StoreError) as raised:
            open_store(url)
        in_words(raised.value, disk, opening=True)
    store = open_store(url)
    saved = store.save(a_scenario())
    same(store.load(saved.id)[1], a_scenario())
    store.close()


@pytest.mark.parametrize("name", sorted(path.name[:2] for path in RELEASED.glob("v*.json")))
def test_a_database_of_before_that_is_to_be_migrated(disk, name):
    path = disk.folder / "plimsoll.db"
    path.write_bytes(gzip.decompress((RELEASED / f"{name}.db.gz").read_bytes()))
    with behind(url_of(path)) as run:
        before = run("SELECT id, version, payload FROM scenario ORDER BY key")
        revision = run("SELECT version_num FROM alembic_version")
    error = None
    with disk.full(4_096):
        try:
            open_store(url_of(path)).close()
        except StoreError as raised:
            error = raised
    with behind(url_of(path)) as run:
        assert run("SELECT id, version, payload FROM scenario ORDER BY key") == before
        assert error is None or run("SELECT version_num FROM alembic_version") == revision
    if error is not None:
        in_words(error, disk, opening=True)
    else:
        assert name == sorted(RELEASED.glob("v*.json"))[-1].name[:2]
    store = open_store(url_of(path))
    assert len(store.list()) == 2
    store.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_the_command_says_what_a_pipe_or_disk_did_not_take(disk, made, compiled, root):
    """A small backup lies in a buffer until the program ends, and must not be lost there after it was called done."""
    (disk.folder / "plimsoll.db").write_bytes(made)
    environment = {**compiled, "PLIMSOLL_HOME": str(disk.folder)}
    command = [sys.executable, "-m", "core", "backup", "-"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, cwd=root, env=environment, stdout=full, stderr=subprocess.PIPE, check=False)
    said = done.stderr.decode()
    assert done.returncode == 3, said
    assert "[store.full]" in said
    assert "<stdout>" in said
    assert "Backed up" not in said
    assert "Traceback" not in said
    assert "Exception ignored" not in said


@pytest.mark.skipif(MOUNTED in os.environ, reason="it is what runs now")
def test_all_of_it_on_a_small_disk_that_is_really_full(root, compiled, tmp_path):
    """The same tests on a disk of their own, which nobody but their process sees."""
    inside = [] if os.geteuid() == 0 else ["--map-root-user"]
    unshare = ["unshare", "--mount", *inside, "sh", "-c"]
    mount = 'mount -t tmpfs -o size=24m,mode=700 none "$0"'
    place = tmp_path / "small"
    place.mkdir()
    tried = subprocess.run([*unshare, mount, place], capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        pytest.skip(f"no disk can be mounted here: {tried.stderr.strip()}")
    pytest_here = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        str(Path(__file__)),
    ]
    environment = {name: value for name, value in compiled.items() if not name.startswith(("PYTEST", "COV"))}
    done = subprocess.run(
        [*unshare, f'{mount} && exec "$@"', place, *pytest_here, "-k", "folder or v1"],
        cwd=root,
        env=environment | {MOUNTED: str(place)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]
    assert "passed" in done.stdout


FULL_TABLES = """
CREATE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100'; END $$
"""


@only_on("postgresql", "SQLite's disk is filled up above")
@pytest.mark.parametrize("table", ["scenario", "blob", "blob_use", "event", "draft"])
def test_postgresql_says_that_its_disk_is_full_and_keeps_what_was_there(store, url, table):
    """Wherever in a save or a draft the server runs out of room, all of it is undone."""
    scenario = with_records(records(300))
    saved = store.save(a_scenario("kept"))
    with behind(url) as run:
        run(FULL_TABLES)
        run(f"CREATE TRIGGER full_disk BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION is_full()")
    refused = []
    for act in (
        lambda: store.save(scenario, saved.id),
        lambda: store.drafts.keep(Work(files=(a_file(n=200),)), ASKED),
    ):
        before = content(store)
        try:
            act()
        except StoreError as error:
            refused.append(error)
            assert content(store) == before
    assert refused
    for error in refused:
        assert error.code == "store.full"
        assert "No space left on device" in str(error)
        assert "Make room" in str(error.fix)
    with behind(url) as run:
        run(f"DROP TRIGGER full_disk ON {table}")
    store.save(scenario, saved.id)
    same(store.load(saved.id)[1], scenario)


def same(found, wanted):
    assert differences(found, wanted) == []


def restored(path, database, made, wanted):
    """The backup holds everything."""
    database.write_bytes(made)
    store = open_store(url_of(database))
    store.backups.restore(path)
    assert content(store) == wanted
    store.close()
