"""Each check fires where its law is broken, just beyond its threshold, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.check.checks import check_run, excluded_by_rule
from core.model.finding import Severity
from core.model.metric import Metric
from core.model.run import Kind
from core.model.stage import Statistics
from tests.check.run_build import changed, run, stage, statistics

INFO, WARNING, ERROR = Severity.INFO, Severity.WARNING, Severity.ERROR


def found(of):
    return {finding.code: finding for finding in check_run(of)}


def codes(of):
    return {code: finding.severity for code, finding in found(of).items()}


def out(of):
    return {stage.load: stage.excluded for stage in excluded_by_rule(of).stages if stage.excluded}


def test_a_clean_sweep_has_no_finding_but_its_uneven_requests():
    # 1000 requests are 500 a slot at 2 and 31 at 32.
    assert codes(run()) == {"load.requests_rule": INFO}
    even = run(*(stage(load, n=300 * load) for load in (2, 4, 8, 16, 32)))
    assert codes(even) == {}
    assert out(even) == {}


@pytest.mark.parametrize(
    ("share", "severity"),
    [(0.951, None), (0.94, INFO), (0.901, INFO), (0.89, WARNING), (0.751, WARNING), (0.74, ERROR), (1.26, ERROR)],
)
def test_littles_law_is_noted_warned_of_and_refused(share, severity):
    clean = stage(8)
    broken = changed(8, achieved_rate=clean.achieved_rate * share)
    finding = found(broken).get("load.littles_law")
    assert (finding.severity if finding else None) == severity
    assert out(broken) == ({8.0: "load.littles_law"} if severity is ERROR else {})


def test_littles_law_is_not_held_against_a_level_of_few_requests():
    few = changed(8, requests_good=39, requests_sent=39, achieved_rate=stage(8).achieved_rate * 0.7)
    assert out(few) == {}
    assert found(few)["load.short_level"].severity is WARNING
    assert "load.littles_law" not in found(few)


def test_littles_law_falls_back_on_what_was_in_flight():
    statistics = {m: s for m, s in stage(8).statistics.items() if m is not Metric.E2E}
    assert out(changed(8, statistics=statistics, achieved_concurrency=4.5)) == {8.0: "load.littles_law"}


def test_littles_law_is_silent_where_requests_failed():
    failed = changed(8, requests_failed=100, achieved_rate=stage(8).achieved_rate * 0.7)
    assert "load.littles_law" not in found(failed)


def test_a_client_that_sent_fewer_requests_than_slots_never_reached_the_level():
    short = run(*(stage(load, n=400) for load in (2, 4, 8, 16, 1024)))
    assert out(short) == {1024.0: "load.never_reached"}
    assert "400 at 1024" in str(found(short)["load.never_reached"].what)


def test_the_row_that_gave_itself_away_by_littles_law_is_kept_out():
    # A published table: X R / N = 0.376 at "1024", and no request count beside it.
    row = stage(1024)
    table = run(
        *(stage(n) for n in (64, 128, 256, 512)),
        replace(row, achieved_rate=row.achieved_rate * 0.376, requests_good=None),
    )
    assert out(table) == {1024.0: "load.littles_law"}
    assert "38 %" in str(found(table)["load.littles_law"].what)


@pytest.mark.parametrize("factor", [1000.0, 0.001])
def test_a_column_in_another_unit_is_found_by_every_law_it_breaks(factor):
    clean = stage(8).statistics[Metric.E2E]
    broken = changed(8, Metric.E2E, mean=clean.mean * factor)
    told = [f for f in check_run(broken) if f.code == "unit.factor_1000"]
    # By Little's law, by the identity, and by the jump between levels.
    assert len(told) == 3
    assert {f.severity for f in told} == {ERROR}


def test_a_whole_column_in_another_unit_shows_against_the_identity():
    stages = [
        replace(s, statistics={**s.statistics, Metric.TPOT: statistics(s.value(Metric.TPOT, "mean") * 1000.0)})
        for s in (stage(load) for load in (2, 4, 8))
    ]
    told = found(run(*stages))["unit.factor_1000"]
    assert "TTFT + (tokens - 1) x TPOT" in str(told.what)
    assert "latency.identity" not in found(run(*stages))


def test_a_queue_that_grows_with_load_is_no_unit_mistake():
    stages = [stage(1, ttft=0.01), stage(64, ttft=3.2)]
    assert "unit.factor_1000" not in found(run(*stages))


@pytest.mark.parametrize(("share", "fires"), [(1.09, False), (1.12, True), (0.92, False), (0.88, True)])
def test_e2e_is_ttft_and_tpot_within_ten_per_cent(share, fires):
    clean = stage(8).value(Metric.E2E, "mean")
    # The rate moves along, so that Little's law holds.
    moved = changed(8, Metric.E2E, mean=clean * share)
    assert ("latency.identity" in found(moved)) is fires


def test_percentiles_out_of_order_are_an_error():
    swapped = changed(8, Metric.TTFT, quantiles={0.5: 0.2, 0.9: 0.5, 0.99: 0.4})
    assert found(swapped)["latency.percentile_order"].severity is ERROR


def test_a_mean_above_p99_is_told():
    assert found(changed(8, Metric.TTFT, quantiles={0.99: 0.1}))["latency.mean_above_p99"].severity is WARNING


def test_no_spread_at_all_is_told_unless_simulated():
    flat = changed(8, Metric.TTFT, sd=0.0)
    assert found(flat)["latency.no_spread"].severity is WARNING
    assert "latency.no_spread" not in found(replace(flat, kind=Kind.SIMULATED))
    single = changed(8, statistics={Metric.TTFT: Statistics(mean=1.0, sd=0.0, n=1)})
    assert "latency.no_spread" not in found(single)


@pytest.mark.parametrize(
    ("n", "code"),
    [(99, "sample.too_few_for_quantile"), (100, "sample.weak_quantile"), (299, "sample.weak_quantile"), (300, None)],
)
def test_p99_needs_a_hundred_requests_and_three_hundred_to_be_firm(n, code):
    told = found(run(*(stage(load, n=n) for load in (2, 4, 8, 16))))
    assert {c for c in told if c.startswith("sample.")} == ({code} if code else set())


def test_levels_with_too_few_requests_are_listed_once():
    told = found(run(*(stage(load, n=40) for load in (2, 4, 8))))["sample.too_few_for_quantile"]
    assert "p99 at 2, 4, 8 (40 requests)" in str(told.what)


def test_a_level_where_nothing_came_back_is_kept_out():
    dead = changed(32, requests_good=0, requests_failed=80, statistics={}, achieved_rate=None)
    assert out(dead) == {32.0: "sample.none_completed"}
    assert found(dead)["sample.none_completed"].severity is ERROR


@pytest.mark.parametrize(("failed", "severity"), [(10, None), (11, WARNING), (111, WARNING), (120, ERROR)])
def test_failures_are_told_from_one_per_cent(failed, severity):
    finding = found(changed(8, requests_failed=failed)).get("sample.failed_requests")
    assert (finding.severity if finding else None) == severity


def test_unknown_failures_are_not_counted_as_none_or_as_some():
    assert "sample.failed_requests" not in found(changed(8, requests_failed=None))


def test_requests_that_were_cut_off_are_told():
    assert found(changed(8, requests_cut_off=50))["sample.cut_off"].severity is WARNING
    assert "sample.cut_off" not in found(changed(8, requests_cut_off=5))


def warmed(ratio, levels=(2, 4, 8, 16, 32)):
    first = stage(levels[0], ttft=stage(levels[1]).value(Metric.TTFT, "mean") * ratio)
    return run(first, *(stage(load) for load in levels[1:]))


def test_a_slow_first_level_is_warm_up_and_kept_out():
    assert out(warmed(1.11)) == {2.0: "sweep.warm_up"}
    assert found(warmed(1.11))["sweep.warm_up"].severity is WARNING
    assert out(warmed(1.09)) == {}


def test_of_four_levels_none_is_given_away_as_warm_up():
    assert out(warmed(2.0, levels=(2, 4, 8, 16))) == {}


def test_a_level_that_a_person_took_out_keeps_their_reason():
    warm = warmed(1.5)
    person = replace(warm, stages=(replace(warm.stages[0], excluded="cold cache"), *warm.stages[1:]))
    assert out(person) == {2.0: "cold cache"}
    assert "sweep.warm_up" not in found(person)


def test_checking_twice_or_after_the_rules_finds_the_same():
    for broken in (warmed(1.5), changed(8, achieved_rate=1.0), changed(32, requests_good=0)):
        ruled = excluded_by_rule(broken)
        assert check_run(ruled) == check_run(broken)
        assert out(ruled) == out(broken)


def at_rate(load, rate):
    """The clean sweep with one level at another rate, its E2E by Little's law."""
    told = {**stage(load).statistics, Metric.E2E: statistics(load / rate)}
    return changed(load, achieved_rate=rate, statistics=told)


