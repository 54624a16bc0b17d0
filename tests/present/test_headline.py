"""The sentence of the first screen: golden texts, written by hand from UI.md and the contract."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import Place
from core.model.answer import Capacity, Interval, Status, TargetAnswer
from core.model.metric import Metric
from core.model.price import Price
from core.model.run import Kind
from core.model.stage import Stage, Statistics
from core.model.target import Target
from core.present.headline import headline, one_line
from core.present.stopped import stop_text
from core.present.users import active_users
from tests.present.builders import NEXT, TPOT_P99, TTFT_P99, WITHIN, answer_of, cost_of, run_of, stage_at

AT_LEAST = Capacity(
    status=Status.AT_LEAST, concurrency=Interval(low=512.0, mid=None, high=None), safe=512, binding=TTFT_P99
)
BELOW = Capacity(status=Status.BELOW, concurrency=Interval(low=None, mid=None, high=4.0), safe=None, binding=TTFT_P99)
PRICE = Price(amount=0.66, per_accelerator=True)


def test_the_number_comes_first_then_its_doubt_its_reason_its_cost_and_its_source():
    said = headline(answer_of(cost=cost_of()), users=497.2, price=PRICE)
    assert said.number == "41"
    assert said.safe == "41 concurrent requests, safely (about 500 active users)"
    assert said.estimate == "estimate 47, range 36–53"
    assert said.stopped_by == "stopped by TTFT p99"
    assert said.cost == "$0.83 per million output tokens ($0.78–$0.90)"
    assert said.source == "gpt-oss-120b · 16 × GB200 · vLLM · measured 8 levels 4–512"
    assert said.caution is None
    assert "one chance in ten that it is too much" in said.tooltip


def test_without_a_think_time_no_user_is_counted():
    assert headline(answer_of()).safe == "41 concurrent requests, safely"


def test_one_request_is_not_in_the_plural():
    assert headline(answer_of(capacity=replace(WITHIN, safe=1))).safe == "1 concurrent request, safely"


def test_a_safe_number_of_zero_promises_nothing():
    said = headline(answer_of(capacity=replace(WITHIN, safe=0)))
    assert said.safe == "Not one request can be promised within the targets"
    assert said.number == "0"


def test_a_range_that_is_open_above_says_so():
    open_above = replace(WITHIN, concurrency=Interval(low=360.0, mid=470.0, high=None))
    said = headline(answer_of(capacity=open_above)).estimate
    assert said == "estimate 470, range 360 or more: its upper end was not measured"


def test_an_estimate_without_its_range_is_not_shown():
    assert (
        headline(answer_of(capacity=replace(WITHIN, concurrency=Interval(low=None, mid=47.0, high=None)))).estimate
        is None
    )


def test_at_least_names_the_highest_load_measured():
    said = headline(answer_of(capacity=AT_LEAST))
    assert said.number == "≥ 512"
    assert said.safe == "At least 512 concurrent requests (the highest load measured)"
    assert said.estimate is None
    assert said.stopped_by == "no target was missed at any load measured"


def test_below_names_the_lowest_load_measured_and_has_no_cost():
    said = headline(answer_of(capacity=BELOW), price=PRICE)
    assert said.number == "< 4"
    assert said.safe == "Below 4 concurrent requests (the lowest load measured)"
    assert said.stopped_by == "no measured load keeps TTFT p99 ≤ 500 ms"
    assert said.cost == "no safe number: no cost"


def untold_answer(reasons=("sample.too_few_for_quantile",), supported=None, concurrency=None, stages=None, **changes):
    capacity = Capacity(
        status=Status.CANNOT_TELL,
        concurrency=concurrency,
        safe=None,
        binding=TTFT_P99,
        reasons=reasons,
        supported=supported,
    )
    thin = {Metric.TTFT: Statistics(n=40, quantiles={0.99: 0.3})}
    stages = stages or [stage_at(load, good=40, statistics=thin) for load in (4.0, 8.0, 16.0)]
    return answer_of(run_of(stages=stages), capacity, **changes)


def test_a_percentile_of_too_few_requests_says_how_many_what_holds_and_what_to_run():
    p95 = Target(Metric.TTFT, "p95", 0.5)
    supported = Capacity(
        status=Status.WITHIN, concurrency=Interval(low=11.0, mid=14.0, high=18.0), safe=12, binding=p95
    )
    said = headline(untold_answer(supported=supported, next_measurement=NEXT))
    assert said.number == "?"
    assert said.safe == (
        "Cannot tell TTFT p99: it rests on 40 requests and is in effect the largest of them. "
        "TTFT p95 holds up to 12 concurrent requests. To know, run 400 requests at concurrency 8."
    )
    assert said.cost == "no price given: no cost"


def test_two_levels_around_the_limit_give_the_bracket():
    said = headline(untold_answer(("levels.bracket_only",), concurrency=Interval(low=8.0, mid=None, high=32.0)))
    assert said.safe == (
        "Cannot tell TTFT p99: fewer than three levels tell it, and the limit lies between two of them. "
        "The limit lies between 8 and 32 concurrent requests."
    )


def test_a_reason_that_is_not_in_the_list_still_reads():
    said = headline(untold_answer(("moon.full",)))
    assert said.safe == "Cannot tell TTFT p99: the data do not support it (moon.full)."


def test_the_cause_is_that_of_the_target_that_cannot_be_told():
    """The set carries the reasons of all its targets; only the untold one's explain the verdict."""
    untold = replace(untold_answer(("sample.no_such_statistic",)).capacity)
    other = TargetAnswer(target=TPOT_P99, capacity=replace(WITHIN, binding=TPOT_P99, reasons=("curve.flat",)))
    whole = replace(untold, reasons=("curve.flat", "sample.no_such_statistic"))
    answer = answer_of(capacity=whole, per_target=(other, TargetAnswer(target=TTFT_P99, capacity=untold)))
    assert headline(answer).safe.startswith("Cannot tell TTFT p99: no level gives it. ")


