"""Charts of a fleet over time: the day with fixed, autoscaled and perfect fleets, and growth until it is full."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from core.fleet.answer import FleetAnswer, Numbers, OverTime
from core.fleet.growth import MOST_MONTHS
from core.i18n import t
from core.model.demand_curve import DAY_POINTS, HOUR_S
from core.model.run import Kind
from core.present import style
from core.present.canvas import Figure, Panel, blank, set_axes, ticks, view
from core.present.fleet_numbers import rough_text, share_text, whole_text
from core.present.fleet_tables import steps_table
from core.present.numbers import percent, plain
from core.present.replicas import DEMANDS
from core.present.sketch import Sketch

HEIGHT = 340
SHOWN_STEPS = 336
"""Steps that a chart shows of a longer trace: two weeks of hours, of finer steps a day, around the highest one."""

LEAST_MONTHS, MOST_SHOWN = 12, 60


def day_figure(found: FleetAnswer, language: str = "en", *, ink: str | None = None) -> Figure | None:
    """Draw the demand over the safe number with the three fleets, in replicas; None without a day."""
    over = found.over_time
    if over is None:
        return None
    part = _shown(over)
    hours = np.arange(part.start, part.stop + 1, dtype=np.float64) * (over.step_s / HOUR_S)
    load = _replicas(found, over)[part]
    panel = Panel(
        x=(float(hours[0]), float(hours[-1])),
        y=view([float(over.fixed), float(over.scaled.max()), float(load.max())], log=False, pad=0.12),
        measured=(float(hours[0]), float(hours[-1])),
        log=False,
    )
    chart = blank([], language, height=HEIGHT, ink=ink)
    _area(chart, hours, load, t("demand over the safe number").render(language))
    fixed = np.full(len(load), float(over.fixed))
    for values, name, hue, dash, width in (
        (fixed, t("fixed fleet"), style.BLUE, "solid", 2.4),
        (over.scaled[part], t("autoscaled"), style.ORANGE, "dash", 2.2),
        (over.needed[part], t("perfect autoscaler (a bound)"), style.GREEN, "dot", 2.0),
    ):
        _steps(chart, hours, values, name.render(language), hue, dash, width)
    set_axes(
        chart,
        panel,
        [],
        language,
        x_title=t("Hour").render(language),
        y_title=t("Replicas").render(language),
    )
    at = _hour_ticks(float(hours[0]), float(hours[-1]))
    chart.layout["xaxis"] |= {"tickvals": at, "ticktext": [plain(value, language, digits=6) for value in at]}
    return Figure(chart=chart.figure(), alt=_day_alt(found, over, language), rows=partial(steps_table, over, language))


def _shown(over: OverTime) -> slice:
    steps = len(over.in_flight)
    shown = max(SHOWN_STEPS, round(DAY_POINTS * HOUR_S / over.step_s))
    if steps <= shown:
        return slice(0, steps)
    top = int(np.argmax(over.in_flight))
    start = min(max(top - shown // 2, 0), steps - shown)
    return slice(start, start + shown)


def _replicas(found: FleetAnswer, over: OverTime) -> Numbers:
    """Return the demand as a share of the safe numbers, of several runs each by its own."""
    whole = sum(pool.in_flight.mid or 0.0 for pool in found.pools)
    each = sum((pool.in_flight.mid or 0.0) / pool.safe for pool in found.pools)
    return over.in_flight * (each / whole) if whole > 0.0 else over.in_flight


def _hour_ticks(low: float, high: float) -> list[float]:
    long = high - low
    step = next((s for s in (2, 3, 4, 6, 12, 24, 48, 168, 720) if long / s <= 13), None)
    if step is None or long < 6:
        return ticks(low, high, log=False)
    first = int(np.ceil(low / step))
    return [float(i * step) for i in range(first, int(high // step) + 1)]


def _area(chart: Sketch, hours: Numbers, values: Numbers, name: str) -> None:
    x, y = _corners(hours, values)
    chart.scatter(
        x=x,
        y=y,
        mode="lines",
        line={"width": 0.8, "color": style.SKY},
        fill="tozeroy",
        fillcolor=style.faded(style.SKY, 0.25),
        name=name,
        hoverinfo="skip",
    )


def _steps(chart: Sketch, hours: Numbers, values: Numbers, name: str, hue: str, dash: str, width: float) -> None:
    x, y = _corners(hours, values)
    chart.scatter(
        x=x,
        y=y,
        mode="lines",
        line={"width": width, "color": hue, "dash": dash},
        name=name,
        hovertemplate="%{y}<extra>" + style.safe_text(name) + "</extra>",
    )


def _corners(hours: Numbers, values: Numbers) -> tuple[list[float], list[float]]:
    """Return the corners of stairs: each value from its hour to the next."""
    return np.repeat(hours, 2)[1:-1].tolist(), np.repeat(values, 2).tolist()


def _day_alt(found: FleetAnswer, over: OverTime, language: str) -> str:
    said = t(
        "The fixed fleet has {fixed} replicas all the time. Autoscaled it takes {scaled} in the mean, and the demand "
        "needs at least {needed}.",
        fixed=over.fixed,
        scaled=rough_text(over.mean_scaled, language) or "?",
        needed=rough_text(over.mean_needed, language) or "?",
    ).render(language)
    if found.curve is None:
        return said
    mean = t("The mean demand is {share} of its peak.", share=percent(found.curve.mean_share, language))
    return f"{said} {mean.render(language)}"


def growth_figure(found: FleetAnswer, language: str = "en", *, ink: str | None = None) -> Figure | None:
    """Draw the demand as it grows against what the fleet carries, with its range; None without growth."""
    growth = found.growth
    if growth is None or growth.headroom.mid is None or found.fleet.growth <= 0.0:
        return None
    peak, room = found.demand.peak, growth.headroom
    known = [month for month in (growth.month.count, growth.month.most) if month is not None]
    last = min(max(LEAST_MONTHS, *(month + 3 for month in known)) if known else LEAST_MONTHS, MOST_SHOWN, MOST_MONTHS)
    months = np.arange(last + 1, dtype=np.float64)
    demand = peak * (1.0 + found.fleet.growth) ** months
    holds = peak * (1.0 + (room.mid or 0.0))
    low, high = (None if end is None else peak * (1.0 + end) for end in (room.low, room.high))
    top = max(float(demand.max()), holds, high or holds)
    panel = Panel(x=(0.0, float(last)), y=view([top], log=False, pad=0.1), measured=(0.0, float(last)), log=False)
    chart = blank([], language, height=HEIGHT, ink=ink)
    if low is not None and high is not None:
        chart.scatter(
            x=[0.0, last, last, 0.0],
            y=[low, low, high, high],
            mode="lines",
            line={"width": 0},
            fill="toself",
            fillcolor=style.faded(style.BLUE),
            name=t("90% range").render(language),
            hoverinfo="skip",
        )
    chart.scatter(
        x=[0.0, last],
        y=[holds, holds],
        mode="lines",
        line={"width": 2.4, "color": style.BLUE},
        name=t("what this fleet carries").render(language),
        hoverinfo="skip",
    )
    unit = DEMANDS[found.demand.kind].render(language)
    simulated = any(pool.answer.run.kind is Kind.SIMULATED for pool in found.pools)
    chart.scatter(
        x=months.tolist(),
        y=demand.tolist(),
        mode="lines+markers",
        # What is assumed is dotted: nobody has measured next month's demand.
        line={"width": 2.0, "color": style.ORANGE, "dash": "dot"},
        marker={"size": 5, "symbol": "diamond-open" if simulated else "circle"},
        name=t("demand at the peak, as it grows").render(language),
        hovertemplate="%{x}: %{y:.4g}<extra></extra>",
    )
    x_title, y_title = t("Months from today").render(language), t("Demand at the peak ({unit})", unit=unit)
    set_axes(chart, panel, [], language, x_title=x_title, y_title=y_title.render(language))

    def rows() -> pd.DataFrame:
        return pd.DataFrame(
            {
                x_title: pd.Series(months, dtype="Int64"),
                y_title.render(language): pd.Series(demand, dtype="Float64"),
                t("What this fleet carries").render(language): pd.Series([holds] * len(months), dtype="Float64"),
                t("From").render(language): pd.Series([low] * len(months), dtype="Float64"),
                t("To").render(language): pd.Series([high] * len(months), dtype="Float64"),
            }
        )

    return Figure(chart=chart.figure(), alt=_growth_alt(found, language), rows=rows)


def _growth_alt(found: FleetAnswer, language: str) -> str:
    growth = found.growth
    room = share_text(growth.headroom, language) if growth else None
    month = whole_text(growth.month, language) if growth else None
    rate = percent(found.fleet.growth, language)
    if month is None:
        said = t(
            "The fleet has room for {room} more; at {rate} a month it is never exceeded.", room=room or "?", rate=rate
        )
        return said.render(language)
    told = t(
        "The fleet has room for {room} more; at {rate} a month it is exceeded in month {month}.",
        room=room or "?",
        rate=rate,
        month=month,
    )
    return told.render(language)
