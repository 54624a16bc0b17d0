"""Saving, listing, opening and sharing."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

from core.errors import StoreError
from core.model.codec import encode
from core.store.store import open_store
from tests.model.model_strategies import differences
from tests.store.store_build import a_scenario, url_of


def code_of(call, *args):
    with pytest.raises(StoreError) as refused:
        call(*args)
    return refused.value.code


def test_what_is_opened_is_exactly_what_was_saved(store, path):
    saved = store.save(a_scenario())
    again = open_store(url_of(path))
    found, scenario = again.load(saved.id)
    again.close()
    assert differences(scenario, a_scenario()) == []
    assert encode(scenario) == encode(a_scenario())
    assert found == saved


def test_a_saved_scenario_says_when_and_with_what(store):
    before = datetime.now(UTC)
    saved = store.save(a_scenario("Launch"))
    assert (saved.name, saved.version, saved.app_version, saved.method_version) == ("Launch", 1, "0.1.0", "1")
    assert before <= saved.saved_at <= datetime.now(UTC)
    assert store.list()[0].saved_at.utcoffset() == timedelta(0)


def test_the_list_has_the_latest_version_of_each_newest_first(store):
    assert store.list() == ()
    first, second = store.save(a_scenario("first")), store.save(a_scenario("second"))
    assert store.list() == (second, first)
    changed = store.save(a_scenario("first, renamed"), first.id)
    assert store.list() == (changed, second)
    assert first.id != second.id


def test_saving_again_makes_a_version_and_leaves_the_earlier_one_alone(store, path):
    first = store.save(a_scenario("one"))
    with sqlite3.connect(path) as raw:
        before = raw.execute("SELECT * FROM scenario WHERE version = 1").fetchall()
    second = store.save(a_scenario("two"), first.id)
    assert (second.id, second.version) == (first.id, 2)
    assert store.versions(first.id) == (second, first)
    assert store.load(first.id)[1].name == "two"
    assert store.load(first.id, 1)[1].name == "one"
    with sqlite3.connect(path) as raw:
        assert raw.execute("SELECT * FROM scenario WHERE version = 1").fetchall() == before
    raw.close()


def test_what_is_not_there_is_said_so(store):
    saved = store.save(a_scenario())
    assert code_of(store.load, "nothing") == "store.not_found"
    assert code_of(store.load, "half \ud800") == "store.not_found"
    assert code_of(store.load, saved.id, 2) == "store.not_found"
    assert code_of(store.load, saved.id, 0) == "store.not_found"
    assert code_of(store.load, saved.id, 10**30) == "store.not_found"
    assert code_of(store.versions, "nothing") == "store.not_found"
    assert code_of(store.save, a_scenario(), "nothing") == "store.not_found"
    assert code_of(store.save, a_scenario(), "") == "store.not_found"
    assert code_of(store.share, "nothing") == "store.not_found"
    assert len(store.list()) == 1


def test_a_link_opens_the_version_it_was_made_for(store):
    first = store.save(a_scenario("one"))
    token = store.share(first.id)
    store.save(a_scenario("two"), first.id)
    saved, scenario = store.by_token(token)
    assert (saved.version, scenario.name, saved.token) == (1, "one", token)
    assert differences(scenario, a_scenario("one")) == []


def test_a_version_has_one_live_link_and_its_owner_sees_it_again(store):
    saved = store.save(a_scenario())
    assert store.load(saved.id)[0].token is None
    token = store.share(saved.id)
    assert store.share(saved.id, 1) == token
    assert store.load(saved.id)[0].token == token
    other = store.save(a_scenario())
    assert store.share(other.id) != token


def test_a_listing_tells_no_token(store):
    saved = store.save(a_scenario())
    token = store.share(saved.id)
    assert token not in repr(store.list())
    assert token not in repr(store.versions(saved.id))


def test_a_token_cannot_be_guessed(store):
    tokens = {store.share(store.save(a_scenario()).id) for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(token) == 24 for token in tokens)
    some = next(iter(tokens))
    for wrong in (some[:-1], some + "A", some.swapcase(), "", "%", "'; --", "\ud800", "x" * 10**6):
        assert code_of(store.by_token, wrong) == "store.not_found"


def test_a_withdrawn_link_opens_nothing_and_the_scenario_stays(store):
    saved = store.save(a_scenario())
    token = store.share(saved.id)
    store.revoke(token)
    store.revoke(token)
    assert code_of(store.by_token, token) == "store.revoked"
    assert code_of(store.revoke, "nothing") == "store.not_found"
    assert store.load(saved.id)[0].token is None
    fresh = store.share(saved.id)
    assert fresh != token
    assert store.by_token(fresh)[0].id == saved.id
    assert code_of(store.by_token, token) == "store.revoked"


def test_a_changed_row_is_not_shown_as_if_it_were_what_was_saved(store, path):
    saved, other = store.save(a_scenario("one")), store.save(a_scenario("other"))
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE scenario SET payload = CAST(substr(payload, 1, 100) AS BLOB) WHERE id = ?", (saved.id,))
    raw.close()
    assert code_of(store.load, saved.id) == "store.damaged"
    assert store.load(other.id)[1].name == "other"
    assert len(store.list()) == 2


def test_a_scenario_of_a_newer_version_is_named_as_such_and_kept(store):
    saved = store.save(a_scenario(schema_version=2))
    assert code_of(store.load, saved.id) == "store.newer_schema"
    assert store.list() == (saved,)


def test_what_could_not_be_opened_again_is_not_saved(store):
    assert code_of(store.save, broken()) == "store.unwritable"
    assert store.list() == ()


def broken():
    """A scenario with a text where a number belongs, as a fault in another part might leave it."""
    scenario = a_scenario()
    object.__setattr__(scenario, "think_time_s", "twelve")
    return scenario


def test_a_scenario_beyond_the_limit_is_refused(store, monkeypatch):
    monkeypatch.setattr("core.store.store.LARGEST", 1000)
    assert code_of(store.save, a_scenario()) == "store.too_large"
    assert store.list() == ()
