"""Percentiles and means of per-request records, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import Place
from core.model.metric import Metric
from core.normalise.records import QUANTILES, exact, requests_of, statistics_of
from core.normalise.units import seconds
from tests.normalise.raw_build import array, records

HERE = Place("r.jsonl")


def test_percentiles_are_interpolated_between_order_statistics():
    # Position of quantile q in n sorted values is q (n - 1): for 1, 2, 3, 4 that is 3 q.
    found = exact(array(4.0, 1.0, 3.0, 2.0))
    by_hand = {0.05: 1.15, 0.1: 1.3, 0.25: 1.75, 0.5: 2.5, 0.75: 3.25, 0.9: 3.7, 0.95: 3.85, 0.99: 3.97, 0.999: 3.997}
    assert found.quantiles == pytest.approx(by_hand, rel=1e-12)
    assert tuple(found.quantiles) == QUANTILES
    assert found.rule == "linear"


def test_mean_and_sd_are_of_the_population():
    # Squared distances from the mean 2.5: 2.25 + 0.25 + 0.25 + 2.25 = 5; over 4, not 3.
    found = exact(array(1.0, 2.0, 3.0, 4.0))
    assert (found.mean, found.sd, found.n) == (2.5, pytest.approx(np.sqrt(1.25)), 4)


def test_one_request_has_every_percentile_and_no_spread():
    found = exact(array(0.7))
    assert set(found.quantiles.values()) == {0.7}
    assert found.sd == 0.0


def test_no_value_is_no_statistic():
    assert exact(array(np.nan, np.nan)) is None
    assert exact(array()) is None


def test_only_good_requests_count():
    requests, gaps, _ = requests_of(records([1.0, 2.0, 90.0], [2.0, 3.0, 95.0], good=[True, True, False]), HERE)
    found = statistics_of(requests, gaps)
    assert found[Metric.TTFT].mean == 1.5
    assert found[Metric.TTFT].n == 2
    assert found[Metric.E2E].mean == 2.5


def test_tpot_is_the_time_after_the_first_token_over_the_further_tokens():
    # (3.0 - 1.0) / (11 - 1) = 0.2; one token has no further one.
    requests, _, _ = requests_of(records([1.0, 1.0], [3.0, 1.0], tokens=[11.0, 1.0]), HERE)
    assert requests.tpot_s[0] == pytest.approx(0.2)
    assert np.isnan(requests.tpot_s[1])


def test_a_files_own_tpot_is_kept():
    requests, _, _ = requests_of(records([100.0], [300.0], unit="ms", tpot=array(7.0)), HERE)
    assert requests.tpot_s[0] == pytest.approx(0.007)


def test_itl_rests_on_requests_not_on_gaps():
    gaps = array(*[0.01] * 19, 0.5)
    requests, found_gaps, _ = requests_of(records([1.0, 1.0], [2.0, 2.0], gaps=gaps), HERE)
    itl = statistics_of(requests, found_gaps)[Metric.ITL]
    assert itl.n == 2
    assert itl.mean == pytest.approx((19 * 0.01 + 0.5) / 20)


def test_a_missing_metric_is_absent():
    requests, gaps, _ = requests_of(records([np.nan, np.nan], [2.0, 3.0]), HERE)
    assert set(statistics_of(requests, gaps)) == {Metric.E2E}


@pytest.mark.parametrize(("unit", "factor"), [("s", 1.0), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)])
def test_every_unit_becomes_seconds(unit, factor):
    assert seconds(0.25 * factor, unit) == pytest.approx(0.25, rel=1e-15)
    requests, _, _ = requests_of(records([0.25 * factor], [1.5 * factor], unit=unit), HERE)
    assert requests.ttft_s[0] == pytest.approx(0.25)
    assert requests.e2e_s[0] == pytest.approx(1.5)


def test_an_unknown_unit_is_an_error_of_the_caller():
    with pytest.raises(ValueError, match="fortnight"):
        seconds(1.0, "fortnight")


@pytest.mark.parametrize("broken", [{"unit": "fortnight"}, {"tpot": array(1.0)}])
def test_records_that_do_not_fit_together_are_a_finding(broken):
    requests, gaps, findings = requests_of(records([1.0, 2.0], [2.0, 3.0], **broken), HERE)
    assert requests is None
    assert gaps.size == 0
    assert [finding.code for finding in findings] == ["records.malformed"]


def test_impossible_times_are_left_out_and_told():
    requests, gaps, findings = requests_of(records([-1.0, 1.0, 1.0], [2.0, 3.0, 0.5]), HERE)
    assert [finding.code for finding in findings] == ["records.implausible"]
    assert "2 of 3" in str(findings[0].what)
    # The negative TTFT is unknown; the third request ends before its first token, so it has no TPOT.
    assert statistics_of(requests, gaps)[Metric.TTFT].n == 2
    assert statistics_of(requests, gaps)[Metric.TPOT].n == 1


def test_two_million_requests_take_no_python_loop():
    rng = np.random.default_rng(7)
    ttft = rng.exponential(0.2, 2_000_000)
    requests, gaps, _ = requests_of(records(ttft, ttft + 1.0), HERE)
    found = statistics_of(requests, gaps)[Metric.TTFT]
    # The q quantile of an exponential is -mean ln(1 - q).
    assert found.quantiles[0.99] == pytest.approx(-0.2 * np.log(0.01), rel=0.01)
