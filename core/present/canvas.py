"""The frame that every chart stands in: axes, ticks, shading of what is safe, hatching of what was not measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from core.i18n import t
from core.model.answer import Capacity, Status
from core.model.run import Run
from core.present import style
from core.present.numbers import plain
from core.present.sketch import Sketch

WIDE = 16.0
"""Axes are logarithmic where the levels span more than this factor."""

MOST_POINTS = 5000
LEVEL_TICKS = 12
LEGEND_SIZE = 11
_LEFT_EDGE = -0.2
"""Left of the plot, so that the legend may use the whole width; Plotly keeps it inside the picture."""

FEWEST_TICKS, MOST_TICKS = 3, 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A chart with what it says in words and the numbers behind it.

    Attributes:
        chart: the Plotly figure; text follows the theme, colours are legible on white and black.
        alt: its finding in a sentence or two, for those who do not see it.
        rows: makes the numbers behind it, which few look at while many charts are drawn.
    """

    chart: go.Figure
    alt: str
    rows: Callable[[], pd.DataFrame]

    @property
    def table(self) -> pd.DataFrame:
        """Return the numbers behind it: one row per level, with headers in the chart's language."""
        return self.rows()


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One pair of axes.

    Attributes:
        x, y: what is in view, low and high.
        measured: lowest and highest load measured.
        log: both axes are logarithmic.
        suffix: "" for the first pair of axes, "2" for the second.
        domain: share of the chart's height that it takes, from below.
    """

    x: tuple[float, float]
    y: tuple[float, float]
    measured: tuple[float, float]
    log: bool
    suffix: str = ""
    domain: tuple[float, float] = (0.0, 1.0)

    @property
    def axes(self) -> dict[str, str]:
        """Return the axes as traces name them."""
        return {"xaxis": f"x{self.suffix}", "yaxis": f"y{self.suffix}"}

    def is_right(self, load: float) -> bool:
        """Return True for a load in the right third, where the texts of targets stand."""
        low, high = (self.place(end) if end > 0 else 0.0 for end in self.x)
        return self.place(load) > low + (high - low) * 2 / 3

    def is_near(self, value: float, height: float) -> bool:
        """Return True where a value lies within a tenth of the panel's height from a height."""
        low, high = (self.place(end) if end > 0 else 0.0 for end in self.y)
        return abs(self.place(value) - self.place(height)) < 0.1 * (high - low)

    def place(self, value: float) -> float:
        """Return where annotations put a value: on a logarithmic axis they want its exponent."""
        return math.log10(value) if self.log else value


def is_wide(loads: Sequence[float]) -> bool:
    """Return True where loads span more than a factor of 16."""
    known = [load for load in loads if load > 0]
    return bool(known) and max(known) > WIDE * min(known)


def view(values: Sequence[float], *, log: bool, pad: float = 0.06) -> tuple[float, float]:
    """Return the range of an axis that shows every value with some air; linear axes start at 0.

    Args:
        values: > 0 where log.
        log: of the axis.
        pad: air at each end as a share of the axis.
    """
    high, low = max(values), min(values)
    if not log:
        return 0.0, (high or 1.0) * (1 + pad)
    air = max(pad * math.log(high / low), math.log(1.12))
    return low / math.exp(air), high * math.exp(air)


def ticks(low: float, high: float, *, log: bool) -> list[float]:
    """Return round numbers in a range.

    >>> ticks(8, 600, log=True), ticks(0, 100, log=False)
    ([10.0, 20.0, 50.0, 100.0, 200.0, 500.0], [0.0, 20.0, 40.0, 60.0, 80.0, 100.0])
    >>> ticks(140, 260, log=True)
    [140.0, 160.0, 180.0, 200.0, 220.0, 240.0, 260.0]
    """
    if log:
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        every = [step * 10.0**k for k in decades for step in (1, 2, 5) if low <= step * 10.0**k <= high]
        if len(every) > FEWEST_TICKS:
            return every if len(every) <= MOST_TICKS else [v for v in every if round(math.log10(v), 9).is_integer()]
    rough = (high - low) / 6
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(s * power for s in (1, 2, 5, 10) if s * power >= rough)
    first = math.ceil(low / step - 1e-9)
    return [round(i * step, 12) for i in range(first, math.floor(high / step + 1e-9) + 1)]


def load_ticks(levels: Sequence[float], panel: Panel) -> list[float]:
    """Return the levels themselves where they are few and apart, else round numbers."""
    scale = math.log if panel.log else float
    length = scale(panel.x[1]) - (scale(panel.x[0]) if panel.log else 0.0)
    kept: list[float] = []
    for level in sorted(set(levels)):
        if not kept or scale(level) - scale(kept[-1]) > length / LEVEL_TICKS:
            kept.append(level)
    return kept if len(kept) >= 3 else ticks(*panel.x, log=panel.log)


