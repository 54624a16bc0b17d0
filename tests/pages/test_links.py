"""The address of a page: readable, complete, and harmless whatever stands in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.metric import Metric
from core.model.target import Target
from pages.parts.choices import METRICS, STATISTICS, changed_row, first_row, statistics_of, units_of
from pages.parts.links import Ask, Row, from_params, row_from, row_of, to_params

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


@given(st.lists(rows, max_size=5, unique=True))
def test_any_targets_survive_the_link(some):
    default = Ask(rows=(TTFT,))
    assert from_params(to_params(Ask(rows=tuple(some))), default).rows == (tuple(some) or default.rows)


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
