"""The charts: their numbers, their marks, their words; and what must never get into them."""

from __future__ import annotations

import base64
import json
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from core.fit.fit import fit_run
from core.model.answer import Capacity, Interval, Status
from core.model.metric import Metric
from core.model.run import Kind
from core.model.stage import Statistics
from core.model.target import Target
from core.present.canvas import MOST_POINTS
from core.present.figures import cost_figure, latency_figure, latency_overlay, throughput_figure
from core.present.style import BLUE, GREEN, LEFT_OUT, PURPLE, TARGET, look_of
from tests.present.builders import LEVELS, TTFT_P99, WITHIN, FakeFit, answer_of, cost_of, run_of, stage_at

HOSTILE = '<img src=x onerror="alert(1)"> & <b>$x$</b>'


def drawn(run=None, capacity=WITHIN, metric=Metric.TTFT, statistic="p99", targets=(TTFT_P99,), **options):
    run = run or run_of()
    return latency_figure(answer_of(run, capacity), FakeFit(run), metric, statistic, targets, **options)


def traces(figure, group):
    return [trace for trace in figure.chart.data if trace.legendgroup == group]


def only(found):
    assert len(found) == 1
    return found[0]


def marks(figure):
    return traces(figure, "mark")


def named(figure):
    """What the legend names, in its order."""
    drawn = [one for one in (*figure.chart.data, *figure.chart.layout.shapes) if one.showlegend]
    return [one.name for one in sorted(drawn, key=lambda one: one.legendrank)]


def numbers(value):
    """Every number in a figure's JSON; typed arrays are unpacked."""
    if isinstance(value, dict):
        if "bdata" in value:
            yield from np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"]).tolist()
        else:
            for part in value.values():
                yield from numbers(part)
    elif isinstance(value, list):
        for part in value:
            yield from numbers(part)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def every_figure(run, capacity=WITHIN):
    answer = answer_of(run, capacity, cost=cost_of() if capacity.safe else None)
    fit = FakeFit(run)
    found = [
        latency_figure(answer, fit, Metric.TTFT, "p99", [TTFT_P99]),
        latency_figure(answer, fit, Metric.TTFT, "p99", [TTFT_P99], log=False),
        throughput_figure(answer, fit),
        cost_figure(answer, fit),
    ]
    return [figure for figure in found if figure]


def test_measured_levels_are_filled_circles_at_the_values_measured_in_ms():
    dots = only(traces(drawn(), "measured"))
    assert dots.marker.symbol == "circle"
    assert list(dots.x) == list(LEVELS)
    assert list(dots.y) == pytest.approx([load * 10.0 for load in LEVELS])


def test_the_bar_of_a_level_is_its_own_90_percent_interval():
    """The error is 5 %, so the upper end is e^(1.645 x 0.05) = 1.0857 times the value."""
    dots = only(traces(drawn(), "measured"))
    assert dots.error_y.array[0] == pytest.approx(40.0 * 0.0857, rel=1e-3)
    assert dots.error_y.arrayminus[0] == pytest.approx(40.0 * (1 - 1 / 1.0857), rel=1e-3)


def test_simulated_levels_are_hollow_diamonds_on_a_dashed_line():
    figure = drawn(run_of(kind=Kind.SIMULATED))
    assert only(traces(figure, "simulated")).marker.symbol == "diamond-open"
    assert not traces(figure, "measured")
    assert "dash" in [trace.line.dash for trace in figure.chart.data]


def test_an_excluded_level_is_hollow_and_grey_with_its_reason_on_hover():
    run = run_of(stages=[*(stage_at(load) for load in LEVELS[:-1]), stage_at(512.0, excluded="a cable was loose")])
    figure = drawn(run)
    left = only(traces(figure, "left out"))
    assert (left.marker.symbol, left.marker.color) == ("circle-open", LEFT_OUT)
    assert "a cable was loose" in left.hovertext[0]
    assert list(left.x) == [512.0]
    assert 512.0 not in list(only(traces(figure, "measured")).x)
    assert "Levels left out of the fit: 1." in figure.alt


