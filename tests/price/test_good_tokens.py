"""Which tokens count as good."""

from __future__ import annotations

import numpy as np
import pytest

from core.decide.inside import promised
from core.model.answer import Interval
from core.model.target import parse_target
from core.price.good import GoodShare, good_share, near
from tests.price.price_build import point, requests, run, stage

TTFT = parse_target("ttft p99 <= 500ms")
ALL_IN = requests([0.1, 0.1], [100, 100])
HALF_IN = requests([0.1, 0.9], [100, 100])


def test_a_share_is_of_tokens_not_of_requests():
    """Late is the one request with 300 of 400 output tokens and 100 of 200 input tokens."""
    level = stage(8.0, requests([0.1, 0.9], [100, 300]))
    wanted = GoodShare(output=0.25, input=0.5, total=200 / 600, requests=0.5, complete=True)
    assert good_share(run(level), point(), [TTFT]) == wanted


def test_between_two_levels_the_share_is_interpolated():
    both = run(stage(8.0, ALL_IN), stage(16.0, HALF_IN))
    assert good_share(both, point(8.0), [TTFT]).output == 1.0
    assert good_share(both, point(10.0), [TTFT]).output == pytest.approx(0.875)
    assert good_share(both, point(16.0), [TTFT]).output == 0.5


def test_where_only_one_neighbour_has_records_it_speaks_for_both():
    assert good_share(run(stage(8.0), stage(16.0, HALF_IN)), point(10.0), [TTFT]).output == 0.5
    assert good_share(run(stage(8.0, HALF_IN), stage(16.0)), point(10.0), [TTFT]).output == 0.5


def test_records_of_a_level_further_off_say_nothing():
    far = run(stage(1.0, HALF_IN), stage(8.0), stage(16.0), stage(64.0, HALF_IN))
    assert good_share(far, point(10.0), [TTFT]) == GoodShare()


def test_a_level_kept_out_of_the_fit_is_not_a_neighbour():
    both = run(stage(8.0, HALF_IN), stage(9.0, ALL_IN, excluded="stage.by_hand"), stage(16.0, HALF_IN))
    assert good_share(both, point(9.0), [TTFT]).output == 0.5


def test_where_the_promise_holds_the_share_is_not_below_it():
    kept = {"ttft p99": Interval(low=0.3, mid=0.4, high=0.5)}
    broken = {"ttft p99": Interval(low=0.5, mid=0.6, high=0.7)}
    both = run(stage(8.0, ALL_IN), stage(16.0, HALF_IN))
    assert good_share(both, point(12.0, metrics=kept), [TTFT]).output == pytest.approx(0.99)
    assert good_share(both, point(12.0, metrics=broken), [TTFT]).output == pytest.approx(0.75)


def test_a_promise_does_not_overrule_what_a_level_measured():
    kept = {"ttft p99": Interval(low=0.3, mid=0.4, high=0.5)}
    assert good_share(run(stage(8.0, HALF_IN)), point(8.0, metrics=kept), [TTFT]).output == 0.5


def test_the_highest_percentile_of_a_metric_judges_its_requests():
    targets = [TTFT, parse_target("ttft p50 <= 200ms"), parse_target("ttft mean <= 100ms")]
    assert list(promised(targets).values()) == [TTFT]


def test_a_mean_judges_no_single_request():
    level = stage(8.0, HALF_IN)
    assert good_share(run(level), point(), [parse_target("ttft mean <= 200ms")]).output == 1.0


def test_failed_requests_have_no_good_tokens_and_are_not_completed():
    level = stage(8.0, requests([0.1, 0.9, np.nan], [100, 100, 50], good=[True, True, False]))
    assert good_share(run(level), point(), [TTFT]).output == 0.5


def test_a_request_with_something_unknown_is_left_out():
    level = stage(8.0, requests([0.1, 0.9, np.nan, 0.1], [100, 100, 500, np.nan]))
    assert good_share(run(level), point(), [TTFT]).output == 0.5


def test_an_answer_of_one_token_cannot_miss_a_limit_on_gaps():
    level = stage(8.0, requests([0.1, 0.1, 0.1], [1, 100, 99], tpot_s=[np.nan, 0.01, 0.9]))
    assert good_share(run(level), point(), [parse_target("tpot p95 <= 50ms")]).output == pytest.approx(101 / 200)


def test_a_floor_on_speed_is_kept_by_fast_requests():
    level = stage(8.0, requests([0.1, 0.1], [100, 100], tpot_s=[0.02, 0.1]))
    assert good_share(run(level), point(), [parse_target("tok_s_user p95 >= 25")]).output == 0.5


def test_a_metric_that_no_record_has_is_not_judged():
    level = stage(8.0, requests([np.nan, np.nan], [100, 100]))
    assert good_share(run(level), point(), [TTFT]) == GoodShare(complete=False)


def test_near_is_none_without_any_level():
    assert near(run(), 8.0, lambda stage: 1.0) is None
