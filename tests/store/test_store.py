"""Saving, listing, opening and sharing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from core.errors import StoreError
from core.model.codec import encode
from core.store.store import open_store
from tests.databases import behind
from tests.model.model_strategies import differences
from tests.store.store_build import a_scenario


def code_of(call, *args):
    with pytest.raises(StoreError) as refused:
        call(*args)
    return refused.value.code


def listed(store):
    return [(entry.id, entry.name, entry.latest) for entry in store.list()]


def test_what_is_opened_is_exactly_what_was_saved(store, url):
    saved = store.save(a_scenario())
    again = open_store(url)
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
    assert listed(store) == [(second.id, "second", 1), (first.id, "first", 1)]
    changed = store.save(a_scenario("first, renamed"), first.id)
    assert listed(store) == [(first.id, changed.name, 2), (second.id, "second", 1)]
    assert first.id != second.id


def test_saving_again_makes_a_version_and_leaves_the_earlier_one_alone(store, url):
    first = store.save(a_scenario("one"))
    with behind(url) as run:
        before = run("SELECT * FROM scenario WHERE version = 1")
    second = store.save(a_scenario("two"), first.id)
    assert (second.id, second.version) == (first.id, 2)
    assert store.versions(first.id) == (second, first)
    assert store.load(first.id)[1].name == "two"
    assert store.load(first.id, 1)[1].name == "one"
    with behind(url) as run:
        assert run("SELECT * FROM scenario WHERE version = 1") == before


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
    assert code_of(store.shares.make, "nothing") == "store.not_found"
    assert len(store.list()) == 1


def test_a_link_opens_the_version_it_was_made_for(store):
    first = store.save(a_scenario("one"))
    token = store.shares.make(first.id).token
    store.save(a_scenario("two"), first.id)
    shown = store.shares.open(token)
    assert (shown.saved.version, shown.scenario.name, shown.share.token) == (1, "one", token)
    assert differences(shown.scenario, a_scenario("one")) == []


def test_the_same_link_is_given_again_and_other_conditions_make_another(store):
    saved = store.save(a_scenario())
    first = store.shares.make(saved.id)
    assert store.shares.make(saved.id, 1).token == first.token
    hidden = store.shares.make(saved.id, hide_prices=True)
    other = store.shares.make(store.save(a_scenario()).id)
    assert len({first.token, hidden.token, other.token}) == 3
    assert {share.token for share in store.shares.of(saved.id)} == {first.token, hidden.token}


def test_a_listing_tells_no_token(store):
    saved = store.save(a_scenario())
    token = store.shares.make(saved.id).token
    assert token not in repr(store.list())
    assert token not in repr(store.versions(saved.id))
    assert token not in repr(store.audit.all())


def test_a_token_cannot_be_guessed(store):
    tokens = {store.shares.make(store.save(a_scenario()).id).token for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(token) == 24 for token in tokens)
    some = next(iter(tokens))
    for wrong in (some[:-1], some + "A", some.swapcase(), "", "%", "'; --", "\ud800", "x" * 10**6):
        assert code_of(store.shares.open, wrong) == "store.not_found"


def test_a_withdrawn_link_opens_nothing_and_the_scenario_stays(store):
    saved = store.save(a_scenario())
    token = store.shares.make(saved.id).token
    store.shares.revoke(token)
    store.shares.revoke(token)
    assert code_of(store.shares.open, token) == "store.revoked"
    assert code_of(store.shares.revoke, "nothing") == "store.not_found"
    fresh = store.shares.make(saved.id).token
    assert fresh != token
    assert store.shares.open(fresh).saved.id == saved.id
    assert code_of(store.shares.open, token) == "store.revoked"


def test_a_changed_row_is_not_shown_as_if_it_were_what_was_saved(store, url):
    saved, other = store.save(a_scenario("one")), store.save(a_scenario("other"))
    with behind(url) as run:
        ((payload,),) = run("SELECT payload FROM scenario WHERE id = :id", {"id": saved.id})
        run("UPDATE scenario SET payload = :cut WHERE id = :id", {"cut": payload[:100], "id": saved.id})
    assert code_of(store.load, saved.id) == "store.damaged"
    assert store.load(other.id)[1].name == "other"
    assert len(store.list()) == 2


def test_a_scenario_of_a_newer_version_is_named_as_such_and_kept(store):
    saved = store.save(a_scenario(schema_version=2))
    assert code_of(store.load, saved.id) == "store.newer_schema"
    assert [entry.id for entry in store.list()] == [saved.id]


def test_what_could_not_be_opened_again_is_not_saved(store):
    assert code_of(store.save, broken()) == "store.unwritable"
    assert store.list() == ()


def broken():
    """A scenario with a text where a number belongs, as a fault in another part might leave it."""
    scenario = a_scenario()
    object.__setattr__(scenario, "think_time_s", "twelve")
    return scenario


def test_a_scenario_beyond_the_limit_is_refused(store, monkeypatch):
    monkeypatch.setattr("core.store.records.LARGEST", 1000)
    assert code_of(store.save, a_scenario()) == "store.too_large"
    assert store.list() == ()