def test_the_target_is_a_solid_vermilion_line_with_its_text_at_the_end():
    figure = drawn()
    line = only(traces(figure, "target"))
    assert (line.line.color, line.line.dash) == (TARGET, None)
    assert list(line.y) == [500.0, 500.0]
    assert "TTFT p99 ≤ 500 ms" in [note.text for note in figure.chart.layout.annotations]


def test_the_mark_stands_at_the_safe_number_on_the_target_line():
    symbols = {trace.marker.symbol: (trace.x[0], trace.y[0]) for trace in marks(drawn())}
    assert symbols == {"circle-open": (41.0, 500.0), "line-ew-open": (41.0, 500.0)}


def test_the_mark_says_that_it_stands_on_the_target_line_and_what_is_expected_there():
    """10 ms a request: 410 ms at 41, where 500 ms are allowed."""
    said = "It stands on the target line: expected there 410 ms, the limit is 500 ms"
    assert [mark.hovertext[0].endswith(said) for mark in marks(drawn())] == [True, True]
    assert "target line" not in marks(drawn(statistic="mean", targets=()))[0].hovertext[0]


def test_a_level_far_off_the_rising_curve_says_so_on_hover():
    """100, 400, 200 ms, then 800: the nearest rising values are between 200 and 400 at the two in the middle."""
    times = {4.0: 0.1, 8.0: 0.4, 16.0: 0.2, 32.0: 0.8}
    stages = [
        stage_at(load, statistics={Metric.TTFT: Statistics(mean=value / 2, n=640, quantiles={0.99: value})})
        for load, value in times.items()
    ]
    run = run_of(stages=stages)
    figure = latency_figure(answer_of(run), fit_run(run), Metric.TTFT, "p99", [TTFT_P99])
    first, high, low, last = only(traces(figure, "measured")).hovertext
    assert "this level was higher than its neighbours allow" in high
    assert "this level was lower than its neighbours allow" in low
    assert "only rises" not in first + last


def test_without_a_target_on_this_metric_the_mark_stands_on_the_curve():
    """Mean TTFT is 4 ms a request: 164 ms at 41."""
    figure = drawn(statistic="mean", targets=())
    assert marks(figure)[0].y[0] == pytest.approx(164.0)


def test_the_range_bar_on_the_load_axis_has_the_ends_of_the_interval():
    bars = [shape for shape in drawn().chart.layout.shapes if shape.type == "line"]
    assert (bars[0].x0, bars[0].x1) == (35.7, 53.2)
    assert [bar.x0 for bar in bars[1:]] == [35.7, 46.9, 53.2]


def test_the_safe_side_ends_at_the_safe_number_and_beyond_begins_at_the_high_end():
    rects = [shape for shape in drawn().chart.layout.shapes if shape.type == "rect"]
    assert [(rect.x0, rect.x1) for rect in rects] == [(4.0, 41.0), (53.2, 512.0)]


def test_the_legend_names_what_is_in_view_once():
    everything = ["measured level", "90% range", "safe load", "beyond the range"]
    everything += ["range of the answer", "load it to here", "no usable level"]
    for figure in (drawn(), throughput_figure(answer_of(), FakeFit(run_of()))):
        assert named(figure) == everything


def test_the_legend_names_nothing_that_is_not_drawn():
    untold = Capacity(status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=TTFT_P99)
    assert named(drawn(capacity=untold)) == ["measured level", "90% range", "no usable level"]
    kept = Capacity(
        status=Status.AT_LEAST, concurrency=Interval(low=512.0, mid=None, high=None), safe=512, binding=TTFT_P99
    )
    assert named(drawn(capacity=kept))[2:] == ["safe load", "load it to here", "no usable level"]


