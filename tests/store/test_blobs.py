"""Blobs in each place: kept once, checked on the way out, removed only when nobody needs them."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from moto.server import ThreadedMotoServer
from pyarrow.fs import S3FileSystem
from sqlalchemy.orm import Session

from core.errors import StoreError
from core.store.blobs import YOUNG, Blobs, by_hash
from core.store.engine import connected, writing
from core.store.places import place_of
from core.store.tables_blobs import BlobRow
from tests.databases import only_on

DATA = b"one table"
SHA = hashlib.sha256(DATA).hexdigest()
OTHER = b"another table, longer"


@pytest.fixture(scope="module")
def service():
    """A service on loopback that speaks S3."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(service, monkeypatch):
    """An empty bucket, with the settings that lead to it."""
    for name, value in {
        "PLIMSOLL_S3_ENDPOINT": service,
        "PLIMSOLL_S3_REGION": "eu-west-1",
        "AWS_ACCESS_KEY_ID": "id-of-the-tests",
        "AWS_SECRET_ACCESS_KEY": "secret-of-the-tests",
        "AWS_EC2_METADATA_DISABLED": "true",
    }.items():
        monkeypatch.setenv(name, value)
    host = service.removeprefix("http://")
    files = S3FileSystem(endpoint_override=host, scheme="http", region="eu-west-1", allow_bucket_creation=True)
    files.create_dir("plimsoll")
    files.delete_dir_contents("plimsoll", missing_dir_ok=True)
    return "s3:plimsoll/tables"


@pytest.fixture(params=["database", "folder", "s3"])
def setting(request, tmp_path, database):
    """Each of the three places, with nothing in it."""
    if request.param != "database" and database != "sqlite":
        pytest.skip("what lies outside the database is the same for each")
    if request.param == "s3":
        return request.getfixturevalue("bucket")
    return f"folder:{tmp_path / 'blobs'}" if request.param == "folder" else "database"


@pytest.fixture
def engine(url, store):
    """The database behind the store, which has made its tables."""
    made = connected(url)
    yield made
    made.dispose()


@pytest.fixture
def blobs(engine, setting):
    return Blobs(engine, setting)


def kept(blobs, engine, *contents, holder="1"):
    """Save contents as a scenario does."""
    found = by_hash(contents)
    blobs.put(found)
    with Session(writing(engine)) as session:
        blobs.add(session, found, "scenario", holder)
        session.commit()
    return list(found)


def read(blobs, engine, sha256):
    with Session(engine) as session:
        return blobs.get(session, sha256)


def released(blobs, engine, holder="1"):
    with Session(writing(engine)) as session:
        blobs.release(session, "scenario", [holder])
        session.commit()


def held(blobs, engine, sha256, holder):
    with Session(writing(engine)) as session:
        done = blobs.hold(session, [sha256], "scenario", holder)
        session.commit()
        return done


def code(action):
    with pytest.raises(StoreError) as raised:
        action()
    return raised.value.code


LATER = datetime.now(UTC) + 2 * YOUNG


def test_what_is_kept_comes_back(blobs, engine):
    (first, second) = kept(blobs, engine, DATA, OTHER)
    assert (read(blobs, engine, first), read(blobs, engine, second)) == (DATA, OTHER)


def test_the_same_content_is_kept_once_and_for_everybody_who_needs_it(blobs, engine):
    kept(blobs, engine, DATA, holder="1")
    kept(blobs, engine, DATA, holder="2")
    kept(blobs, engine, DATA, holder="2")
    with Session(engine) as session:
        assert session.query(BlobRow).count() == 1
        assert blobs.held(session, "scenario", "2") == (SHA,)
    released(blobs, engine, "1")
    assert blobs.collect(LATER) == 0
    assert read(blobs, engine, SHA) == DATA
    released(blobs, engine, "2")
    assert blobs.collect(LATER) == 1
    assert code(lambda: read(blobs, engine, SHA)) == "store.damaged"
    with Session(engine) as session:
        assert session.query(BlobRow).count() == 0


