"""One raw level becomes one stage: what is derived, and what stays unknown."""

from __future__ import annotations

import numpy as np
import pytest

from core.ingest.raw import RawLevel, Reading
from core.model.metric import Metric
from core.normalise.level import family, level_of
from tests.normalise.raw_build import array, file, level, readings, records, summary


def stage_of(raw):
    return level_of(raw, file(raw, name="f.json")).stage


def codes_of(raw):
    return [finding.code for finding in level_of(raw, file(raw, name="f.json")).findings]


def test_milliseconds_become_seconds_and_nothing_is_filled_in():
    stage = stage_of(level(readings=readings("ms", ttft_mean=250.0, ttft_p99=900.0, ttft_p99_9=1200.0)))
    ttft = stage.statistics[Metric.TTFT]
    assert ttft.mean == 0.25
    assert ttft.quantiles == pytest.approx({0.99: 0.9, 0.999: 1.2})
    assert (ttft.sd, ttft.n, ttft.rule) == (None, None, "given")
    assert Metric.TPOT not in stage.statistics
    assert stage.value(Metric.TTFT, "p50") is None


def test_what_a_file_does_not_say_stays_unknown():
    stage = stage_of(RawLevel(place=level().place))
    known = {"achieved_rate", "achieved_concurrency", "requests_failed", "requests_sent"}
    known |= {"duration_s", "output_tok_s", "total_tok_s", "input_tokens_mean", "load", "requests_cut_off"}
    assert {name: getattr(stage, name) for name in known} == dict.fromkeys(known)


def test_the_good_requests_are_the_sample_unless_the_file_says_otherwise():
    told = readings(ttft_p99=1.0, itl_p99=0.1, e2e_p99=2.0)
    stage = stage_of(
        level(readings=told, requests_good=25, sample_n={Metric.ITL: 25_575, Metric.E2E: 24}),
    )
    n = {metric: found.n for metric, found in stage.statistics.items()}
    # Gaps come in clusters, one per request: 25575 gaps of 25 requests are 25 observations.
    assert n == {Metric.TTFT: 25, Metric.ITL: 25, Metric.E2E: 24}


def test_a_reading_nobody_knows_is_left_out_with_a_finding():
    strange = (
        Reading(Metric.TTFT, "p99", 1.0, "jiffies", "a"),
        Reading(Metric.TTFT, "p50", float("nan"), "s", "b"),
        Reading(Metric.TTFT, "max", 1.0, "s", "c"),
        Reading(Metric.TTFT, "mean", 0.5, "s", "d"),
    )
    raw = level(readings=strange)
    assert stage_of(raw).statistics[Metric.TTFT].quantiles == {}
    assert stage_of(raw).statistics[Metric.TTFT].mean == 0.5
    assert codes_of(raw) == ["statistic.unreadable"] * 3


def test_records_win_over_the_summary_beside_them():
    raw = level(
        requests=records([1.0, 3.0], [2.0, 4.0]),
        readings=readings(ttft_mean=2.5, ttft_p90=9.0, itl_mean=0.05),
        requests_good=2,
    )
    stage = stage_of(raw)
    assert stage.value(Metric.TTFT, "mean") == 2.0
    assert stage.value(Metric.TTFT, "p90") == pytest.approx(2.8)
    # The records say nothing about gaps, so the file's own figure is kept.
    assert stage.statistics[Metric.ITL].rule == "given"
    assert codes_of(raw) == ["records.disagree"]


@pytest.mark.parametrize(("told", "expected"), [(2.03, []), (2.05, ["records.disagree"]), (1.95, ["records.disagree"])])
def test_two_per_cent_of_the_mean_is_agreement(told, expected):
    raw = level(requests=records([1.0, 3.0], [2.0, 4.0]), readings=readings(ttft_mean=told))
    assert codes_of(raw) == expected


def test_the_rate_is_good_requests_over_the_window():
    stage = stage_of(level(requests_good=90, duration_s=30.0, output_tokens_mean=50.0, input_tokens_mean=10.0))
    assert stage.achieved_rate == 3.0
    # 3 requests/s of 50 and of 60 tokens.
    assert (stage.output_tok_s, stage.total_tok_s) == (150.0, 180.0)


def test_a_files_own_rates_are_kept_as_given():
    stage = stage_of(level(requests_good=90, duration_s=30.0, request_rate=2.9, output_tok_s=140.0, total_tok_s=170.0))
    assert (stage.achieved_rate, stage.output_tok_s, stage.total_tok_s) == (2.9, 140.0, 170.0)