def test_below_has_no_mark_and_nothing_is_safe():
    below = Capacity(
        status=Status.BELOW, concurrency=Interval(low=None, mid=None, high=4.0), safe=None, binding=TTFT_P99
    )
    figure = drawn(capacity=below)
    assert not marks(figure)
    assert [(s.x0, s.x1) for s in figure.chart.layout.shapes if s.type == "rect"] == [(4.0, 512.0)]
    assert "missed even at the lowest load measured" in figure.alt


def test_cannot_tell_shades_nothing():
    untold = Capacity(status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=TTFT_P99)
    figure = drawn(capacity=untold)
    assert not figure.chart.layout.shapes
    assert "cannot be told" in figure.alt


def test_no_line_is_drawn_outside_the_measured_levels():
    figure = drawn()
    for trace in figure.chart.data:
        if trace.legendgroup in (None, "band") and trace.mode == "lines":
            assert min(trace.x) >= 4.0
            assert max(trace.x) <= 512.0


@pytest.mark.parametrize(("levels", "kind"), [((4.0, 64.0), "linear"), ((4.0, 64.1), "log")])
def test_axes_are_logarithmic_beyond_a_factor_of_16(levels, kind):
    assert drawn(run_of(levels)).chart.layout.xaxis.type == kind


def test_the_scale_can_be_chosen():
    assert drawn(log=False).chart.layout.xaxis.type == "linear"
    assert drawn(run_of((4.0, 8.0)), log=True).chart.layout.yaxis.type == "log"


def test_axis_titles_carry_units():
    layout = drawn().chart.layout
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == ("Concurrent requests", "TTFT p99 (ms)")
    assert drawn(targets=[replace(TTFT_P99, limit=2.0)]).chart.layout.yaxis.title.text == "TTFT p99 (s)"


def test_a_floor_on_a_users_speed_is_a_ceiling_on_tpot():
    figure = drawn(metric=Metric.TPOT, targets=[Target(Metric.TOK_S_USER, "p99", 20.0)])
    assert list(only(traces(figure, "target")).y) == pytest.approx([50.0, 50.0])


def test_a_metric_that_no_level_has_gives_no_chart():
    assert drawn(metric=Metric.RTF) is None
    assert throughput_figure(answer_of(run_of(stages=[])), FakeFit(run_of(stages=[]))) is None


def test_the_alt_text_states_the_finding():
    assert drawn().alt == (
        "gpt-oss-120b 16 GPUs: TTFT p99 is 40 ms at 4 concurrent requests and 5.12 s at 512, over 8 levels. "
        "TTFT p99 ≤ 500 ms is crossed at about 47, range 36–53. The mark stands at 41 concurrent requests."
    )


def test_the_table_behind_has_the_numbers_of_the_chart():
    frame = drawn().table
    assert frame["Concurrent requests"].tolist() == list(LEVELS)
    assert frame["TTFT p99 (ms)"].tolist() == pytest.approx([load * 10.0 for load in LEVELS])


def test_the_chart_speaks_korean():
    figure = drawn(language="ko")
    assert figure.chart.layout.xaxis.title.text == "동시 요청 수"


def test_throughput_has_two_panels_and_no_second_scale():
    """At 41 the fitted 3,534 tokens a second carry the mark; one user's speed is 1 / mean TPOT."""
    figure = throughput_figure(answer_of(), FakeFit(run_of()))
    layout = figure.chart.layout
    assert layout.yaxis.overlaying is None
    assert layout.yaxis2.overlaying is None
    assert layout.yaxis2.domain[1] < layout.yaxis.domain[0]
    upper, lower = (only([d for d in traces(figure, "measured") if d.yaxis == axis]) for axis in ("y", "y2"))
    assert upper.y[0] == pytest.approx(400 / (1 + 4 / 256))
    assert lower.y[0] == pytest.approx(1 / 0.0108)
    assert [trace.y[0] for trace in marks(figure)] == [3534.0, 3534.0, 54.9, 54.9]
    assert "highest at 512 concurrent requests" in figure.alt