def test_nothing_goes_within_an_hour_of_its_writing(blobs, engine):
    kept(blobs, engine, DATA)
    released(blobs, engine)
    assert blobs.collect() == 0
    assert blobs.collect(datetime.now(UTC) + YOUNG - timedelta(minutes=1)) == 0
    assert read(blobs, engine, SHA) == DATA


def test_what_went_can_be_kept_again(blobs, engine):
    kept(blobs, engine, DATA)
    released(blobs, engine)
    assert blobs.collect(LATER) == 1
    assert not held(blobs, engine, SHA, "2")
    kept(blobs, engine, DATA)
    assert read(blobs, engine, SHA) == DATA


def test_a_save_whose_blob_is_removed_meanwhile_writes_it_again(blobs, engine):
    """It was there, needed by nobody, when the save looked; then it was collected; then the save commits."""
    kept(blobs, engine, DATA)
    released(blobs, engine)
    blobs.put({SHA: DATA})
    blobs.collect(LATER)
    with Session(writing(engine)) as session:
        blobs.add(session, {SHA: DATA}, "scenario", "2")
        session.commit()
    assert read(blobs, engine, SHA) == DATA


def test_a_need_is_noted_only_where_everything_is_there(blobs, engine):
    kept(blobs, engine, DATA)
    assert held(blobs, engine, SHA, "2")
    with Session(writing(engine)) as session:
        assert not blobs.hold(session, [SHA, "0" * 64], "scenario", "3")
        assert blobs.held(session, "scenario", "3") == ()


def test_a_transaction_that_fails_leaves_no_row_and_no_need(blobs, engine):
    blobs.put({SHA: DATA})
    with Session(writing(engine)) as session:
        blobs.add(session, {SHA: DATA}, "scenario", "1")
        session.rollback()
    with Session(engine) as session:
        assert session.query(BlobRow).count() == 0
        assert blobs.held(session, "scenario", "1") == ()


def test_many_who_keep_the_same_at_once_keep_it_once(blobs, engine):
    def work(number):
        kept(blobs, engine, DATA, OTHER, holder=str(number))
        blobs.collect(LATER)
        return read(blobs, engine, SHA)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(work, range(16))) == {DATA}
    with Session(engine) as session:
        assert session.query(BlobRow).count() == 2


def test_nothing_but_a_hash_that_is_known_is_looked_for(blobs, engine):
    kept(blobs, engine, DATA)
    for lie in ("0" * 64, "", "../../etc/passwd", "/etc/passwd", SHA.upper(), SHA + "0", "é" * 64):
        assert code(lambda lie=lie: read(blobs, engine, lie)) == "store.damaged"


def test_a_blob_that_is_not_what_it_was_is_refused(engine, setting):
    blobs = Blobs(engine, setting)
    kept(blobs, engine, DATA)
    place = place_of(setting)
    if place is None:
        with Session(writing(engine)) as session:
            session.get(BlobRow, SHA).data = DATA[::-1]
            session.commit()
    else:
        place.drop(SHA)
        assert code(lambda: read(blobs, engine, SHA)) == "store.damaged"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("core.store.places.sha256", lambda _: hashlib.sha256(DATA))
            place.put(SHA, DATA[::-1])
    assert code(lambda: read(blobs, engine, SHA)) == "store.damaged"


def test_a_blob_that_is_gone_from_its_place_is_written_again_by_the_next_save(engine, setting):
    place = place_of(setting)
    if place is None:
        pytest.skip("the database's rows hold their data")
    blobs = Blobs(engine, setting)
    kept(blobs, engine, DATA)
    place.drop(SHA)
    assert not held(blobs, engine, SHA, "2")
    kept(blobs, engine, DATA, holder="2")
    assert read(blobs, engine, SHA) == DATA


