"""Which levels sent at a rate fell behind it, on queues that are worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.check.checks import check_run
from core.check.saturation import grew, saturated
from core.errors import Place
from core.fit.fit import fit_stages
from core.ingest.read import read_file
from core.model.metric import Metric
from core.model.stage import Requests, Stage, Statistics
from core.normalise.runs import runs_of
from tests.check.run_build import run

GUIDELLM = "public/guidellm/fmperf-project__fmperf/guidellm-evaluate-20250423-1820.json.gz"
EMULATOR = "generated/tools/vllm-bench-0.32.0/open_emulator_mns16"


def level(rate, duration, stay, n=100, **more):
    """A level of n requests at a rate, done after so many seconds with a mean stay."""
    told = {
        "where": Place("r.json"),
        "asked_rate": rate,
        "achieved_rate": n / duration,
        "achieved_concurrency": n * stay / duration,
        "requests_good": n,
        "requests_failed": 0,
        "duration_s": duration,
        "statistics": {Metric.E2E: Statistics(mean=stay, n=n)},
    }
    return Stage(**(told | more))


IDLE = level(1.0, 101.0, 1.0)


def queue(gap_s, service_s, n=400, stay_s=0.5, random=None):
    """One server that takes `service_s` each, an arrival every `gap_s`; TTFT is the wait and 0.1 s."""
    arrivals = np.arange(n) * gap_s if random is None else np.cumsum(random.exponential(gap_s, n))
    free, wait = 0.0, np.empty(n)
    for i, at in enumerate(arrivals):
        wait[i] = max(free - at, 0.0)
        free = at + wait[i] + service_s
    return level(
        1.0 / gap_s,
        float(arrivals[-1] + wait[-1] + stay_s),
        float(wait.mean()) + stay_s,
        n,
        requests=Requests(
            start_s=arrivals,
            ttft_s=wait + 0.1,
            tpot_s=np.full(n, 0.01),
            e2e_s=wait + stay_s,
            input_tokens=np.full(n, 10.0),
            output_tokens=np.full(n, 41.0),
            good=np.ones(n, bool),
        ),
    )


def test_a_queue_that_lengthens_the_run_and_the_stay_is_saturation():
    # 10 s of sending at 10/s, done after 20 s: the last of 100 requests waited 9 s, the mean one 4.5 s.
    assert saturated([IDLE, level(10.0, 20.0, 5.5)]) == (False, True)


def test_random_arrivals_that_came_late_are_none():
    # 100 requests at 10/s that by chance took 11.5 s to arrive: 8.0/s with the last one's second. Nothing waited.
    assert saturated([IDLE, level(10.0, 12.5, 1.0)]) == (False, False)


def test_where_no_stay_is_known_the_rate_alone_decides():
    without = replace(level(10.0, 20.0, 1.0), statistics={})
    assert saturated([without]) == (True,)


def test_a_failed_request_was_answered_too():
    good = level(10.0, 11.0, 1.0, n=80, achieved_rate=80 / 11.0, requests_failed=20)
    assert saturated([IDLE, good]) == (False, False)


def test_a_growing_queue_is_seen_in_the_records_before_the_rate_is_missed_by_much():
    # 10/s asked, 9.7/s served: after 400 requests 1.2 s of wait beside a stay of 0.5 s; 97 % were answered.
    assert grew(queue(0.1, 1.0 / 9.7))
    assert not grew(queue(0.1, 0.09))


@pytest.mark.parametrize("seed", range(20))
def test_a_queue_that_wanders_below_its_limit_is_seldom_called_growing(seed):
    assert not grew(queue(0.1, 0.07, random=np.random.default_rng(seed)))


@given(st.floats(1e-3, 1e3), st.floats(0.05, 0.15))
def test_the_unit_of_time_does_not_matter(factor, service_s):
    one = queue(0.1, service_s, n=200)
    requests = one.requests
    scaled = replace(
        one,
        asked_rate=one.asked_rate / factor,
        requests=replace(
            requests,
            start_s=requests.start_s * factor,
            ttft_s=requests.ttft_s * factor,
            e2e_s=requests.e2e_s * factor,
        ),
    )
    assert grew(one) == grew(scaled)


def test_with_a_ceiling_that_was_reached_the_level_is_a_closed_loop_of_that_many():
    capped = level(20.0, 10.0, 1.5, asked_concurrency=16.0)
    assert (capped.at_ceiling, capped.open_loop, capped.load) == (True, False, 16.0)
    assert saturated([IDLE, capped]) == (False, False)
    told = {finding.code for finding in check_run(run(IDLE, capped))}
    assert "load.at_ceiling" in told
    assert "load.saturated" not in told


def test_with_a_ceiling_that_was_not_reached_the_level_is_placed_by_what_was_in_flight():
    below = level(5.0, 21.0, 1.5, asked_concurrency=16.0)
    assert (below.at_ceiling, below.open_loop) == (False, True)
    assert below.load == pytest.approx(100 * 1.5 / 21.0)


def test_sending_for_less_than_three_stays_is_warned_of():
    told = {finding.code: finding for finding in check_run(run(IDLE, level(20.0, 7.5, 2.5)))}
    assert "2 times at" in str(told["load.short_run"].what)
    assert "load.short_run" not in {f.code for f in check_run(run(IDLE, level(2.0, 51.0, 1.0)))}


def test_a_published_rate_sweep_of_short_levels_is_not_taken_for_saturated(shared_data, upload):
    (swept,) = runs_of([read_file(upload(shared_data / GUIDELLM))])
    used = [stage for stage in swept.stages if stage.excluded is None]
    # 100 requests at 15.8/s are sent in 6.3 s, and each takes 2.7 s alone: 8.8 s are no sign of a queue.
    assert not any(saturated(used))
    assert "load.short_run" in {finding.code for finding in check_run(swept)}


def test_of_an_emulator_that_carries_38_a_second_only_40_is_saturated(shared_data, upload):
    folder = shared_data / EMULATOR
    (swept,) = runs_of([read_file(upload(path)) for path in sorted(folder.iterdir()) if "goodput" not in path.name])
    rates = {stage.asked_rate: behind for stage, behind in zip(swept.stages, saturated(swept.stages), strict=True)}
    assert rates == {5.0: False, 10.0: False, 20.0: False, 30.0: False, 35.0: False, 40.0: True}
    assert fit_stages(swept.stages).points(Metric.TTFT, "mean").ceiling == pytest.approx(27.5, abs=0.1)