def test_an_upper_bound_names_its_unit_and_the_target_that_gives_it():
    """TPOT cannot be told; TTFT allows 27.45 at most: that is no value of TPOT, and no more than 27 whole requests."""
    untold = Capacity(
        status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=TPOT_P99, reasons=("sample.no_such_statistic",)
    )
    told = replace(WITHIN, concurrency=Interval(low=20.0, mid=24.0, high=27.95))
    whole = replace(untold, concurrency=Interval(low=None, mid=None, high=27.95))
    per_target = (TargetAnswer(target=TTFT_P99, capacity=told), TargetAnswer(target=TPOT_P99, capacity=untold))
    answer = answer_of(capacity=whole, per_target=per_target)
    assert headline(answer).safe == (
        "Cannot tell TPOT p99: no level gives it. No more than 27 concurrent requests in any case, because of TTFT p99."
    )
    assert headline(answer, "ko").safe == (
        "TPOT p99 알 수 없음: 이 값이 있는 부하 단계가 없습니다. "
        "어떤 경우에도 최대 동시 요청 27개입니다(TTFT p99 때문)."
    )


@pytest.mark.parametrize(
    ("high", "said"),
    [(None, "in any case, because of TTFT p99."), (64.0, "in any case, because of TTFT p99."), (32.0, None)],
)
def test_the_untold_targets_own_bracket_goes_before_a_looser_bound(high, said):
    own = Interval(low=16.0, mid=None, high=high) if high else None
    untold = Capacity(status=Status.CANNOT_TELL, concurrency=own, safe=None, binding=TPOT_P99)
    per_target = (TargetAnswer(target=TTFT_P99, capacity=WITHIN), TargetAnswer(target=TPOT_P99, capacity=untold))
    found = headline(answer_of(capacity=untold, per_target=per_target)).safe
    assert ("The limit lies between 16 and" in found) is (high is not None)
    assert ("because of" in found) is (said is not None)


def test_one_request_is_in_the_singular_wherever_it_bounds_the_answer():
    one = replace(AT_LEAST, concurrency=Interval(low=1.0, mid=None, high=None), safe=1)
    assert headline(answer_of(capacity=one)).safe == "At least 1 concurrent request (the highest load measured)"
    crowd = headline(answer_of(capacity=one), users=12.0).safe
    assert crowd == "At least 1 concurrent request, about 12 active users (the highest load measured)"
    crowd = headline(answer_of(capacity=replace(WITHIN, safe=1)), users=12.0).safe
    assert crowd == "1 concurrent request, safely (about 12 active users)"
    own = Capacity(
        status=Status.WITHIN,
        concurrency=Interval(low=1.0, mid=1.2, high=1.8),
        safe=1,
        binding=Target(Metric.TTFT, "p95", 0.5),
    )
    assert "TTFT p95 holds up to 1 concurrent request." in headline(untold_answer(supported=own)).safe


