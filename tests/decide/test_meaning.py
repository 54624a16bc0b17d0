"""Metrics whose name says one thing and whose figures another: chunks and reasoning, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.check.itl import comes_in_chunks
from core.model.metric import Metric
from core.model.run import Conditions
from core.model.target import parse_target
from core.pipeline import answer_run, checked
from core.present.headline import headline
from tests.check.run_build import run, stage, statistics

ITL, TPOT, TTFT = (parse_target(text) for text in ("itl mean <= 12ms", "tpot mean <= 12ms", "ttft mean <= 150ms"))
LOADS = (2, 4, 8, 16, 32)


def in_chunks(load, tokens=3.0):
    """A level whose gaps are each of `tokens` tokens."""
    clean = stage(load)
    gap = clean.statistics[Metric.TPOT].mean * tokens
    return replace(clean, statistics={**clean.statistics, Metric.ITL: statistics(gap)})


def counting_gaps(load, gaps):
    clean = stage(load)
    itl = replace(clean.statistics[Metric.ITL], n=gaps)
    return replace(clean, statistics={**clean.statistics, Metric.ITL: itl})


def reasons_of(measured, target):
    answer = answer_run(checked(measured), [target], None)
    assert set(answer.per_target[0].capacity.reasons) <= set(answer.capacity.reasons)
    return answer.capacity.reasons, answer


@pytest.mark.parametrize(
    "measured",
    [
        run(*(in_chunks(load) for load in LOADS)),
        run(conditions=Conditions(speculation="eagle3")),
        run(conditions=Conditions(acceptance_length=2.4)),
        run(*(stage(load, acceptance_length=1.8) for load in LOADS)),
        # 1000 requests of 101 tokens have 100 000 gaps where each token comes alone.
        run(*(counting_gaps(load, 40_000) for load in LOADS)),
    ],
    ids=["longer gaps", "speculation", "acceptance", "acceptance of levels", "fewer gaps"],
)
def test_a_limit_on_gaps_between_pieces_is_said_to_be_one_and_tpot_is_advised(measured):
    reasons, answer = reasons_of(measured, ITL)
    assert "itl.between_chunks" in reasons
    (said,) = headline(answer).meaning
    assert said.startswith("Several tokens come in one piece here")
    assert "TPOT" in said
    assert "itl.between_chunks" not in reasons_of(measured, TPOT)[0]


@pytest.mark.parametrize(
    "measured",
    [
        run(),
        run(conditions=Conditions(speculation="none", acceptance_length=1.0)),
        # As many "gaps" as requests is a count of requests; 98 % of the gaps is what a cut-off stream leaves.
        run(*(counting_gaps(load, 1000) for load in LOADS)),
        run(*(counting_gaps(load, 98_000) for load in LOADS)),
    ],
)
def test_where_tokens_come_alone_nothing_is_said(measured):
    assert not comes_in_chunks(measured)
    reasons, answer = reasons_of(measured, ITL)
    assert "itl.between_chunks" not in reasons
    assert headline(answer).meaning == ()


def uncounted(load, factor=3.0):
    """A level whose answers were three times as long as their tokens were counted."""
    clean = stage(load)
    ttft, tpot = (clean.statistics[metric].mean for metric in (Metric.TTFT, Metric.TPOT))
    e2e = ttft + 100.0 * factor * tpot
    more = {**clean.statistics, Metric.E2E: statistics(e2e)}
    return replace(clean, statistics=more, achieved_rate=load / e2e, duration_s=1000 * e2e / load)


def codes(measured):
    return {finding.code for finding in checked(measured).findings}


def test_one_factor_at_every_load_is_tokens_that_nobody_counted():
    measured = run(*(uncounted(load) for load in LOADS))
    (found,) = (finding for finding in checked(measured).findings if finding.code == "reasoning.not_counted")
    assert "for 3 times as long" in str(found.what)
    reasons, answer = reasons_of(measured, TTFT)
    assert "reasoning.first_token" in reasons
    assert "the answer itself begins later" in headline(answer).meaning[0]
    assert "reasoning.first_token" not in reasons_of(measured, TPOT)[0]


def test_a_factor_that_changes_with_load_is_something_else():
    measured = run(*(uncounted(load, 1.5 + 0.2 * i) for i, load in enumerate(LOADS)))
    assert "reasoning.not_counted" not in codes(measured)
    assert "latency.identity" in codes(measured)


def test_a_clean_sweep_and_two_levels_say_nothing_of_reasoning():
    assert "reasoning.not_counted" not in codes(run())
    assert "reasoning.not_counted" not in codes(run(uncounted(2), uncounted(4)))
