"""Who a token or a header names: nobody, wherever there is a doubt."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.email import EMAIL_CHARS, email_of
from core.model.person import NOBODY
from core.sign_in import SignIn, Way
from core.vouched import (
    AHEAD_S,
    ID_CHARS,
    NAME_CHARS,
    NAME_HEADER,
    PERSON_HEADER,
    PROOF,
    PROOF_HEADER,
    person_of_claims,
    person_of_headers,
)

NOW = 1_800_000_000.0
RULES = SignIn(way=Way.OIDC, admins=frozenset({"root@example.com"}), longest_s=3600.0)
CLAIMS = {
    "is_logged_in": True,
    "iss": "https://id.example.com",
    "sub": "42",
    "iat": NOW - 60,
    "exp": NOW + 60,
    "name": "Ana Ruiz",
    "email": "Ana@Example.com",
    "email_verified": True,
}
anything = st.one_of(st.none(), st.booleans(), st.text(), st.floats(), st.integers(), st.lists(st.text()))


def person(**changed):
    return person_of_claims({**CLAIMS, **changed}, RULES, NOW)


def test_a_good_token_names_a_person():
    found = person()
    assert (found.id, found.name, found.email, found.admin) == (
        "https://id.example.com#42",
        "Ana Ruiz",
        "ana@example.com",
        False,
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"is_logged_in": False},
        {"is_logged_in": "true"},
        {"is_logged_in": 1},
        {"exp": NOW},
        {"exp": NOW - 1},
        {"exp": None},
        {"exp": True},
        {"exp": str(NOW + 60)},
        {"exp": math.nan},
        {"exp": math.inf},
        {"iat": None},
        {"iat": NOW - 3600},
        {"iat": NOW + AHEAD_S + 1, "exp": NOW + 10_000},
        {"sub": ""},
        {"sub": None},
        {"sub": 42},
        {"iss": ""},
        {"iss": None},
    ],
)
def test_a_token_that_is_past_or_names_nobody_names_nobody(changed):
    assert person(**changed) == NOBODY


@pytest.mark.parametrize("name", ["is_logged_in", "iss", "sub", "iat", "exp"])
def test_a_token_that_lacks_something_names_nobody(name):
    assert person_of_claims({key: value for key, value in CLAIMS.items() if key != name}, RULES, NOW) == NOBODY


@given(st.dictionaries(st.sampled_from(sorted(CLAIMS)), anything), st.floats(min_value=0, max_value=2 * NOW))
def test_whatever_a_token_says_a_person_is_whole_or_nobody(changed, now):
    found = person_of_claims({**CLAIMS, **changed}, RULES, now)
    if found != NOBODY:
        assert 0 < len(found.id) <= ID_CHARS
        assert found.name.encode()
        assert len(found.name) <= NAME_CHARS
        assert found.email is None or found.email == email_of(found.email)
        assert now < CLAIMS["exp"] or "exp" in changed


@pytest.mark.parametrize("verified", [False, None, "false", "yes", 0, 1.5, []])
def test_an_address_that_nobody_vouches_for_is_no_address(verified):
    found = person(email="root@example.com", email_verified=verified)
    assert found.email is None
    assert not found.admin
    assert person(email="root@example.com", email_verified="true").admin


def test_an_address_counts_where_the_provider_is_trusted_with_it():
    trusting = SignIn(way=Way.OIDC, trust_email=True)
    assert person_of_claims({**CLAIMS, "email_verified": None}, trusting, NOW).email == "ana@example.com"


def test_two_subjects_are_never_one_person():
    long = {person(sub="a" * 400).id, person(sub="a" * 399 + "b").id, person(sub="a\x00").id, person(sub="a").id}
    assert len(long) == 4
    assert person(iss="https://other.example").id != person().id


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a" * NAME_CHARS, "a" * NAME_CHARS),
        ("a" * (NAME_CHARS + 1), "a" * (NAME_CHARS - 1) + "…"),
        ("a" * (NAME_CHARS - 3) + "  " + "b" * 50, "a" * (NAME_CHARS - 3) + "…"),
        ("김" * 5_000, "김" * (NAME_CHARS - 1) + "…"),
        ("\ud800\u202eAna\x00 Ruiz\n", "Ana Ruiz"),
    ],
    ids=["as long as can be", "longer", "cut at a space", "far longer", "with half a letter and signs that act"],
)
def test_a_name_that_is_too_long_is_cut_where_one_sees_it(name, shown):
    assert person(name=name).name == shown


def test_somebody_without_a_name_that_can_be_seen_is_still_called_something():
    unseen = {"name": "\u202e", "preferred_username": "\x00", "sub": "\ud800"}
    assert person(**unseen).name == "Ana@Example.com"
    nameless = person(**unseen, email=None)
    assert nameless.name
    assert nameless.name in nameless.id


def test_an_address_is_not_taken_over_by_letters_that_look_alike():
    kelvin = "roo\u212a@example.com"
    assert email_of(kelvin) != "rook@example.com"
    assert email_of("root@example.com\n") is None
    assert email_of("ROOT@EXAMPLE.COM") == "root@example.com"
    assert email_of("root@example.com,eve@example.com") is None
    assert email_of("a@" + "b" * EMAIL_CHARS) is None


@given(st.text())
def test_an_address_has_one_spelling(text):
    found = email_of(text)
    assert found is None or email_of(found) == found


def headers(who=("ana@example.com",), proof=(PROOF,), name=()):
    return person_of_headers({PROOF_HEADER: proof, PERSON_HEADER: who, NAME_HEADER: name}, RULES)


def test_the_middleware_vouches_for_a_person():
    found = headers(name=("김하나".encode().decode("latin-1"),))
    assert (found.id, found.name, found.email) == ("header#ana@example.com", "김하나", "ana@example.com")
    assert headers(who=("ANA@example.com",)).id == found.id
    assert headers(who=("ana",)).email is None
    assert headers(who=("root@example.com",)).admin


@pytest.mark.parametrize("proof", [(), ("",), ("x",), (PROOF[:-1],), (PROOF, PROOF), (PROOF, "x"), ("é",)])
def test_without_the_proof_of_this_process_a_header_names_nobody(proof):
    assert headers(proof=proof) == NOBODY


@pytest.mark.parametrize("who", [(), ("",), (" ",), ("\x00",), ("ana@example.com", "root@example.com")])
def test_a_header_that_names_none_or_two_names_nobody(who):
    assert headers(who=who) == NOBODY
