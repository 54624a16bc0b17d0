"""The price on the Plan page: picked, owned, taxed, exchanged, with what it leaves unknown; every term survives."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from core.model.owned import Owned
from core.model.price import Exchange, Tax
from core.model.run import Conditions
from pages.parts import keys, today
from pages.parts.links import from_params, to_params
from tests.pages.conftest import at_page, calm, press, words


def priced(visit, **more):
    return press(visit(t="ttft-p99-60ms", **more), keys.SAMPLE)


def asked(app):
    return app.session_state[keys.ASK]


def amounts(app):
    bill = next(each.value for each in app.table if "Amount (range)" in each.value.columns)["Amount (range)"]
    return {name: amount.replace("\\", "") for name, amount in bill.items()}


def refused(app):
    return " ".join(error.value.replace("\\", "") for error in app.error)


def field(app, *which):
    return app.number_input(key=keys.of(*which))


def test_a_picked_price_keeps_where_it_is_from_and_is_marked_when_it_is_old(visit, monkeypatch):
    app = priced(visit)
    calm(app.selectbox(key=keys.of(keys.PICK, "accelerator")).set_value("H100-SXM").run())
    calm(app.selectbox(key=keys.of(keys.PICK, "provider")).set_value("AWS").run())
    calm(app.selectbox(key=keys.of(keys.PICK, "commitment")).set_value("on_demand").run())
    press(app, keys.of(keys.PICK, "use"))
    found = asked(app).price
    assert (found.amount, found.per_accelerator, found.listed.provider) == (6.88, True, "AWS")
    assert found.listed.as_of == "2026-07-20"
    assert "AWS p5.4xlarge · H100-SXM · on demand · us-east-1 · 2026-07-20" in words(app)
    assert "old price: 1" in words(app)
    assert from_params(to_params(asked(app)), asked(app)).price == found
    field(app, keys.PRICE_COUNT, app.session_state[keys.HELD].shown[0].id).set_value(8)
    calm(app.run())
    assert words(app).count("old price: ") >= 3, "in the editor, the sentence and the bill"
    monkeypatch.setenv("PLIMSOLL_PRICE_DAYS", "100000")
    assert "old price" not in words(calm(app.run()))


def test_an_amount_of_ones_own_is_no_longer_the_picked_row(visit):
    app = priced(visit)
    assert "The files do not say which accelerator it was: choose one to see its prices" in words(app)
    calm(app.selectbox(key=keys.of(keys.PICK, "accelerator")).set_value("H100-SXM").run())
    press(app, keys.of(keys.PICK, "use"))
    assert asked(app).price.listed
    calm(app.number_input(key=keys.PRICE_AMOUNT).set_value(1.25).run())
    assert (asked(app).price.amount, asked(app).price.listed) == (1.25, None)


def test_a_typed_price_is_marked_once_the_day_that_was_given_is_old(visit):
    app = priced(visit, price="20/h")
    assert "old price: 91 days" not in words(app)
    calm(app.date_input(key=keys.of(keys.TERMS, "as_of")).set_value(today.day() - timedelta(days=91)).run())
    assert asked(app).price.as_of == (today.day() - timedelta(days=91)).isoformat()
    assert "old price: 91 days, more than 90" in words(app)


def test_discount_tax_and_won_go_into_every_amount(visit):
    app = priced(visit, price="20/h")
    before = amounts(app)["A million output tokens, whole bill on them"]
    assert before.startswith("$")
    calm(field(app, keys.TERMS, "discount").set_value(25.0).run())
    calm(field(app, keys.TERMS, "tax").set_value(10.0).run())
    app.text_input(key=keys.of(keys.TERMS, "into")).set_value("krw")
    assert "Costs are exchanged once currency and rate are there" in words(calm(app.run()))
    field(app, keys.TERMS, "rate").set_value(1400.0)
    app.date_input(key=keys.of(keys.TERMS, "day")).set_value(today.day())
    calm(app.run())
    found = asked(app).price
    assert (found.discount, found.tax, found.currency) == (0.25, Tax(rate=0.1, counted=True), "KRW")
    assert found.exchange == Exchange(quoted="USD", rate=1400.0, as_of=today.day().isoformat())
    assert amounts(app)["A million output tokens, whole bill on them"].startswith("₩")
    # 20 x 0.75 x 1.1 x 1,400 = 23,100 won an hour.
    assert "₩23,100 per hour in all" in words(app)
    press(app, keys.of(keys.TERMS, "drop"))
    assert (asked(app).price.currency, asked(app).price.exchange) == ("USD", None)


def test_owned_hardware_is_worked_out_and_says_how(visit):
    app = priced(visit, price="20/h")
    calm(app.segmented_control(key=keys.PRICE_WAY).set_value("owned").run())
    waits = "Until purchase and years of use are filled in, $20.00 an hour, rented, is counted"
    assert f"Amounts in USD. {waits}" in words(app)
    for name, value in {"residual": 30_000.0, "capex": 300_000.0, "interest": 8.0}.items():
        field(app, keys.OWNED, name).set_value(value)
    assert waits in words(calm(app.run()))
    more = {"years": 4.0, "power_kw": 10.2, "pue": 1.3, "tariff": 0.12, "hosting": 9000.0, "licence": 36_000.0}
    for name, value in (more | {"operations": 5000.0}).items():
        field(app, keys.OWNED, name).set_value(value)
    assert waits not in words(calm(app.run()))
    owned = asked(app).price.owned
    assert owned == Owned(
        capex=300_000.0,
        residual=30_000.0,
        years=4.0,
        interest=0.08,
        power_kw=10.2,
        pue=1.3,
        tariff=0.12,
        hosting=9000.0,
        licence=36_000.0,
        operations=5000.0,
    )
    shown = words(app)
    # 16.87871 an hour, worked out by hand in tests/price/test_hourly.py.
    assert "$16.88 per hour in all" in shown
    assert "r (1 + r)ⁿ ÷ ((1 + r)ⁿ − 1)" in shown
    assert "0.30192" in shown
    calm(field(app, keys.OWNED, "residual").set_value(400_000.0).run())
    assert 'Worth at the end cannot be "400,000". Give a number from 0 up to the price of purchase' in refused(app)
    assert (asked(app).price.owned, field(app, keys.OWNED, "residual").value) == (owned, 30_000.0)
    calm(field(app, keys.OWNED, "years").set_value(None).run())
    assert "Years of use: Without it owned hardware has no cost" in refused(app)
    assert asked(app).price.owned == owned
    calm(app.segmented_control(key=keys.PRICE_WAY).set_value("rented").run())
    assert (asked(app).price.amount, asked(app).price.owned) == (20.0, None)


def test_the_ratio_and_the_weight_of_cached_input_are_the_persons(visit):
    app = priced(visit, price="20/h")
    calm(field(app, keys.TERMS, "ratio").set_value(2.0).run())
    calm(field(app, keys.TERMS, "cached").set_value(10.0).run())
    assert (asked(app).price.output_weight, asked(app).price.cached_weight) == (2.0, 0.1)
    assert "Weighted: 2 input tokens cost as much as 1 output token" in words(app)


def test_both_pools_stand_there_until_the_person_confirms_them(visit):
    app = priced(visit, price="2.5/gpu-h")
    held = app.session_state[keys.HELD]
    apart = Conditions(serving_mode="disaggregated", prefill_accelerators=4, decode_accelerators=12)
    run = replace(held.shown[0], conditions=apart)
    app.session_state[keys.HELD] = replace(held, shown=(run,))
    calm(app.run())
    (shown,) = app.session_state[keys.HELD].shown
    assert shown.conditions == apart
    assert [field(app, keys.PRICE_COUNT, run.id, pool).value for pool in ("prefill", "decode")] == [4, 12]
    assert asked(app).price.pools == ()
    press(app, keys.of(keys.PRICE_COUNT, run.id, "confirm"))
    assert asked(app).price.pools == ((run.id, 4, 12),)
    calm(field(app, keys.PRICE_COUNT, run.id, "prefill").set_value(8).run())
    assert asked(app).price.pools == ((run.id, 8, 12),)
    assert "$50.00 per hour in all" in words(app)


def test_a_count_that_the_parallel_sizes_suggest_is_one_click_away_and_never_taken_unasked(visit):
    app = priced(visit, price="2.5/gpu-h")
    held = app.session_state[keys.HELD]
    run = replace(held.shown[0], conditions=Conditions(tp=4, pp=2))
    app.session_state[keys.HELD] = replace(held, shown=(run,))
    calm(app.run())
    assert asked(app).counts == ()
    press(app, keys.of(keys.PRICE_COUNT, run.id, "likely"))
    assert asked(app).counts == ((run.id, 8),)
    assert "$20.00 per hour in all" in words(app)
    assert keys.of(keys.PRICE_COUNT, run.id, "likely") not in {each.key for each in app.button}


def test_one_bill_divided_four_ways_is_there_with_its_source(visit):
    app = priced(visit, price="20/h")
    table = next(each.value for each in app.table if "Per million" in each.value.columns)
    assert [each.replace("\\", "") for each in table["Per million"]] == ["$0.518", "$0.112", "$0.272", "$0.371"]
    assert "the largest figure is 4.6 times the smallest" in words(app)


def test_the_guide_lists_accelerators_and_prices_and_ranks_nothing(visit):
    app = at_page(visit(), "guide")
    assert "Not a ranking: peak TFLOPS and training results say little about serving" in words(app)
    parts = next(each.value for each in app.dataframe if "Why there is no ranking" in each.value.columns)
    assert len(parts) == 29
    assert parts["Why there is no ranking"].str.startswith("Not a ranking").all()
    assert parts.set_index("Accelerator").loc["MI355X", "Link to other accelerators, one way"] == (
        "537.6 GB/s (other sources: 576)"
    )
    listed = next(each.value for each in app.dataframe if "Per accelerator and hour" in each.value.columns)
    assert len(listed) == 172


@pytest.mark.parametrize("text", ["discount=2", "own=capex:1,years:0", "listed=x"])
def test_an_address_with_impossible_terms_opens_without_them(visit, text):
    app = priced(visit, price="20/h", terms=text)
    assert asked(app).price.amount == 20.0


REFUSED = (
    (
        keys.PRICE_AMOUNT,
        -3.0,
        20.0,
        'Price per hour: "-3" cannot be taken. Give a number above 0, up to 1,000,000,000',
    ),
    (keys.PRICE_AMOUNT, 0.0, 20.0, 'Price per hour: "0" cannot be taken. Give a number above 0'),
    (keys.PRICE_AMOUNT, 1e300, 20.0, 'Price per hour: "1e+300" cannot be taken'),
    (
        keys.THINK,
        1e6,
        None,
        'Think time of a user, seconds (optional): "1000000" cannot be taken. Give a number from 0',
    ),
    (
        keys.of(keys.TERMS, "discount"),
        100.0,
        None,
        'Discount, %: "100" cannot be taken. Give a number from 0 to 99.9',
    ),
    (keys.of(keys.TERMS, "power"), -1.0, None, 'Power of one accelerator, kW: "-1" cannot be taken'),
)
"""What is typed where, what holds there, and what is said below it."""


def test_a_number_that_cannot_be_says_where_why_and_what_next_and_changes_nothing(visit):
    app = priced(visit, price="20/h")
    before = asked(app)
    for key, typed, kept, told in REFUSED:
        app = calm(app.number_input(key=key).set_value(typed).run())
        assert told in refused(app)
        assert refused(app).count("cannot be taken") == 1
        # A field that holds nothing keeps what was typed, so that there is something to empty.
        assert (asked(app), app.number_input(key=key).value) == (before, typed if kept is None else kept)
    # What is taken next takes the sentence away.
    app = calm(app.number_input(key=keys.PRICE_AMOUNT).set_value(21.0).run())
    assert "cannot be taken" not in refused(app)


def test_accelerators_are_whole_and_another_number_than_the_file_s_is_said_beside_them(visit):
    app = priced(visit, price="2.5/gpu-h")
    held = app.session_state[keys.HELD]
    run = replace(held.shown[0], conditions=Conditions(accelerator_count=16))
    app.session_state[keys.HELD] = replace(held, shown=(run,))
    count = keys.of(keys.PRICE_COUNT, run.id)
    app = calm(app.run())
    assert app.number_input(key=count).value == 16
    app = calm(app.number_input(key=count).set_value(2.5).run())
    assert 'Accelerators: "2.5" cannot be taken. Give a whole number from 1 to 1,000,000' in refused(app)
    app = calm(app.number_input(key=count).set_value(8.0).run())
    assert asked(app).counts == ((run.id, 8),)
    assert f"The file says 16: every cost of {run.label} counts 8" in words(app)


def test_a_currency_that_is_none_says_so_and_changes_nothing(visit):
    app = priced(visit, price="20/h")
    app = calm(app.text_input(key=keys.PRICE_CURRENCY).set_value("1$").run())
    assert 'Currency: "1$" cannot be taken. Give a currency in three letters, such as KRW' in refused(app)
    into = keys.of(keys.TERMS, "into")
    app = calm(app.text_input(key=into).set_value("usd").run())
    assert 'Currency of the costs: "USD" cannot be taken. The price is in USD already' in refused(app)
    assert (asked(app).price.currency, asked(app).price.exchange, app.text_input(key=into).value) == ("USD", None, "")


def test_owned_hardware_is_still_chosen_after_a_look_at_another_page_and_says_what_lacks(visit):
    app = priced(visit)
    calm(app.segmented_control(key=keys.PRICE_WAY).set_value("owned").run())
    calm(app.segmented_control(key=keys.PRICE_PER).set_value("whole").run())
    calm(field(app, keys.OWNED, "capex").set_value(300_000.0).run())
    app = at_page(at_page(app, "data"), "plan")
    assert [app.segmented_control(key=key).value for key in (keys.PRICE_WAY, keys.PRICE_PER)] == ["owned", "whole"]
    for name, value in {"years": 4.0, "power_kw": 10.2}.items():
        field(app, keys.OWNED, name).set_value(value)
    shown = words(calm(app.run()))
    lacks = "Without electricity: the price of a kWh is not given, so that every cost is at least this"
    assert f"Amounts in USD. {lacks}" in shown
    assert "The power of the hardware is given, and the price of a kWh is not" in shown
    calm(field(app, keys.OWNED, "tariff").set_value(0.12).run())
    assert "of a kWh is not" not in words(app)


def test_an_amount_that_a_currency_is_put_on_is_said_not_to_be_converted(visit):
    app = press(visit(lang="en", price="20/h"), keys.SAMPLE)
    said = "The amount stands as it was and is now read in KRW"
    assert said not in words(app)
    calm(app.text_input(key=keys.PRICE_CURRENCY).set_value("KRW").run())
    assert (asked(app).price.amount, asked(app).price.currency) == (20.0, "KRW")
    assert said in words(app)
    calm(field(app, keys.PRICE_AMOUNT).set_value(28_000.0).run())
    assert said not in words(app)
