"""Roles are laws: whatever was given and taken before, a person may do what the highest role allows, and no more."""

from __future__ import annotations

import threading

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from core.errors import PlimsollError
from core.model.person import LOCAL, NOBODY, Person, Role
from tests.store.store_build import a_scenario

ANA = Person(id="https://id.example#1", name="Ana", email="ana@example.com")
BEN = Person(id="https://id.example#2", name="Ben", email="ben@example.com")
CYD = Person(id="https://id.example#3", name="Cyd")
EVE = Person(id="https://id.example#4", name="Eve", email="eve@example.com")
ADMIN = Person(id="https://id.example#5", name="Root", email="root@example.com", admin=True)
PEOPLE = (ANA, BEN, CYD, EVE, ADMIN, NOBODY)

people = st.sampled_from(PEOPLE)
somebody = st.sampled_from([each for each in PEOPLE if each is not NOBODY])
emails = st.sampled_from([ANA.email, BEN.email, EVE.email])
roles = st.sampled_from(list(Role))

ACTS = {
    "load": (Role.VIEWER, lambda store, at: store.load(at)),
    "entry": (Role.VIEWER, lambda store, at: store.entry(at)),
    "versions": (Role.VIEWER, lambda store, at: store.versions(at)),
    "comment": (Role.VIEWER, lambda store, at: store.comments.add(at, "hello", 1)),
    "read comments": (Role.VIEWER, lambda store, at: store.comments.of(at)),
    "rename": (Role.EDITOR, lambda store, at: store.rename(at, "Other")),
    "tag": (Role.EDITOR, lambda store, at: store.tag(at, ["one"])),
    "restore": (Role.EDITOR, lambda store, at: store.restore(at, 1)),
    "share": (Role.EDITOR, lambda store, at: store.shares.make(at)),
    "list links": (Role.EDITOR, lambda store, at: store.shares.of(at)),
    "delete": (Role.OWNER, lambda store, at: (store.delete(at), store.undelete(at))),
    "see who": (Role.OWNER, lambda store, at: store.people.who(at)),
    "see audit": (Role.OWNER, lambda store, at: store.audit.of(at)),
}


def code_of(act):
    """Return the code of what an act raises, None where it succeeds."""
    try:
        act()
    except PlimsollError as error:
        return error.code
    return None


def refusal(held, least, who):
    """What the laws say: nobody is told to sign in or sees nothing; no role is no scenario; a small one is told so."""
    if held is None:
        return {"store.not_found", "store.sign_in_needed"} if who is NOBODY else {"store.not_found"}
    return {None} if held.covers(least) else {"store.not_allowed"}


