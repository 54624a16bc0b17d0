"""Two who save at once: the second is told, sees both and chooses; no choice loses anything."""

from __future__ import annotations

import pytest

from core.store.store import open_store
from pages.parts import keys
from tests.pages.conftest import at_page, calm, press, words
from tests.pages.test_plan_page import SWEEP, drop
from tests.pages.test_scenarios_page import first, go_on, limit, opened, save


@pytest.fixture
def store(tmp_path):
    found = open_store(f"sqlite:///{tmp_path / 'plimsoll.db'}")
    yield found
    found.close()


@pytest.fixture
def second(visit):
    """A visitor who changed version 1 while another one saved version 2, and who tries to save now."""
    save(drop(visit(t=["ttft-p99-300ms"]), SWEEP))
    mine, theirs = go_on(opened(visit)), go_on(opened(visit))
    save(limit(theirs, 450.0), message="theirs: looser")
    return save(limit(mine, 150.0), message="mine: tighter")


def limits(store, version=None):
    return [target.limit for target in store.load(store.list()[-1].id, version)[1].targets]


def test_the_second_is_told_and_sees_what_either_changed(second, store):
    assert '"Before the launch" was saved as version 2' in words(second)
    assert "theirs: looser" in words(second)
    assert "version 2 is newer" in words(second)
    changed = {(frame.value.get("Before", [""])[0], frame.value.get("After", [""])[0]) for frame in second.dataframe}
    assert {("≤ 300 ms", "≤ 450 ms"), ("≤ 300 ms", "≤ 150 ms")} <= changed
    assert store.list()[0].latest == 2


def test_mine_on_top_leaves_theirs_in_the_history(second, store):
    press(second, keys.CONFLICT_MINE)
    assert store.list()[0].latest == 3
    assert (limits(store, 2), limits(store)) == ([0.45], [0.15])
    assert store.versions(store.list()[0].id)[0].message == "mine: tighter"
    assert keys.CONFLICT not in second.session_state
    assert second.session_state[keys.HELD].based.version == 3


def test_theirs_is_opened_and_mine_stays_unsaved_work(second, store, visit):
    mine = second.session_state[keys.HELD].draft
    # A page that is run alone leaves out what the entry of the app does after it: to write what is asked.
    store.drafts.ask(mine, {"t": ["ttft-p99-150ms"]})
    press(second, keys.CONFLICT_THEIRS)
    assert store.list()[0].latest == 2
    assert [row.value for row in second.session_state[keys.ASK].rows] == [450.0]
    assert mine in {each.id for each in store.drafts.mine()}
    at_page(second, "scenarios")
    press(second, keys.of(keys.DRAFT_CONTINUE, mine))
    at_page(second, "plan")
    assert [run.id for run in second.session_state[keys.HELD].shown]


def test_mine_becomes_a_scenario_of_its_own(second, store):
    press(second, keys.CONFLICT_OWN)
    assert {(entry.name, entry.latest) for entry in store.list()} == {
        ("Before the launch", 2),
        ("Before the launch (mine)", 1),
    }


def test_closing_the_question_loses_nothing_and_it_can_be_asked_again(second, store):
    held = second.session_state[keys.CONFLICT]
    second.session_state[keys.CONFLICT] = type(held)(wish=held.wish, newer=held.newer, shown=False)
    calm(second.run())
    assert '"Before the launch" was saved as version 2' in words(second)
    assert keys.CONFLICT_MINE not in {each.key for each in second.button}
    assert [row.value for row in second.session_state[keys.ASK].rows] == [150.0]
    press(second, keys.CONFLICT_OPEN)
    press(second, keys.CONFLICT_MINE)
    assert limits(store) == [0.15]


def test_unsaved_work_is_discarded_with_an_undo(visit, store):
    drop(visit(), SWEEP)
    other = at_page(visit(), "scenarios")
    assert "Unsaved work (1)" in {each.label for each in other.expander}
    name = first(other, keys.DRAFT_DISCARD)
    press(other, name)
    assert store.drafts.mine() == ()
    press(other, keys.DRAFT_UNDO)
    assert len(store.drafts.mine()) == 1