def test_cost_is_derived_from_throughput():
    """10.56 an hour over 100 x 4 / (1 + 4/256) tokens a second: 10.56e6 / 3600 / 393.85 = 7.448."""
    figure = cost_figure(answer_of(cost=cost_of()), FakeFit(run_of()))
    assert only(traces(figure, "measured")).y[0] == pytest.approx(7.448, rel=1e-3)
    assert marks(figure)[0].y[0] == 0.83
    assert figure.chart.layout.yaxis.title.text == "USD per million output tokens"
    assert "$0.78–$0.90" in figure.alt


def test_without_a_cost_there_is_no_cost_chart():
    assert cost_figure(answer_of(), FakeFit(run_of())) is None


def test_a_hue_belongs_to_the_hardware_and_not_to_the_order():
    h100, gb200 = run_of(accelerator="NVIDIA H100-SXM"), run_of(accelerator="NVIDIA GB200 NVL72")
    assert (look_of(h100).hue, look_of(gb200).hue) == (GREEN, PURPLE)
    assert look_of(run_of(accelerator=None)).hue == BLUE
    assert look_of(run_of(accelerator="Some New Chip")) == look_of(run_of(accelerator="some-new-chip"))


def test_several_runs_are_named_at_their_ends_and_differ_in_shape_too():
    runs = [run_of(accelerator="H100", label="A"), run_of(accelerator="H100", label="B")]
    figure = latency_overlay([(answer_of(run), FakeFit(run)) for run in runs], Metric.TTFT, "p99", [TTFT_P99])
    symbols = [trace.marker.symbol for trace in traces(figure, "measured")]
    assert symbols == ["circle", "square"]
    names = [note.text for note in figure.chart.layout.annotations]
    assert any("41, A" in name for name in names)
    assert any("41, B" in name for name in names)


@pytest.mark.parametrize(
    "capacity", [WITHIN, Capacity(status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=None)]
)
def test_no_nan_no_infinity_and_not_too_many_points(capacity):
    many = run_of(stages=[stage_at(float(load), excluded=None if load % 2 else "odd") for load in range(1, 2001)])
    for run in (many, run_of(), run_of((8.0,)), run_of((8.0, 8.0))):
        for figure in every_figure(run, capacity):
            held = list(numbers(json.loads(figure.chart.to_json())))
            assert np.isfinite(held).all()
            assert sum(len(trace.x) for trace in figure.chart.data) <= MOST_POINTS


@pytest.mark.parametrize("kind", list(Kind))
def test_every_drawing_keeps_the_rules_of_plotly(kind):
    """Figures are made without Plotly's checks, for speed; here they are made with them."""
    left = [*(stage_at(load) for load in LEVELS[:-1]), stage_at(512.0, excluded="sweep.warm_up")]
    for figure in every_figure(run_of(kind=kind, stages=left)):
        go.Figure(figure.chart.to_dict())


def test_names_from_files_cannot_put_markup_into_a_chart():
    run = run_of(
        label=HOSTILE,
        accelerator=HOSTILE,
        model=HOSTILE,
        stages=[*(stage_at(load) for load in LEVELS[:-1]), stage_at(512.0, excluded=HOSTILE)],
    )
    run = replace(run, id=HOSTILE)
    answer = answer_of(run, cost=cost_of(currency=HOSTILE))
    pair = (answer, FakeFit(run))
    figures = [latency_overlay([pair, pair], Metric.TTFT, "p99", [TTFT_P99]), *every_figure(run)]
    figures += [cost_figure(*pair), throughput_figure(*pair)]
    for figure in figures:
        text = figure.chart.to_json()
        text = text.replace("\\u003c", "<").replace("\\u003e", ">").replace("\\u0026", "&")
        assert "<img" not in text
        assert "$x$" not in text
        assert "<b>&#36;x" not in text
