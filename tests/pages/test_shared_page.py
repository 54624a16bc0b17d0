"""What a reader of a link sees, explores and takes along."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from core.compare.conditions import Group
from core.fleet.days import day_presets
from core.model.codec import encode
from core.model.compared import Compared
from core.model.fleet import ApiPrice, Fleet
from core.model.scenario import DecisionColumn, Demand
from core.store.shares import Shares
from core.store.store import open_store
from pages.parts import keys
from tests.pages.conftest import at_page, calm, press, words
from tests.pages.test_plan_page import SAFE, SWEEP, drop
from tests.pages.test_scenarios_page import lines, save

BACK = "Back to the shared view"
ASIDE = "These documents hold the numbers as saved"
LIMIT = keys.of(keys.TRY_LIMIT, 0)
MONEY = re.compile(r"\$\d|USD|per million|per hour|19\.87|cost of|cost per", re.IGNORECASE)


@pytest.fixture
def store(visit, tmp_path):
    """The store that the pages use."""
    opened = open_store(f"sqlite:///{tmp_path / 'plimsoll.db'}")
    yield opened
    opened.close()


@pytest.fixture
def kept(visit, store):
    """A scenario with a price, as the person who saved it saw it."""
    app = save(drop(visit(t=["ttft-p99-300ms", "tpot-mean-40ms"], price="19.87/h"), SWEEP))
    (entry,) = store.list()
    return app, store.load(entry.id)[0]


def everything(app):
    """Every byte that is sent to the browser: sentences, tables, charts, links."""
    parts, waiting = [], [app.main, app.sidebar]
    while waiting:
        node = waiting.pop()
        proto = getattr(node, "proto", None)
        if proto is not None:
            parts.append(proto.SerializeToString())
        waiting.extend(getattr(node, "children", {}).values())
    return b"\n".join(parts).decode("utf-8", "replace")


def params(app):
    return app.session_state[keys.VIEW].params


def test_hidden_prices_are_in_nothing_that_is_sent(visit, store, kept):
    _, saved = kept
    scenario = store.load(saved.id)[1]
    column = DecisionColumn(name="Vendor", values={scenario.runs[0].id: "ACME 19.87"})
    again = store.save(replace(scenario, decision=(column,)), saved.id)
    open_, hidden = (visit(s=store.shares.make(again.id, hide_prices=hide).token) for hide in (False, True))
    assert MONEY.search(everything(open_))
    assert "ACME" in everything(open_)
    assert "prices are hidden in this view" in words(hidden)
    sent = everything(hidden)
    assert SAFE.search(words(hidden))[1] == SAFE.search(words(open_))[1]
    assert not MONEY.search(sent), MONEY.search(sent)
    assert "ACME" not in sent
    assert "no cost" not in sent


def test_a_copy_of_a_view_without_prices_has_none(visit, store, kept):
    guest = visit(s=store.shares.make(kept[1].id, hide_prices=True).token)
    at_page(press(guest, keys.COPY), "plan")
    assert guest.session_state[keys.ASK].amount is None
    assert not re.search(r"\$\d", words(guest))
    assert guest.session_state[keys.HELD].copied.scenario_id == kept[1].id


def test_the_choice_and_the_fleet_stand_in_the_view_without_money_where_that_is_hidden(visit, store, kept):
    scenario = store.load(kept[1].id)[1]
    fleet = Fleet(
        curve=day_presets()[0].curve,
        spares=1,
        ceiling=0.8,
        budget=73519.27,
        api=ApiPrice(input=0.7351927, output=7.351927),
    )
    (run,) = scenario.runs
    other = replace(
        run, id=f"{run.id}-2", label="another offer", conditions=replace(run.conditions, accelerator="MI300X")
    )
    (answer,) = scenario.answers
    several = replace(
        scenario,
        runs=(run, other),
        answers=(answer, replace(answer, run=other)),
        demand=Demand(peak=400),
        fleet=fleet,
        compared=Compared(accepted=tuple(group.value for group in Group)),
    )
    again = store.save(several, kept[1].id)
    open_, hidden = (visit(s=store.shares.make(again.id, hide_prices=hide).token) for hide in (False, True))
    for app in (open_, hidden):
        said = words(app)
        for part in (
            "Which one?",
            "How many times",
            "Accepted although not known",
            "How many, and how much a month?",
            "Over the day",
        ):
            assert part in said
        assert "replicas for 400 concurrent requests" in said
    assert "From a full machine to this fleet" in words(open_)
    assert "Prices are hidden here, so money ranks nothing" in words(hidden)
    assert "Prices are hidden here" not in words(open_)
    sent = everything(hidden)
    assert not MONEY.search(sent), MONEY.search(sent)
    # Digits of a measured number may come to the same by chance; what the person typed has too many for that.
    assert not re.search(r"73[,.]?519[,.]?27|73,500", sent)


def test_a_view_without_prices_names_no_way_to_the_list_of_scenarios(visit, store, kept):
    open_, hidden = (visit(s=store.shares.make(kept[1].id, hide_prices=hide).token) for hide in (False, True))
    assert keys.UNLISTED not in open_.session_state
    assert keys.UNLISTED in hidden.session_state
    at_page(press(hidden, keys.COPY), "plan")
    assert keys.UNLISTED in hidden.session_state
    assert "scenarios" not in everything(hidden)


def test_a_reader_who_leaves_the_view_is_led_back_until_there_is_work_of_their_own(visit, store, kept):
    token = store.shares.make(kept[1].id).token
    guest = visit(s=token)
    assert BACK not in everything(guest)
    for page in ("plan", "data", "compare", "fleet", "report"):
        guest.query_params.clear()
        (way,) = [line for line in everything(at_page(guest, page)).splitlines() if BACK in line]
        assert token in way
    guest.query_params["s"] = token
    at_page(press(at_page(guest, "shared"), keys.COPY), "plan")
    assert BACK not in everything(guest)
    assert BACK not in everything(kept[0])


def test_what_it_rests_on_is_said(visit, store, kept):
    shown = words(visit(s=store.shares.make(kept[1].id).token))
    for part in (
        "What this rests on",
        "TTFT p99 ≤ 300 ms · ",
        "at $19.87 per hour",
        "as it was measured",
    ):
        assert part in shown


def test_other_limits_are_tried_marked_and_taken_back(visit, store, kept):
    guest = visit(s=store.shares.make(kept[1].id).token)
    before = lines(guest)
    assert len(before) >= 2
    assert params(guest) == {}
    calm(guest.toggle(key=keys.TRY).set_value(True).run())
    assert "not what was saved" in words(guest)
    assert ASIDE in words(guest)
    calm(guest.number_input(key=LIMIT).set_value(150.0).run())
    tried = lines(guest)
    assert tried != before
    assert "Numbers as saved" not in words(guest)
    assert "TTFT p99 ≤ 150 ms" in words(guest)
    assert params(guest)[keys.Q_TARGET] == ["ttft-p99-150ms", "tpot-mean-40ms"]
    press(guest, keys.TRY_BACK)
    assert lines(guest) == before
    assert not guest.toggle(key=keys.TRY).value
    assert ASIDE not in words(guest)
    assert params(guest) == {}
    assert "Numbers as saved" in words(guest)


def test_the_address_brings_back_what_was_in_view(visit, store, kept):
    token = store.shares.make(kept[1].id).token
    guest = visit(s=token)
    calm(guest.toggle(key=keys.TRY).set_value(True).run())
    calm(guest.number_input(key=LIMIT).set_value(150.0).run())
    scale = next(each for each in guest.toggle if str(each.key).startswith(keys.CHART_SCALE))
    calm(scale.set_value(not scale.value).run())
    other = visit(s=token, **params(guest))
    assert lines(other) == lines(guest)
    assert params(other) == params(guest)
    assert next(each.value for each in other.toggle if str(each.key).startswith(keys.CHART_SCALE)) == scale.value


def test_an_address_that_nobody_could_mean_shows_the_saved_numbers(visit, store, kept):
    token = store.shares.make(kept[1].id).token
    plain = lines(visit(s=token))
    odd = {keys.Q_RUN: "nobody", keys.Q_SHOWN: "rtf-p7", keys.Q_AXES: "round", keys.Q_TARGET: ["e2e-p99-1s", "<b>"]}
    guest = visit(s=token, **odd)
    assert lines(guest) == plain
    assert not guest.error
    assert keys.Q_TARGET not in params(guest)


def test_a_copy_while_exploring_takes_the_limits_along(visit, store, kept):
    guest = visit(s=store.shares.make(kept[1].id).token, **{keys.Q_TARGET: ["ttft-p99-150ms"]})
    tried = SAFE.search(words(guest))[1]
    assert tried != SAFE.search(words(kept[0]))[1]
    at_page(press(guest, keys.COPY), "plan")
    assert SAFE.search(words(guest))[1] == tried


def test_a_session_is_counted_once(visit, store, kept):
    share = store.shares.make(kept[1].id)
    guest = visit(s=share.token)
    calm(guest.run())
    calm(guest.toggle(key=keys.TRY).set_value(True).run())
    assert store.shares.of(kept[1].id)[0].views == 1
    visit(s=share.token)
    assert next(each for each in store.shares.of(kept[1].id) if each.token == share.token).views == 2


def test_a_link_that_has_ended_says_so_and_nothing_more(visit, store, kept, monkeypatch):
    share = store.shares.make(kept[1].id, expires_at=datetime.now(UTC) + timedelta(hours=1))

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + timedelta(hours=2)

    monkeypatch.setattr("core.store.shares.datetime", Later)
    ended_and_nothing_more(visit(s=share.token), share)


def ended_and_nothing_more(guest, share):
    assert f"This link was valid until {share.expires_at:%Y-%m-%d %H:%M} UTC" in words_of_errors(guest).replace(
        "\\", ""
    )
    assert not SAFE.search(words(guest))
    assert "Before the launch" not in words(guest)


def test_what_a_link_shows_is_read_once_and_never_with_the_prices_of_another_link(visit, store, kept, monkeypatch):
    read, look = [], Shares.open
    monkeypatch.setattr(Shares, "open", lambda self, token, **more: (read.append(token), look(self, token, **more))[1])
    open_, hidden = (store.shares.make(kept[1].id, hide_prices=hide).token for hide in (False, True))
    for token in (open_, hidden, open_, hidden):
        guest = visit(s=token)
        calm(guest.run())
        assert bool(MONEY.search(everything(guest))) is (token == open_)
    # One read for each, after the caches were emptied once.
    assert read == [open_, hidden]


def words_of_errors(app):
    return " ".join(each.value for each in app.error)


def test_the_saved_bytes_are_not_touched_by_reading(visit, store, kept):
    _, saved = kept
    before = encode(store.load(saved.id)[1])
    guest = visit(s=store.shares.make(saved.id).token)
    calm(guest.toggle(key=keys.TRY).set_value(True).run())
    calm(guest.number_input(key=LIMIT).set_value(20.0).run())
    assert encode(store.load(saved.id)[1]) == before
    assert [version.version for version in store.versions(saved.id)] == [1]


def test_a_view_without_runs_is_said_to_be_one(visit, store, kept):
    scenario = store.load(kept[1].id)[1]
    empty = store.save(replace(scenario, runs=(), answers=()))
    guest = visit(s=store.shares.make(empty.id).token)
    assert "No run was saved" in words(guest)


def test_whoever_has_not_signed_in_reads_a_public_link_and_is_asked_to_sign_in_for_a_copy(
    visit, store, kept, monkeypatch
):
    public, closed = (store.shares.make(kept[1].id, public=open_).token for open_ in (True, False))
    monkeypatch.setenv("PLIMSOLL_SIGN_IN", "header")
    guest = visit(s=public)
    assert lines(guest) == lines(kept[0])
    calm(guest.toggle(key=keys.TRY).set_value(True).run())
    assert keys.Q_TARGET in params(guest)
    press(guest, keys.COPY)
    assert "sign in first" in words(guest)
    assert not guest.session_state[keys.HELD].opened
    refused = visit(s=closed)
    assert "for people who have signed in" in words_of_errors(refused)
    assert "Before the launch" not in words(refused)


def test_a_scenario_of_an_older_method_says_what_draws_its_curves(visit, store, kept):
    scenario = store.load(kept[1].id)[1]
    old = store.save(replace(scenario, method_version="older/0"))
    shown = words(visit(s=store.shares.make(old.id).token))
    assert "method older/0" in shown
    assert "The curves of the charts are drawn with method" in shown