class Rights(RuleBasedStateMachine):
    """One scenario and one team, with a plain model of who holds what beside them."""

    def __init__(self, store):
        super().__init__()
        self.store = store
        for each in PEOPLE[:-1]:
            store.acting(each).people.seen(each)
        self.at = store.acting(ANA).save(a_scenario()).id
        self.team = store.acting(ADMIN).people.teams.make("Team").id
        self.given = {("person", ANA.id): Role.OWNER}
        self.members = {ADMIN.email}
        self.gone = False

    def held(self, who):
        if who.admin:
            return Role.OWNER
        keys = {("person", who.id)} | ({("email", who.email)} if who.email else set())
        if who.email in self.members and not self.gone:
            keys.add(("team", self.team))
        ranks = list(Role)
        return max((self.given[key] for key in keys if key in self.given), key=ranks.index, default=None)

    def owned(self, given=None, members=None, gone=None):
        given = self.given if given is None else given
        members = self.members if members is None else members
        gone = self.gone if gone is None else gone
        manned = bool(members) and not gone
        return any(role is Role.OWNER and (kind != "team" or manned) for (kind, _), role in given.items())

    @rule(actor=people, act=st.sampled_from(sorted(ACTS)))
    def do(self, actor, act):
        least, run = ACTS[act]
        assert code_of(lambda: run(self.store.acting(actor), self.at)) in refusal(self.held(actor), least, actor)

    @rule(actor=people, to=somebody, role=roles)
    def give_to_a_person(self, actor, to, role):
        self.give(actor, ("person", to.id), role)

    @rule(actor=people, to=emails, role=roles)
    def give_to_an_address(self, actor, to, role):
        self.give(actor, ("email", to), role)

    @precondition(lambda self: not self.gone)
    @rule(actor=people, role=roles)
    def give_to_the_team(self, actor, role):
        may_see = actor.admin or actor.email in self.members
        if may_see or self.held(actor) is not Role.OWNER:
            self.give(actor, ("team", self.team), role)
        else:
            tried = code_of(lambda: self.store.acting(actor).people.give(self.at, "team", self.team, role))
            assert tried == "store.no_team"

    def give(self, actor, key, role):
        told = code_of(lambda: self.store.acting(actor).people.give(self.at, *key, role))
        if self.held(actor) is not Role.OWNER:
            assert told in refusal(self.held(actor), Role.OWNER, actor)
        elif not self.owned({**self.given, key: role}):
            assert told == "store.last_owner"
        else:
            assert told is None
            self.given[key] = role

    @rule(actor=people, data=st.data())
    def take(self, actor, data):
        key = data.draw(st.sampled_from([*self.given, ("email", "nobody@example.com")]))
        left = {each: role for each, role in self.given.items() if each != key}
        told = code_of(lambda: self.store.acting(actor).people.take(self.at, *key))
        if self.held(actor) is not Role.OWNER:
            assert told in refusal(self.held(actor), Role.OWNER, actor)
        elif key in self.given and not self.owned(left):
            assert told == "store.last_owner"
        else:
            assert told is None
            self.given = left

    @precondition(lambda self: not self.gone)
    @rule(email=emails, inside=st.booleans())
    def change_the_team(self, email, inside):
        teams = self.store.acting(ADMIN).people.teams
        members = self.members | {email} if inside else self.members - {email}
        told = code_of(lambda: teams.put(self.team, email) if inside else teams.drop(self.team, email))
        assert told == (None if self.owned(members=members) else "store.last_owner")
        self.members = members if told is None else self.members

    @rule(gone=st.booleans())
    def delete_the_team(self, gone):
        teams = self.store.acting(ADMIN).people.teams
        told = code_of(lambda: teams.delete(self.team) if gone else teams.undelete(self.team))
        assert told == (None if self.owned(gone=gone) else "store.last_owner")
        self.gone = gone if told is None else self.gone

    @invariant()
    def the_list_shows_the_highest_role_and_nothing_to_others(self):
        for who in PEOPLE[:4]:
            found = [entry for entry in self.store.acting(who).list() if entry.id == self.at]
            assert [entry.role for entry in found] == ([self.held(who)] if self.held(who) else [])

    @invariant()
    def somebody_owns_it(self):
        assert self.owned()
        listed = self.store.acting(ADMIN).people.who(self.at)
        assert {(each.kind, each.subject): each.role for each in listed} == self.given


def test_whatever_was_given_before_the_highest_role_counts(store):
    few = settings(max_examples=6, stateful_step_count=20)
    run_state_machine_as_test(lambda: Rights(store), settings=few)


@pytest.fixture
def at(store):
    """A scenario of Ana's."""
    for each in (ANA, BEN, EVE):
        store.acting(each).people.seen(each)
    return store.acting(ANA).save(a_scenario()).id


def test_a_viewer_sees_and_changes_nothing(store, at):
    store.acting(ANA).people.give(at, "email", "Ben@Example.com", Role.VIEWER)
    ben = store.acting(BEN)
    before = (store.acting(ANA).entry(at), store.acting(ANA).versions(at))
    for least, run in ACTS.values():
        assert code_of(lambda run=run: run(ben, at)) == (None if least is Role.VIEWER else "store.not_allowed")
    assert code_of(lambda: ben.save(a_scenario("Mine now"), at)) == "store.not_allowed"
    assert code_of(lambda: ben.people.give(at, "person", BEN.id, Role.OWNER)) == "store.not_allowed"
    assert (store.acting(ANA).entry(at), store.acting(ANA).versions(at)) == before


