"""The links of a scenario: the form is empty after each, one click too many is undone, copies say whose they are."""

from __future__ import annotations

import pytest

from core.store.store import open_store
from pages.parts import keys
from tests.pages.conftest import at_page, calm, press, words
from tests.pages.test_plan_page import SWEEP, drop
from tests.pages.test_scenarios_page import opened, save, show


@pytest.fixture
def store(tmp_path):
    """The store of the visitors, as a second way to look into it."""
    found = open_store(f"sqlite:///{tmp_path / 'plimsoll.db'}")
    yield found
    found.close()


@pytest.fixture
def links(visit, store):
    """The links of a scenario that was just saved, and its id."""
    save(drop(visit(price="20/h"), SWEEP))
    return show(opened(visit), "links"), store.list()[0].id


def label(app):
    return next(each for each in app.text_input if str(each.key).startswith(keys.LINK_LABEL))


def make(app, scenario_id, name):
    label(app).set_value(name)
    return press(app, keys.of(keys.LINK_NEW, scenario_id))


def test_the_form_is_empty_again_once_a_link_is_made(links, store):
    app, scenario_id = links
    for number, name in enumerate(("for the vendor", "for the board"), start=1):
        make(app, scenario_id, name)
        assert label(app).value == ""
        assert f"**{name}**" in words(app)
        assert len(store.shares.of(scenario_id)) == number


def test_a_withdrawn_link_is_let_open_again_by_whoever_withdrew_it(visit, links, store):
    app, scenario_id = links
    make(app, scenario_id, "for the vendor")
    token = store.shares.of(scenario_id)[0].token
    press(app, keys.of(keys.LINK_REVOKE, token))
    assert 'The link "for the vendor" is withdrawn and opens no more' in words(app)
    assert "This link was withdrawn" in words(visit(s=token))
    press(app, keys.LINK_UNDO)
    assert "is withdrawn and opens no more" not in words(app)
    assert "Before the launch" in words(visit(s=token))
    assert [share.token for share in store.shares.of(scenario_id)] == [token]
    # A new visitor may make a new link, and is not offered to let an old one open.
    press(app, keys.of(keys.LINK_REVOKE, token))
    assert not [each for each in show(opened(visit), "links").button if each.key == keys.LINK_UNDO]


def test_hidden_prices_say_who_sees_them_anyway_where_nobody_signs_in(links):
    app, scenario_id = links
    said = "whoever reaches this server can open the list of scenarios and see the prices there"
    assert said not in words(app)
    app.checkbox(key=keys.of(keys.LINK_PRICES, scenario_id)).set_value(True)
    assert said in words(calm(app.run()))


def test_an_own_copy_says_whose_copy_it_is_also_after_a_reload_and_once_saved(visit, links, store):
    _, scenario_id = links
    guest = at_page(press(visit(s=store.shares.make(scenario_id).token), keys.COPY), "plan")
    said = "Copy of Before the launch, version 1"
    assert said in words(guest)
    again = visit(d=guest.session_state[keys.HELD].draft)
    assert said in words(again)
    save(again, name="Mine")
    (mine,) = (entry for entry in store.list() if entry.name == "Mine")
    assert (mine.forked_from, mine.copied.name, mine.copied.version) == (scenario_id, "Before the launch", 1)
    store.rename(scenario_id, "Another name by now")
    assert said in words(at_page(visit(), "scenarios"))


def test_the_people_page_answers_in_our_words_where_nobody_signs_in(visit):
    app = at_page(visit(), "people")
    assert "Nobody has to sign in here: whoever reaches this server may do everything" in words(app)
