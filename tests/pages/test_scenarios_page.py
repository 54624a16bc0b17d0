"""Saving, finding, opening as saved, versions, comparing, restoring, and taking away with an undo."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.store.store import open_store
from pages.parts import keys
from pages.parts.scenario_acts import ARCHIVE, DELETE, DUPLICATE
from pages.parts.scenario_list import ARCHIVE as ARCHIVED
from pages.parts.scenario_list import DELETED, LIST
from tests.pages.conftest import at_page, calm, press, words
from tests.pages.test_plan_page import SAFE, SWEEP, drop


@pytest.fixture
def store(tmp_path):
    """The store of the visitors, as a second way to look into it."""
    opened = open_store(f"sqlite:///{tmp_path / 'plimsoll.db'}")
    yield opened
    opened.close()


def save(app, name="Before the launch", notes="", message=""):
    app.text_input(key=keys.SAVE_NAME).set_value(name)
    app.text_area(key=keys.SAVE_NOTES).set_value(notes)
    if message:
        app.text_input(key=keys.SAVE_MESSAGE).set_value(message)
    return press(app, keys.SAVE)


def limit(app, milliseconds):
    """Move the first target."""
    app.number_input(key=keys.of(keys.TARGET_VALUE, 0)).set_value(milliseconds)
    return calm(app.run())


def lines(app):
    return [line for line in words(app).split("\n") if SAFE.search(line) or "estimate" in line or "per million" in line]


def opened(visit, **params):
    """A new visitor who has opened the first scenario of the list."""
    app = at_page(visit(**params), "scenarios")
    return press(app, first(app, keys.REOPEN))


def first(app, prefix):
    return next(str(each.key) for each in app.button if str(each.key).startswith(f"{prefix}_"))


def go_on(app):
    return at_page(press(app, keys.GO_ON), "plan")


def choose(app, act):
    """Take an entry of the first scenario's menu."""
    return calm(app.menu_button[0].click(act).run())


def look(app, place):
    """Choose the saved, the archived or the deleted scenarios."""
    app.segmented_control(key=keys.FIND_PLACE).set_value(place)
    return calm(app.run())


def show(app, part):
    app.segmented_control(key=keys.SCENARIO_PART).set_value(part)
    return calm(app.run())


def test_a_saved_scenario_is_listed_opens_as_saved_and_is_gone_on_from(visit):
    asked = {"t": ["ttft-p99-300ms", "tpot-p99-40ms"], "price": "20/h", "think": "30", "demand": "400-users"}
    app = drop(visit(**asked), SWEEP)
    before = lines(app)
    save(app)
    other = at_page(visit(), "scenarios")
    assert "Before the launch" in words(other)
    assert f"{SAFE.search(words(app))[1]} concurrent requests safely" in words(other)
    press(other, first(other, keys.REOPEN))
    shown = lines(other)
    assert SAFE.search("\n".join(shown))[1] == SAFE.search("\n".join(before))[1]
    assert not other.number_input
    go_on(other)
    assert lines(other) == before
    assert "Send it as a link" in words(other)  # without saving it once more
    assert other.session_state[keys.ASK] == app.session_state[keys.ASK]
    assert other.session_state[keys.HELD].based.version == 1


def test_the_shown_numbers_are_those_that_were_saved_whatever_the_method_says_now(visit, store):
    """A stored number that no method would compute is shown as it stands; today's stands beside it only when asked."""
    app = save(drop(visit(t=["ttft-p99-300ms"]), SWEEP))
    entry = store.list()[0]
    _, scenario = store.load(entry.id)
    answer = replace(scenario.answers[0], capacity=replace(scenario.answers[0].capacity, safe=7))
    store.save(replace(scenario, answers=(answer,), method_version="older/0"), entry.id)
    other = opened(visit)
    assert SAFE.search(words(other))[1] == "7"
    assert "answered now with" not in words(other)
    press(other, keys.ANSWER_ANEW)
    assert "Saved with method older/0" in words(other)
    assert SAFE.search(words(other))[1] == "7"
    table = next(each.value for each in other.dataframe if "Today" in each.value)
    row = table[table["What"] == "Safe number"].iloc[0]
    today = SAFE.search(words(app))[1]
    assert (row["Saved"], row["Today"]) == ("7", today)
    assert store.entry(entry.id).latest == 2
    go_on(other)
    assert "answered anew" in words(other)
    assert "older/0" in words(other)