def test_throughput_that_falls_is_noted_and_then_warned_of():
    def last(share):
        return at_rate(32, stage(16).achieved_rate * share)

    assert "sweep.throughput_falls" not in found(last(0.96))
    assert found(last(0.94))["sweep.throughput_falls"].severity is INFO
    assert found(last(0.88))["sweep.throughput_falls"].severity is WARNING


def test_throughput_that_falls_and_recovers_is_an_unstable_host():
    told = found(at_rate(16, stage(8).achieved_rate * 0.81))
    assert told["sweep.unstable"].severity is WARNING
    assert "-19 %" in str(told["sweep.unstable"].what)


def test_throughput_cannot_grow_faster_than_load():
    slow = changed(4, achieved_rate=stage(4).achieved_rate * 0.9)
    assert found(slow)["sweep.superlinear"].severity is INFO


def test_latency_that_falls_beyond_chance_is_told():
    faster = stage(4).value(Metric.TTFT, "mean") * 0.85
    assert "TTFT: 8" in str(found(changed(8, Metric.TTFT, mean=faster))["sweep.latency_falls"].what)


def test_latency_that_falls_within_chance_is_not():
    # Relative sd 1 of 40 requests: a standard error of 1.5 / sqrt(40) = 24 % at each level.
    noisy = replace(stage(4).statistics[Metric.TTFT], sd=0.1, n=40)
    low = stage(4, statistics={Metric.TTFT: replace(noisy, mean=0.1)})
    high = stage(8, statistics={Metric.TTFT: replace(noisy, mean=0.05)})
    assert "sweep.latency_falls" not in found(run(stage(2), low, high))


