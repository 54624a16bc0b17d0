"""Charts that PowerPoint draws itself from numbers that it holds: a click, and they can be edited."""

from __future__ import annotations

import math
from typing import Any

from lxml import etree
from pptx.chart.chart import Chart
from pptx.chart.data import XyChartData
from pptx.chart.series import XySeries
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION, XL_MARKER_STYLE
from pptx.enum.dml import MSO_LINE
from pptx.oxml.ns import qn
from pptx.slide import Slide
from pptx.util import Pt

from core.i18n import t
from core.present.report.memo_table import clipped
from core.present.report.series import Plot, Points, RunSeries
from core.present.report.slides_page import INK, Box, clean, describe, rgb
from core.present.style import LEFT_OUT, TARGET

_NAME_CHARS = 36
_MARKERS = {
    "circle": XL_MARKER_STYLE.CIRCLE,
    "square": XL_MARKER_STYLE.SQUARE,
    "triangle-up": XL_MARKER_STYLE.TRIANGLE,
    "pentagon": XL_MARKER_STYLE.DIAMOND,
    "triangle-down": XL_MARKER_STYLE.X,
    "diamond-open": XL_MARKER_STYLE.DIAMOND,
}


class _Drawing:
    """Series with how each of them looks, in the order of drawing."""

    def __init__(self) -> None:
        self.data: Any = XyChartData()  # type: ignore[no-untyped-call]  # the library does not say
        self.looks: list[tuple[str, RunSeries | None]] = []

    def add(self, name: str, points: Points, kind: str, run: RunSeries | None = None) -> None:
        """Add one series where it has points."""
        if not points:
            return
        series = self.data.add_series(clean(name))
        for load, value in points:
            series.add_data_point(load, value)
        self.looks.append((kind, run))


def add_chart(slide: Slide, plot: Plot, box: Box, language: str, *, letters: int = 12) -> None:
    """Place a native chart: levels as markers, the estimate as a line, the target, where to load it to."""
    drawing = _Drawing()
    for run in plot.runs:
        label = clipped(run.label, _NAME_CHARS)
        said, measured = t("{run}: simulated", run=label), t("{run}: measured", run=label)
        drawing.add(t("{run}: estimate", run=label).render(language), run.curve, "curve", run)
        drawing.add((said if run.look.simulated else measured).render(language), run.levels, "levels", run)
        drawing.add(t("{run}: left out", run=label).render(language), run.left_out, "left", run)
        mark = (run.mark,) if run.mark else ()
        drawing.add(t("{run}: load it to here", run=label).render(language), mark, "mark", run)
    for limit, words in plot.limits:
        drawing.add(words, tuple((load, limit) for load in (min(plot.loads), max(plot.loads))), "target")
    frame: Any = slide.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS, *box.emu, drawing.data)
    describe(frame, plot.alt)
    chart = frame.chart
    for series, (kind, one) in zip(chart.plots[0].series, drawing.looks, strict=True):
        _draw(series, kind, one)
    _dress(chart, plot, letters)


def _draw(series: XySeries, kind: str, run: RunSeries | None) -> None:
    """Give one series its look; hollow and dashed say "simulated"."""
    series.smooth = False  # type: ignore[attr-defined]  # it is there, the library's hints lack it
    line, marker = series.format.line, series.marker
    hue = run.look.hue if run else TARGET
    if kind in ("curve", "target"):
        line.color.rgb, line.width = rgb(hue), Pt(2.25 if kind == "target" else 2.0)
        line.dash_style = MSO_LINE.DASH if run and run.look.simulated else MSO_LINE.SOLID
        marker.style = XL_MARKER_STYLE.NONE
        return
    line.fill.background()
    marker.size = {"mark": 14, "left": 8}.get(kind, 8)
    edge = LEFT_OUT if kind == "left" else hue
    marker.format.line.color.rgb = rgb(edge)
    hollow = kind != "levels" or (run is not None and run.look.simulated)
    if hollow:
        marker.format.fill.background()
    else:
        marker.format.fill.solid()
        marker.format.fill.fore_color.rgb = rgb(edge)
    own = _MARKERS.get(run.look.marker, XL_MARKER_STYLE.CIRCLE) if run else XL_MARKER_STYLE.CIRCLE
    marker.style = {"mark": XL_MARKER_STYLE.PLUS, "left": XL_MARKER_STYLE.CIRCLE}.get(kind, own)
    if kind == "mark":
        marker.format.line.width = Pt(2.5)


def _dress(chart: Chart, plot: Plot, letters: int) -> None:
    """Give a chart its axes with titles and units, and its legend."""
    chart.has_title = False
    chart.font.size = Pt(letters)
    chart.font.color.rgb = rgb(INK)
    chart.has_legend = True
    chart.legend.position, chart.legend.include_in_layout = XL_LEGEND_POSITION.BOTTOM, False
    chart.legend.font.size = Pt(letters - 1)
    values = [*plot.values, *(limit for limit, _ in plot.limits)]
    for axis, title, shown in (
        (chart.category_axis, plot.x_title, plot.loads),
        (chart.value_axis, plot.y_title, values),
    ):
        axis.has_title = True
        axis.axis_title.text_frame.text = clean(title)
        axis.axis_title.text_frame.paragraphs[0].runs[0].font.size = Pt(letters)
        axis.axis_title.text_frame.paragraphs[0].runs[0].font.bold = False
        axis.tick_labels.number_format, axis.tick_labels.number_format_is_linked = "General", False
        axis.has_major_gridlines = axis is chart.value_axis
        axis.format.line.color.rgb = rgb("#9aa7b2")
        if plot.log:
            axis.minimum_scale, axis.maximum_scale = _decades(shown)
            scaling = axis._element.find(qn("c:scaling"))
            base = etree.Element(qn("c:logBase"))
            base.set("val", "10")
            scaling.insert(0, base)
        else:
            axis.minimum_scale = 0
    chart.value_axis.major_gridlines.format.line.color.rgb = rgb("#d9dfe4")
    if plot.log:
        _crossing(chart)


def _decades(values: list[float]) -> tuple[float, float]:
    """Return the whole powers of ten around values: Office draws no others on a logarithmic axis."""
    low, high = math.floor(math.log10(min(values)) + 1e-9), math.ceil(math.log10(max(values)) - 1e-9)
    return 10.0**low, 10.0 ** max(high, low + 1)


def _crossing(chart: Chart) -> None:
    """Let each axis stand at the low end of the other, also where that is not 1."""
    for axis in (chart.category_axis, chart.value_axis):
        element = axis._element
        crosses = element.find(qn("c:crosses"))
        if crosses is not None:
            crosses.set("val", "min")
