"""Comments: who may say, read and take back what."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.model.person import NOBODY, Role
from core.store import comments
from core.store.comments import COMMENT_CHARS
from tests.store.store_build import a_scenario
from tests.store.test_shares import ADA, BOB, EVE, code_of, give


def said(store, scenario_id):
    return [comment.text for comment in store.comments.of(scenario_id)]


def test_a_comment_says_who_when_and_about_which_version(store):
    saved = store.acting(ADA).save(a_scenario())
    store.acting(ADA).save(a_scenario(), saved.id)
    made = store.acting(ADA).comments.add(saved.id, " Is 41 enough?\r\nI doubt it. ", 1)
    (kept,) = store.acting(ADA).comments.of(saved.id)
    assert kept == made
    assert (kept.author, kept.version, kept.text) == ("Ada", 1, "Is 41 enough?\nI doubt it.")
    assert datetime.now(UTC) - kept.said_at < timedelta(minutes=1)
    assert kept.said_at.utcoffset() == timedelta(0)


def test_comments_stand_in_the_order_in_which_they_were_made(store):
    saved = store.save(a_scenario())
    for text in ("first", "second", "third"):
        store.comments.add(saved.id, text, 1)
    assert said(store, saved.id) == ["first", "second", "third"]


def test_without_signing_in_the_author_is_called_as_typed(store):
    saved = store.save(a_scenario())
    assert store.comments.add(saved.id, "a", 1, author=" Mina\n").author == "Mina"
    assert store.comments.add(saved.id, "b", 1).author == ""
    mine = store.acting(ADA).save(a_scenario())
    assert store.acting(ADA).comments.add(mine.id, "c", 1, author="Somebody else").author == "Ada"


def test_whoever_may_see_a_scenario_may_comment_on_it_and_nobody_else(store, url):
    saved = store.acting(ADA).save(a_scenario())
    give(url, saved.id, BOB, Role.VIEWER)
    store.acting(BOB).comments.add(saved.id, "seen", 1)
    assert said(store.acting(ADA), saved.id) == ["seen"]
    assert code_of(store.acting(EVE).comments.add, saved.id, "me too", 1) == "store.not_found"
    assert code_of(store.acting(EVE).comments.of, saved.id) == "store.not_found"
    assert code_of(store.acting(NOBODY).comments.add, saved.id, "x", 1) == "store.sign_in_needed"
    assert code_of(store.acting(NOBODY).comments.of, saved.id) == "store.not_found"


@pytest.mark.parametrize("version", [0, -1, 2, 10**30])
def test_a_comment_is_about_a_version_that_exists(store, version):
    saved = store.save(a_scenario())
    assert code_of(store.comments.add, saved.id, "x", version) == "store.not_found"
    assert code_of(store.comments.add, "nothing", "x", 1) == "store.not_found"


def test_a_comment_can_be_taken_back_and_brought_back(store):
    saved = store.save(a_scenario())
    first, second = (store.comments.add(saved.id, text, 1) for text in ("one", "two"))
    store.comments.delete(first.id)
    store.comments.delete(first.id)
    assert said(store, saved.id) == ["two"]
    store.comments.undelete(first.id)
    store.comments.undelete(first.id)
    assert said(store, saved.id) == ["one", "two"]
    acts = [event.act for event in store.audit.of(saved.id)]
    assert acts[:2] == ["comment_undeleted", "comment_deleted"]
    assert acts.count("commented") == 2
    assert second.removable


def test_a_comment_is_taken_back_by_its_author_or_an_owner_of_the_scenario(store, url):
    saved = store.acting(ADA).save(a_scenario())
    give(url, saved.id, BOB, Role.EDITOR)
    give(url, saved.id, EVE, Role.VIEWER)
    hers = store.acting(EVE).comments.add(saved.id, "mine", 1)
    assert code_of(store.acting(BOB).comments.delete, hers.id) == "store.no_comment"
    assert code_of(store.acting(NOBODY).comments.delete, hers.id) == "store.no_comment"
    assert [one.removable for one in store.acting(BOB).comments.of(saved.id)] == [False]
    assert [one.removable for one in store.acting(EVE).comments.of(saved.id)] == [True]
    store.acting(EVE).comments.delete(hers.id)
    store.acting(EVE).comments.undelete(hers.id)
    store.acting(ADA).comments.delete(hers.id)
    assert code_of(store.acting(BOB).comments.undelete, hers.id) == "store.no_comment"
    assert said(store.acting(ADA), saved.id) == []


@pytest.mark.parametrize("unknown", ["", "nothing", "half \ud800", "0' OR '1'='1", "x" * 10**6])
def test_a_comment_that_is_not_there_is_said_so(store, unknown):
    assert code_of(store.comments.delete, unknown) == "store.no_comment"


@pytest.mark.parametrize("text", ["", "  \n\t ", "\u200b\u200b", "\x00\u202e", "\u2066"])
def test_a_comment_that_nobody_could_see_is_refused(store, text):
    saved = store.save(a_scenario())
    assert code_of(store.comments.add, saved.id, text, 1) == "comment.empty"


def test_the_longest_comment_is_kept_and_a_longer_one_refused(store):
    saved = store.save(a_scenario())
    assert store.comments.add(saved.id, "가" * COMMENT_CHARS, 1).text == "가" * COMMENT_CHARS
    assert code_of(store.comments.add, saved.id, "가" * (COMMENT_CHARS + 1), 1) == "comment.too_long"


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=60))
def test_any_text_is_kept_as_it_was_written_but_for_signs_that_nobody_sees(store, text):
    saved = store.save(a_scenario())
    shown = [letter for letter in text if letter.isprintable() and not letter.isspace()]
    if not shown:
        assert code_of(store.comments.add, saved.id, text, 1) == "comment.empty"
        return
    kept = store.comments.add(saved.id, text, 1).text
    assert said(store, saved.id)[-1] == kept
    assert kept == kept.strip()
    assert not {"\x00", "\u202e"} & set(kept)
    assert [letter for letter in kept if letter.isprintable() and not letter.isspace()] == shown


def test_counts_are_of_what_the_person_may_see(store, url):
    mine, other = store.acting(ADA).save(a_scenario()), store.acting(BOB).save(a_scenario())
    for _ in range(3):
        store.acting(ADA).comments.add(mine.id, "x", 1)
    gone = store.acting(ADA).comments.add(mine.id, "y", 1)
    store.acting(ADA).comments.delete(gone.id)
    store.acting(BOB).comments.add(other.id, "z", 1)
    ids = [mine.id, other.id, "nothing"]
    assert store.acting(ADA).comments.counts(ids) == {mine.id: 3}
    assert store.comments.counts(ids) == {mine.id: 3, other.id: 1}
    assert store.acting(NOBODY).comments.counts(ids) == {}
    assert store.comments.counts([]) == {}


def test_too_many_comments_are_refused(store, monkeypatch):
    monkeypatch.setattr(comments, "MOST", 2)
    saved = store.save(a_scenario())
    first, _ = (store.comments.add(saved.id, text, 1) for text in "ab")
    assert code_of(store.comments.add, saved.id, "c", 1) == "store.too_many_comments"
    store.comments.delete(first.id)
    store.comments.add(saved.id, "c", 1)
    assert code_of(store.comments.undelete, first.id) == "store.too_many_comments"
    assert said(store, saved.id) == ["b", "c"]
