"""Teams: who sees them, who changes them, and that they lock nobody out."""

from __future__ import annotations

import pytest

from core.model.person import NOBODY, Role
from tests.store.store_build import a_scenario
from tests.store.test_rights import ADMIN, ANA, BEN, CYD, EVE, code_of


@pytest.fixture
def teams(store):
    """A team of Ana's in which Ben is."""
    found = store.acting(ANA).people.teams
    made = found.make("  Capacity\n")
    found.put(made.id, BEN.email)
    return found


@pytest.fixture
def team(teams):
    return teams.list()[0]


def test_whoever_makes_a_team_is_its_owner(team):
    assert team.name == "Capacity"
    assert [(each.email, each.role) for each in team.members] == [(ANA.email, Role.OWNER), (BEN.email, Role.VIEWER)]
    assert team.changeable


def test_members_see_a_team_and_others_do_not(store, team):
    assert [each.changeable for each in store.acting(BEN).people.teams.list()] == [False]
    assert store.acting(EVE).people.teams.list() == ()
    assert store.acting(NOBODY).people.teams.list() == ()
    assert [each.changeable for each in store.acting(ADMIN).people.teams.list()] == [True]


@pytest.mark.parametrize(
    ("who", "told"),
    [(BEN, "store.not_allowed"), (EVE, "store.no_team"), (CYD, "store.no_team"), (NOBODY, "store.no_team")],
)
def test_only_its_owners_change_a_team(store, team, who, told):
    theirs = store.acting(who).people.teams
    acts = (
        lambda: theirs.rename(team.id, "Mine"),
        lambda: theirs.delete(team.id),
        lambda: theirs.put(team.id, EVE.email, Role.OWNER),
        lambda: theirs.drop(team.id, ANA.email),
    )
    assert [code_of(act) for act in acts] == [told] * 4
    assert store.acting(ANA).people.teams.list() == (team,)


def test_a_team_keeps_somebody_who_may_change_it(store, teams, team):
    assert code_of(lambda: teams.drop(team.id, ANA.email)) == "store.last_owner"
    assert code_of(lambda: teams.put(team.id, ANA.email, Role.VIEWER)) == "store.last_owner"
    teams.put(team.id, BEN.email, Role.OWNER)
    teams.drop(team.id, ANA.email)
    assert store.acting(ANA).people.teams.list() == ()


def test_deleting_a_team_takes_its_roles_away_until_it_is_undone(store, teams, team):
    at = store.acting(ANA).save(a_scenario()).id
    store.acting(ANA).people.give(at, "team", team.id, Role.EDITOR)
    assert store.acting(BEN).entry(at).role is Role.EDITOR
    teams.delete(team.id)
    assert code_of(lambda: store.acting(BEN).entry(at)) == "store.not_found"
    assert [each.deleted for each in store.acting(ANA).people.who(at)] == [False, True]
    teams.undelete(team.id)
    teams.undelete(team.id)
    assert store.acting(BEN).entry(at).role is Role.EDITOR


def test_somebody_without_a_known_address_makes_no_team(store):
    assert code_of(lambda: store.acting(CYD).people.teams.make("Mine")) == "store.no_email"
    assert code_of(lambda: store.acting(NOBODY).people.teams.make("Mine")) == "store.sign_in_needed"


def test_a_member_is_one_whatever_the_spelling(teams, team):
    teams.put(team.id, " BEN@example.COM ", Role.OWNER)
    assert [(each.email, each.role) for each in teams.list()[0].members] == [
        (ANA.email, Role.OWNER),
        (BEN.email, Role.OWNER),
    ]