def test_blobs_stay_readable_after_the_setting_moved(engine, setting, tmp_path):
    kept(Blobs(engine, setting), engine, DATA)
    for other in ("database", f"folder:{tmp_path / 'other'}"):
        moved = Blobs(engine, other)
        assert read(moved, engine, SHA) == DATA
        assert held(moved, engine, SHA, other[:4])
        kept(moved, engine, OTHER)
        assert read(Blobs(engine, setting), engine, by_hash([OTHER]).popitem()[0]) == OTHER


@only_on("sqlite", "what lies outside the database is the same for each")
def test_a_folder_that_was_moved_is_found_under_its_new_name(engine, tmp_path):
    kept(Blobs(engine, f"folder:{tmp_path / 'a'}"), engine, DATA)
    (tmp_path / "a").rename(tmp_path / "b")
    assert read(Blobs(engine, f"folder:{tmp_path / 'b'}"), engine, SHA) == DATA


class TestFolder:
    @pytest.fixture
    def folder(self, tmp_path):
        return tmp_path / "blobs"

    @pytest.fixture
    def place(self, folder):
        return place_of(f"folder:{folder}")

    def test_files_are_named_by_their_hash_and_are_nobody_elses(self, place, folder):
        place.put(SHA, DATA)
        path = folder / SHA[:2] / SHA
        assert path.read_bytes() == DATA
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700

    def test_a_writer_that_fails_leaves_nothing(self, place, folder, monkeypatch):
        def full(_handle):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            place.put(SHA, DATA)
        assert place.get(SHA) is None
        assert [path for path in folder.rglob("*") if path.is_file()] == []

    def test_what_a_killed_writer_left_is_never_read_and_goes_after_an_hour(self, place, folder):
        place.put(SHA, DATA)
        part = folder / SHA[:2] / f"{SHA}.0011.part"
        part.write_bytes(DATA[:3])
        place.tidy(3600)
        assert part.exists()
        os.utime(part, (time.time() - 4000, time.time() - 4000))
        place.tidy(3600)
        assert not part.exists()
        assert place.get(SHA) == DATA

    @pytest.mark.parametrize("there", [b"", DATA[:-1], DATA[::-1]])
    def test_a_file_that_is_not_whole_is_written_again(self, place, folder, there):
        (folder / SHA[:2]).mkdir(parents=True)
        (folder / SHA[:2] / SHA).write_bytes(there)
        place.put(SHA, DATA)
        assert place.get(SHA) == DATA

    @pytest.mark.parametrize("key", ["../outside", "..", "", "a/b", SHA[:-1] + "/"])
    def test_nothing_but_a_hash_becomes_a_path(self, place, key):
        for action in (lambda: place.put(key, DATA), lambda: place.get(key), lambda: place.size(key)):
            with pytest.raises(OSError, match="not a hash"):
                action()
        with pytest.raises(OSError, match="not a hash"):
            place.drop(key)


@pytest.mark.parametrize(
    "wrong", ["disk", "folder:", "folder:relative/path", "s3:", "s3:Bucket", "s3:a/../b", "s3:b//c", "file:/x", "s3:/x"]
)
def test_a_setting_that_nobody_can_follow_is_said(wrong):
    assert code(lambda: place_of(wrong)) == "store.blobs_setting"


@only_on("sqlite", "what lies outside the database is the same for each")
def test_a_bucket_that_is_not_there_is_said_and_never_made(engine, bucket):
    blobs = Blobs(engine, bucket.replace("plimsoll", "nobodys-bucket"))
    for _ in range(2):
        assert code(lambda: kept(blobs, engine, DATA)) == "store.unavailable"


@only_on("sqlite", "what lies outside the database is the same for each")
def test_a_service_that_does_not_answer_is_said(engine, bucket, monkeypatch):
    monkeypatch.setenv("PLIMSOLL_S3_ENDPOINT", "http://127.0.0.1:9")
    assert code(lambda: kept(Blobs(engine, bucket), engine, DATA)) == "store.unavailable"
