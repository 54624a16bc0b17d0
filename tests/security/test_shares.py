"""Attacks on links: guessing, listing, reading what was withdrawn, reaching what belongs to others."""

from __future__ import annotations

import re
import secrets
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import OperationalError

from core.errors import StoreError
from core.model.person import NOBODY, Person
from core.store.shares import Share
from tests.databases import behind
from tests.store.store_build import PRICE, a_scenario
from tests.store.test_shares import code_of, ends

ADA = Person(id="ada", name="Ada", email="ada@a.example")
EVE = Person(id="eve", name="Eve", email="eve@a.example")
SECRET = "Secret project name"


@pytest.fixture
def token(store):
    """A link to a scenario of Ada's."""
    saved = store.acting(ADA).save(a_scenario(SECRET))
    return store.acting(ADA).shares.make(saved.id).token


def told(store, token, who=NOBODY):
    """Everything that somebody learns who opens this."""
    with pytest.raises(StoreError) as refused:
        store.acting(who).shares.open(token)
    return refused.value.code, str(refused.value)


def test_a_token_has_144_random_bits_and_nothing_of_the_scenario_in_it(store):
    saved = store.save(a_scenario())
    tokens = {store.shares.make(saved.id, label=str(n)).token for n in range(50)}
    assert len(tokens) == 50
    assert all(re.fullmatch(r"[\w-]{24}", token) for token in tokens)
    # Each of the 24 places takes many signs: no place is fixed, none counts up.
    assert min(len(set(place)) for place in zip(*tokens, strict=True)) > 20


def near(token):
    """Tokens that are almost right."""
    flipped = (token[:at] + token[at].swapcase() + token[at + 1 :] for at in range(len(token)))
    cut = (token[:length] for length in range(len(token)))
    more = (token + sign for sign in "A=/ \x00%")
    return [each for each in (*flipped, *cut, *more, token[::-1], f" {token}", token * 2) if each != token]


def test_a_token_that_is_almost_right_opens_nothing_and_is_answered_like_any_other(store, token):
    nothing = told(store, "nothing")
    assert nothing[0] == "store.not_found"
    for wrong in near(token):
        assert told(store, wrong) == nothing, wrong


HOSTILE = [
    "' OR '1'='1",
    "'; DROP TABLE share; --",
    "%",
    "_" * 24,
    "*",
    "\x00",
    "\ud800",
    "😀" * 12,
    "ＡＢＣ",
    "../../etc/passwd",
    "NULL",
    "x" * 10_000_000,
]


@pytest.mark.parametrize("wrong", HOSTILE, ids=range(len(HOSTILE)))
def test_text_that_means_something_elsewhere_means_nothing_here(store, token, wrong):
    assert told(store, wrong) == told(store, "nothing")
    assert store.acting(NOBODY).shares.open(token).scenario.name == SECRET


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wrong=st.text(max_size=30))
def test_no_text_opens_anything(store, wrong):
    assert told(store, wrong)[0] == "store.not_found"


def test_random_tokens_open_nothing(store, token):
    assert {told(store, secrets.token_urlsafe(18))[0] for _ in range(200)} == {"store.not_found"}
    assert store.acting(NOBODY).shares.open(token, count=False).share.views == 0


def test_a_token_is_looked_up_by_its_hash_alone(store, token, url):
    """No comparison with what an attacker sends, so that its timing tells nothing; the hash alone opens nothing."""
    with behind(url) as run:
        (sha256,) = (row[0] for row in run("SELECT token_sha256 FROM share"))
    assert token not in sha256
    assert told(store, sha256)[0] == "store.not_found"


def test_nothing_lists_tokens_to_whoever_may_not_make_them(store, token):
    shown = store.acting(NOBODY).shares.open(token)
    for who in (NOBODY, EVE):
        theirs = store.acting(who)
        assert theirs.list() == ()
        assert code_of(theirs.shares.of, shown.saved.id) == "store.not_found"
        assert code_of(theirs.audit.of, shown.saved.id) == "store.not_found"
        assert code_of(theirs.audit.all) == "store.not_allowed"
    for each in (store.acting(ADA).list(), store.acting(ADA).versions(shown.saved.id)):
        assert token not in repr(each)


@pytest.mark.parametrize("stopped", ["revoked", "expired", "deleted", "expired and deleted", "revoked and expired"])
def test_a_link_that_stopped_tells_nothing_of_what_it_showed(store, token, url, stopped):
    hers = store.acting(ADA)
    (entry,) = hers.list()
    if "revoked" in stopped:
        hers.shares.revoke(token)
    if "expired" in stopped:
        ends(url, datetime.now(UTC) - timedelta(hours=1))
    if "deleted" in stopped:
        hers.delete(entry.id)
    for who in (NOBODY, EVE, ADA):
        code, said = told(store, token, who)
        assert code == ("store.expired" if stopped == "expired" else "store.revoked")
        assert SECRET not in said
        assert entry.id not in said
        assert token not in said


def test_the_ids_of_others_open_nothing(store, token):
    shown = store.acting(EVE).shares.open(token)
    theirs = store.acting(EVE)
    scenario_id = shown.saved.id
    for call in (theirs.load, theirs.versions, theirs.archive, theirs.delete, theirs.undelete, theirs.duplicate):
        assert code_of(call, scenario_id) == "store.not_found"
    assert code_of(theirs.save, a_scenario("overwritten"), scenario_id) == "store.not_found"
    assert code_of(theirs.rename, scenario_id, "mine") == "store.not_found"
    assert code_of(theirs.restore, scenario_id, 1) == "store.not_found"
    assert code_of(theirs.comments.of, scenario_id) == "store.not_found"
    assert code_of(theirs.comments.add, scenario_id, "hello", 1) == "store.not_found"
    assert store.acting(ADA).load(scenario_id)[1].name == SECRET


def test_a_link_of_ones_own_gives_no_way_to_anothers_scenario(store, token):
    mine = store.acting(EVE).save(a_scenario("mine"))
    own = store.acting(EVE).shares.make(mine.id)
    other = store.acting(NOBODY).shares.open(token).saved
    assert isinstance(own, Share)
    assert code_of(store.acting(EVE).shares.make, other.id) == "store.not_found"
    assert code_of(store.acting(EVE).shares.revoke, token) == "store.not_found"
    assert store.acting(NOBODY).shares.open(own.token).saved.id == mine.id
    assert store.acting(NOBODY).shares.open(token).saved.id == other.id


def test_hidden_prices_cannot_be_had_by_another_way(store):
    scenario = replace(a_scenario(), price=replace(PRICE, amount=7919.25))
    saved = store.acting(ADA).save(scenario, message="7919.25 an hour")
    hidden = store.acting(ADA).shares.make(saved.id, hide_prices=True)
    shown = store.acting(EVE).shares.open(hidden.token)
    assert "7919" not in repr(shown)
    assert "KRW" not in repr(shown)
    assert code_of(store.acting(EVE).load, saved.id, shown.saved.version) == "store.not_found"
    assert code_of(store.acting(EVE).duplicate, saved.id) == "store.not_found"


def test_a_failing_database_tells_no_token(store, token, monkeypatch):
    def broken(*_args, **_more):
        raise OperationalError(f"SELECT {token}", {"token": token}, Exception("lost"))

    monkeypatch.setattr("core.store.shares._link", broken)
    code, said = told(store, token)
    assert code == "store.unavailable"
    assert token not in said
