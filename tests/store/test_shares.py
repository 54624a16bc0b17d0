"""Links: who makes them, what they open, when they stop, what is counted."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from core.errors import StoreError, UsageError
from core.model.codec import encode
from core.model.copied import Copied
from core.model.person import LOCAL, NOBODY, Person, Role
from core.model.redaction import without_prices
from core.model.scenario import DecisionColumn
from core.store import shares
from core.store.share_undo import UNDO
from core.store.store import open_store
from tests.databases import behind
from tests.store.store_build import a_scenario

HOUR = timedelta(hours=1)
ADA = Person(id="ada", name="Ada", email="ada@a.example")
BOB = Person(id="bob", name="Bob", email="bob@a.example")
EVE = Person(id="eve", name="Eve", email="eve@a.example")


def code_of(call, *args, **more):
    with pytest.raises((StoreError, UsageError)) as refused:
        call(*args, **more)
    return refused.value.code


def give(url, scenario_id, who, role):
    """Give a role past the store: these tests are not about how it is given."""
    values = {"scenario": scenario_id, "subject": who.id, "role": role.value}
    with behind(url) as run:
        run(
            "INSERT INTO access (scenario_id, kind, subject, role, given_at) "
            "VALUES (:scenario, 'person', :subject, :role, '2026-01-01 00:00:00')",
            values,
        )


def ends(url, when):
    """Let every link end at a time that may have passed."""
    with behind(url) as run:
        run("UPDATE share SET expires_at = :when", {"when": f"{when.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}"})


def test_a_link_shows_its_version_for_good(store):
    first = store.save(a_scenario("one"))
    share = store.shares.make(first.id)
    store.save(a_scenario("two"), first.id)
    shown = store.shares.open(share.token)
    assert (shown.saved.version, shown.scenario.name, shown.share.version) == (1, "one", 1)
    assert encode(shown.scenario) == encode(a_scenario("one"))
    assert (share.views, share.expires_at, share.hide_prices, share.public) == (0, None, False, True)


def test_a_version_may_have_several_links_and_asking_twice_makes_one(store):
    saved = store.save(a_scenario())
    soon = datetime.now(UTC) + HOUR
    kinds = ({}, {"label": "for the vendor"}, {"hide_prices": True}, {"public": False}, {"expires_at": soon})
    tokens = {store.shares.make(saved.id, **kind).token for kind in kinds}
    assert len(tokens) == len(kinds)
    assert {store.shares.make(saved.id, **kind).token for kind in kinds} == tokens
    assert {share.token for share in store.shares.of(saved.id)} == tokens


def test_a_link_says_what_was_chosen_for_it(store):
    saved = store.save(a_scenario())
    ends_at = datetime.now(timezone(timedelta(hours=9))) + HOUR
    made = store.shares.make(saved.id, expires_at=ends_at, hide_prices=True, public=False, label=" for\nthe vendor ")
    (kept,) = store.shares.of(saved.id)
    assert kept == made
    assert (kept.label, kept.hide_prices, kept.public) == ("for the vendor", True, False)
    assert kept.expires_at == ends_at
    assert kept.expires_at.utcoffset() == timedelta(0)


@pytest.mark.parametrize("when", [datetime.now(UTC) - HOUR, datetime(2099, 1, 1)])  # noqa: DTZ001 - a time without a zone is the case
def test_a_link_that_would_have_ended_or_has_no_zone_is_not_made(store, when):
    saved = store.save(a_scenario())
    assert code_of(store.shares.make, saved.id, expires_at=when) == "share.expiry"
    assert store.shares.of(saved.id) == ()


def test_a_link_ends_when_it_was_said_to(store, url):
    saved = store.save(a_scenario())
    share = store.shares.make(saved.id, expires_at=datetime.now(UTC) + HOUR)
    assert store.shares.open(share.token).saved.id == saved.id
    ends(url, datetime.now(UTC) - timedelta(seconds=1))
    assert code_of(store.shares.open, share.token) == "store.expired"
    assert store.shares.of(saved.id)[0].views == 1


def test_hidden_prices_never_leave_the_store(store):
    scenario = replace(a_scenario(), decision=(DecisionColumn(name="Vendor", values={"r": "ACME"}),))
    saved = store.save(scenario, message="now 2.5 per hour")
    open_, hidden = (store.shares.make(saved.id, hide_prices=hide) for hide in (False, True))
    shown = store.shares.open(hidden.token)
    assert encode(shown.scenario) == encode(without_prices(scenario))
    assert shown.scenario.price is None
    assert (shown.saved.message, shown.saved.answers) == ("", None)
    assert store.shares.open(open_.token).saved.answers == store.versions(saved.id)[0].answers
    assert encode(store.shares.open(open_.token).scenario) == encode(scenario)
    assert encode(store.load(saved.id)[1]) == encode(scenario)


def test_views_are_counted_where_the_caller_says_so_and_nobody_is_named(store, url):
    saved = store.save(a_scenario())
    token = store.shares.make(saved.id).token
    for count in (True, False, True, False):
        shown = store.shares.open(token, count=count)
    assert (shown.share.views, store.shares.of(saved.id)[0].views) == (2, 2)
    assert datetime.now(UTC) - store.shares.of(saved.id)[0].last_view_at < timedelta(minutes=1)
    store.acting(ADA).shares.open(token)
    with behind(url) as run:
        rows = run("SELECT * FROM share")
        events = run("SELECT act FROM event")
    assert "ada" not in repr(rows).lower()
    assert not [act for (act,) in events if "view" in act or "open" in act]


def test_no_view_is_lost_when_many_open_a_link_at_once(store):
    token = store.shares.make(store.save(a_scenario()).id).token
    threads = [threading.Thread(target=lambda: [store.shares.open(token) for _ in range(5)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.shares.open(token, count=False).share.views == 40


def test_a_database_that_cannot_be_written_still_shows_what_it_holds(store, monkeypatch):
    token = store.shares.make(store.save(a_scenario()).id).token

    def full(_engine):
        raise OSError("disk full")

    monkeypatch.setattr(shares, "writing", full)
    assert store.shares.open(token).share.views == 0


def test_a_withdrawn_link_stays_withdrawn_and_a_new_one_is_another(store):
    saved = store.save(a_scenario())
    token = store.shares.make(saved.id).token
    store.shares.revoke(token)
    store.shares.revoke(token)
    assert code_of(store.shares.open, token) == "store.revoked"
    fresh = store.shares.make(saved.id).token
    assert fresh != token
    assert store.shares.open(fresh).saved.id == saved.id
    assert code_of(store.shares.open, token) == "store.revoked"
    assert [share.revoked_at is None for share in store.shares.of(saved.id)] == [True, False]


def test_links_stop_while_a_scenario_is_deleted_and_come_back_unless_they_were_withdrawn(store, url):
    saved = store.save(a_scenario("A secret name"))
    kept, gone = (store.shares.make(saved.id, label=label).token for label in ("kept", "gone"))
    store.shares.revoke(gone)
    store.delete(saved.id)
    for token in (kept, gone):
        with pytest.raises(StoreError) as refused:
            store.shares.open(token)
        assert refused.value.code == "store.revoked"
        said = "This link was withdrawn" if token == gone else "The scenario of this link was deleted"
        assert said in str(refused.value)
        assert "secret" not in str(refused.value)
    ends(url, datetime.now(UTC) - HOUR)
    assert code_of(store.shares.open, kept) == "store.revoked"
    ends(url, datetime.now(UTC) + HOUR)
    store.undelete(saved.id)
    assert store.shares.open(kept).scenario.name == "A secret name"
    assert code_of(store.shares.open, gone) == "store.revoked"


def test_a_link_works_after_a_restart_and_in_another_process_of_the_same_database(store, url):
    token = store.shares.make(store.save(a_scenario()).id).token
    other = open_store(url)
    try:
        assert other.acting(NOBODY).shares.open(token).scenario.name == "Launch"
        other.shares.revoke(token)
    finally:
        other.close()
    assert code_of(store.shares.open, token) == "store.revoked"


def test_editors_and_owners_make_and_withdraw_links_and_viewers_do_not(store, url):
    saved = store.acting(ADA).save(a_scenario())
    give(url, saved.id, BOB, Role.EDITOR)
    give(url, saved.id, EVE, Role.VIEWER)
    for who in (ADA, BOB):
        mine = store.acting(who).shares
        share = mine.make(saved.id, label=who.name)
        assert share.created_by == who.name
        mine.revoke(share.token)
    token = store.acting(ADA).shares.make(saved.id).token
    theirs = store.acting(EVE).shares
    assert code_of(theirs.make, saved.id) == "store.not_allowed"
    assert code_of(theirs.of, saved.id) == "store.not_allowed"
    assert code_of(theirs.revoke, token) == "store.not_allowed"
    assert theirs.open(token).saved.id == saved.id


@pytest.mark.parametrize("who", [NOBODY, EVE])
def test_to_whoever_has_no_role_there_is_nothing_but_what_the_link_shows(store, who):
    saved = store.acting(ADA).save(a_scenario())
    token = store.acting(ADA).shares.make(saved.id).token
    theirs = store.acting(who)
    assert code_of(theirs.shares.make, saved.id) == "store.not_found"
    assert code_of(theirs.shares.of, saved.id) == "store.not_found"
    assert code_of(theirs.shares.revoke, token) == "store.not_found"
    assert code_of(theirs.load, saved.id) == "store.not_found"
    assert theirs.list() == ()
    shown = theirs.shares.open(token)
    assert shown.scenario.name == "Launch"
    assert code_of(theirs.load, shown.saved.id, shown.saved.version) == "store.not_found"


def test_a_link_that_is_not_public_is_for_people_who_have_signed_in(store):
    saved = store.acting(ADA).save(a_scenario())
    token = store.acting(ADA).shares.make(saved.id, public=False).token
    assert code_of(store.acting(NOBODY).shares.open, token) == "store.sign_in_needed"
    assert store.acting(EVE).shares.open(token).saved.id == saved.id
    store.acting(ADA).shares.revoke(token)
    assert code_of(store.acting(NOBODY).shares.open, token) == "store.sign_in_needed"


def test_making_and_withdrawing_are_in_the_audit_trail_without_the_token(store):
    saved = store.save(a_scenario())
    token = store.shares.make(saved.id, label="for the vendor", hide_prices=True).token
    store.shares.revoke(token)
    revoked, shared = store.audit.of(saved.id)[:2]
    assert (shared.act, revoked.act) == ("shared", "revoked")
    assert shared.detail["label"] == "for the vendor"
    assert token not in repr(store.audit.all())


def test_links_beyond_what_anybody_could_watch_are_refused(store, monkeypatch):
    monkeypatch.setattr(shares, "MOST", 2)
    saved = store.save(a_scenario())
    tokens = [store.shares.make(saved.id, label=label).token for label in "ab"]
    assert code_of(store.shares.make, saved.id, label="c") == "store.too_many_links"
    assert store.shares.make(saved.id, label="b").token == tokens[1]
    store.shares.revoke(tokens[0])
    assert store.shares.make(saved.id, label="c").label == "c"


def test_whoever_withdrew_a_link_lets_it_open_again_with_the_same_token(store):
    saved = store.acting(ADA).save(a_scenario())
    shares = store.acting(ADA).shares
    token = shares.make(saved.id, label="for the vendor").token
    shares.unrevoke(token)  # it opens: nothing to do
    for _ in range(2):
        shares.revoke(token)
        assert code_of(shares.open, token) == "store.revoked"
        shares.unrevoke(token)
        assert shares.open(token).share.token == token
    acts = [(event.act, event.actor_name, event.version) for event in store.acting(ADA).audit.of(saved.id)]
    assert acts[:4] == [(act, ADA.name, 1) for act in ("unrevoked", "revoked") * 2]
    told = str([event.detail for event in store.acting(ADA).audit.of(saved.id)])
    assert token not in told


def test_nobody_else_and_nobody_later_lets_a_withdrawn_link_open(store, url):
    saved = store.acting(ADA).save(a_scenario())
    give(url, saved.id, EVE, Role.EDITOR)
    shares = store.acting(ADA).shares
    one, other = (shares.make(saved.id, label=label).token for label in ("one", "other"))
    shares.revoke(one)
    store.acting(EVE).shares.revoke(other)
    for who, token in ((EVE, one), (ADA, other), (LOCAL, one)):
        assert code_of(store.acting(who).shares.unrevoke, token) == "store.revoked"
    assert code_of(store.acting(NOBODY).shares.unrevoke, one) == "store.not_found"
    with behind(url) as run:
        run("UPDATE share SET revoked_at = :at", {"at": f"{datetime.now(UTC) - UNDO:%Y-%m-%d %H:%M:%S.%f}"})
    assert code_of(shares.unrevoke, one) == "store.revoked"
    assert code_of(shares.open, one) == "store.revoked"


def test_a_copy_says_the_name_the_version_and_the_author_as_they_were(store):
    saved = store.acting(ADA).save(a_scenario("Launch"))
    origin = Copied(scenario_id=saved.id, name="Launch", version=1, author=ADA.name)
    copy = store.acting(EVE).save(a_scenario("Mine"), copied=origin)
    store.acting(EVE).save(a_scenario("Mine"), copy.id)
    store.acting(ADA).rename(saved.id, "Secret since")
    assert store.acting(EVE).entry(copy.id).copied == origin
    assert [entry.copied for entry in store.acting(EVE).list()] == [origin]
    assert store.acting(ADA).entry(saved.id).copied is None


@pytest.mark.parametrize("lie", ["{", "[]", '{"copy_of": 1}', '{"copy_of": "x", "copy_version": -1}'])
def test_what_lies_about_a_copy_is_not_told(store, url, lie):
    saved = store.acting(ADA).save(a_scenario())
    copy = store.save(a_scenario(), copied=Copied(scenario_id=saved.id, name="Launch", version=1))
    with behind(url) as run:
        run("UPDATE event SET detail = :lie", {"lie": lie})
    assert (store.entry(copy.id).copied, store.entry(copy.id).forked_from) == (None, saved.id)


def test_a_copy_of_what_a_link_shows_is_the_readers_own_and_says_where_it_is_from(store):
    saved = store.acting(ADA).save(a_scenario())
    token = store.acting(ADA).shares.make(saved.id, hide_prices=True).token
    shown = store.acting(EVE).shares.open(token)
    copy = store.acting(EVE).save(shown.scenario, forked_from=shown.saved.id)
    (entry,) = store.acting(EVE).list()
    assert (entry.id, entry.forked_from, entry.role) == (copy.id, saved.id, Role.OWNER)
    assert store.acting(EVE).load(copy.id)[1].price is None
    assert code_of(store.acting(ADA).load, copy.id) == "store.not_found"
    assert store.acting(LOCAL).load(saved.id)[1].price is not None
