"""Columns that hold something else than their header says, each told from its nearest innocent neighbour."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.check.checks import check_run
from core.check.copies import with_copies
from core.model.metric import Metric
from core.model.run import Conditions
from core.model.stage import Statistics
from tests.check.run_build import TOKENS, run, stage, statistics

LOADS = (2, 4, 8, 16, 32)


def codes(found):
    return {finding.code for finding in check_run(found)}


def with_metrics(change, loads=LOADS, **more):
    """A clean run with the statistics of each level changed by `change(stage)`."""
    levels = [stage(load) for load in loads]
    return run(*(replace(s, statistics={**s.statistics, **change(s)}) for s in levels), **more)


def scaled(found: Statistics, factor: float) -> Statistics:
    return replace(
        found,
        mean=found.mean * factor,
        sd=found.sd * factor,
        quantiles={q: value * factor for q, value in found.quantiles.items()},
    )


@pytest.mark.parametrize(("share", "said"), [(1.0, True), (0.9995, True), (0.99, False)])
def test_a_first_token_that_comes_with_the_last_was_not_measured(share, said):
    found = with_metrics(lambda s: {Metric.TTFT: scaled(s.statistics[Metric.E2E], share)})
    assert ("ttft.equals_e2e" in codes(found)) is said


def test_an_answer_of_one_token_has_its_first_token_at_the_end():
    levels = [replace(stage(load), output_tokens_mean=1.0) for load in LOADS]
    same = [replace(s, statistics=dict.fromkeys((Metric.TTFT, Metric.E2E), s.statistics[Metric.E2E])) for s in levels]
    assert "ttft.equals_e2e" not in codes(run(*same))


def test_a_first_token_after_the_end_is_an_error():
    found = with_metrics(lambda s: {Metric.TTFT: scaled(s.statistics[Metric.E2E], 1.01)})
    assert "latency.ttft_above_e2e" in codes(found)


@pytest.mark.parametrize(
    ("factor", "median", "said"),
    [(0.48, 4e-5, True), (0.55, 4e-5, True), (0.7, 4e-5, False), (0.35, 4e-5, False), (0.48, None, True)],
)
def test_half_of_the_time_per_token_with_an_empty_median_is_two_events_a_token(factor, median, said):
    def halved(s):
        itl = s.statistics[Metric.ITL]
        mean = s.statistics[Metric.TPOT].mean * factor
        return {Metric.ITL: replace(itl, mean=mean, quantiles={0.99: mean * 4} | ({0.5: median} if median else {}))}

    assert ("itl.counted_twice" in codes(with_metrics(halved))) is said


def test_half_of_the_time_per_token_with_a_usual_median_is_no_double_count():
    def halved(s):
        mean = s.statistics[Metric.TPOT].mean * 0.5
        return {Metric.ITL: replace(s.statistics[Metric.ITL], mean=mean, quantiles={0.5: mean, 0.99: mean * 4})}

    assert "itl.counted_twice" not in codes(with_metrics(halved))


def test_what_explains_the_identity_stands_in_its_place():
    found = with_metrics(lambda s: {Metric.TPOT: scaled(s.statistics[Metric.TPOT], 1 / s.load)})
    assert "tpot.of_system" in codes(found)
    assert "latency.identity" not in codes(found)


def test_one_factor_at_every_load_is_not_the_time_of_the_whole_server():
    found = with_metrics(lambda s: {Metric.TPOT: scaled(s.statistics[Metric.TPOT], 1 / 8)})
    assert "tpot.of_system" not in codes(found)


def test_a_time_per_token_in_other_units_is_seen_behind_a_long_first_token():
    levels = [stage(load, ttft=5.0) for load in LOADS]
    found = run(
        *(replace(s, statistics={**s.statistics, Metric.TPOT: scaled(s.statistics[Metric.TPOT], 1e-3)}) for s in levels)
    )
    assert "unit.factor_1000" in codes(found)


def test_itl_and_tpot_in_each_others_place():
    swap = {Metric.ITL: Metric.TPOT, Metric.TPOT: Metric.ITL}
    swapped = with_metrics(lambda s: {metric: s.statistics[other] for metric, other in swap.items()})
    assert "itl.swapped" not in codes(swapped)
    wide = statistics(0.02, spread=0.6)
    narrow = replace(statistics(0.02, spread=0.1), quantiles={0.5: 0.02, 0.99: 0.022})
    assert "itl.swapped" in codes(with_metrics(lambda _: {Metric.TPOT: wide, Metric.ITL: narrow}))
    assert "itl.swapped" not in codes(with_metrics(lambda _: {Metric.TPOT: narrow, Metric.ITL: wide}))


def test_an_unknown_scope_of_ttft_is_said_once():
    found = [f.code for f in check_run(run(conditions=Conditions(model="m")))]
    assert found.count("ttft.scope_unknown") == 1
    assert "ttft.scope_unknown" not in codes(run())


@pytest.mark.parametrize(
    ("change", "said"),
    [(1.0, False), (1.14, False), (1.2, True), (1 / 8, True), (0.86, False)],
)
def test_tokens_per_second_follow_from_requests_and_length(change, said):
    levels = [replace(s, output_tok_s=s.achieved_rate * TOKENS * change) for s in map(stage, LOADS)]
    assert ("rate.tokens_disagree" in codes(run(*levels))) is said


def test_tokens_per_accelerator_are_named_as_such():
    levels = [replace(s, output_tok_s=s.achieved_rate * TOKENS / 8) for s in map(stage, LOADS)]
    found = check_run(run(*levels, conditions=Conditions(model="m", accelerator_count=8)))
    (told,) = [f for f in found if f.code == "rate.tokens_disagree"]
    assert "8" in str(told.fix)


@pytest.mark.parametrize(("factor", "said"), [(1.0, False), (1.1, False), (60.0, True), (0.5, True)])
def test_a_rate_follows_from_its_count_and_duration(factor, said):
    levels = [replace(s, duration_s=s.duration_s * factor) for s in map(stage, LOADS)]
    assert ("rate.count_disagrees" in codes(run(*levels))) is said


def at_rate(load, asked_share, **more):
    s = stage(load, **more)
    return replace(s, asked_concurrency=None, asked_rate=s.achieved_rate / asked_share)


@pytest.mark.parametrize(("share", "said"), [(0.99, False), (0.6, True)])
def test_requests_that_were_due_and_are_in_no_count(share, said):
    told = {"requests_sent": None, "requests_failed": None, "requests_cut_off": None}
    levels = [replace(at_rate(load, share), **told) for load in LOADS]
    assert ("sample.vanished" in codes(run(*levels))) is said


@pytest.mark.parametrize(("share", "said"), [(1.0, False), (0.93, False), (0.6, True)])
def test_a_rate_that_was_missed_while_nobody_waited_was_not_sent(share, said):
    # By chance a thousand Poisson arrivals miss their rate by six per cent once in twenty times.
    levels = [at_rate(load, share, ttft=0.1, tpot=0.01) for load in LOADS]
    assert ("load.client_limited" in codes(run(*levels))) is said


@pytest.mark.parametrize(("faster", "said"), [(0.5, True), (1.2, False)])
def test_failures_that_make_a_level_look_faster(faster, said):
    *others, last = [stage(load) for load in LOADS]
    failed = replace(last, requests_good=600, requests_failed=400)
    quick = {metric: scaled(found, faster) for metric, found in failed.statistics.items()}
    assert ("sample.survivors" in codes(run(*others, replace(failed, statistics=quick)))) is said


def test_a_column_of_concurrency_that_holds_the_rate():
    levels = [replace(s, asked_concurrency=s.achieved_rate, achieved_concurrency=None) for s in map(stage, LOADS)]
    assert "load.looks_like_rate" in codes(run(*levels))
    assert "load.looks_like_rate" not in codes(run())


def test_a_level_copied_under_another_load():
    *others, last = [stage(load) for load in LOADS]
    copied = replace(last, statistics=others[-1].statistics)
    assert "copy.between_levels" in codes(run(*others, copied))
    assert "copy.between_levels" not in codes(run())


def test_a_row_copied_to_another_configuration_is_said_of_both():
    one, other = run(), run(stage(2, tpot=0.03), stage(4, tpot=0.04), stage(8), id="n", label="n")
    first, second = with_copies([one, other])
    for found, name in ((first, "n"), (second, "m")):
        (told,) = [f for f in found.findings if f.code == "copy.between_runs"]
        assert name in str(told.what)
    clean = with_copies([one, run(stage(2, tpot=0.03), id="n", label="n")])
    assert not any(f.code == "copy.between_runs" for found in clean for f in found.findings)
