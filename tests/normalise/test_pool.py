"""Runs of one level put together, with figures worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.model.finding import Severity
from core.model.metric import Metric
from core.normalise.named_apart import named_apart
from core.normalise.runs import runs_of
from tests.normalise.raw_build import codes, file, level, readings, records, summary


def pooled(*levels):
    (run,) = runs_of([file(raw, name=f"run{i}.json") for i, raw in enumerate(levels)])
    (stage,) = run.stages
    return stage, run


def test_records_are_put_together_and_stay_exact():
    stage, run = pooled(
        level(requests=records([1.0, 2.0], [2.0, 3.0]), duration_s=4.0, output_tok_s=100.0),
        level(requests=records([3.0, 4.0], [4.0, 5.0]), duration_s=8.0, output_tok_s=40.0),
    )
    assert stage.statistics[Metric.TTFT].quantiles[0.9] == pytest.approx(3.7)
    assert (stage.requests_good, stage.replicates, len(stage.requests)) == (4, 2, 4)
    # Tokens over time: (4 x 100 + 8 x 40) / 12.
    assert stage.output_tok_s == pytest.approx(60.0)
    assert stage.duration_s == 12.0
    assert codes(run) == ["pool.replicates"]


def test_executions_are_laid_behind_each_other_on_the_clock():
    stage, _ = pooled(
        level(requests=records([0.1, 0.1], [2.0, 2.0], start=[100.0, 101.0])),
        level(requests=records([0.2, 0.2], [2.0, 2.0], start=[100.5, 101.5])),
    )
    # The first ends 3 s after its start; the second starts there.
    assert stage.requests.start_s == pytest.approx([0.0, 1.0, 3.0, 4.0])
    assert stage.achieved_concurrency == pytest.approx(4.0 / 3.0)


def test_summaries_are_weighted_by_requests():
    stage, run = pooled(
        level(requests_good=100, readings=readings(ttft_mean=1.0, ttft_sd=0.2, ttft_p99=1.0)),
        level(requests_good=300, readings=readings(ttft_mean=2.0, ttft_sd=0.4, ttft_p99=4.0)),
    )
    ttft = stage.statistics[Metric.TTFT]
    assert ttft.mean == pytest.approx(1.75)
    # Within: (0.04 + 3 x 0.16) / 4 = 0.13; between: (0.5625 + 3 x 0.0625) / 4 = 0.1875.
    assert ttft.sd == pytest.approx(math.sqrt(0.13 + 0.1875))
    # exp((0 + 3 ln 4) / 4) = 4 ** 0.75
    assert ttft.quantiles[0.99] == pytest.approx(4.0**0.75)
    assert (ttft.n, ttft.rule) == (400, "pooled")
    assert "not exact" in str(run.findings[0].what)


def test_sd_and_mean_of_pooled_summaries_are_those_of_the_requests():
    rng = np.random.default_rng(3)
    parts = [rng.gamma(2.0, 1.0, n) for n in (30, 70)]
    stage, _ = pooled(
        *(level(requests_good=len(p), readings=readings(e2e_mean=p.mean(), e2e_sd=p.std())) for p in parts)
    )
    together = np.concatenate(parts)
    assert stage.statistics[Metric.E2E].mean == pytest.approx(together.mean())
    assert stage.statistics[Metric.E2E].sd == pytest.approx(together.std())


def test_a_percentile_that_one_execution_lacks_is_not_made_up():
    stage, _ = pooled(
        level(readings=readings(ttft_mean=1.0, ttft_p50=1.0, ttft_p99=3.0)),
        level(readings=readings(ttft_mean=1.2, ttft_p99=3.0)),
    )
    assert set(stage.statistics[Metric.TTFT].quantiles) == {0.99}


def partly(run):
    return [finding for finding in run.findings if finding.code == "pool.part_of_requests"]


def test_a_metric_that_only_some_executions_have_says_on_how_many_requests_it_rests():
    both, bare = readings(ttft_mean=1.0, itl_mean=0.01, itl_p99=0.02), readings(ttft_mean=1.1)
    stage, run = pooled(
        level(requests_good=20, readings=both),
        level(requests_good=100, readings=bare),
        level(requests_good=1, readings=bare),
    )
    assert (stage.requests_good, stage.statistics[Metric.ITL].n) == (121, 20)
    (told,) = partly(run)
    assert str(told.what) == "ITL rests on 20 of 121 requests at 4"
    assert told.what.render("ko") != str(told.what)
    _, whole = pooled(level(requests_good=20, readings=both), level(requests_good=100, readings=both))
    assert partly(whole) == []


def test_one_finding_lists_every_level_that_is_partly_known_and_unknown_counts_are_executions():
    both, bare = readings(ttft_mean=1.0, itl_mean=0.01), readings(ttft_mean=1.1)
    one = file(level(2.0, readings=both), level(8.0, requests_good=5, readings=both), name="run1.json")
    other = file(level(2.0, readings=bare), level(8.0, requests_good=7, readings=bare), name="run2.json")
    (run,) = runs_of([one, other])
    (told,) = partly(run)
    assert str(told.what) == "ITL rests on 1 of 2 executions at 2, 5 of 12 requests at 8"


def test_records_without_a_metric_in_one_execution_say_so_too():
    whole, lacking = records([1.0, 2.0], [2.0, 3.0]), records([np.nan, np.nan], [2.0, 3.0])
    stage, run = pooled(level(requests=whole), level(requests=lacking))
    assert stage.statistics[Metric.TTFT].n == 2 < stage.requests_good
    (told,) = partly(run)
    assert "TTFT" in str(told.what)
    assert "2 of 4 requests at 4" in str(told.what)


def test_unknown_counts_stay_unknown():
    stage, _ = pooled(
        level(requests_good=10, requests_failed=1, readings=readings(ttft_mean=1.0)),
        level(requests_good=10, readings=readings(ttft_mean=1.1)),
    )
    assert (stage.requests_good, stage.requests_failed, stage.duration_s) == (20, None, None)


def test_the_spread_of_the_means_is_kept():
    stage, _ = pooled(summary(4, 100.0, name="a.json"), summary(4, 121.0, name="b.json"))
    # sd of two values is their distance over sqrt 2.
    assert stage.replicate_spread[Metric.TTFT] == pytest.approx(math.log(1.21) / math.sqrt(2.0))
    assert stage.replicate_spread[Metric.TPOT] == pytest.approx(0.0)
    assert Metric.ITL not in stage.replicate_spread


def test_a_level_that_was_run_once_has_no_spread():
    (run,) = runs_of([file(summary(4))])
    assert run.stages[0].replicate_spread == {}
    assert run.stages[0].replicates == 1


def test_files_whose_names_differ_in_words_are_pooled_with_a_warning():
    """Two deployments whose files tell no condition apart but stand under other names."""
    names = ("vllm-2replicas_conc8.json", "llm-d-1p1d_conc8.json")
    (run,) = runs_of([file(summary(8.0, ttft_ms=100.0 + i, name=name)) for i, name in enumerate(names)])
    assert (run.findings[0].code, run.findings[0].severity) == ("pool.named_apart", Severity.WARNING)
    assert all(name in str(run.findings[0].what) for name in names)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("base-conc8-20260428-095035.json", "base-conc8-20260429-101112.json"),
        ("pass1/result.json", "pass2/result.json"),
        ("result.json", "result (1).json"),
        ("m-abc123f.json", "m-9d8e7f6.json"),
    ],
)
def test_counts_dates_and_hashes_in_names_are_no_words(one, other):
    assert named_apart([one, other]) is None
