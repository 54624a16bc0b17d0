"""The Fleet page: from a demand to a monthly cost, its fields kept in the address, its numbers those of the core."""

from __future__ import annotations

from datetime import date

from core.fleet.days import day_of
from core.fleet.plan import fleet_for
from core.model.fleet import Fleet
from core.model.price import Price
from core.model.scenario import Demand, DemandKind
from core.present.fleet_purchases import purchases_text
from core.present.fleet_tables import fleet_table
from core.present.fleet_words import fleet_words
from core.settings import database_url
from core.store.store import open_store
from pages.parts import keys
from pages.parts.answers import answers_of
from tests.pages.conftest import at_page, calm, press, words
from tests.pages.test_plan_page import SWEEP, address, drop

ASKED = {"lang": "en", "price": "20/h", "demand": "400-concurrency"}


def shown(visit, **asked):
    return at_page(drop(visit(**{**ASKED, **asked}), SWEEP), "fleet")


def field(app, name):
    return app.number_input(key=keys.of(keys.FLEET, name))


def test_without_files_it_says_what_lacks(visit):
    app = at_page(visit(lang="en"), "fleet")
    assert "A fleet is counted from a measured deployment" in words(app)


def test_without_a_demand_it_asks_for_one(visit):
    app = shown(visit, demand="")
    assert "Say how much the service has to carry at its peak" in words(app)
    app = calm(field(app, "peak").set_value(100.0).run())
    assert app.session_state[keys.ASK].demand == Demand(peak=100.0, kind=DemandKind.USERS)
    assert "how long users pause between requests is not given" in words(app)


def test_the_sentence_is_the_core_s_and_every_field_moves_it(visit):
    app = shown(visit)
    ask = app.session_state[keys.ASK]
    (answer,) = answers_of(app.session_state[keys.HELD].shown, ask)
    plain = fleet_for(answer, ask.demand, None, Fleet(), Price(amount=20.0, per_accelerator=False))
    said = fleet_words(plain)
    assert said.first in words(app)
    assert said.money in words(app)
    app = calm(field(app, "spares").set_value(2).run())
    app = calm(field(app, "growth").set_value(5.0).run())
    app = calm(field(app, "ahead").set_value(6).run())
    app = calm(app.slider(key=keys.of(keys.FLEET, "ceiling")).set_value(80.0).run())
    app = calm(app.slider(key=keys.of(keys.FLEET, "burst")).set_value(1.5).run())
    fleet = Fleet(growth=0.05, ahead=6, burst=1.5, ceiling=0.8, spares=2)
    found = fleet_for(answer, ask.demand, None, fleet, Price(amount=20.0, per_accelerator=False))
    assert fleet_words(found).first in words(app)
    assert found.replicas.count > plain.replicas.count + 2
    assert purchases_text(found) in words(app)
    # The table that the CSV is made of is the core's too.
    table = next(each.value for each in app.table if "Counted in" in each.value.columns)
    drawn = [cell.replace("\\", "") for cell in table["Value (range)"]]
    assert drawn == fleet_table(found)["Value (range)"].tolist()
    assert address(app)[keys.Q_FLEET] == ["growth=5% ahead=6 burst=1.5 ceiling=80% spares=2"]


def test_a_ceiling_on_top_of_the_safe_number_is_named(visit):
    app = shown(visit, fleet="ceiling=60%")
    assert "is a second caution for the same doubt" in words(app)


def test_a_day_shows_what_autoscaling_takes_and_says_whose_it_is(visit):
    app = shown(visit)
    assert "No day is given" in words(app)
    app = calm(app.selectbox(key=keys.of(keys.FLEET, "day")).select("office").run())
    assert "Autoscaled it would take" in words(app)
    assert "A shape of ours, with no source behind it" in words(app)
    assert app.session_state[keys.ASK].fleet.curve == day_of("office")
    app = calm(app.selectbox(key=keys.of(keys.FLEET, "day")).select("steady").run())
    assert app.session_state[keys.ASK].fleet is None


def test_an_address_brings_the_fleet_back_and_nonsense_leaves_none(visit):
    app = shown(visit, fleet="spares=1 zones=3 day=deepseek budget=90000 api=0.5/1.5/0.1")
    assert field(app, "zones").value == 3
    assert field(app, "api_cached").value == 0.1
    assert "mean and peak as published, the hours ours" in words(app)
    assert "a month buys" in words(app)
    app = shown(visit, fleet="spares=many")
    assert app.session_state[keys.ASK].fleet is None


def test_without_a_price_the_fleet_stands_and_the_bill_is_unknown(visit):
    app = shown(visit, price="")
    assert "Cost a month unknown: no price is given" in words(app)
    assert "replicas for 400 concurrent requests" in words(app)


def test_what_is_paid_its_age_and_what_is_wrong_with_it_stand_beside_the_bill(visit):
    app = shown(visit, currency="KRW", terms="exchange=USD:0.00072:2020-01-02")
    assert "Paid for one replica" in words(app)
    assert "old rate of exchange" in words(app)
    assert "give the rate the other way round" in words(app).lower()


def test_what_was_typed_is_still_there_after_a_look_at_another_page(visit):
    app = shown(visit, fleet="spares=2", think="30", demand="400-users")
    app = at_page(at_page(app, "plan"), "fleet")
    assert field(app, "spares").value == 2
    assert app.number_input(key=keys.THINK).value == 30
    assert app.number_input(key=keys.PRICE_AMOUNT).value == 20


