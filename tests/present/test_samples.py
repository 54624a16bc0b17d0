"""The charts and sentences of the samples that come with Plimsoll, through the whole pipeline."""

from __future__ import annotations

import json

import numpy as np
import pytest

from core.fit.fit import fit_run
from core.model.metric import Metric
from core.model.price import Price
from core.model.target import parse_target
from core.pipeline import answer_run, load
from core.present.account import account
from core.present.figures import cost_figure, latency_figure, throughput_figure
from tests.present.test_figures import numbers

TARGETS = [parse_target("ttft p99 <= 500ms"), parse_target("tpot p99 <= 50ms")]


@pytest.fixture(scope="module", params=["emulator", "vllm_cpu"])
def answered(request, root, upload):
    files = sorted((root / "data" / "samples" / request.param).rglob("*.json"))
    run = load([upload(path) for path in files]).runs[0]
    fit = fit_run(run)
    price = Price(amount=2.5, per_accelerator=True, accelerators=((run.id, 8),))
    return answer_run(run, TARGETS, price, fit), fit


def test_the_band_at_the_target_is_the_range_of_the_answer(answered):
    """The outline holds 240 points, so that its edges are read to about one in a hundred."""
    answer, fit = answered
    target = answer.capacity.binding
    figure = latency_figure(answer, fit, target.metric, target.statistic, [target])
    outline = next(trace for trace in figure.chart.data if trace.legendgroup == "band")
    half = len(outline.y) // 2
    x, y = np.asarray(outline.x), np.asarray(outline.y)
    low = np.interp(target.limit * 1000, y[:half], x[:half])
    high = np.interp(target.limit * 1000, y[half:][::-1], x[half:][::-1])
    # The set's own low end may come from another target, whose range begins lower.
    found = next(each.capacity.concurrency for each in answer.per_target if each.target == target)
    assert low == pytest.approx(found.low, rel=0.03)
    assert high == pytest.approx(found.high, rel=0.03)


def test_cost_and_throughput_carry_the_mark_on_their_curves(answered):
    answer, fit = answered
    for figure in (cost_figure(answer, fit), throughput_figure(answer, fit)):
        curve = next(trace for trace in figure.chart.data if trace.line.width == 2 and not trace.legendgroup)
        mark = next(trace for trace in figure.chart.data if trace.marker.symbol == "circle-open")
        assert np.interp(mark.x[0], curve.x, curve.y) == pytest.approx(mark.y[0], rel=0.01)


def test_the_curve_reaches_the_first_and_the_last_level_at_the_value_that_the_fit_has_there(answered):
    """A second way to the same number: the latency that an answer would state at that load."""
    answer, fit = answered
    for metric, statistic in ((Metric.TTFT, "p99"), (Metric.E2E, "mean")):
        figure = latency_figure(answer, fit, metric, statistic, TARGETS)
        curve = next(trace for trace in figure.chart.data if trace.line.width == 2 and not trace.legendgroup)
        factor = 1000.0 if figure.table.columns[2].endswith("(ms)") else 1.0
        for end, reached in ((0, fit.levels[0]), (-1, fit.levels[-1])):
            assert curve.x[end] == pytest.approx(reached)
            assert curve.y[end] == pytest.approx(fit.value(metric, statistic, reached).mid * factor)
    lower = [t for t in throughput_figure(answer, fit).chart.data if t.line.width == 2 and t.yaxis == "y2"]
    assert [trace.x[-1] for trace in lower] == [pytest.approx(fit.levels[-1])]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_everything_can_be_said_and_drawn(answered, language):
    answer, fit = answered
    assert str(answer.capacity.safe) in account(answer, language)
    drawn = [latency_figure(answer, fit, m, s, TARGETS, language) for m in Metric for s in ("mean", "p50", "p99")]
    for figure in filter(None, drawn):
        assert figure.alt
        assert np.isfinite(list(numbers(json.loads(figure.chart.to_json())))).all()
