"""What a provider calls a person may be longer than a column: the person signs in, and saves, comments and shares."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from core.sign_in import SignIn, Way
from core.vouched import NAME_CHARS, person_of_claims
from tests.store.store_build import a_scenario


@pytest.mark.parametrize(
    "claims",
    [{"sub": "a", "name": "김" * 3_000}, {"sub": "b" * 900}, {"sub": "c", "iss": "https://id.example/" + "d" * 900}],
    ids=["name", "subject", "issuer"],
)
def test_a_person_with_a_long_name_does_everything(store, claims):
    now = time.time()
    good = {"is_logged_in": True, "iss": "https://id.example", "iat": now - 1, "exp": now + 600, **claims}
    good |= {"email": "ana@example.com", "email_verified": True}
    who = person_of_claims(good, SignIn(way=Way.OIDC), now)
    acting = store.acting(who)
    acting.people.seen(who)
    saved = acting.save(replace(a_scenario(), runs=(), answers=()))
    acting.comments.add(saved.id, "hello", 1)
    share = acting.shares.make(saved.id)
    team = acting.people.teams.make("Capacity")
    acting.people.give(saved.id, "team", team.id, acting.people.who(saved.id)[0].role)
    names = {holder.name for holder in acting.people.who(saved.id)}
    assert who.name in names
    assert len(who.name) <= NAME_CHARS
    assert saved.author == who.name
    # Beside a comment there is room for less of it.
    assert who.name.startswith(acting.comments.of(saved.id)[0].author[:100])
    assert {event.actor_name for event in acting.audit.of(saved.id)} == {who.name}
    assert store.shares.open(share.token).saved.author == who.name