def test_saving_again_makes_the_next_version_with_its_message(visit, store):
    app = save(drop(visit(t=["ttft-p99-300ms"]), SWEEP))
    limit(app, 450.0)
    assert "TTFT p99: ≤ 300 ms → ≤ 450 ms" in words(app)
    save(app, message="looser")
    entry = store.list()[0]
    assert [(each.version, each.message, each.based_on) for each in store.versions(entry.id)] == [
        (2, "looser", 1),
        (1, "", None),
    ]
    assert 'Saved as "Before the launch", version 2' in words(app)
    assert "Send it as a link" in words(app)


def test_what_was_said_of_saving_goes_once_something_is_changed(visit, store):
    app = save(drop(visit(t=["ttft-p99-300ms"]), SWEEP))
    assert 'Saved as "Before the launch", version 1' in words(app)
    limit(app, 450.0)
    assert "Saved as" not in words(app)
    limit(app, 300.0)
    assert 'Saved as "Before the launch", version 1' in words(app)


def test_an_empty_list_asks_for_no_search_and_leads_to_the_plan(visit, store):
    app = at_page(visit(), "scenarios")
    assert "Nothing is saved yet" in words(app)
    assert not app.text_input
    save(drop(visit(), SWEEP))
    store.archive(store.list()[0].id)
    app = at_page(visit(), "scenarios")
    assert app.text_input(key=keys.FIND)
    assert app.segmented_control(key=keys.FIND_PLACE)


def test_a_second_click_saves_nothing(visit, store):
    app = save(drop(visit(), SWEEP))
    press(app, keys.SAVE)
    press(app, keys.SAVE)
    assert [entry.latest for entry in store.list()] == [1]
    assert "Nothing has changed since version 1" in words(app)


def test_a_scenario_of_its_own_leaves_the_first_one_alone(visit, store):
    app = save(drop(visit(), SWEEP))
    app.radio(key=keys.SAVE_AS).set_value("own")
    save(app, name="Another")
    assert {(entry.name, entry.latest) for entry in store.list()} == {("Before the launch", 1), ("Another", 1)}


def test_a_scenario_without_a_name_is_not_saved(visit):
    app = save(drop(visit(), SWEEP), name="   ")
    assert len(app.error) == 1
    assert "no name" in words(app)
    assert "Nothing is saved yet" in words(at_page(visit(), "scenarios"))


def test_the_first_list_is_empty_and_says_how_to_fill_it(visit):
    assert "Nothing is saved yet" in words(at_page(visit(), "scenarios"))


def test_words_and_tags_find_a_scenario_and_nothing_else(visit, store):
    save(drop(visit(), SWEEP))
    entry = store.list()[0]
    _, scenario = store.load(entry.id)
    store.save(replace(scenario, name="Rack ![x](http://a.example/x.png)", notes="자정 이후"), tags=["night", "h100"])
    app = at_page(visit(), "scenarios")
    assert "2 scenarios" in words(app)
    app.text_input(key=keys.FIND).set_value("자정")
    calm(app.run())
    assert "1 scenario found" in words(app)
    assert "Rack" in words(app)
    assert "Before the launch" not in words(app)
    app.text_input(key=keys.FIND).set_value("")
    app.multiselect(key=keys.FIND_TAGS).set_value(["night"])
    assert "1 scenario found" in words(calm(app.run()))
    app.text_input(key=keys.FIND).set_value("launch")
    assert "0 scenarios found" in words(calm(app.run()))
    assert "Nothing has all of these words and tags" in words(app)
    press(app, keys.of(keys.FIND, "all"))
    assert "2 scenarios" in words(app)
    # A picture in a name stays letters.
    assert not [each for each in app.markdown if "![x](http" in each.value]


def test_many_scenarios_are_shown_a_page_at_a_time(visit, store):
    save(drop(visit(), SWEEP))
    _, scenario = store.load(store.list()[0].id)
    for number in range(25):
        store.save(replace(scenario, name=f"Plan {number:02}"))
    app = at_page(visit(), "scenarios")
    assert "26 scenarios" in words(app)
    assert len([each for each in app.button if str(each.key).startswith(f"{keys.REOPEN}_")]) == 20
    app.selectbox(key=keys.FIND_SORT).set_value("name")
    assert "Before the launch" in words(calm(app.run()))