def test_a_stranger_cannot_tell_a_scenario_from_one_that_never_was(store, at):
    eve = store.acting(EVE)
    for _, run in ACTS.values():
        seen, unseen = [], []
        for found, asked in ((seen, at), (unseen, "0" * 32)):
            with pytest.raises(PlimsollError) as told:
                run(eve, asked)
            found.append((told.value.code, str(told.value)))
        assert seen == unseen
    assert eve.list("Launch") == ()


def test_two_owners_who_demote_each_other_at_once_leave_one(store, at):
    store.acting(ANA).people.give(at, "person", BEN.id, Role.OWNER)
    start, told = threading.Barrier(2), {}

    def demote(actor, other):
        start.wait()
        told[actor.name] = code_of(lambda: store.acting(actor).people.give(at, "person", other.id, Role.VIEWER))

    threads = [threading.Thread(target=demote, args=pair) for pair in ((ANA, BEN), (BEN, ANA))]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(told.values(), key=str) == [None, "store.not_allowed"]
    owners = [each.name for each in store.people.who(at) if each.role is Role.OWNER]
    assert len(owners) == 1


def test_what_was_saved_before_signing_in_belongs_to_admins_who_may_give_it(store):
    at = store.acting(LOCAL).save(a_scenario()).id
    store.acting(ANA).people.seen(ANA)
    assert store.acting(ANA).list() == ()
    assert [each.id for each in store.acting(ADMIN).list()] == [at]
    store.acting(ADMIN).people.give(at, "person", ANA.id, Role.OWNER)
    assert [each.role for each in store.acting(ANA).list()] == [Role.OWNER]


def test_every_change_of_rights_is_in_the_audit_trail(store, at):
    ana = store.acting(ANA)
    team = ana.people.teams.make("Capacity").id
    ana.people.give(at, "team", team, Role.EDITOR)
    ana.people.give(at, "email", "new@example.com", Role.VIEWER)
    ana.people.take(at, "email", "new@example.com")
    told = [(event.actor_name, event.act, dict(event.detail)) for event in ana.audit.of(at)]
    assert told[:3] == [
        ("Ana", "took", {"kind": "email", "to": "new@example.com", "role": "viewer"}),
        ("Ana", "gave", {"kind": "email", "to": "new@example.com", "role": "viewer"}),
        ("Ana", "gave", {"kind": "team", "to": "Capacity", "role": "editor"}),
    ]
    acts = [event.act for event in store.acting(ADMIN).audit.all()]
    assert {"team_changed", "signed_in", "saved"} <= set(acts)
    assert code_of(ana.audit.all) == "store.not_allowed"


def test_a_refused_change_leaves_no_trace(store, at):
    before = store.acting(ANA).audit.of(at)
    assert code_of(lambda: store.acting(ANA).people.take(at, "person", ANA.id)) == "store.last_owner"
    assert code_of(lambda: store.acting(BEN).people.give(at, "person", BEN.id, Role.OWNER)) == "store.not_found"
    assert store.acting(ANA).audit.of(at) == before


@pytest.mark.parametrize("subject", ["", "ana", "a@b@c", "ana@example.com\n", "a b@example.com", "x" * 300 + "@a"])
def test_a_role_is_given_to_an_address_only(store, at, subject):
    assert code_of(lambda: store.acting(ANA).people.give(at, "email", subject, Role.VIEWER)) == "person.email"


@pytest.mark.parametrize("subject", ["", "\x00", "' or 1=1 --", "x" * 10_000, BEN.email])
@pytest.mark.parametrize("kind", ["person", "team", "admin"])
def test_what_is_nobody_gets_no_role(store, at, kind, subject):
    told = code_of(lambda: store.acting(ANA).people.give(at, kind, subject, Role.OWNER))
    assert told == ("store.no_team" if kind == "team" else "store.no_person")
    store.acting(ANA).people.take(at, kind, subject)


def test_who_holds_a_role_is_named_as_far_as_known(store, at):
    people = store.acting(ANA).people
    people.give(at, "email", BEN.email, Role.EDITOR)
    people.give(at, "email", "new@example.com", Role.VIEWER)
    assert [(each.name, each.role, each.email) for each in people.who(at)] == [
        ("Ana", Role.OWNER, ANA.email),
        ("Ben", Role.EDITOR, BEN.email),
        ("new@example.com", Role.VIEWER, "new@example.com"),
    ]