@pytest.mark.parametrize(
    ("capacity", "said"),
    [
        (WITHIN, "TTFT p99"),
        (BELOW, "TTFT p99"),
        (AT_LEAST, "nothing up to 512"),
        (Capacity(status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=TTFT_P99), "cannot tell"),
    ],
)
def test_only_a_target_that_stops_it_is_named_as_stopping_it(capacity, said):
    assert stop_text(capacity) == said


def test_a_tighter_target_beside_the_supported_percentile_is_said():
    p95 = Target(Metric.TTFT, "p95", 0.5)
    own = Capacity(status=Status.WITHIN, concurrency=Interval(low=11.0, mid=14.0, high=18.0), safe=12, binding=p95)
    tighter = replace(own, safe=9, binding=TPOT_P99)
    answer = untold_answer(supported=own)
    answer = replace(answer, capacity=replace(answer.capacity, supported=tighter))
    assert headline(answer).safe.endswith(
        "TTFT p95 holds up to 12 concurrent requests. With that, all targets hold up to 9."
    )


def test_a_simulated_answer_is_a_candidate():
    said = headline(answer_of(run_of(kind=Kind.SIMULATED)))
    assert said.caution == "simulated: a candidate until a benchmark confirms it"
    assert said.source.endswith("simulated 8 levels 4–512")


@pytest.mark.parametrize(
    ("changes", "price", "wanted"),
    [
        ({}, None, "no price given: no cost"),
        ({}, PRICE, "number of accelerators unknown: no cost"),
        ({"cost": cost_of(per_million_output=None)}, PRICE, "output tokens per second unknown: no cost"),
        (
            {"cost": cost_of(low=None, high=None)},
            PRICE,
            "$0.83 per million output tokens, its range is not known",
        ),
    ],
)
def test_where_there_is_no_cost_the_reason_is_said(changes, price, wanted):
    assert headline(answer_of(**changes), price=price).cost == wanted


@pytest.mark.parametrize(
    ("known", "wanted"),
    [
        ({"accelerator_count": None}, "GB200, count unknown"),
        ({"accelerator": None}, "16 accelerators of unknown kind"),
        ({"accelerator": None, "accelerator_count": 1}, "1 accelerator of unknown kind"),
        ({"accelerator": None, "accelerator_count": None}, "accelerators unknown"),
    ],
)
def test_unknown_hardware_is_said_and_not_guessed(known, wanted):
    assert wanted in headline(answer_of(run_of(**known))).source.split(" · ")


def test_a_count_given_by_hand_is_in_the_source_line():
    price = Price(amount=2.0, per_accelerator=True, accelerators=(("gpt-oss-120b-16gpu", 8),))
    assert "8 × GB200" in headline(answer_of(), price=price).source


def test_a_run_without_a_usable_level_says_so():
    empty = Stage(where=Place("a.json"))
    answer = answer_of(run_of(stages=[empty]), BELOW, levels=())
    assert headline(answer).source.endswith("no usable level")


def test_several_runs_get_one_line_each():
    assert one_line(answer_of()) == (
        "gpt-oss-120b 16 GPUs: 41 concurrent requests, safely (estimate 47, range 36–53 · stopped by TTFT p99)"
    )


def test_users_follow_from_the_response_time_law():
    """41 in flight, 4.1 s each, 41 s of thought: each is in flight a tenth and a bit: 41 x 45.1 / 4.1 = 451."""
    assert active_users(answer_of(), 41.0) == pytest.approx(451.0)


def test_without_a_mean_e2e_the_request_rate_tells_it():
    """Ten requests a second and 41 s of thought put 410 people beside the 41 in flight."""
    answer = answer_of()
    point = replace(answer.at_capacity, metrics={})
    assert active_users(replace(answer, at_capacity=point), 41.0) == pytest.approx(451.0)
    bare = replace(point, req_s=None)
    assert active_users(replace(answer, at_capacity=bare), 41.0) is None
    assert active_users(answer_of(capacity=BELOW), 41.0) is None