def test_what_is_deleted_comes_back_and_is_never_asked_about(visit, store):
    save(drop(visit(), SWEEP))
    entry = store.list()[0]
    link = store.shares.make(entry.id)
    app = choose(at_page(visit(), "scenarios"), DELETE)
    assert store.list() == ()
    assert "is deleted" in words(app)
    assert "was deleted" in words(visit(s=link.token))
    press(app, keys.SCENARIO_UNDO)
    assert [each.id for each in store.list()] == [entry.id]
    assert "Before the launch" in words(app)
    assert SAFE.search(words(visit(s=link.token)))


def test_what_is_deleted_is_listed_and_brought_back_whatever_was_reloaded_since(visit, store):
    save(drop(visit(), SWEEP))
    entry = store.list()[0]
    link = store.shares.make(entry.id)
    store.delete(entry.id)
    # A new visitor: nothing is left of the page on which it was deleted.
    app = at_page(visit(), "scenarios")
    assert "Nothing is saved at the moment. What was deleted stands under Deleted" in words(app)
    shown = words(look(app, DELETED))
    assert "Deleted scenarios are kept here without a time limit, for their owners only" in shown
    assert "Before the launch" in shown
    assert re.search(r"deleted on [-0-9]+ [0-9:]+ UTC", shown)
    assert not app.menu_button
    press(app, keys.of(keys.SCENARIO_BACK, entry.id))
    assert [each.id for each in store.list()] == [entry.id]
    assert "Nothing of yours is deleted" in words(app)
    assert "Before the launch" in words(look(app, LIST))
    assert SAFE.search(words(visit(s=link.token)))
    assert [event.act for event in store.audit.of(entry.id)][:2] == ["undeleted", "deleted"]


def test_the_address_says_which_place_is_shown(visit, store):
    save(drop(visit(), SWEEP))
    store.delete(store.list()[0].id)
    app = visit()
    app.query_params[keys.Q_DELETED] = "1"
    assert "Before the launch" in words(at_page(app, "scenarios"))


def test_every_place_says_what_it_is_and_when_it_is_empty(visit, store):
    save(drop(visit(), SWEEP))
    app = at_page(visit(), "scenarios")
    assert "The archive is empty" in words(look(app, ARCHIVED))
    assert "The archive holds" in words(app)
    assert "Nothing of yours is deleted" in words(look(app, DELETED))
    app.text_input(key=keys.FIND).set_value("nowhere")
    assert "Nothing that was deleted has all of these words" in words(calm(app.run()))


def test_an_archived_scenario_leaves_the_list_and_is_found_in_the_archive(visit, store):
    save(drop(visit(), SWEEP))
    app = choose(at_page(visit(), "scenarios"), ARCHIVE)
    assert "Nothing is saved yet" not in words(app)
    assert "The one scenario that is saved is in the archive: choose Archive above to see it" in words(app)
    assert "The archive holds scenarios that were put away" in words(look(app, ARCHIVED))
    assert "Before the launch" in words(app)
    press(app, keys.SCENARIO_UNDO)
    assert [each.archived_at for each in store.list()] == [None]


def test_a_duplicate_is_a_scenario_of_its_own(visit, store):
    save(drop(visit(), SWEEP))
    app = choose(at_page(visit(), "scenarios"), DUPLICATE)
    assert {entry.name for entry in store.list()} == {"Before the launch", "Before the launch (copy)"}
    assert "2 scenarios" in words(app)


def test_a_name_and_tags_are_changed_in_place(visit, store):
    save(drop(visit(), SWEEP))
    app = opened(visit)
    entry = store.list()[0]
    app.text_input(key=keys.of(keys.SCENARIO_NAME, entry.id)).set_value("After the launch")
    press(app, keys.of(keys.SCENARIO_EDIT, "go"))
    assert store.entry(entry.id).name == "After the launch"
    assert "After the launch" in words(app)


def test_two_versions_are_compared_and_an_old_one_is_restored(visit, store):
    app = save(drop(visit(t=["ttft-p99-300ms"]), SWEEP), notes="one")
    first_safe = SAFE.search(words(app))[1]
    save(limit(app, 150.0), notes="two")
    other = show(opened(visit), "versions")
    assert "1 input differs" not in words(other)
    assert "2 inputs differ: the same measurements answer another question" in words(other)
    # Each version tells its own answer, as the list told it when that version was the newest.
    short = [line for line in words(other).split("\n") if "concurrent requests safely · estimate" in line]
    assert [line.split()[0] for line in short] == [SAFE.search(words(app))[1], first_safe]
    assert "stopped by TTFT p99" in short[0]
    moved = next(frame.value for frame in other.dataframe if "Difference" in frame.value)
    row = moved[moved["What"] == "Safe number"].iloc[0]
    assert row["Difference"].startswith(f"{row['Version 1']} → {row['Version 2']}: ")
    frames = [each.value for each in other.dataframe]
    inputs = next(frame for frame in frames if "TTFT p99" in set(frame["What"]))
    row = inputs[inputs["What"] == "TTFT p99"].iloc[0]
    assert (row["Version 1"], row["Version 2"]) == ("≤ 300 ms", "≤ 150 ms")
    press(other, keys.of(keys.VERSION_RESTORE, 1))
    entry = store.list()[0]
    assert entry.latest == 3
    assert [each.limit for each in store.load(entry.id)[1].targets] == [0.3]
    assert [each.limit for each in store.load(entry.id, 2)[1].targets] == [0.15]


