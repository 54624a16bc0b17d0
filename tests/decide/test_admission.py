"""From the safe number to the limit of a router, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decide.admission import admission_limit
from core.fit.fit import fit_run
from core.model.admission import Waits
from core.model.answer import Capacity, Interval, Status
from core.model.metric import Metric
from core.model.target import Target
from core.present.admission import admission_table, admission_texts
from tests.fit.sweeps import stage
from tests.present.builders import answer_of, run_of

TPOT = Target(Metric.TPOT, "p99", 0.05)


def capacity(safe, status=Status.WITHIN):
    return Capacity(
        status=status, concurrency=Interval(low=1.0, mid=2.0, high=3.0), safe=safe, binding=TPOT, supported=None
    )


def queueing(batch):
    """A server that runs `batch` requests of one second each: beyond it the rest wait, (N - batch) / batch seconds."""
    levels = []
    for load in (4.0, 8.0, 16.0, 32.0, 64.0):
        running = min(load, batch)
        wait = (load - running) / running
        levels.append(stage(load, rate=running, ttft={"mean": 0.05 + wait}, e2e={"mean": 1.0 + wait}))
    return levels


def limit_of(safe, *, stages=None, status=Status.WITHIN, **conditions):
    run = run_of(stages=stages if stages is not None else queueing(1000.0), **conditions)
    return run, admission_limit(run, fit_run(run), capacity(safe, status))


def words(run, found, status=Status.WITHIN):
    return " ".join(admission_texts(answer_of(run, capacity(found.endpoint, status), admission=found)))


def test_the_safe_number_is_shared_out_and_rounded_down():
    run, found = limit_of(41, replicas=3, max_num_seqs=256)
    assert (found.endpoint, found.per_replica, found.replicas, found.batch_limit) == (41, 13, 3, 256)
    assert (found.waits, found.waiting) == (Waits.ROUTER, 0)
    assert "13 requests at once into each of the 3 replicas, 41 in all" in words(run, found)


def test_with_unknown_replicas_it_is_a_limit_of_the_endpoint_and_said_to_be():
    run, found = limit_of(41)
    assert (found.endpoint, found.per_replica) == (41, None)
    assert "admission.replicas_unknown" in found.reasons
    assert "the measured endpoint as a whole" in words(run, found)


def test_more_replicas_than_the_safe_number_leave_no_share():
    run, found = limit_of(3, replicas=4)
    assert (found.endpoint, found.per_replica) == (3, None)
    assert "admission.below_one_per_replica" in found.reasons
    assert "cannot be shared out" in words(run, found)


def test_beyond_a_full_batch_requests_wait_inside_the_engine():
    """A batch of 16 and a limit of 40: 24 wait; the knee of this sweep is 16 by Little's law."""
    run, found = limit_of(40, stages=queueing(16.0), replicas=1)
    assert found.full_at == pytest.approx(16.0, rel=0.1)
    assert found.waits is Waits.ENGINE
    assert found.waiting == pytest.approx(24, abs=2)
    assert "wait inside the engine" in words(run, found)
    assert "admission.waits_in_engine" in found.reasons


def test_the_server_s_own_batch_limit_decides_where_it_is_known():
    _, found = limit_of(40, replicas=2, max_num_seqs=16)
    assert (found.per_replica, found.waits, found.waiting) == (20, Waits.ENGINE, 4)
    _, found = limit_of(40, replicas=2, max_num_seqs=20)
    assert (found.waits, found.waiting) == (Waits.ROUTER, 0)


def test_where_neither_rate_nor_batch_limit_is_known_nothing_is_claimed():
    silent = [stage(load, tpot={"p99": 0.01 * load}) for load in (1.0, 2.0, 4.0)]
    run, found = limit_of(2, stages=silent)
    assert (found.waits, found.waiting) == (Waits.UNKNOWN, None)
    assert "do not show how many requests the engine runs" in words(run, found)


def test_levels_with_batch_limits_of_their_own_have_no_single_one():
    own = [replace(each, max_num_seqs=each.asked_concurrency) for each in queueing(1000.0)]
    run, found = limit_of(12, stages=own, replicas=1)
    assert found.batch_limit is None
    assert "admission.batch_limit_varied" in found.reasons
    assert "batch limit of its own" in words(run, found)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (Status.BELOW, "even the lowest load measured misses one"),
        (Status.CANNOT_TELL, "before more is measured"),
        (Status.WITHIN, "not one request can be promised"),
    ],
)
def test_without_a_safe_number_there_is_no_limit_and_the_reason_is_said(status, said):
    run, found = limit_of(None if status is not Status.WITHIN else 0, status=status)
    assert (found.endpoint, found.per_replica, found.waiting) == (None, None, None)
    answer = answer_of(run, capacity(None, status), admission=found)
    assert said in " ".join(admission_texts(answer))
    assert admission_table(answer) is None


def test_the_highest_load_measured_is_not_called_a_ceiling():
    run, found = limit_of(64, status=Status.AT_LEAST, replicas=1)
    assert "not a ceiling" in words(run, found, Status.AT_LEAST)


def test_only_the_options_of_the_engine_that_was_measured_are_named():
    run, found = limit_of(41, replicas=1, engine="vLLM 0.11")
    frame = admission_table(answer_of(run, capacity(41), admission=found))
    assert frame["Setting"].tolist() == ["Router or gateway", "vLLM --max-num-seqs"]
    assert frame["Value"].tolist() == ["at most 41 each", "41 or more"]
    run, found = limit_of(41, replicas=1, engine=None)
    frame = admission_table(answer_of(run, capacity(41), admission=found))
    assert frame["Setting"].tolist()[1:] == [
        "vLLM --max-num-seqs",
        "SGLang --max-running-requests",
        "TensorRT-LLM --max_batch_size",
    ]


def test_an_answer_that_was_saved_before_has_no_limit():
    assert admission_texts(answer_of()) == ()


@given(st.integers(1, 10**6), st.integers(1, 5000), st.none() | st.integers(1, 5000))
def test_the_shares_never_add_up_to_more_than_the_safe_number(safe, replicas, batch):
    _, found = limit_of(safe, replicas=replicas, max_num_seqs=batch)
    assert (found.per_replica or 0) * replicas <= safe
    assert safe - (found.per_replica or 0) * replicas < replicas
    if batch and found.per_replica:
        assert found.waits is (Waits.ENGINE if found.per_replica > batch else Waits.ROUTER)
        assert found.waiting == max(found.per_replica - batch, 0)
