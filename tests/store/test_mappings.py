"""Column meanings: kept, used newest first, renamed, deleted and brought back; damaged ones are left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import StoreError, UsageError
from core.model.mapping import ColumnMeaning, content_hash
from core.store.store import open_store
from tests.databases import behind
from tests.store.store_build import A_MAPPING

SAID = A_MAPPING
OTHER = replace(SAID, name="Other", headers=("a", "b"), columns={"a": ColumnMeaning(role="setting")}, sheet=None)


def names(store):
    return [each.mapping.name for each in store.mappings.list()]


def test_what_was_kept_is_there_after_the_store_was_opened_again(store, url):
    (kept,) = store.mappings.keep(SAID)
    store.mappings.keep(OTHER)
    store.close()
    again = open_store(url)
    newest, oldest = again.mappings.list()
    assert (newest.mapping, oldest.mapping) == (OTHER, SAID)
    assert (oldest.id, oldest.saved_at) == (kept.id, kept.saved_at)
    assert (newest.overruled, oldest.overruled) == (False, False)
    again.close()


def test_renaming_changes_the_name_and_nothing_else(store):
    (kept,) = store.mappings.keep(SAID)
    renamed = store.mappings.rename(kept.id, "  Nightly\nrun ")
    assert renamed.mapping == replace(SAID, name="Nightly run")
    assert names(store) == ["Nightly run"]
    assert content_hash(renamed.mapping) == content_hash(SAID)
    for name in ("", " \n", "x" * 121):
        with pytest.raises(UsageError) as refused:
            store.mappings.rename(kept.id, name)
        assert refused.value.code == "mapping.invalid"
    assert names(store) == ["Nightly run"]


def test_a_deleted_one_is_not_used_and_can_be_brought_back(store):
    (kept,) = store.mappings.keep(SAID)
    store.mappings.keep(OTHER)
    store.mappings.delete(kept.id)
    store.mappings.delete(kept.id)
    assert names(store) == ["Other"]
    store.mappings.restore(kept.id)
    assert names(store) == ["Other", SAID.name]


def test_the_newest_for_the_same_headers_is_first_and_the_older_one_says_so(store):
    for name, sheet in (("old", "결과"), ("elsewhere", "또"), ("new", None)):
        store.mappings.keep(replace(SAID, name=name, sheet=sheet, headers=tuple(reversed(SAID.headers)), columns={}))
    assert [(each.mapping.name, each.overruled) for each in store.mappings.list()] == [
        ("new", False),
        ("elsewhere", True),
        ("old", True),
    ]


@pytest.mark.parametrize("act", ["delete", "restore", "rename"])
def test_one_that_is_not_there_is_told(store, act):
    with pytest.raises(StoreError) as refused:
        getattr(store.mappings, act)("0" * 32, *(["name"] if act == "rename" else []))
    assert refused.value.code == "store.no_mapping"


def test_what_no_mapping_can_say_is_not_kept(store):
    wrong = replace(SAID, columns={"동접": ColumnMeaning(role="__import__")})
    with pytest.raises(UsageError) as refused:
        store.mappings.keep(wrong)
    assert refused.value.code == "mapping.invalid"
    assert store.mappings.list() == ()


@pytest.mark.parametrize("payload", [b"{", b"[]", b"\x80\x04."])
def test_one_that_was_changed_on_the_disk_is_left_out_and_the_others_count(store, url, payload):
    (kept,) = store.mappings.keep(SAID)
    store.mappings.keep(OTHER)
    with behind(url) as run:
        run("UPDATE mapping SET payload = :payload WHERE id = :id", {"payload": payload, "id": kept.id})
    assert names(store) == ["Other"]
    with pytest.raises(StoreError) as refused:
        store.mappings.rename(kept.id, "name")
    assert refused.value.code == "store.damaged"


def test_there_is_an_end_to_how_many_are_kept(store, monkeypatch):
    monkeypatch.setattr("core.store.mappings.MOST", 2)
    (first,) = store.mappings.keep(SAID)
    store.mappings.keep(OTHER)
    with pytest.raises(StoreError) as refused:
        store.mappings.keep(OTHER)
    assert refused.value.code == "store.too_many_mappings"
    store.mappings.delete(first.id)
    store.mappings.keep(OTHER)


def test_several_are_kept_together_or_not_at_all(store, monkeypatch):
    store.mappings.keep(SAID, OTHER)
    assert names(store) == ["Other", SAID.name]
    monkeypatch.setattr("core.store.mappings.MOST", 3)
    with pytest.raises(StoreError):
        store.mappings.keep(replace(SAID, name="third"), replace(SAID, name="fourth"))
    with pytest.raises(UsageError):
        store.mappings.keep(replace(SAID, name="third"), replace(SAID, headers=()))
    assert names(store) == ["Other", SAID.name]


def test_restoring_keeps_to_the_limit_too(store, monkeypatch):
    monkeypatch.setattr("core.store.mappings.MOST", 1)
    (first,) = store.mappings.keep(SAID)
    store.mappings.delete(first.id)
    store.mappings.keep(OTHER)
    with pytest.raises(StoreError) as refused:
        store.mappings.restore(first.id)
    assert refused.value.code == "store.too_many_mappings"
