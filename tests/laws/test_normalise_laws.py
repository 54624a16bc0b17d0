"""Laws of normalising: units, order, copies and percentiles, whatever the data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.model.metric import Metric
from core.normalise.level import level_of
from core.normalise.records import QUANTILES, exact
from core.normalise.runs import runs_of
from tests.normalise.raw_build import codes, file, level, records, summary

FACTORS = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
times = st.floats(1e-4, 1e3)
values = st.lists(times, min_size=1, max_size=60)
lives = st.lists(st.tuples(times, times, st.integers(1, 500), st.booleans()), min_size=1, max_size=40)


def recorded(rows, unit="s", **more):
    factor = FACTORS[unit]
    ttft = np.array([first for first, _, _, _ in rows])
    e2e = ttft + np.array([rest for _, rest, _, _ in rows])
    start = np.arange(len(rows)) * 0.25
    requests = records(
        ttft * factor,
        e2e * factor,
        unit=unit,
        start=start * factor,
        tokens=[tokens for _, _, tokens, _ in rows],
        good=[good for _, _, _, good in rows],
    )
    return level(requests=requests, **more)


def figures(stage):
    """Every number of a stage, by name."""
    found = {name: getattr(stage, name) for name in ("achieved_rate", "achieved_concurrency", "duration_s")}
    found |= {name: getattr(stage, name) for name in ("requests_good", "requests_failed", "output_tokens_mean")}
    for metric, statistics in stage.statistics.items():
        found |= {(metric, "mean"): statistics.mean, (metric, "sd"): statistics.sd, (metric, "n"): statistics.n}
        found |= {(metric, q): value for q, value in statistics.quantiles.items()}
    return found


def close(one, other):
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert other[name] == (None if value is None else pytest.approx(value, rel=1e-9, abs=1e-12)), name


@given(lives, st.sampled_from(["ms", "us", "ns"]))
def test_a_file_in_another_unit_gives_the_same_stage(rows, unit):
    one, other = (level_of(raw, file(raw, name="f")).stage for raw in (recorded(rows), recorded(rows, unit)))
    close(figures(one), figures(other))


@given(values)
def test_percentiles_rise_with_their_fraction_within_the_values(seconds):
    found = exact(np.array(seconds))
    quantiles = [found.quantiles[q] for q in QUANTILES]
    assert quantiles == sorted(quantiles)
    slack = 1e-12 * max(seconds)
    assert min(seconds) - slack <= quantiles[0]
    assert quantiles[-1] <= max(seconds) + slack
    assert min(seconds) - slack <= found.mean <= max(seconds) + slack


@given(values, st.floats(0.0, 1e3))
def test_one_more_slow_request_never_makes_a_percentile_faster(seconds, extra):
    before = exact(np.array(seconds))
    after = exact(np.array([*seconds, max(seconds) + extra]))
    for q in QUANTILES:
        assert after.quantiles[q] >= before.quantiles[q] * (1.0 - 1e-12)


@given(values, st.floats(1e-3, 1e3))
def test_percentiles_scale_with_their_values(seconds, factor):
    one, other = exact(np.array(seconds)), exact(np.array(seconds) * factor)
    for q in QUANTILES:
        assert other.quantiles[q] == pytest.approx(one.quantiles[q] * factor, rel=1e-9)


@given(lives)
def test_failed_requests_change_no_percentile(rows):
    good = [row for row in rows if row[3]]
    one = level_of(recorded(rows), file(name="f")).stage
    if not good:
        assert one.statistics == {}
        return
    other = level_of(recorded(good), file(name="f")).stage
    assert {m: s.quantiles for m, s in one.statistics.items()} == {m: s.quantiles for m, s in other.statistics.items()}


def sweeps():
    """Files of up to two models at a few levels, some of them measured twice."""
    one = st.tuples(st.sampled_from("ab"), st.sampled_from([2, 4, 8]), st.integers(50, 150))
    return st.lists(one, min_size=1, max_size=8, unique=True)


def files_of(drawn):
    return [
        file(summary(n, float(ttft), conditions={"model": model}, name=f"{model}{n}-{ttft}.json"))
        for model, n, ttft in drawn
    ]


def told(runs):
    return sorted(
        (run.id, run.label, sorted(codes(run)), [(s.load, s.replicates, figures(s)) for s in run.stages])
        for run in runs
    )


@settings(max_examples=40)
@given(sweeps(), st.randoms(use_true_random=False))
def test_the_order_of_files_changes_nothing_but_the_order_of_runs(drawn, random):
    files = files_of(drawn)
    shuffled = files.copy()
    random.shuffle(shuffled)
    assert told(runs_of(shuffled)) == told(runs_of(files))


@settings(max_examples=40)
@given(sweeps(), st.data())
def test_a_file_dropped_in_twice_changes_nothing_but_findings(drawn, data):
    files = files_of(drawn)
    again = data.draw(st.sampled_from(files))
    one, other = runs_of(files), runs_of([*files, replace(again, name=f"zz/{again.name}")])
    assert [[(s.load, s.replicates, figures(s)) for s in run.stages] for run in one] == [
        [(s.load, s.replicates, figures(s)) for s in run.stages] for run in other
    ]
    assert sum(codes(run).count("ingest.duplicate_file") for run in other) == 1


@given(lives.filter(lambda rows: any(row[3] for row in rows)), st.booleans())
def test_summary_and_records_of_one_run_are_one_stage(rows, records_first):
    detailed = recorded(rows, run_key="k", name="r.jsonl")
    stage = level_of(detailed, file(detailed)).stage
    short = summary(4, stage.value(Metric.TTFT, "mean") * 1e3, run_key="k", name="s.json", duration_s=None)
    files = [file(detailed, format_id="aiperf_records"), file(short, format_id="aiperf")]
    (run,) = runs_of(files if records_first else files[::-1])
    (found,) = run.stages
    assert found.replicates == 1
    assert found.statistics[Metric.TTFT] == stage.statistics[Metric.TTFT]
    assert found.requests_good == stage.requests_good


@settings(max_examples=40)
@given(sweeps())
def test_levels_are_in_ascending_order_of_load(drawn):
    for run in runs_of(files_of(drawn)):
        loads = [stage.load for stage in run.stages]
        assert loads == sorted(set(loads))