def test_a_fleet_is_saved_with_the_scenario(visit):
    app = shown(visit, fleet="spares=2 day=office budget=1000")
    app.text_input(key=keys.SAVE_NAME).set_value("fleet")
    app = press(app, keys.SAVE)
    (entry,) = open_store(database_url()).list()
    _, scenario = open_store(database_url()).load(entry.id)
    assert scenario.fleet == Fleet(spares=2, budget=1000.0, curve=day_of("office"))


def test_kinds_of_a_mix_go_to_the_runs_that_are_chosen(visit):
    mix = ["isl=1000 osl=201 share=3", "isl=1000 osl=201 share=1"]
    two = SWEEP | {f"other_{name}": data.replace(b"example/model-8b", b"example/other") for name, data in SWEEP.items()}
    app = at_page(drop(visit(**{**ASKED, "demand": "400-req_s"}, traffic=mix), two), "fleet")
    runs = app.session_state[keys.HELD].shown
    assert len(runs) == 2
    app = calm(app.selectbox(key=keys.of(keys.FLEET, "serve", 1)).select(runs[1].id).run())
    assert app.session_state[keys.ASK].fleet.served_by == ("", runs[1].id)
    table = next(each.value for each in app.table if "Share of the requests" in each.value.columns)
    assert [cell.replace("\\", "") for cell in table["Share of the requests"]] == ["75%", "25%"]


def test_lengths_that_were_not_measured_leave_a_rate_untold(visit):
    app = shown(visit, demand="400-req_s", traffic="isl=1300 osl=300")
    assert "Replicas for 400 requests/s: cannot tell" in words(app)
    assert "Measure a run with the lengths of your own requests" in words(app)


def test_a_mix_without_an_answer_says_that_it_is_the_cause(visit):
    app = shown(visit, traffic="isl=90000 osl=40000")
    assert "cannot tell, there is no safe number for your own traffic" in words(app)
    assert "For your traffic (90,000 in, 40,000 out): Cannot tell" in words(app)
    assert "would be answered: at most" in words(app)


REFUSED = (
    ("peak", -5.0, 'At the peak: "-5" cannot be taken. Give a number above 0, up to 1,000,000,000'),
    ("growth", 500.0, 'Growth a month, %: "500" cannot be taken. Give a number from 0 to 200'),
    ("spares", 1.5, 'Spare replicas: "1.5" cannot be taken. Give a whole number from 0 to 10,000'),
    ("node", 0.0, 'Accelerators per node: "0" cannot be taken. Give a whole number from 1 to 100,000'),
    ("budget", -1.0, 'Budget a month: "-1" cannot be taken. Give a number above 0'),
    ("own_years", 4.0, 'Years of use: "4" cannot be taken. Give the price of purchase first'),
    ("api_cached", 0.1, 'Cached input: "0.1" cannot be taken. Give the price of input or of output first'),
)


def test_what_a_field_refuses_is_said_with_its_reason_and_changes_nothing(visit):
    app = shown(visit)
    before = app.session_state[keys.ASK]
    for name, typed, told in REFUSED:
        app = calm(field(app, name).set_value(typed).run())
        assert told in words(app)
        assert words(app).count("cannot be taken") == 1
        assert app.session_state[keys.ASK] == before
    app = calm(field(app, "zones").set_value(2).run())
    assert "cannot be taken" not in words(app)
    # Nothing that was refused is left in a field, once something was taken.
    assert field(app, "budget").value is None


def test_emptying_a_field_that_held_nothing_takes_its_refusal_away(visit):
    app = shown(visit)
    app = calm(field(app, "budget").set_value(1e20).run())
    assert '"100,000,000,000,000,000,000" cannot be taken. Give a number above 0, up to 1,000,000,000,000,' in words(
        app
    )
    assert field(app, "budget").value == 1e20
    app = calm(field(app, "budget").set_value(None).run())
    assert "cannot be taken" not in words(app)
    assert (field(app, "budget").value, app.session_state[keys.ASK].fleet) == (None, None)


def test_a_number_that_means_none_is_left_standing_where_it_was_typed(visit):
    app = shown(visit)
    told = words(app)
    for name, none in (("zones", 1), ("spares", 0), ("ahead", 0), ("growth", 0.0), ("out", 0.0)):
        assert field(app, name).value is None
        app = calm(field(app, name).set_value(none).run())
        assert field(app, name).value == none
        assert app.session_state[keys.ASK].fleet is None
    assert words(app) == told
    app = calm(field(app, "zones").set_value(3).run())
    app = calm(field(app, "zones").set_value(None).run())
    assert (field(app, "zones").value, app.session_state[keys.ASK].fleet) == (None, None)
    app = calm(field(app, "zones").set_value(0).run())
    assert '"0" cannot be taken. Give a whole number from 1 to 20' in words(app)


def test_the_day_of_another_price_is_asked_once_there_is_one_and_marks_it_when_old(visit):
    app = shown(visit)
    key = keys.of(keys.FLEET, "reserved_as_of")
    assert key not in {box.key for box in app.date_input}
    app = calm(field(app, "reserved").set_value(12.0).run())
    app = calm(app.date_input(key=key).set_value(date(2020, 1, 2)).run())
    assert app.session_state[keys.ASK].fleet.reserved_as_of == "2020-01-02"
    drawn = words(app)
    assert "price of 2020-01-02 · old price: " in drawn
    app = calm(app.date_input(key=key).set_value(None).run())
    assert app.session_state[keys.ASK].fleet.reserved_as_of == ""
    assert "old price" not in words(app)
