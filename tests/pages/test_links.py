"""The address of a page: readable, complete, and harmless whatever stands in it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalogue.prices import prices
from core.model.metric import Metric
from core.model.owned import Owned
from core.model.price import Exchange, Tax
from core.model.target import Target
from core.price.terms import Terms, listed_of
from pages.parts.choices import METRICS, STATISTICS, changed_row, first_row, statistics_of, units_of
from pages.parts.links import Ask, Row, from_params, row_from, row_of, to_params
from pages.parts.links_unread import unread

TTFT = Row(metric=Metric.TTFT, statistic="p99", value=500.0, unit="ms")
TPOT = Row(metric=Metric.TPOT, statistic="p99.9", value=0.016, unit="s")
FULL = Ask(
    rows=(TTFT, TPOT),
    amount=2.5,
    per_accelerator=False,
    currency="EUR",
    counts=(("run-a~b", 16), ("run", 8)),
    think_s=0.0,
)

rows = st.builds(
    lambda metric, statistic, value, unit: Row(
        metric=metric,
        statistic=statistic if "value" not in statistics_of(metric) else "value",
        value=min(value, 100.0) if "%" in units_of(metric) else value,
        unit=units_of(metric)[unit % len(units_of(metric))],
    ),
    st.sampled_from(METRICS),
    st.sampled_from(STATISTICS),
    st.floats(0.001, 1e9).map(lambda v: float(f"{v:.12g}")),
    st.integers(0, 1),
)


def test_a_link_can_be_read_by_people():
    assert to_params(FULL) == {
        "t": ["ttft-p99-500ms", "tpot-p99.9-0.016s"],
        "price": ["2.5/h"],
        "currency": ["EUR"],
        "gpus": ["run-a~b~16", "run~8"],
        "think": ["0"],
    }


def test_a_link_restores_the_whole_question():
    assert from_params(to_params(FULL), Ask()) == FULL
    assert unread(to_params(FULL)) == ()


OWNED = Owned(capex=30_000.0, years=4.0, residual=3000.0, interest=0.08, power_kw=1.2, pue=1.3, tariff=0.12)
TERMS = Terms(
    discount=0.25,
    exchange=Exchange(quoted="USD", rate=1380.0, as_of="2026-11-02"),
    tax=Tax(rate=0.1, counted=True),
    listed=listed_of(prices()[0]),
    pools=(("run a", 8, 32),),
    power_kw=1.73,
    output_weight=3.0,
    cached_weight=0.1,
    as_of="2026-11-01",
)


@pytest.mark.parametrize("asked", [replace(FULL, terms=TERMS), Ask(rows=(TTFT,), terms=Terms(owned=OWNED))])
def test_what_goes_with_a_price_survives_the_link(asked):
    found = from_params(to_params(asked), Ask())
    assert unread(to_params(asked)) == ()
    assert found == asked
    assert found.price == asked.price


def test_owned_hardware_needs_no_amount_and_costs_what_it_comes_to():
    found = Ask(terms=Terms(owned=OWNED))
    assert found.price.amount == OWNED.per_hour
    assert to_params(found)["price"] == ["own/gpu-h"]


def test_terms_that_make_no_sense_leave_the_others():
    found = from_params({"terms": ["discount=200%", "tax=10%", "nonsense", "power=0"], "price": ["1e300/gpu-h"]}, Ask())
    assert (found.terms, found.amount) == (Terms(tax=Tax(rate=0.1)), None)


@given(st.lists(rows, max_size=5, unique=True))
def test_any_targets_survive_the_link(some):
    default = Ask(rows=(TTFT,))
    assert from_params(to_params(Ask(rows=tuple(some))), default).rows == (tuple(some) or default.rows)
    assert unread(to_params(Ask(rows=tuple(some)))) == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ttft",
        "ttft-p99",
        "ttft-p99-500",
        "ttft-p99--1ms",
        "ttft-p99-0ms",
        "ttft-p99-nanms",
        "ttft-p99-infms",
        "ttft-value-5ms",
        "x-p99-5ms",
        "ttft-p101-5ms",
        "goodput-p99-95%",
        "ttft-p99-5ms<script>",
        "ttft-p99-1e400s",
    ],
)
def test_what_cannot_be_read_is_no_target(text):
    assert row_from(text) is None


@given(st.dictionaries(st.sampled_from(["t", "price", "currency", "gpus", "think"]), st.lists(st.text(max_size=30))))
def test_no_address_breaks_the_page(params):
    asked = from_params(params, FULL)
    assert asked.rows
    assert all(target.limit > 0 for target in asked.targets)
    assert asked.amount is None or 0 < asked.amount < float("inf")


def test_the_same_promise_twice_is_one_target():
    twice = Ask(rows=(TTFT, Row(metric=Metric.TTFT, statistic="p99", value=0.5, unit="s")))
    assert twice.targets == (Target(Metric.TTFT, "p99", 0.5),)


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        (Target(Metric.TPOT, "p99", 0.016), Row(metric=Metric.TPOT, statistic="p99", value=16.0, unit="ms")),
        (Target(Metric.E2E, "p95", 12.0), Row(metric=Metric.E2E, statistic="p95", value=12.0, unit="s")),
        (Target(Metric.GOODPUT, "value", 0.95), Row(metric=Metric.GOODPUT, statistic="value", value=95.0, unit="%")),
        (Target(Metric.RTF, "p99", 1.0), Row(metric=Metric.RTF, statistic="p99", value=1.0, unit="")),
    ],
)
def test_a_target_is_typed_the_way_people_say_it(target, shown):
    assert row_of(target) == shown
    assert shown.target == target


def test_another_unit_keeps_the_promise():
    changed = changed_row(TTFT, Metric.TTFT, "p99", "s")
    assert (changed.value, changed.unit) == (0.5, "s")
    assert changed.target == TTFT.target


def test_another_metric_starts_from_its_own_limit():
    assert changed_row(TTFT, Metric.GOODPUT, "p99", "ms") == first_row(Metric.GOODPUT)


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_has_a_first_target(metric):
    assert first_row(metric).target.metric is metric


def test_what_a_link_says_in_vain_is_named_and_the_rest_holds():
    wrong = {"terms": ["discount=100%", "discount=10%"], "t": ["ttft-p99-500ms", "ttft-fast"], "fleet": ["spares=many"]}
    assert unread(wrong) == ("ttft-fast", "discount=100%", "spares=many")
    assert from_params(wrong, Ask()).terms.discount == 0.1
    assert unread({"t": ["x" * 500] * 50}) == ("x" * 60,) * 5