def test_e2e_that_falls_alone_means_other_work():
    shorter = at_rate(32, 32 / (stage(16).value(Metric.E2E, "mean") * 0.8))
    assert found(shorter)["sweep.different_work"].severity is WARNING
    assert "sweep.latency_falls" not in found(shorter)


def test_different_lengths_at_different_levels_are_told():
    assert "sweep.lengths_differ" in found(changed(32, output_tokens_mean=112.0))
    assert "sweep.lengths_differ" not in found(changed(32, output_tokens_mean=110.0))


@pytest.mark.parametrize(("count", "severity"), [(0, ERROR), (1, WARNING), (2, WARNING), (3, None)])
def test_fewer_than_three_levels_allow_no_estimate(count, severity):
    few = run(*(stage(load) for load in (2, 4, 8)[:count])) if count else replace(run(), stages=())
    finding = found(few).get("sweep.few_levels")
    assert (finding.severity if finding else None) == severity


def opened(rate, achieved, load, e2e=1.0, duration=100.0, **more):
    told = {"asked_concurrency": None, "asked_rate": rate, "achieved_rate": achieved, "achieved_concurrency": load}
    return stage(load, duration_s=duration, **(told | {"statistics": {Metric.E2E: statistics(e2e)}} | more))


def test_a_rate_that_was_not_achieved_is_saturated_not_fast():
    told = found(run(opened(5.0, 4.95, 5.0), opened(10.0, 9.8, 12.0, 1.2), opened(20.0, 12.0, 200.0, 17.0)))
    assert told["load.saturated"].severity is WARNING
    assert "12 of 20 requests/s" in str(told["load.saturated"].what)


