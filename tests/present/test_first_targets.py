"""The first targets ask what the files can answer."""

from __future__ import annotations

from core.model.metric import Metric
from core.model.stage import Statistics
from core.model.target import Target
from core.present.first_targets import first_targets
from tests.present.builders import run_of, stage_at


def holding(*levels):
    """A run with one level per mapping of metric to the quantiles it holds besides its mean."""
    stages = [
        stage_at(
            4.0 * (position + 1),
            statistics={
                metric: Statistics(mean=0.1, n=9, quantiles=dict.fromkeys(q, 0.2)) for metric, q in one.items()
            },
        )
        for position, one in enumerate(levels)
    ]
    return run_of(stages=stages)


TTFT, TPOT, E2E = Metric.TTFT, Metric.TPOT, Metric.E2E
ALL = (0.5, 0.9, 0.95, 0.99)


def test_the_highest_percentile_is_asked_where_it_is_held():
    assert first_targets([holding({TTFT: ALL, TPOT: ALL})]) == (Target(TTFT, "p99", 0.5), Target(TPOT, "p99", 0.05))


def test_means_are_asked_of_a_run_that_holds_means_only():
    assert first_targets([holding({TTFT: (), TPOT: ()})]) == (Target(TTFT, "mean", 0.5), Target(TPOT, "mean", 0.05))


def test_each_metric_has_its_own_statistic():
    assert first_targets([holding({TTFT: ALL, TPOT: ()})]) == (Target(TTFT, "p99", 0.5), Target(TPOT, "mean", 0.05))


def test_a_percentile_that_one_level_lacks_is_not_asked():
    assert first_targets([holding({TTFT: ALL}, {TTFT: (0.5, 0.9)})]) == (Target(TTFT, "p90", 0.5),)


def test_runs_are_asked_for_what_all_of_them_hold():
    assert first_targets([holding({TTFT: ALL}), holding({TTFT: (0.5, 0.95)})]) == (Target(TTFT, "p95", 0.5),)


def test_a_run_without_the_metric_does_not_take_it_from_the_others():
    assert first_targets([holding({TTFT: ALL, TPOT: ALL}), holding({TTFT: ALL})])[1] == Target(TPOT, "p99", 0.05)


def test_the_whole_request_is_asked_where_no_run_holds_tokens():
    assert first_targets([holding({E2E: (0.5, 0.95)})]) == (Target(E2E, "p95", 10.0),)


def test_nothing_held_asks_the_usual_two():
    usual = (Target(TTFT, "p99", 0.5), Target(TPOT, "p99", 0.05))
    assert first_targets([]) == first_targets([holding({})]) == usual


def test_a_level_that_is_left_out_does_not_lower_the_statistic():
    run = holding({TTFT: ALL})
    poor = stage_at(2.0, excluded="sweep.warm_up", statistics={TTFT: Statistics(mean=0.1, n=9)})
    assert first_targets([run_of(stages=[poor, *run.stages])]) == (Target(TTFT, "p99", 0.5),)
