"""What stands beside the safe number: shares of replicas, and the rate of a sweep that was sent at rates."""

from __future__ import annotations

from dataclasses import replace

from core.decide.admission import admission_limit
from core.fit.fit import fit_run
from core.model.answer import Interval, LoadPoint
from core.present.beside import beside_texts
from core.present.console import plan_table
from core.present.documents import plan_document
from core.present.headline import headline
from tests.present.builders import LEVELS, WITHIN, answer_of, run_of, stage_at


def behind(replicas, capacity=WITHIN):
    run = run_of(replicas=replicas)
    return answer_of(run, capacity, admission=admission_limit(run, fit_run(run), capacity))


def at_rates():
    stages = [replace(stage_at(load), asked_concurrency=None, asked_rate=load / 4.0) for load in LEVELS]
    return answer_of(run_of(stages=stages))


def test_the_endpoint_and_each_of_its_replicas_are_told_apart():
    """41 in all are 13 for each of three, rounded down."""
    answer = behind(3)
    assert headline(answer).beside == ("41 for the whole endpoint, 13 for each of its 3 replicas",)
    assert "41 for the whole endpoint, 13 for each" in plan_table([answer], None, None)
    (told,) = plan_document([answer], [], [])["runs"]
    assert (told["admission"]["endpoint"], told["admission"]["per_replica"]) == (41, 13)
    assert told["capacity"]["safe_concurrency"] == 41


def test_more_replicas_than_the_safe_number_have_no_share():
    (said,) = beside_texts(behind(50))
    assert said == "41 for the whole endpoint, fewer than one for each of its 50 replicas"


def test_one_replica_needs_no_share():
    assert beside_texts(behind(1)) == ()


def test_an_unknown_number_of_replicas_is_said_once():
    answer = behind(None)
    assert headline(answer).beside == ()
    assert plan_table([answer], None, None).count("measured endpoint") == 1


def test_without_a_safe_number_nothing_is_shared_out():
    assert beside_texts(behind(3, replace(WITHIN, safe=None))) == ()


def test_a_sweep_at_rates_is_answered_in_requests_per_second_too():
    answer = at_rates()
    assert headline(answer).beside == ("about 10 requests/s at the safe number (9–11)",)
    assert "about 10 requests/s at the safe number (9–11)" in plan_table([answer], None, None)


def test_a_rate_without_its_range_or_unknown():
    answer = at_rates()
    alone = replace(answer, at_capacity=LoadPoint(at=41.0, req_s=Interval(low=None, mid=10.0, high=None)))
    assert beside_texts(alone) == ("about 10 requests/s at the safe number",)
    assert beside_texts(replace(answer, at_capacity=LoadPoint(at=41.0))) == ()
    assert beside_texts(replace(answer, at_capacity=None)) == ()


def test_a_sweep_at_fixed_concurrency_has_no_rate_beside_it():
    assert beside_texts(answer_of()) == ()


def test_it_is_said_in_korean():
    (said,) = beside_texts(behind(3), "ko")
    assert "복제본 3개 각각 13개" in said
