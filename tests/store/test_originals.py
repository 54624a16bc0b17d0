"""Originals: none unless a setting says so, no prompt unless it says more, and only for those who may edit."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.errors import StoreError
from core.ingest.raw import Upload
from core.ingest.source import OnDisk
from core.model.person import NOBODY, Person, Role
from core.model.run import FileRef
from core.pipeline import load
from core.store.blobs import YOUNG
from core.store.drafts import Work
from core.store.store import open_store
from tests.databases import only_on
from tests.store.store_build import a_scenario, url_of

SECRET = "PRIVATE-canary-prompt"
DATA = json.dumps({"prompt": SECRET, "ttft": 0.5}).encode()
SHA = hashlib.sha256(DATA).hexdigest()
UPLOAD = Upload("run/a.json", DATA)
KIM = Person(id="issuer|kim", name="Kim", email="kim@example.org")
LEE = Person(id="issuer|lee", name="Lee", email="lee@example.org")
LATER = datetime.now(UTC) + 2 * YOUNG


@pytest.fixture(params=["stripped", "whole"])
def how(request, monkeypatch):
    monkeypatch.setenv("PLIMSOLL_KEEP_ORIGINALS", request.param)
    return request.param


def of_the_file():
    """A scenario whose run is from the file."""
    scenario = a_scenario()
    run = replace(scenario.runs[0], files=(FileRef("run/a.json", SHA),))
    return replace(scenario, runs=(run,))


def a_work():
    from tests.store.test_drafts import a_file

    return Work(files=(replace(a_file(n=10), sha256=SHA),))


def uploaded(store, who=KIM):
    """What a session does: keep the file, then the draft; save what came of it."""
    own = store.acting(who)
    assert own.originals.keep([UPLOAD], {SHA}) == ()
    draft = own.drafts.keep(a_work(), {})
    return draft.id, own.save(of_the_file()).id


def code(action, *arguments):
    with pytest.raises(StoreError) as raised:
        action(*arguments)
    return raised.value.code


@pytest.mark.parametrize("setting", [None, "off", "", "yes", "all"])
def test_nothing_is_kept_unless_the_setting_says_so(store, monkeypatch, setting):
    monkeypatch.delenv("PLIMSOLL_KEEP_ORIGINALS", raising=False)
    if setting is not None:
        monkeypatch.setenv("PLIMSOLL_KEEP_ORIGINALS", setting)
    _, scenario_id = uploaded(store)
    assert store.originals.of(scenario_id, 1) == ()


def test_a_file_is_kept_as_the_setting_says(store, how):
    _, scenario_id = uploaded(store)
    (found,) = store.originals.of(scenario_id, 1)
    kept = store.originals.open(scenario_id, 1, SHA)
    assert (found.name, found.sha256, found.size, found.stripped) == ("run/a.json", SHA, len(kept), how == "stripped")
    assert kept == (DATA if how == "whole" else b'{"prompt": "", "ttft": 0.5}')


def test_only_those_who_may_edit_open_it(store, how):
    _, scenario_id = uploaded(store)
    store.people.give(scenario_id, "email", LEE.email, Role.VIEWER)
    for who, wanted in ((LEE, "store.not_allowed"), (NOBODY, "store.not_found")):
        originals = store.acting(who).originals
        assert code(originals.of, scenario_id, 1) == wanted
        assert code(originals.open, scenario_id, 1, SHA) == wanted
    assert code(store.acting(KIM).originals.open, scenario_id, 1, "0" * 64) == "store.no_original"


def test_a_copy_of_what_one_may_only_read_does_not_open_the_file(store, how):
    _, scenario_id = uploaded(store)
    store.people.give(scenario_id, "email", LEE.email, Role.VIEWER)
    lees = store.acting(LEE)
    copies = [lees.duplicate(scenario_id).id, lees.save(of_the_file(), forked_from=scenario_id).id]
    lees.drafts.keep(Work(opened=of_the_file().runs), {})
    copies.append(lees.save(of_the_file()).id)
    assert [lees.originals.of(copy, 1) for copy in copies] == [(), (), ()]


def test_later_versions_keep_it_also_by_others_who_may_edit(store, how):
    _, scenario_id = uploaded(store)
    store.people.give(scenario_id, "email", LEE.email, Role.EDITOR)
    lees = store.acting(LEE)
    lees.save(of_the_file(), scenario_id)
    assert [one.sha256 for one in lees.originals.of(scenario_id, 2)] == [SHA]


def test_it_goes_with_the_last_that_needs_it(store, how):
    own = store.acting(KIM)
    own.originals.keep([UPLOAD], {SHA})
    draft = own.drafts.keep(a_work(), {})
    store.blobs.collect(LATER)
    scenario_id = own.save(of_the_file()).id
    assert len(own.originals.of(scenario_id, 1)) == 1
    alike, other = Upload("b.json", DATA + b" "), Upload("c.json", b'{"ttft": 0.75}')
    for each in (alike, other):
        own.originals.keep([each], {hashlib.sha256(each.data).hexdigest()})
    assert [one.name for one in own.originals.of(scenario_id, 1)] == ["run/a.json"]
    assert store.blobs.collect(LATER) == (1 if how == "stripped" else 2)
    assert own.originals.open(scenario_id, 1, SHA)
    assert own.drafts.find(draft.id)


@only_on("sqlite", "what may be kept is the same for each")
def test_what_cannot_be_stripped_is_not_kept_and_said(store, tmp_path, monkeypatch):
    monkeypatch.setenv("PLIMSOLL_KEEP_ORIGINALS", "stripped")
    log = Upload("server.log", b"x")
    (tmp_path / "b.json").write_bytes(DATA)
    hashes = {hashlib.sha256(b"x").hexdigest(), SHA}
    (said,) = store.originals.keep([log, OnDisk("b.json", tmp_path / "b.json")], hashes)
    assert "server.log" in str(said)
    assert store.originals.keep([Upload("unread.log", b"y")], hashes) == ()


@only_on("sqlite", "the bytes of the file are looked at")
@pytest.mark.parametrize("setting", ["off", "stripped"])
def test_no_prompt_reaches_the_disk(root, tmp_path, monkeypatch, setting):
    """Prompts planted in files of every tool that writes single requests, then all that is on the disk is searched."""
    from tests.ingest.test_redact import golden, plant

    monkeypatch.setenv("PLIMSOLL_KEEP_ORIGINALS", setting)
    monkeypatch.setenv("PLIMSOLL_BLOBS", f"folder:{tmp_path / 'blobs'}")
    monkeypatch.setattr("tests.ingest.test_redact.SECRET", SECRET)
    planted = []
    for path in golden(root):
        if path.suffix == ".csv" and b"prompt," in path.read_bytes():
            text = path.read_text(encoding="utf-8").replace("Text of a prompt", SECRET)
        elif path.suffix == ".csv":
            continue
        else:
            lines = (
                path.read_text("utf-8-sig").splitlines() if path.suffix == ".jsonl" else [path.read_text("utf-8-sig")]
            )
            text = "\n".join(json.dumps(plant(json.loads(line))) for line in lines if line.strip())
        planted.append(Upload(f"{path.parent.name}/{path.name}", text.encode()))
    loaded = load(planted)
    used = {file.sha256 for file in loaded.files}
    assert sum(SECRET.encode() in one.data for one in planted if hashlib.sha256(one.data).hexdigest() in used) > 20
    opened = open_store(url_of(tmp_path / "home" / "plimsoll.db"))
    opened.originals.keep(planted, used)
    opened.drafts.keep(Work(files=loaded.files, tables=loaded.tables, refused=loaded.refused), {})
    opened.save(replace(a_scenario(), runs=loaded.runs, answers=()))
    found = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.name for path in found} >= {"plimsoll.db", "plimsoll.db-wal"}
    assert [path.name for path in found if SECRET.encode() in path.read_bytes()] == []
    with opened._engine.connect() as connection:
        import zlib

        for (payload,) in connection.exec_driver_sql(
            "SELECT payload FROM scenario UNION ALL SELECT payload FROM draft"
        ):
            assert SECRET.encode() not in zlib.decompress(payload)
    for path in (tmp_path / "blobs").rglob("*"):
        if path.is_file() and path.read_bytes()[:1] == b"\x78":
            assert SECRET.encode() not in zlib.decompress(path.read_bytes())
    opened.close()