def test_the_window_and_the_load_come_from_start_times():
    # Sends at 0 and 1, ends at 2 and 4: three seconds and two in flight over a span of four.
    stage = stage_of(level(requests=records([0.5, 0.5], [2.0, 3.0], start=[0.0, 1.0])))
    assert stage.duration_s == 4.0
    assert stage.achieved_rate == 0.5
    assert stage.achieved_concurrency == 5.0 / 4.0


def test_tokens_of_good_requests_give_the_mean_length():
    stage = stage_of(
        level(requests=records([1.0] * 3, [2.0] * 3, tokens=[10.0, 20.0, 900.0], good=[True, True, False]))
    )
    assert stage.output_tokens_mean == 15.0


def test_in_flight_is_rate_times_stay():
    assert stage_of(level(request_rate=8.0, readings=readings(e2e_mean=0.5))).achieved_concurrency == 4.0
    assert stage_of(level(request_rate=8.0, measured_concurrency=3.5)).achieved_concurrency == 3.5


def test_an_open_loop_without_e2e_is_placed_by_the_identity_and_says_so():
    raw = level(
        None,
        asked_rate=2.0,
        request_rate=2.0,
        output_tokens_mean=11.0,
        readings=readings(ttft_mean=0.5, tpot_mean=0.05),
    )
    # 0.5 + 10 x 0.05 = 1 s in the system, at 2 requests/s.
    assert stage_of(raw).load == pytest.approx(2.0)
    assert codes_of(raw) == ["load.from_identity"]


def test_a_closed_loop_needs_no_identity():
    raw = level(request_rate=2.0, output_tokens_mean=11.0, readings=readings(ttft_mean=0.5, tpot_mean=0.05))
    assert stage_of(raw).achieved_concurrency is None
    assert codes_of(raw) == []


def test_zeros_of_a_level_where_all_failed_are_no_latencies():
    stage = stage_of(level(requests_good=0, requests_sent=8, readings=readings("ms", ttft_mean=0.0, ttft_p99=0.0)))
    assert stage.statistics == {}
    assert stage.requests_good == 0


def test_the_importers_values_are_not_changed():
    raw = summary(4, requests=records([1.0], [2.0]))
    before = raw.requests.ttft.copy()
    stage_of(raw)
    assert np.array_equal(raw.requests.ttft, before)


def test_one_tools_file_kinds_are_one_family():
    assert {family(name) for name in ("aiperf", "aiperf_csv", "aiperf_jsonl", "aiperf_records")} == {"aiperf"}
    assert family("vllm_bench") == "vllm_bench"


COUNTS = [
    ({"requests_sent": 80, "requests_good": 67, "requests_failed": 13}, (80, 67, 13, 0)),
    ({"requests_sent": 80, "requests_good": 67, "requests_cut_off": 3}, (80, 67, 10, 3)),
    ({"requests_sent": 80, "requests_good": 80}, (80, 80, 0, 0)),
    # Thirteen are lost, and nobody says whether they failed or were cut off.
    ({"requests_sent": 80, "requests_good": 67}, (80, 67, None, None)),
    ({"requests_good": 67, "requests_failed": 13, "requests_cut_off": 0}, (80, 67, 13, 0)),
    ({"requests_good": 67, "requests_failed": 13}, (None, 67, 13, None)),
    ({"requests_good": 67}, (None, 67, None, None)),
    ({}, (None, None, None, None)),
]


@pytest.mark.parametrize(("told", "expected"), COUNTS)
def test_counts_are_completed_only_where_they_follow(told, expected):
    stage = stage_of(level(**told))
    assert (stage.requests_sent, stage.requests_good, stage.requests_failed, stage.requests_cut_off) == expected


def test_bad_rows_in_the_records_are_counted():
    good, cut = [True, True, False, False], np.array([False, False, False, True])
    stage = stage_of(level(requests=records([1.0] * 4, [2.0] * 4, good=good, cut_off=cut)))
    assert (stage.requests_sent, stage.requests_good, stage.requests_failed, stage.requests_cut_off) == (4, 2, 1, 1)


def test_a_log_of_good_rows_alone_does_not_prove_that_none_failed():
    stage = stage_of(level(requests=records([1.0] * 4, [2.0] * 4)))
    assert (stage.requests_good, stage.requests_failed) == (4, None)
    complete = stage_of(level(requests=records([1.0] * 4, [2.0] * 4), requests_sent=4))
    assert complete.requests_failed == 0


def test_records_that_cannot_be_read_leave_the_summary():
    broken = records([1.0, 2.0], [2.0, 3.0], tpot=array(1.0))
    raw = level(requests=broken, readings=readings(ttft_mean=1.4))
    assert stage_of(raw).value(Metric.TTFT, "mean") == 1.4
    assert stage_of(raw).requests is None
