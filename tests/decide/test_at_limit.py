"""What is yielded at the limit: the doubt of a rate's curve and the doubt of where the limit lies, added as squares."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decide.at_limit import at_limit
from core.decide.point import point_at
from core.fit.fit import fit_stages
from core.model.answer import Capacity, Interval, Status
from core.model.metric import Metric
from core.model.target import parse_target
from core.pipeline import answer_run
from tests.decide.test_throughput import levels
from tests.present.builders import run_of

RATES = ("output_tok_s", "total_tok_s", "input_tok_s", "req_s")
RISING = levels([10.0, 20.0, 40.0, 80.0, 160.0])
FULL = levels([10.0, 20.0, 20.0, 20.0, 20.0])


def within(low, mid, high):
    return Capacity(
        status=Status.WITHIN, concurrency=Interval(low=low, mid=mid, high=high), safe=int(low or 0), binding=None
    )


def test_a_rate_in_proportion_to_the_load_is_as_unsure_as_the_load_and_its_curve():
    """Ten requests/s for each in flight: at 4 to 16 in flight around 8 it is 40 to 160 around 80, ln 2 to each side."""
    fit = fit_stages(RISING)
    point, own = at_limit(fit, within(4.0, 8.0, 16.0), ()), point_at(fit, 8.0, ())
    for name in RATES:
        found, curve = getattr(point, name), getattr(own, name)
        assert found.mid == curve.mid
        assert math.log(found.mid / found.low) == pytest.approx(
            math.hypot(math.log(2.0), math.log(curve.mid / curve.low))
        )
        assert math.log(found.high / found.mid) == pytest.approx(
            math.hypot(math.log(2.0), math.log(curve.high / curve.mid))
        )
    assert point.at == 8.0
    assert point.tok_s_user == own.tok_s_user


def test_a_rate_that_stands_still_is_as_sure_as_its_curve():
    fit = fit_stages(FULL)
    point, own = at_limit(fit, within(2.0, 4.0, 8.0), ()), point_at(fit, 4.0, ())
    for name in RATES:
        found, curve = getattr(point, name), getattr(own, name)
        assert (found.low, found.mid, found.high) == pytest.approx((curve.low, curve.mid, curve.high))


def test_a_rate_that_falls_with_load_is_unsure_downwards_only():
    """20 requests/s at 4 in flight and fewer at 8: more may be carried, and then it yields less."""
    fit = fit_stages(levels([20.0, 20.0, 20.0, 10.0, 5.0]))
    point, own = at_limit(fit, within(4.0, 4.0, 8.0), ()).req_s, point_at(fit, 4.0, ()).req_s
    assert math.log(point.mid / point.low) == pytest.approx(math.hypot(math.log(2.0), math.log(own.mid / own.low)))
    assert point.high == pytest.approx(own.high)


@pytest.mark.parametrize("high", [None, 16.1], ids=["open", "beyond the largest level"])
def test_where_the_range_is_open_nothing_is_said_of_the_highest_rate(high):
    point = at_limit(fit_stages(RISING), within(4.0, 8.0, high), ())
    for name in RATES:
        assert getattr(point, name).high is None
        assert getattr(point, name).low > 0.0


def test_where_not_one_may_be_carried_the_rate_may_be_nothing():
    point = at_limit(fit_stages(RISING), within(0.0, 2.0, 4.0), ())
    assert (point.req_s.low, point.req_s.mid) == (0.0, pytest.approx(20.0))
    assert point.req_s.high > 40.0


def test_without_an_estimate_there_is_no_point():
    fit = fit_stages(RISING)
    carried = Capacity(
        status=Status.AT_LEAST, concurrency=Interval(low=16.0, mid=None, high=None), safe=16, binding=None
    )
    untold = Capacity(status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=None)
    assert at_limit(fit, carried, ()) is at_limit(fit, untold, ()) is None


def test_the_answer_holds_both_the_safe_number_at_a_chosen_load_and_the_estimate_at_the_limit():
    run, target = run_of(stages=RISING), parse_target("tpot mean <= 2.5ms")
    answer = answer_run(run, (target,), None)
    fit = fit_stages(RISING)
    assert answer.at_capacity == point_at(fit, float(answer.capacity.safe), (target,))
    assert answer.at_estimate == at_limit(fit, answer.capacity, (target,))
    assert answer.at_estimate.metrics[f"{Metric.TPOT.value} mean"].mid == pytest.approx(0.0025, rel=1e-6)


@given(
    loads=st.tuples(*[st.floats(1.0, 16.0)] * 3).map(sorted),
    rates=st.lists(st.floats(1.0, 500.0), min_size=5, max_size=5),
)
def test_the_limit_is_never_surer_than_a_load_that_one_chooses(loads, rates):
    fit = fit_stages(levels(rates))
    point, own = at_limit(fit, within(*loads), ()).req_s, point_at(fit, loads[1], ()).req_s
    assert point.mid == own.mid
    assert point.low <= own.low * (1 + 1e-9)
    assert point.high >= own.high * (1 - 1e-9)
    # And it holds what the curve says at every load of the range.
    over = fit.rates_over("req_s", fit.sweep.load[(fit.sweep.load >= loads[0]) & (fit.sweep.load <= loads[2])])
    assert (over.mid >= point.low * (1 - 1e-9)).all()
    assert (over.mid <= point.high * (1 + 1e-9)).all()
