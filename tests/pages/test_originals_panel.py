"""Files that a setting keeps are handed out below the numbers that rest on them."""

from __future__ import annotations

import json

from core.settings import originals
from pages.parts import keys
from tests.pages.conftest import words
from tests.pages.test_plan_page import SWEEP, drop
from tests.pages.test_scenarios_page import opened, save

SECRET = "PRIVATE canary"


def planted():
    return {name: json.dumps({**json.loads(data), "note": SECRET}).encode() for name, data in SWEEP.items()}


def offered(app):
    return [each for each in app.get("download_button") if str(each.key).startswith(keys.ORIGINALS)]


def test_kept_files_are_offered_with_name_and_size(visit, monkeypatch):
    monkeypatch.setenv("PLIMSOLL_KEEP_ORIGINALS", "stripped")
    assert originals() == "stripped"
    save(drop(visit(t=["ttft-p99-300ms"]), planted()))
    app = opened(visit)
    assert sorted(each.label.replace("\\", "") for each in offered(app)) == sorted(SWEEP)
    assert "Without prompts and answers" in words(app)
    assert words(app).count(" kB") == len(SWEEP)


def test_nothing_is_offered_where_nothing_is_kept(visit, monkeypatch):
    monkeypatch.delenv("PLIMSOLL_KEEP_ORIGINALS", raising=False)
    save(drop(visit(t=["ttft-p99-300ms"]), planted()))
    assert offered(opened(visit)) == []


def test_what_is_kept_has_lost_every_text_that_nobody_knows(visit, monkeypatch, tmp_path):
    from core.store.store import open_store

    monkeypatch.setenv("PLIMSOLL_KEEP_ORIGINALS", "stripped")
    save(drop(visit(t=["ttft-p99-300ms"]), planted()))
    store = open_store(f"sqlite:///{tmp_path / 'plimsoll.db'}")
    try:
        entry = store.list()[0]
        kept = store.originals.of(entry.id, 1)
        assert len(kept) == len(SWEEP)
        for each in kept:
            document = json.loads(store.originals.open(entry.id, 1, each.sha256))
            assert document["note"] == ""
            assert document["completed"] == json.loads(SWEEP[each.name])["completed"]
    finally:
        store.close()
