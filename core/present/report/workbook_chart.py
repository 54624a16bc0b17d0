"""The sheet with the chart: latency against load as the spreadsheet itself draws it, its numbers beside it."""

from __future__ import annotations

from xlsxwriter.chart_scatter import ChartScatter
from xlsxwriter.worksheet import Worksheet

from core.i18n import t
from core.present.report.frames import CANDIDATE
from core.present.report.series import Plot, Points, RunSeries
from core.present.report.workbook_page import NUMBER, Book
from core.present.style import LEFT_OUT, TARGET

_FIRST_ROW = 4
_CHART_ROWS = 27
_MARKERS = {
    "circle": "circle",
    "square": "square",
    "triangle-up": "triangle",
    "pentagon": "diamond",
    "triangle-down": "long_dash",
    "diamond-open": "diamond",
}


def write_chart(book: Book, sheet: Worksheet, plot: Plot | None) -> None:
    """Write the chart of latency and the numbers that it draws, which may be changed in place."""
    book.put(sheet, 0, 0, book.say(t("Latency against load")), "title")
    if plot is None:
        book.put(sheet, 1, 0, book.say(t("The files do not give this metric at any level")), "quiet")
        return
    if any(run.look.simulated for run in plot.runs):
        book.put(sheet, 1, 0, book.say(CANDIDATE), "badge")
    if plot.left_off:
        said = t("{count} more runs are on the sheet of levels", count=plot.left_off)
        book.put(sheet, 1, 1, book.say(said), "quiet")
    chart: ChartScatter = book.file.add_chart({"type": "scatter", "subtype": "straight"})
    writer = _Columns(book=book, sheet=sheet, chart=chart, plot=plot)
    for run in plot.runs:
        _run(writer, run)
    for limit, words in plot.limits:
        ends = (min(plot.loads), max(plot.loads))
        line = {"color": TARGET, "width": 1.75}
        writer.add(words, tuple((load, limit) for load in ends), line=line, marker={"type": "none"})
    _axes(chart, plot)
    sheet.insert_chart(_FIRST_ROW, 0, chart, {"x_offset": 4, "description": plot.alt, "object_position": 2})
    sheet.set_column(0, writer.column, 16)
    sheet.print_area(0, 0, _FIRST_ROW + _CHART_ROWS - 1, 8)


def _run(writer: _Columns, run: RunSeries) -> None:
    """Add one run: its estimate as a line, its levels as markers, what was left out in grey, its safe number."""
    say, hue = writer.book.say, run.look.hue
    dash = {"dash_type": "dash"} if run.look.simulated else {}
    fill = {"none": True} if run.look.simulated else {"color": hue}
    none: dict[str, object] = {"none": True}
    if run.curve:
        name = say(t("{run}: estimate", run=run.label))
        writer.add(name, run.curve, line={"color": hue, "width": 1.5, **dash}, marker={"type": "none"})
    if run.levels:
        measured, simulated = t("{run}: measured", run=run.label), t("{run}: simulated", run=run.label)
        shape = _MARKERS.get(run.look.marker, "circle")
        marker = {"type": shape, "size": 8, "fill": fill, "border": {"color": hue}}
        writer.add(say(simulated if run.look.simulated else measured), run.levels, line=none, marker=marker)
    if run.left_out:
        marker = {"type": "circle", "size": 7, "fill": none, "border": {"color": LEFT_OUT}}
        writer.add(say(t("{run}: left out", run=run.label)), run.left_out, line=none, marker=marker)
    if run.mark:
        marker = {"type": "plus", "size": 13, "border": {"color": hue, "width": 2.25}}
        writer.add(say(t("{run}: load it to here", run=run.label)), (run.mark,), line=none, marker=marker)


class _Columns:
    """The numbers of the chart below it: two columns a series, which the chart reads."""

    def __init__(self, *, book: Book, sheet: Worksheet, chart: ChartScatter, plot: Plot) -> None:
        self.book, self.sheet, self.chart, self.plot = book, sheet, chart, plot
        self.column = 0

    def add(self, name: str, points: Points, **look: object) -> None:
        """Write one series and add it to the chart."""
        top, sheet = _FIRST_ROW + _CHART_ROWS, self.sheet.get_name()
        self.book.put(self.sheet, top, self.column, name, "wrapped")
        self.book.put(self.sheet, top + 1, self.column, self.plot.x_title, "head")
        self.book.put(self.sheet, top + 1, self.column + 1, self.plot.y_title, "head")
        for row, point in enumerate(points, start=top + 2):
            for column, value in enumerate(point, start=self.column):
                self.book.put(self.sheet, row, column, value, "result", num_format=NUMBER)
        rows = (top + 2, top + 1 + len(points))
        self.chart.add_series(
            {
                "name": [sheet, top, self.column],
                "categories": [sheet, rows[0], self.column, rows[1], self.column],
                "values": [sheet, rows[0], self.column + 1, rows[1], self.column + 1],
                **look,
            }
        )
        self.column += 2


def _axes(chart: ChartScatter, plot: Plot) -> None:
    grid = {"visible": True, "line": {"color": "#D9DFE4", "width": 0.75}}
    log = {"log_base": 10} if plot.log else {"min": 0}
    letters = {"name_font": {"size": 10, "bold": False}, "num_font": {"size": 9}}
    chart.set_x_axis({"name": plot.x_title, "num_format": "#,##0", **_span(plot.loads, log=plot.log), **log, **letters})
    y = {"name": plot.y_title, "num_format": "General", "major_gridlines": grid, **log, **letters}
    chart.set_y_axis(y | _span([*plot.values, *(limit for limit, _ in plot.limits)], log=plot.log))
    chart.set_title({"name": plot.name, "name_font": {"size": 12, "bold": True}, "overlay": False})
    chart.set_legend({"position": "bottom", "font": {"size": 9}})
    chart.set_size({"width": 980, "height": _CHART_ROWS * 20 - 20})


def _span(values: list[float], *, log: bool) -> dict[str, float]:
    """Return the ends of a logarithmic axis: whole powers of ten, where the crossing axis stands too."""
    if not log:
        return {}
    low = 10.0 ** _power(min(values))
    return {"min": low, "crossing": low}


def _power(value: float) -> int:
    power = 0
    while 10.0**power > value:
        power -= 1
    while 10.0 ** (power + 1) <= value:
        power += 1
    return power
