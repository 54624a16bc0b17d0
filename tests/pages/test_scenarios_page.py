"""Saving, listing, opening again, and what a stranger with a link sees."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.store.store import open_store
from pages.parts import keys
from tests.pages.conftest import at_page, calm, press, words
from tests.pages.test_plan_page import SAFE, SWEEP, drop

TOKEN = re.compile(r"\?s=([\w-]+)")


def save(app, name="Before the launch", notes=""):
    app.text_input(key=keys.SAVE_NAME).set_value(name)
    app.text_area(key=keys.SAVE_NOTES).set_value(notes)
    return press(app, keys.SAVE)


def lines(app):
    return [line for line in words(app).split("\n") if SAFE.search(line) or "estimate" in line or "per million" in line]


def test_a_saved_scenario_is_listed_and_opens_with_the_same_numbers(visit):
    asked = {"t": ["ttft-p99-300ms", "tpot-p95-40ms"], "price": "20/h", "think": "30"}
    app = drop(visit(**asked), SWEEP)
    before = lines(app)
    save(app)
    other = visit()
    at_page(other, "scenarios")
    assert "Before the launch" in words(other)
    button = next(each for each in other.button if str(each.key).startswith(keys.REOPEN))
    calm(button.click().run())
    at_page(other, "plan")
    assert lines(other) == before
    assert [row.target for row in other.session_state[keys.ASK].rows] == [
        row.target for row in app.session_state[keys.ASK].rows
    ]


def test_a_link_shows_the_saved_answers_and_no_control(visit):
    app = save(drop(visit(t=["ttft-p99-300ms"], price="20/h"), SWEEP), notes="**not** bold")
    token = TOKEN.search(words(app))[1]
    guest = visit(s=token)
    assert lines(guest) == lines(app)
    assert "A shared view" in words(guest)
    assert "**not** bold" in [each.value for each in guest.text]
    assert [each.key for each in guest.button] == [keys.COPY]
    assert not guest.number_input
    assert not guest.file_uploader


def test_the_shared_numbers_are_those_that_were_saved_whatever_the_method_says_now(visit, tmp_path):
    """A stored number that no method would compute is shown as it stands."""
    app = save(drop(visit(t=["ttft-p99-300ms"]), SWEEP))
    store = open_store(f"sqlite:///{tmp_path / 'plimsoll.db'}")
    _, scenario = store.load(store.list()[0].id)
    answer = scenario.answers[0]
    changed = store.save(replace(scenario, answers=(replace(answer, capacity=replace(answer.capacity, safe=7)),)))
    guest = visit(s=store.shares.make(changed.id).token)
    store.close()
    assert SAFE.search(words(guest))[1] == "7"
    assert SAFE.search(words(app))[1] != "7"


def test_an_own_copy_can_be_changed_and_leaves_the_saved_one_alone(visit):
    app = save(drop(visit(t=["ttft-p99-300ms"]), SWEEP))
    token = TOKEN.search(words(app))[1]
    guest = visit(s=token)
    saved = lines(guest)
    press(guest, keys.COPY)
    at_page(guest, "plan")
    guest.number_input(key=keys.of(keys.TARGET_VALUE, 0)).set_value(150.0)
    assert lines(calm(guest.run())) != saved
    assert lines(visit(s=token)) == saved


@pytest.mark.parametrize("token", ["nobody", "a" * 500, "<script>", "%00"])
def test_an_unknown_link_says_so(visit, token):
    guest = visit(s=token)
    assert len(guest.error) == 1
    assert not SAFE.search(words(guest))


def test_a_withdrawn_link_says_so(visit):
    app = save(drop(visit(), SWEEP))
    token = TOKEN.search(words(app))[1]
    other = visit()
    at_page(other, "scenarios")
    calm(next(each for each in other.button if str(each.key).startswith(keys.SHARE)).click().run())
    assert token in words(other)
    calm(next(each for each in other.button if str(each.key).startswith(keys.REVOKE)).click().run())
    assert "withdrawn" in words(visit(s=token))


def test_a_scenario_without_a_name_is_not_saved(visit):
    app = save(drop(visit(), SWEEP), name="   ")
    assert len(app.error) == 1
    assert "no name" in words(app)
    assert "Nothing is saved yet" in words(at_page(visit(), "scenarios"))


def test_the_first_list_is_empty_and_says_how_to_fill_it(visit):
    assert "Nothing is saved yet" in words(at_page(visit(), "scenarios"))


def test_the_same_name_again_is_the_next_version_and_not_a_second_entry(visit):
    app = save(drop(visit(), SWEEP))
    save(app)
    other = at_page(visit(), "scenarios")
    assert words(other).count("Before the launch") == 1


def test_an_opened_scenario_and_its_own_files_stay_apart(visit):
    app = save(drop(visit(), SWEEP))
    guest = visit(s=TOKEN.search(words(app))[1])
    press(guest, keys.COPY)
    at_page(guest, "plan")
    drop(guest, SWEEP)
    ids = [run.id for run in guest.session_state[keys.HELD].shown]
    assert len(set(ids)) == len(ids) == 2


def test_an_older_method_is_named_when_its_scenario_is_answered_anew(visit, tmp_path):
    save(drop(visit(), SWEEP))
    store = open_store(f"sqlite:///{tmp_path / 'plimsoll.db'}")
    _, scenario = store.load(store.list()[0].id)
    old = store.save(replace(scenario, method_version="older/0"))
    token = store.shares.make(old.id).token
    store.close()
    guest = visit(s=token)
    assert "older/0" in words(guest)
    at_page(press(guest, keys.COPY), "plan")
    assert "answered anew" in words(guest)


def test_a_shared_cost_says_what_was_paid_for(visit):
    app = drop(visit(t=["ttft-p99-300ms"], price="2.5/gpu-h"), SWEEP)
    run = app.session_state[keys.HELD].shown[0]
    app.number_input(key=keys.of(keys.PRICE_COUNT, run.id)).set_value(16)
    guest = visit(s=TOKEN.search(words(save(calm(app.run()))))[1])
    assert "at $2.50 per accelerator and hour × 16 · $40.0 per hour in all" in words(guest)


def test_a_shared_view_shows_what_was_decided_by_hand(visit):
    app = at_page(drop(visit(t=["ttft-p99-300ms"]), SWEEP), "data")
    run = app.session_state[keys.HELD].shown[0]
    app.text_input(key=keys.of(keys.RENAME_TO, run.id)).set_value("Old rack")
    press(app, keys.of(keys.RENAME, run.id, "go"))
    app.selectbox(key=keys.of(keys.EXCLUDE_LEVEL, run.id)).set_value("level_3")
    app.text_input(key=keys.of(keys.EXCLUDE_WHY, run.id)).set_value("another job ran")
    press(app, keys.of(keys.EXCLUDE, run.id, "go"))
    guest = visit(s=TOKEN.search(words(save(at_page(app, "plan"))))[1])
    assert "Left out by hand at 64: another job ran" in words(guest)
    press(guest, keys.COPY)
    at_page(guest, "data")
    opened = guest.session_state[keys.HELD].shown[0]
    assert opened.label == "Old rack"
    assert opened.stages[3].excluded == "another job ran"
    guest.text_input(key=keys.of(keys.RENAME_TO, opened.id)).set_value("New rack")
    press(guest, keys.of(keys.RENAME, opened.id, "go"))
    guest.selectbox(key=keys.of(keys.EXCLUDE_LEVEL, opened.id)).set_value("level_0")
    guest.text_input(key=keys.of(keys.EXCLUDE_WHY, opened.id)).set_value("cold")
    press(guest, keys.of(keys.EXCLUDE, opened.id, "go"))
    changed = guest.session_state[keys.HELD].shown[0]
    assert (changed.label, changed.stages[0].excluded) == ("New rack", "cold")
    assert "Left out by hand at 1: cold" in words(guest)
