"""A fleet in words, tables and charts: the number first, its doubt, and nothing that Plotly or a reader cannot take."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import pandas as pd
import plotly.graph_objects as go
import pytest

from core.fleet.served import Served
from core.model.answer import Capacity, Status, TargetAnswer, TrafficAnswer
from core.model.fleet import ApiPrice, Fleet
from core.model.owned import Owned
from core.model.run import Kind
from core.model.traffic import Profile, Traffic
from core.present.fleet_budget import budget_notes
from core.present.fleet_charts import day_figure, growth_figure
from core.present.fleet_document import fleet_document
from core.present.fleet_files import cautions_file, numbers_file, ways_file
from core.present.fleet_how import fleet_hows
from core.present.fleet_said import fleet_said
from core.present.fleet_tables import break_even_texts, cautions_table, day_table, fleet_rows, fleet_table, ways_table
from core.present.fleet_waterfall import waterfall_figure
from core.present.fleet_words import fleet_words, scaling_note, stacked_texts, token_gap
from core.present.tables import safe_csv
from tests.fleet.fleet_build import DAY, PRICE, answer, concurrent, plan, rate, users
from tests.present.builders import TPOT_P99, run_of

RICH = Fleet(
    curve=DAY,
    growth=0.05,
    ahead=6,
    burst=1.5,
    ceiling=0.8,
    spares=1,
    zones=3,
    out_share=0.02,
    node=16,
    reserved=1.5,
    owned=Owned(capex=30_000.0, years=4.0),
    api=ApiPrice(input=0.5, output=1.5, cached=0.1),
    budget=100_000.0,
)


def test_the_number_comes_first_with_its_range_then_the_money():
    said = fleet_words(plan(concurrent(400)))
    assert said.first == "10 replicas for 400 concurrent requests (range 8–13)"
    assert said.money == "$146,000 ($117,000–$190,000) a month"
    assert said.lines[0] == "Within TTFT p99 ≤ 500 ms"
    assert said.lines[1] == "80 (64–104) accelerators · At most 40 requests at once in each"
    one = fleet_words(plan(concurrent(1))).first
    assert one == "1 replica for 1 concurrent request (the same over the whole range)"


def test_what_cannot_be_told_says_why_and_what_to_do():
    said = fleet_words(plan(users(400)))
    assert not said.told
    assert "how long users pause between requests is not given" in said.first
    assert said.fix


def test_a_mix_that_nobody_can_tell_is_named_as_the_cause_beside_what_was_measured():
    # 40 are safe as measured; what was typed has no number, of one target that is not carried over.
    untold = Capacity(
        status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=TPOT_P99, reasons=("traffic.tail_unlike",)
    )
    per_target = (TargetAnswer(target=TPOT_P99, capacity=untold),)
    mix = Traffic(
        profiles=(
            Profile(input_tokens=9000.0, output_tokens=400.0, share=3.0),
            Profile(input_tokens=500.0, output_tokens=4000.0, share=1.0),
        )
    )
    own = TrafficAnswer(traffic=mix, differences=(), capacity=untold, per_target=per_target)
    said = fleet_words(plan(concurrent(400), served=(Served(answer=answer(for_traffic=own)),)))
    assert (
        said.first == "Replicas for 400 concurrent requests: cannot tell, there is no safe number for your own traffic"
    )
    assert said.fix.startswith(
        "For your traffic (6,875 in, 1,300 out, 2 kinds of requests): Cannot tell TPOT p99: it follows how lengths vary"
    )
    assert "would be answered: at most 40 requests at once in each." in said.fix
    # Without a number for what was measured either, the mix is not to blame.
    bare = answer(for_traffic=own, capacity=untold, per_target=per_target)
    said = fleet_words(plan(concurrent(400), served=(Served(answer=bare),)))
    assert said.first.endswith("cannot tell, there is no safe number")
    assert said.fix == "The Plan page says what to measure next"
    # Nor does one that carries nothing hide that the measured requests are carried.
    nothing = replace(untold, status=Status.WITHIN, safe=0, reasons=())
    none = answer(for_traffic=replace(own, capacity=nothing))
    said = fleet_words(plan(concurrent(400), served=(Served(answer=none),)))
    assert said.first.endswith("not one request of your own traffic can be promised within the targets")
    assert "at most 40 requests at once in each. Relax a target" in said.fix


def test_a_simulated_run_is_a_candidate():
    run = replace(answer().run, kind=Kind.SIMULATED)
    assert "candidate" in fleet_words(plan(concurrent(4), served=(Served(answer=answer(run=run)),))).caution


def test_each_stacked_pair_is_named_with_what_it_adds():
    texts = stacked_texts(plan(concurrent(400), Fleet(ceiling=0.5)))
    assert len(texts) == 1
    # 400 / 40 / 0.5 = 20: ten more, 10 * 20 * 730.
    assert texts[0].endswith("Dropping the utilisation ceiling alone saves replicas: 10, $146,000 a month")


def test_what_a_second_caution_costs_is_what_dropping_it_saves_and_its_row_is_a_step():
    # 400 / 40 / 0.8 = 12.5, 13 at work; in three zones 20: losing seven leaves 13. Without the ceiling 10, 15: five
    # fewer, 5 * 20 * 730. Its step in the table, before the zones, is 13 - 10.
    found = plan(concurrent(400), Fleet(ceiling=0.8, zones=3))
    texts = stacked_texts(found)
    assert texts[0].endswith("Dropping the utilisation ceiling alone saves replicas: 5, $73,000 a month")
    assert texts[1].startswith("The table of the cautions is a stack: each row is a step")
    table = cautions_table(found).set_index("Caution")
    assert table.loc["Utilisation ceiling", "On top of those above"] == "+3"
    # Where both are the same number, nothing has to be said of steps.
    assert not [text for text in stacked_texts(plan(concurrent(400), Fleet(ceiling=0.5))) if "a stack" in text]


def test_a_range_that_ends_at_the_plan_says_why_once():
    said = "The range of the replicas ends at the number planned: the plan already covers the unfavourable end"
    # 130 over 40 are four, over 50 three, over 32 five; 125 over 40 four, over 50 three, over 32 four.
    assert fleet_words(plan(concurrent(125))).first.endswith("(range 3–4)")
    assert fleet_words(plan(concurrent(125))).lines.count(said) == 1
    assert said not in fleet_words(plan(concurrent(130))).lines
    assert said not in fleet_words(plan(concurrent(1))).lines


def test_two_pairs_with_the_same_caution_on_top_give_its_number_once():
    texts = stacked_texts(plan(concurrent(400), Fleet(ceiling=0.5, growth=0.05, ahead=6)))
    assert len(texts) == 2
    assert sum("a month" in text.rsplit(":", 1)[1] for text in texts) == 1
    assert texts[1].endswith(": the same replicas, counted once")


def test_a_budget_says_what_it_is_held_against_and_which_other_way_is_within_it():
    # Ten replicas at 20 an hour: 146,000 a month, 117,000 to 190,000; reserved at 0.50 of 2.50 a fifth of it.
    notes = budget_notes(plan(concurrent(400), Fleet(reserved=0.5, budget=50_000.0)))
    assert notes == (
        "The budget is held against: Rented, fixed",
        "Another way to pay is within the budget: Reserved, all of it; the table of the ways to pay has it",
    )
    notes = budget_notes(plan(concurrent(400), Fleet(reserved=2.0, budget=50_000.0, ceiling=0.8, spares=1)))
    assert notes == (
        "What the replicas carry is what is left after: Utilisation ceiling, Spare replicas",
        "The budget is held against: Rented, fixed",
    )


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("fleet", [Fleet(), RICH, replace(RICH, growth=0.0, node=None)])
@pytest.mark.parametrize("demand", [concurrent(400), rate(100), users(4000)])
def test_everything_is_said_and_drawn_in_each_language(language, fleet, demand):
    found = plan(demand, fleet, think_s=30.0)
    said = fleet_words(found, language)
    texts = [said.first, said.money, *said.lines, *stacked_texts(found, language), *break_even_texts(found, language)]
    texts += [fleet_said(fleet, "USD", language), scaling_note(found, language) or ""]
    texts += [part for how in fleet_hows(found, 30.0, language) for part in (how.name, how.formula, how.result)]
    assert not [text for text in texts if "{" in text or "None" in text or "nan" in text]
    for frame in (cautions_table(found, language), fleet_table(found, language), ways_table(found, language)):
        assert len(frame) > 0
        assert not frame.isin(["None", "nan", ""]).to_numpy().any()
    for figure in (waterfall_figure(found, language), day_figure(found, language), growth_figure(found, language)):
        if figure is not None:
            go.Figure(figure.chart.to_dict())  # Plotly's own rules
            assert figure.alt
            assert len(figure.table) > 0
    if language == "ko":
        assert any("\uac00" <= letter <= "\ud7a3" for letter in said.first)


def test_the_table_of_the_day_is_what_the_chart_shows():
    found = plan(concurrent(320), Fleet(curve=DAY, start_s=0.0))
    table = day_table(found)
    assert table["Perfect autoscaler"].tolist() == [2, 2, 4, 8, 6, 2]
    assert table["Hour"].tolist() == [0, 4, 8, 12, 16, 20]
    steps = next(trace for trace in day_figure(found).chart.data if trace.name == "perfect autoscaler (a bound)")
    assert list(steps.y) == [2, 2, 2, 2, 4, 4, 8, 8, 6, 6, 2, 2]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_number_of_the_table_and_every_way_to_pay_says_how_with_its_values(language):
    found = plan(rate(100), RICH)
    hows = {how.name: how for how in fleet_hows(found, 30.0, language)}
    assert not [name for name, how in hows.items() if not how.values]  # noqa: PD011 - no array
    texts = {row.name.render(language): row.text for row in fleet_rows(found, language)}
    shared = texts.keys() & hows.keys()
    assert {name: hows[name].result for name in shared} == {name: texts[name] for name in shared}
    # Lengths and the demand are what was asked or measured; the bill of an hour, headroom and the token stand together.
    assert len(shared) == 8
    ways = ways_table(found, language).iloc[1:]
    for name, amount in zip(ways.iloc[:, 0], ways.iloc[:, 1], strict=True):
        assert hows[name].result == amount


def test_the_bars_of_the_waterfall_end_where_the_next_begin():
    figure = waterfall_figure(plan(concurrent(400), RICH))
    (bars,) = figure.chart.data
    for at in range(len(bars.x) - 2):
        assert bars.base[at] + bars.x[at] == pytest.approx(bars.base[at + 1])
    assert bars.x[-1] == pytest.approx(bars.base[-2] + bars.x[-2])


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_label_of_the_waterfall_has_room_behind_its_bar_on_a_telephone(language):
    (bars,) = (chart := waterfall_figure(plan(concurrent(400), RICH), language).chart).data
    left, right = chart.layout.xaxis.range
    assert left == 0.0
    for start, length, text in zip(bars.base, bars.x, bars.text, strict=True):
        letters = max(map(len, unescape(text).split("<br>")))
        # 200 px of plot; a letter of a label takes 5.4 px as drawn.
        assert max(start, start + length) / right * 200 + letters * 5.4 <= 200


def test_a_file_holds_numbers_with_their_currency_and_no_sign_that_a_spreadsheet_reads():
    found = plan(concurrent(400), RICH)
    rows = numbers_file(found).set_index("Number")
    assert rows.loc["Cost per month", ["Value", "From", "To"]].tolist() == [
        found.month.mid,
        found.month.low,
        found.month.high,
    ]
    assert rows.loc["Cost per month", "Currency"] == "USD"
    assert rows.loc["Replicas", "Value"] == found.replicas.count
    assert pd.isna(rows.loc["Replicas", "Currency"])
    added = cautions_file(found)
    assert added["On top of those above"].tolist() == [each.stacked for each in found.added]
    assert ways_file(found)["A month"].tolist() == [way.month.mid for way in found.ways]
    assert not [cell for cell in safe_csv(added).replace("\n", ",").split(",") if cell.startswith("'")]


def test_a_stage_that_changes_nothing_is_none_and_no_dust_of_a_division_is_drawn():
    # 400 over 40 are ten replicas exactly: making them whole changes nothing.
    found = plan(concurrent(400))
    assert [stage.name for stage in found.effective.stages] == ["peak", "slo"]
    rows = waterfall_figure(found).table
    assert rows["Step"].tolist() == ["Highest throughput measured", "At the safe number", "In this fleet"]
    assert (rows["Adds"].dropna().abs() > 1e-6).all()


def test_the_numbers_behind_the_charts_are_numbers_with_both_ends_and_their_currency():
    found = plan(concurrent(400), RICH)
    rows = waterfall_figure(found).table.set_index("Step")
    cost = found.effective.cost
    assert rows.loc["In this fleet", ["From", "Cost of a million output tokens", "To"]].tolist() == [
        cost.low,
        cost.mid,
        cost.high,
    ]
    assert set(rows["Currency"]) == {"USD"}
    assert rows["Adds"].sum() == pytest.approx(cost.mid)
    assert rows["Times the step before"].prod() * rows["Adds"].iloc[0] == pytest.approx(cost.mid)
    assert "'" not in safe_csv(waterfall_figure(found).table)
    growth, room = growth_figure(found).table, found.growth.headroom
    assert growth["From"].tolist() == [400 * (1.0 + room.low)] * len(growth)
    assert growth["To"].tolist() == [400 * (1.0 + room.high)] * len(growth)


def test_the_doubt_about_the_rate_is_a_stage_and_stands_with_the_safe_number():
    found = plan(rate(1000))
    (pool,) = found.pools
    # 9.5 of 10 requests/s at the low end: 0.95^0.7791 = 0.9608 in nine cases of ten.
    assert pool.sure_share == pytest.approx(0.9608, abs=1e-4)
    assert "rate" in [stage.name for stage in found.effective.stages]
    assert "96.1% of its rate" in cautions_table(found)["Setting"][0]
    assert "what of its rate is sure" in next(how for how in fleet_hows(found, None) if how.name == "Replicas").formula


def test_a_document_tells_cannot_tell_and_none_apart():
    found = plan(concurrent(400), Fleet(growth=0.0))
    assert fleet_document((found,), ())["fleets"][0]["exceeded_answer"] == "no_growth"
    grows = plan(concurrent(400), Fleet(growth=0.05))
    assert fleet_document((grows,), ())["fleets"][0]["exceeded_answer"] == "month"


@pytest.mark.parametrize(("spares", "count"), [(0, 15), (1, 15), (5, 15), (6, 16)])
def test_of_spares_and_a_lost_zone_the_larger_holds_and_that_is_said(spares, count):
    # 400 over 40 are ten at work; of three zones two carry five each, which makes fifteen.
    found = plan(concurrent(400), Fleet(spares=spares, zones=3))
    assert found.replicas.count == count
    formula = next(how for how in fleet_hows(found, None) if how.name == "Replicas").formula
    zone = "one of 3 zones may be lost"
    spare = "1 spare" if spares == 1 else f"{spares} spares"
    wanted = f"the larger of {10 + spares} ({spare}) and 15 ({zone})" if spares else zone
    assert formula.endswith(f"rounded up, {wanted}")
    noted = [text for text in stacked_texts(found) if text.startswith("The spares add no replica")]
    assert len(noted) == (0 < spares < 6)
    assert all(f"would be {10 + spares}, " in text and "there are 15, " in text for text in noted)


def test_money_without_the_price_of_a_kwh_says_that_electricity_is_not_in_it():
    bare = Owned(capex=30_000.0, years=4.0, power_kw=1.0)
    price = replace(PRICE, owned=bare, amount=bare.per_hour)
    said = "Without electricity: the price of a kWh is not given, so that every cost is at least this"
    assert said in fleet_words(plan(concurrent(400), price=price)).lines
    bought = "Bought hardware is counted without electricity: the price of a kWh is not given"
    assert bought in fleet_words(plan(concurrent(400), Fleet(owned=bare))).lines
    whole = replace(bare, tariff=0.1)
    found = plan(concurrent(400), Fleet(owned=whole), price=replace(price, owned=whole, amount=whole.per_hour))
    assert not [line for line in fleet_words(found).lines if "electricity" in line]


def test_why_a_token_has_no_cost_is_the_reason_that_holds():
    of = answer()
    # Nothing says that the service's own requests have the lengths of those measured.
    unlike = TrafficAnswer(traffic=Traffic(users=5.0), differences=(), capacity=of.capacity, per_target=())
    own = replace(of, for_traffic=unlike)
    mute = replace(of, at_capacity=replace(of.at_capacity, output_tok_s=None))
    for served, price, why in (
        (of, None, "no price is given"),
        (own, PRICE, "your own requests have other lengths or cache hits than the measured ones"),
        (mute, PRICE, "the files give no output tokens per second"),
        (
            replace(of, run=run_of(levels=(8.0,), accelerator_count=None)),
            PRICE,
            "nobody said how many accelerators there are",
        ),
    ):
        found = plan(concurrent(400), price=price, served=(Served(answer=served),))
        assert token_gap(found).render().startswith(f"What a token costs is unknown: {why}")
        assert (token_gap(found).render() in fleet_words(found).lines) == (found.month is not None)


def test_the_mean_of_an_autoscaler_can_be_checked_from_its_steps():
    found = plan(concurrent(320), Fleet(curve=DAY, start_s=3600.0))
    scaled = next(how for how in fleet_hows(found, None) if how.name == "Replicas, autoscaled")
    values = dict(scaled.values)
    # 2, 2, 4, 8, 6, 2 are 24 over six steps, 4 in the mean. 2 and 4 more start an hour of four early: 6 / 4 / 6.
    assert (values["fewest in a step"], values["most in a step"]) == ("2", "8")
    assert values["replicas of all steps together"] == "24"
    assert values["more in the mean, since one has to start before the next step"] == "+0.25"
    assert scaled.result.startswith("4.25")