def test_the_last_stay_of_a_short_run_is_no_saturation():
    # 8 s of sending at 5/s and 1 s for the last request: 40 requests in 9 s are 4.44/s.
    assert "load.saturated" not in found(run(opened(5.0, 40.0 / 9.0, 4.4, duration=9.0)))


def test_a_generator_that_sent_too_little_is_the_limit_itself():
    told = found(run(opened(183.0, 104.0, 300.0, 2.9, applied_rate=107.0)))
    assert told["load.client_limited"].severity is WARNING
    assert "58 %" in str(told["load.client_limited"].what)
    assert "load.saturated" not in told


def test_an_itl_column_under_the_name_of_tpot_is_told():
    same = [replace(s, statistics={**s.statistics, Metric.ITL: s.statistics[Metric.TPOT]}) for s in run().stages]
    assert found(run(*same))["itl.equals_tpot"].severity is WARNING


def test_means_alone_that_are_equal_are_no_copy():
    stages = []
    for each in run().stages:
        mean = each.value(Metric.TPOT, "mean")
        only_means = {Metric.ITL: Statistics(mean=mean), Metric.TPOT: Statistics(mean=mean)}
        stages.append(replace(each, statistics={**each.statistics, **only_means}))
    assert "itl.equals_tpot" not in found(run(*stages))


def test_a_p99_tpot_twice_that_of_both_neighbours_is_told():
    spike = changed(8, Metric.TPOT, quantiles={0.5: 0.011, 0.99: 0.05})
    assert "At load 8" in str(found(spike)["itl.as_tpot"].what)


def test_several_tokens_in_one_piece_are_told():
    chunked = changed(8, Metric.ITL, mean=stage(8).value(Metric.TPOT, "mean") * 2.9, quantiles={})
    assert found(chunked)["itl.chunks"].severity is WARNING
    assert "2.9" in str(found(chunked)["itl.chunks"].what)


def test_the_gravest_findings_come_first():
    broken = changed(8, achieved_rate=0.1)
    order = [finding.severity for finding in check_run(broken)]
    assert order == sorted(order, key=[ERROR, WARNING, INFO].index)


def test_every_finding_says_where_what_and_so_what():
    broken = [changed(8, achieved_rate=0.1), warmed(1.5), changed(8, requests_failed=500), changed(32, requests_good=0)]
    for of in broken:
        for finding in check_run(of):
            assert str(finding.where)
            assert not str(finding.what).endswith(".")
            assert finding.consequence
            assert finding.fix


def test_a_run_of_nothing_known_does_not_fail():
    bare = stage(
        4, statistics={}, achieved_rate=None, achieved_concurrency=None, requests_good=None, requests_sent=None
    )
    assert set(found(run(bare))) == {"sweep.few_levels"}
    unplaced = replace(bare, asked_concurrency=None, excluded="load.unknown")
    assert set(found(run(unplaced))) == {"sweep.few_levels"}


@pytest.mark.parametrize(("sd", "said"), [(0.001, True), (0.02, False)])
def test_a_spread_that_no_values_can_have(sd, said):
    # p10 and p90 are 100 ms apart: a tenth on either side makes a standard deviation of 22 ms at least.
    odd = Statistics(mean=0.1, sd=sd, n=1000, quantiles={0.1: 0.05, 0.5: 0.1, 0.9: 0.15, 0.99: 0.2})
    level = changed(8, statistics={**stage(8).statistics, Metric.TTFT: odd})
    assert ("latency.impossible_spread" in codes(level)) is said


def test_the_first_level_is_no_warm_up_where_a_lower_one_was_left_out():
    slow = stage(2, ttft=5.0)
    others = [stage(load) for load in (4, 8, 16, 32)]
    assert out(run(slow, *others)) == {2.0: "sweep.warm_up"}
    assert out(run(replace(stage(1), excluded="by hand"), slow, *others)) == {1.0: "by hand"}