def blank(panels: Sequence[Panel], language: str, *, height: int, right: int = 24, ink: str | None = None) -> Sketch:
    """Return an empty chart with transparent ground and a legend above; `ink` is the colour of its words."""
    chart = Sketch(ink=ink)
    chart.layout.update(
        height=height,
        margin={"l": 64, "r": right, "t": 58, "b": 48},
        paper_bgcolor=style.CLEAR,
        plot_bgcolor=style.CLEAR,
        hovermode="closest",
        dragmode="zoom",
        separators=".,",
        modebar={"bgcolor": style.CLEAR, "color": style.AXIS, "activecolor": style.BLUE},
        legend={
            "orientation": "h",
            "x": _LEFT_EDGE,
            "xanchor": "left",
            "y": 1.03,
            "yanchor": "bottom",
            "itemsizing": "trace",
            "font": {**chart.font, "size": LEGEND_SIZE},
        },
        uirevision="keep",
        font=chart.font,
    )
    for panel in panels:
        _hatch(chart, panel, language)
    return chart


def set_axes(
    chart: Sketch, panel: Panel, levels: Sequence[float], language: str, *, x_title: str | None, y_title: str
) -> None:
    """Give a panel its axes with titles, ranges and ticks in the language."""
    shared = {
        "type": "log" if panel.log else "linear",
        "gridcolor": style.GRID,
        "linecolor": style.AXIS,
        "showline": True,
        "zeroline": False,
        "ticks": "outside",
        "tickcolor": style.AXIS,
        "ticklen": 4,
        "tickfont": chart.font,
        "automargin": True,
    }

    def axis(view_: tuple[float, float], at: list[float], title: str | None) -> dict[str, object]:
        shown = [panel.place(v) for v in view_]
        words = {"text": style.safe_text(title), "font": chart.font} if title else None
        # Levels sent at a rate lie at what was in flight in the mean: three digits are enough to name them.
        text = [plain(v, language, digits=9 if v == round(v) else 3) for v in at]
        return {**shared, "range": shown, "tickvals": at, "ticktext": text, "title": words}

    x = {**axis(panel.x, load_ticks(levels, panel), x_title), "showgrid": False, "anchor": f"y{panel.suffix}"}
    if panel.suffix:
        x["matches"] = "x"
    y = {
        **axis(panel.y, ticks(*panel.y, log=panel.log), y_title),
        "domain": list(panel.domain),
        "anchor": f"x{panel.suffix}",
    }
    chart.layout.update({f"xaxis{panel.suffix}": x, f"yaxis{panel.suffix}": y})


def load_title(runs: Sequence[Run], language: str) -> str:
    """Return the title of the load axis; in open loop it is what was in flight."""
    if all(run.load_axis == "request_rate" for run in runs):
        return t("Requests in flight (measured, sent at a rate)").render(language)
    return t("Concurrent requests").render(language)


def shade(chart: Sketch, panel: Panel, capacity: Capacity, language: str) -> None:
    """Colour the safe side and what lies beyond; the doubt between them stays white."""
    low, high = panel.measured
    if capacity.status is Status.CANNOT_TELL:
        return
    safe = {Status.BELOW: low, Status.AT_LEAST: high}.get(capacity.status, capacity.safe or low)
    found = capacity.concurrency.high if capacity.concurrency else None
    beyond = {Status.BELOW: low, Status.AT_LEAST: high}.get(capacity.status, found if found is not None else high)
    kept = (low, safe, style.SAFE_SIDE, t("safe load"))
    passed = (beyond, high, style.BEYOND, t("beyond the range"))
    for rank, (start, end, colour, name) in enumerate((kept, passed)):
        if end > start:
            chart.shape(
                type="rect",
                xref=f"x{panel.suffix}",
                yref=f"y{panel.suffix} domain",
                x0=max(start, low),
                x1=min(end, high),
                y0=0,
                y1=1,
                fillcolor=colour,
                line={"width": 0},
                layer="below",
                name=name.render(language),
                legendgroup=colour,
                legendrank=3 + rank,
                showlegend=not chart.has(colour),
            )


def _hatch(chart: Sketch, panel: Panel, language: str) -> None:
    """Hatch the loads that were not measured, so that an empty stretch is not read as an answer."""
    bottom, top = panel.y
    for start, end in ((panel.x[0], panel.measured[0]), (panel.measured[1], panel.x[1])):
        if end > start:
            chart.scatter(
                x=[start, end, end, start],
                y=[bottom, bottom, top, top],
                mode="lines",
                line={"width": 0, "color": style.HATCH},
                fill="toself",
                fillcolor=style.CLEAR,
                fillpattern={"shape": "/", "fgcolor": style.HATCH, "size": 8, "solidity": 0.12},
                name=t("no usable level").render(language),
                legendgroup="unmeasured",
                legendrank=7,
                showlegend=not chart.has("unmeasured"),
                hoverinfo="skip",
                **panel.axes,
            )
