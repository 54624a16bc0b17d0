"""The highest rate and the time of a job, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.decide.decide import decide
from core.decide.job import job_answer
from core.decide.throughput import best_throughput, unbound
from core.errors import Place, UsageError
from core.fit.fit import fit_stages
from core.model.answer import Interval, LoadPoint, Status, Throughput
from core.model.metric import Metric
from core.model.stage import Stage, Statistics
from core.model.target import parse_target
from core.model.workload import Job, Verdict, WorkloadKind, parse_duration, workload_of
from core.pipeline import answer_run
from core.price.job import job_cost
from core.price.parse import parse_price
from tests.present.builders import run_of


def levels(rates, *, tokens=100.0):
    """Closed-loop levels at 1, 2, 4, …: `rates` are requests per second, 100 output and 300 input tokens each."""
    return [
        Stage(
            where=Place("sweep.json"),
            asked_concurrency=float(2**i),
            achieved_concurrency=float(2**i),
            achieved_rate=rate,
            output_tok_s=tokens * rate,
            total_tok_s=4 * tokens * rate,
            output_tokens_mean=tokens,
            input_tokens_mean=3 * tokens,
            requests_good=1000,
            requests_failed=0,
            statistics={Metric.TPOT: Statistics(mean=0.001 * (i + 1), n=1000)},
        )
        for i, rate in enumerate(rates)
    ]


PLATEAU = levels([1.0, 2.0, 4.0, 7.0, 10.0, 10.2, 10.1])
"""Loads 1 to 64: the rate stops rising at 16 to 32."""


def best(stages, *targets):
    fit = fit_stages(stages)
    wanted = [parse_target(text) for text in targets]
    decision = decide(fit, wanted) if wanted else unbound(fit)
    return fit, best_throughput(fit, decision.capacity, wanted)


def test_the_highest_rate_is_that_of_the_best_level():
    _, found = best(PLATEAU)
    assert (found.status, found.rate_name, found.at) == (Status.WITHIN, "output_tok_s", 32.0)
    assert found.rate.mid == pytest.approx(1020.0)
    assert found.rate.low < 1020.0 < found.rate.high


def test_enough_is_where_95_percent_are_reached():
    """0.95 x 1020 = 969 lies between the levels 8 (700) and 16 (1000), nearer to 16."""
    _, found = best(PLATEAU)
    assert 12.0 < found.enough.mid < 16.0
    assert found.enough.low < found.enough.mid


def test_a_rate_that_still_rises_is_at_least_and_open_above():
    _, found = best(levels([1.0, 2.0, 4.0, 8.0]))
    assert (found.status, found.at, found.rate.high) == (Status.AT_LEAST, 8.0, None)
    assert found.reasons == ("throughput.rising",)
    assert found.enough is None


def test_targets_that_every_level_keeps_stop_nothing():
    """In open loop the largest load is no whole number, and the safe number lies a little below it."""
    rising = [replace(each, asked_concurrency=each.load * 1.3) for each in levels([1.0, 2.0, 4.0, 8.0])]
    _, found = best(rising, "tpot mean <= 1s")
    assert (found.status, found.at, found.limited_by) == (Status.AT_LEAST, pytest.approx(10.4), None)


def test_two_levels_never_show_a_plateau():
    _, found = best(levels([5.0, 5.0]))
    assert found.status is Status.AT_LEAST
    assert found.reasons == ("throughput.few_levels",)


def test_targets_stop_the_load_before_the_plateau():
    """TPOT is 1 ms at 1, 2 ms at 2, 3 ms at 4: within 2.5 ms fewer than 4 run at once."""
    fit, found = best(PLATEAU, "tpot mean <= 2.5ms")
    assert found.status is Status.WITHIN
    assert 1.0 <= found.at < 4.0
    assert found.limited_by == parse_target("tpot mean <= 2.5ms")
    assert found.rate.mid == pytest.approx(fit.rate("output_tok_s", found.at).mid)


def test_targets_that_no_load_keeps_leave_no_throughput():
    _, found = best(PLATEAU, "tpot mean <= 0.1ms")
    assert (found.status, found.at, found.rate) == (Status.BELOW, None, None)


def test_without_any_rate_nothing_is_claimed():
    bare = [Stage(where=Place("a"), asked_concurrency=float(n)) for n in (1, 2, 4)]
    _, found = best(bare)
    assert (found.status, found.reasons) == (Status.CANNOT_TELL, ("throughput.unknown",))


def known(rate=10.0, spread=0.1, at=32.0, status=Status.WITHIN):
    req_s = Interval(low=rate * (1 - spread), mid=rate, high=rate * (1 + spread))
    return Throughput(status=status, rate_name="output_tok_s", at=at, rate=req_s, point=LoadPoint(at=at, req_s=req_s))


def time_of(job, **changes):
    return job_answer(fit_stages(PLATEAU), known(**changes), job)


def test_time_is_requests_over_rate_and_the_last_wave():
    """10,000 requests at 10 (9 to 11) a second: 1000 s, at least 909 s, at most 10,032 / 9 = 1115 s."""
    found = time_of(Job(requests=10_000)).completion_s
    assert found.low == pytest.approx(10_000 / 11)
    assert found.mid == pytest.approx(1000.0)
    assert found.high == pytest.approx(10_032 / 9)


@pytest.mark.parametrize(
    ("deadline", "verdict"),
    [(2000.0, Verdict.MET), (1000.0, Verdict.CANNOT_TELL), (900.0, Verdict.MISSED)],
)
def test_the_deadline_has_three_verdicts(deadline, verdict):
    assert time_of(Job(requests=10_000, deadline_s=deadline)).deadline is verdict


def test_where_more_load_may_be_faster_late_is_not_yet_missed():
    job = Job(requests=10_000, deadline_s=900.0)
    assert time_of(job, status=Status.AT_LEAST).deadline is Verdict.CANNOT_TELL


def test_longer_answers_widen_the_time():
    """Output 150 instead of 100, input as it was: work grows by a factor between 1 and 1.5 squared."""
    plain = time_of(Job(requests=10_000)).completion_s
    found = time_of(Job(requests=10_000, output_tokens=150.0))
    assert found.completion_s.low == pytest.approx(plain.low)
    assert found.completion_s.mid == pytest.approx(plain.mid * 1.5**0.5)
    assert found.completion_s.high == pytest.approx(plain.high * 2.25)
    assert found.reasons == ("job.lengths_differ",)


def test_the_run_s_own_lengths_change_nothing():
    assert time_of(Job(requests=10_000, input_tokens=300.0, output_tokens=100.0)) == time_of(Job(requests=10_000))


@pytest.mark.parametrize(
    ("job", "reason"),
    [
        (Job(requests=10_000, output_tokens=201.0, deadline_s=1.0), "job.lengths_far"),
        (Job(requests=10_000, input_tokens=149.0, deadline_s=1.0), "job.lengths_far"),
        (Job(requests=31, deadline_s=1.0), "job.smaller_than_load"),
    ],
)
def test_a_job_unlike_anything_measured_cannot_be_told(job, reason):
    found = time_of(job)
    assert (found.completion_s, found.deadline) == (None, Verdict.CANNOT_TELL)
    assert reason in found.reasons


def test_lengths_against_unknown_lengths_cannot_be_told():
    bare = fit_stages([Stage(where=Place("a"), asked_concurrency=float(n), achieved_rate=1.0) for n in (1, 2)])
    found = job_answer(bare, known(), Job(requests=10_000, output_tokens=10.0))
    assert found.reasons == ("job.lengths_unknown",)


def test_an_hour_of_a_deployment_costs_its_price():
    hour = Interval(low=1800.0, mid=3600.0, high=7200.0)
    run = run_of(accelerator_count=4)
    found = job_cost(hour, run, parse_price("2.50/gpu-h"))
    assert (found.low, found.mid, found.high) == (5.0, 10.0, 20.0)
    assert job_cost(hour, run_of(accelerator_count=None), parse_price("2.50/gpu-h")) is None


def test_a_run_is_answered_without_any_target():
    asked = workload_of("batch", requests=10_000, deadline="1h")
    found = answer_run(run_of(stages=PLATEAU), (), parse_price("36/h"), workload=asked)
    assert found.batch.throughput.at == 32.0
    assert found.batch.job.deadline is Verdict.MET
    assert found.batch.job.completion_s.mid == pytest.approx(10_000 / 10.2)
    assert found.batch.job.cost.mid == pytest.approx(10_000 / 10.2 / 100)
    assert found.admission.endpoint == 32
    assert found.next_measurement is None


def test_a_rising_rate_asks_for_twice_the_load():
    found = answer_run(run_of(stages=levels([1.0, 2.0, 4.0, 8.0])), (), None, workload=workload_of("batch"))
    assert found.next_measurement.concurrency == 16.0


def test_other_workloads_need_a_target():
    with pytest.raises(ValueError, match="one target or more"):
        answer_run(run_of(stages=PLATEAU), (), None, workload=workload_of("chat"))


def test_a_run_without_any_level_is_answered_too():
    found = answer_run(run_of(stages=[]), (), None, workload=workload_of("batch", requests=5, deadline="1h"))
    assert found.capacity.status is Status.CANNOT_TELL
    assert found.batch.job.deadline is Verdict.CANNOT_TELL


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("4h", 14_400), ("90 min", 5_400), ("1h30m", 5_400), ("2 days", 172_800), ("1.5 hours", 5_400)],
)
def test_times_are_read_as_people_write_them(text, seconds):
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "4", "h", "4 weeks", "-4h", "0s", "4h and more", "1e400h", "nan h"])
def test_other_times_are_refused(text):
    with pytest.raises(UsageError, match="time"):
        parse_duration(text)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"kind": "chat", "requests": 5}, "job.not_batch"),
        ({"kind": None, "deadline": "4h"}, "job.not_batch"),
        ({"kind": "batch", "deadline": "4h"}, "job.requests_missing"),
        ({"kind": "batch", "requests": 0}, "job.out_of_range"),
        ({"kind": "batch", "requests": 5, "output_tokens": float("nan")}, "job.out_of_range"),
    ],
)
def test_a_job_that_makes_no_sense_is_refused(arguments, code):
    with pytest.raises(UsageError) as error:
        workload_of(**arguments)
    assert error.value.code == code


def test_nothing_said_is_no_workload():
    assert workload_of(None) is None
    assert workload_of("voice").kind is WorkloadKind.VOICE