def test_an_old_version_is_shown_as_it_was(visit):
    app = save(drop(visit(t=["ttft-p99-300ms"]), SWEEP))
    old = SAFE.search(words(app))[1]
    save(limit(app, 150.0))
    other = show(opened(visit), "versions")
    press(other, keys.of(keys.VERSION_OPEN, 1))
    assert SAFE.search(words(other))[1] == old
    assert re.search(r"This is version 1, as saved on [-0-9: ]+ UTC; version 2 is the newest", words(other))
    press(other, keys.of(keys.VERSION_OPEN, "newest"))
    assert SAFE.search(words(other))[1] != old


def test_an_unknown_scenario_says_so_and_leads_back(visit):
    app = visit()
    app.query_params[keys.Q_SCENARIO] = "nothing"
    app = at_page(app, "scenarios")
    assert len(app.error) == 1
    press(app, keys.SCENARIO_BACK)
    assert "Nothing is saved yet" in words(app)


def test_an_own_copy_and_its_own_files_stay_apart(visit):
    save(drop(visit(), SWEEP))
    guest = go_on(opened(visit))
    drop(guest, SWEEP)
    ids = [run.id for run in guest.session_state[keys.HELD].shown]
    assert len(set(ids)) == len(ids) == 2


def test_what_was_decided_by_hand_is_saved_and_can_be_changed(visit):
    app = at_page(drop(visit(t=["ttft-p99-300ms"]), SWEEP), "data")
    run = app.session_state[keys.HELD].shown[0]
    app.text_input(key=keys.of(keys.RENAME_TO, run.id)).set_value("Old rack")
    press(app, keys.of(keys.RENAME, run.id, "go"))
    app.selectbox(key=keys.of(keys.EXCLUDE_LEVEL, run.id)).set_value("level_3")
    app.text_input(key=keys.of(keys.EXCLUDE_WHY, run.id)).set_value("another job ran")
    press(app, keys.of(keys.EXCLUDE, run.id, "go"))
    save(at_page(app, "plan"))
    guest = opened(visit)
    assert "Left out by hand at 64: another job ran" in words(guest)
    at_page(go_on(guest), "data")
    kept = guest.session_state[keys.HELD].shown[0]
    assert (kept.label, kept.stages[3].excluded) == ("Old rack", "another job ran")
    guest.selectbox(key=keys.of(keys.EXCLUDE_LEVEL, kept.id)).set_value("level_0")
    guest.text_input(key=keys.of(keys.EXCLUDE_WHY, kept.id)).set_value("cold")
    press(guest, keys.of(keys.EXCLUDE, kept.id, "go"))
    at_page(guest, "plan")
    assert "Level at 1: use: in use → left out: cold" in words(guest)


def test_columns_of_ones_own_and_the_demand_are_saved_with_the_scenario(visit, store):
    app = drop(visit(), SWEEP)
    run = app.session_state[keys.HELD].shown[0]
    press(app, keys.of(keys.DECISION_ADD, "Lead time"))
    app.number_input(key=keys.DEMAND).set_value(120.0)
    calm(app.run())
    assert [column.name for column in app.session_state[keys.HELD].decision] == ["Lead time"]
    save(app)
    _, scenario = store.load(store.list()[0].id)
    assert scenario.demand.peak == 120.0
    assert [column.name for column in scenario.decision] == ["Lead time"]
    store.save(
        replace(scenario, decision=(replace(scenario.decision[0], values={run.id: "12 weeks"}),)), store.list()[0].id
    )
    other = opened(visit)
    assert any("12 weeks" in set(frame.value.to_numpy().ravel()) for frame in other.dataframe)
    go_on(other)
    assert dict(other.session_state[keys.HELD].decision[0].values) == {run.id: "12 weeks"}
