"""Charts on paper draw what the screen draws: the same points, bands, target lines and marks."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from core.model.workload import Job, Workload, WorkloadKind
from core.present.job_chart import job_figure
from core.present.latency import latency_figure, latency_overlay
from core.present.report.chart import PX, Paper, drawn, numbers
from core.present.report.chart_letters import MISSING, printable
from core.present.report.chart_svg import chart_svg, follows_theme
from core.present.style import TARGET
from core.present.throughput import throughput_figure
from tests.present.report.memo_build import SIMULATED, TAILS, runs_of, scenario_of

PAPER = Paper(width=104.0, height=62.0)


@pytest.fixture(scope="module")
def pairs():
    scenario, fits = scenario_of(runs_of("emulator", "vllm_cpu"))
    return [(answer, fits[answer.run.id]) for answer in scenario.answers]


@pytest.fixture(scope="module")
def figures(pairs):
    answer, fit = pairs[0]
    target = TAILS[0]
    work = Workload(kind=WorkloadKind.BATCH, job=Job(requests=100_000))
    batch, fits = scenario_of([answer.run], (), workload=work)
    return {
        "latency": latency_figure(answer, fit, target.metric, target.statistic, TAILS),
        "logarithmic": latency_figure(answer, fit, target.metric, target.statistic, TAILS, log=True),
        "overlay": latency_overlay(pairs, target.metric, target.statistic, TAILS, "ko"),
        "throughput": throughput_figure(answer, fit),
        "job": job_figure(batch.answers[0], fits[answer.run.id]),
    }


NAMES = ["latency", "logarithmic", "overlay", "throughput", "job"]


def artists(figure):
    """Everything drawn in the panels as arrays of x and y; the last axes hold the legend."""
    for axes in figure.axes[:-1]:
        for line in axes.lines:
            yield np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float), line.get_color()
        for patch in axes.patches:
            corners = patch.get_path().vertices
            yield corners[:, 0], corners[:, 1], patch.get_facecolor()


def is_drawn(x, y, paper):
    """True where some artist has these very points (an outline is closed by its first one)."""
    for across, up, _ in paper:
        if across.size >= x.size and np.array_equal(across[: x.size], x) and np.array_equal(up[: y.size], y):
            return True
    return False


@pytest.mark.parametrize("name", NAMES)
def test_every_trace_of_the_screen_is_drawn_with_the_same_points(figures, name):
    chart = figures[name].chart
    paper = list(artists(drawn(chart, PAPER)))
    assert len(chart.data) > 3
    for trace in chart.to_plotly_json()["data"]:
        assert is_drawn(numbers(trace["x"]), numbers(trace["y"]), paper), trace["name"]


@pytest.mark.parametrize("name", NAMES)
def test_interval_bars_end_where_those_of_the_screen_end(figures, name):
    chart = figures[name].chart
    paper = list(artists(drawn(chart, PAPER)))
    for trace in chart.to_plotly_json()["data"]:
        if "error_y" in trace:
            x, y, error = numbers(trace["x"]), numbers(trace["y"]), trace["error_y"]
            assert is_drawn(x, y + numbers(error["array"]), paper)
            assert is_drawn(x, y - numbers(error["arrayminus"]), paper)


@pytest.mark.parametrize("name", NAMES)
def test_axes_and_ranges_are_those_of_the_screen(figures, name):
    layout = figures[name].chart.to_plotly_json()["layout"]
    figure = drawn(figures[name].chart, PAPER)
    panels = [key.removeprefix("xaxis") for key in layout if key.startswith("xaxis")]
    assert len(figure.axes) == len(panels) + 1
    for suffix, axes in zip(panels, figure.axes[:-1], strict=True):
        for which, scale, limits in (
            ("x", axes.get_xscale(), axes.get_xlim()),
            ("y", axes.get_yscale(), axes.get_ylim()),
        ):
            axis = layout[f"{which}axis{suffix}"]
            assert scale == axis["type"]
            ends = [10**end if scale == "log" else end for end in axis["range"]]
            assert limits == pytest.approx(ends)
        ticks = [label.get_text() for label in axes.get_xticklabels()]
        assert set(ticks) <= set(layout[f"xaxis{suffix}"]["ticktext"])
        assert len(ticks) > 2
    shapes = [one for one in layout["shapes"] if one["type"] == "line"]
    paper = list(artists(figure))
    assert all(is_drawn(np.array([s["x0"], s["x1"]]), np.array([s["y0"], s["y1"]]), paper) for s in shapes)


def test_target_lines_are_vermilion_at_the_limit_and_named(figures):
    figure = drawn(figures["latency"].chart, PAPER)
    lines = [line for line in figure.axes[0].lines if line.get_color() == TARGET]
    assert [list(line.get_ydata()) for line in lines] == [[500.0, 500.0]]
    assert "TTFT p99 ≤ 500 ms" in [text.get_text() for text in figure.axes[0].texts]


def test_measured_levels_are_filled(figures):
    levels = next(trace for trace in figures["latency"].chart.data if trace.legendgroup == "measured")
    lines = drawn(figures["latency"].chart, PAPER).axes[0].lines
    dots = [line for line in lines if np.array_equal(line.get_ydata(), levels.y)]
    assert [line.get_marker() for line in dots] == ["o"]
    assert dots[0].get_markerfacecolor() != "none"


@pytest.mark.skipif(not SIMULATED.exists(), reason="the simulated files are not here")
def test_simulated_levels_are_hollow_diamonds_on_dashes():
    scenario, fits = scenario_of(runs_of("simulated"))
    answer = scenario.answers[0]
    chart = throughput_figure(answer, fits[answer.run.id]).chart
    lines = drawn(chart, PAPER).axes[0].lines
    marked = [line for line in lines if line.get_marker() == "D"]
    assert marked
    assert all(line.get_markerfacecolor() == "none" for line in marked)
    assert any(line.get_linestyle() == "--" for line in lines)


def test_the_mark_stands_at_the_safe_number(pairs, figures):
    safe = pairs[0][0].capacity.safe
    chart = figures["latency"].chart
    mark = next(trace for trace in chart.data if trace.legendgroup == "mark")
    assert mark.x[0] == safe
    circle = next(
        line
        for line in drawn(chart, PAPER).axes[0].lines
        if line.get_marker() == "o" and line.get_markersize() == pytest.approx(mark.marker.size * PX)
    )
    assert list(circle.get_xdata()) == [safe]
    assert str(safe) in [text.get_text() for text in drawn(chart, PAPER).axes[0].texts]


def test_names_at_the_ends_of_curves_keep_apart_and_inside(figures):
    figure = drawn(figures["overlay"].chart, Paper(width=104.0, height=34.0))
    axes = figure.axes[0]
    tall = axes.get_position().height * figure.get_size_inches()[1] * 72
    places = sorted(note.xy[1] * tall for note in axes.texts if note.xy[0] == 1.0 and ", " in note.get_text())
    assert len(places) == 2
    assert places[1] - places[0] >= 8.0
    assert places[1] <= tall + 1.0


@pytest.mark.parametrize("name", NAMES)
def test_the_drawing_is_words_and_paths_and_the_same_each_time(figures, name):
    chart = figures[name].chart
    one = chart_svg(chart, PAPER, name="a")
    assert one == chart_svg(chart, PAPER, name="a")
    root = ET.fromstring(one)
    words = ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert len(words) > 8
    refused = {"script", "image", "foreignObject", "a", "style"}
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags & refused <= {"style"}
    assert set(re.findall(r'(?:href|src)="([^"#]*)', one)) <= {""}
    other = chart_svg(chart, PAPER, name="b")
    ids = [set(re.findall(r' id="([^"]+)"', text)) for text in (one, other)]
    assert ids[0]
    assert not ids[0] & ids[1]
    assert "#0e1820" not in follows_theme(one)


def test_hostile_names_are_words_in_the_drawing(pairs):
    answer, fit = pairs[0]
    hostile = "<script> $x$ &amp; \U0001f6a2"
    both = [(replace(answer, run=replace(answer.run, label=hostile)), fit), pairs[1]]
    chart = latency_overlay(both, TAILS[0].metric, "p99", TAILS).chart
    root = ET.fromstring(chart_svg(chart, PAPER))
    words = ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert any(f"<script> $x$ &amp; {MISSING}" in text for text in words)
    assert printable("가 a") == "가 a"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("height", [26.0, 34.0, 62.0])
def test_numbers_of_an_axis_never_touch_and_some_of_them_stand(figures, name, height):
    figure = drawn(figures[name].chart, Paper(width=104.0, height=height))
    FigureCanvasAgg(figure)
    for axes in figure.axes[:-1]:
        for axis, start, end in ((axes.xaxis, "x0", "x1"), (axes.yaxis, "y0", "y1")):
            boxes = [label.get_window_extent() for label in axis.get_ticklabels() if label.get_text()]
            ends = sorted((getattr(box, start), getattr(box, end)) for box in boxes)
            assert all(before[1] <= after[0] for before, after in pairwise(ends))
            assert ends


def test_a_chart_with_room_has_every_number_of_the_screen(figures):
    chart = figures["logarithmic"].chart
    axes = drawn(chart, Paper(width=104.0, height=78.0)).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == list(chart.layout.yaxis.ticktext)
