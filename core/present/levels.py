"""The measured levels of one run as a chart shows them: which are used, how sure each is, what it says on hover."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.fit.curve import Curve
from core.i18n import t
from core.model.metric import Metric
from core.model.run import Run
from core.model.stage import Stage
from core.present.canvas import Panel
from core.present.marks import Dots
from core.present.names import requests_text
from core.present.numbers import concurrency
from core.present.reasons import exclusion_text
from core.present.run_labels import AT_CURVE, cut_names
from core.present.sketch import Sketch
from core.present.style import Look, safe_text

SIGMAS_90 = 1.6449
"""Standard errors on each side of a 90 % interval of a normal distribution."""

_GLYPHS = {"circle": "●", "square": "■", "triangle-up": "▲", "pentagon": "⬟", "triangle-down": "▼", "diamond-open": "◇"}
_LABEL_GAP = 0.075

_FAR_OFF = 0.1
"""ln of a level's value over that of the rising values nearest to all, from which a chart says so."""

LEVELS_SHOWN = 400
"""Levels of one run that a chart shows at most; more would hide each other anyway."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What an axis counts in: shown = value x factor."""

    label: str
    factor: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One level with the value a chart is about, in base units.

    Attributes:
        low, high: its own 90 % interval, None where its error is not known.
        reason: why the fit does not use it, None where it does.
        off: ln of its value over that of the nearest rising values, 0 where it is not known.
    """

    stage: Stage
    load: float
    value: float
    low: float | None = None
    high: float | None = None
    reason: str | None = None
    off: float = 0.0


def unit_of(metric: Metric, values: Sequence[float]) -> Unit:
    """Return ms where the middle of the values is below one second, else s; ratios have no unit."""
    if not metric.is_time:
        return Unit("")
    return Unit("ms", 1000.0) if not values or float(np.median(values)) < 1.0 else Unit("s")


def levels_of(
    run: Run, value_of: Callable[[Stage], float | None], curve: Curve | None, language: str
) -> tuple[Level, ...]:
    """Return the levels that have a load and a value, ascending.

    Args:
        run: whose stages are read.
        value_of: the value of a stage in base units, None where unknown.
        curve: of the same values, for the error of each level; None where there is none.
        language: of the reasons.
    """
    found = []
    for stage in run.stages:
        load, value = stage.load, value_of(stage)
        if load is not None and value is not None and load > 0 and value > 0 and np.isfinite([load, value]).all():
            found.append(_level(stage, load, value, curve, language))
    return tuple(sorted(found, key=lambda level: level.load))


def _level(stage: Stage, load: float, value: float, curve: Curve | None, language: str) -> Level:
    reason = exclusion_text(stage.excluded).render(language) if stage.excluded else None
    if curve is None or reason:
        return Level(stage=stage, load=load, value=value, reason=reason)
    at = np.flatnonzero(np.isclose(curve.load, load))
    if at.size == 0:
        # The curve leaves out what fell behind its rate or lost requests: see `core.fit`.
        lost = t("not used: it fell behind its rate or lost too many requests").render(language)
        return Level(stage=stage, load=load, value=value, reason=lost)
    spread = float(np.exp(SIGMAS_90 * curve.error[at[0]]))
    off = float(np.log(value) - curve.points.log_fit[at[0]])
    return Level(stage=stage, load=load, value=value, low=value / spread, high=value * spread, off=off)


def thin(count: int, most: int = LEVELS_SHOWN) -> list[int]:
    """Return at most `most` of `count` positions, evenly, the ends among them.

    >>> thin(3), thin(10, 4)
    ([0, 1, 2], [0, 3, 6, 9])
    """
    if count <= most:
        return list(range(count))
    return [int(i) for i in np.unique(np.linspace(0, count - 1, most).round())]


def split(levels: Sequence[Level]) -> tuple[list[Level], list[Level]]:
    """Return the levels that the fit uses and those left out, each thinned to what a chart can show."""
    used = [level for level in levels if level.reason is None]
    left = [level for level in levels if level.reason is not None]
    return [used[i] for i in thin(len(used))], [left[i] for i in thin(len(left))]


def dots_of(levels: Sequence[Level], unit: Unit, hover: Sequence[str]) -> Dots:
    """Return levels as a chart draws them, in the unit of its axis."""
    value = np.array([level.value for level in levels], float) * unit.factor
    ends = [[level.value if end is None else end for end in (level.low, level.high)] for level in levels]
    low, high = np.array(ends, float).reshape(-1, 2).T * unit.factor
    return Dots(load=np.array([level.load for level in levels], float), value=value, low=low, high=high, hover=hover)


def level_hover(level: Level, said: str, language: str) -> str:
    """Return what a level says: its load, its value, the requests it rests on, why it is left out."""
    load = concurrency(level.load, language, decimals=1)
    lines = [requests_text(load, language), said]
    if level.stage.requests_good is not None:
        good, failed = (concurrency(n or 0, language) for n in (level.stage.requests_good, level.stage.requests_failed))
        lines.append(
            t("{good} requests answered, failures not recorded", good=good).render(language)
            if level.stage.requests_failed is None
            else t("{good} requests answered, {failed} failed", good=good, failed=failed).render(language)
        )
    if level.reason:
        lines.append(level.reason)
    if abs(level.off) > _FAR_OFF:
        higher = t("The curve only rises with load; this level was higher than its neighbours allow")
        lower = t("The curve only rises with load; this level was lower than its neighbours allow")
        lines.append((higher if level.off > 0.0 else lower).render(language))
    return "<br>".join(safe_text(line, longest=160) for line in lines)


def label_ends(chart: Sketch, panel: Panel, ends: Sequence[tuple[float, str, Look]]) -> None:
    """Write the name of each curve at its right end, apart from each other.

    Args:
        chart: to write on.
        panel: whose right edge the names stand at.
        ends: per curve its last value in the panel's unit, its name, its look.
    """
    bottom, top = (panel.place(v) if v > 0 or not panel.log else 0.0 for v in panel.y)
    floor = -1.0
    shown = cut_names((name for _, name, _ in ends), AT_CURVE)
    for value, name, look in sorted(ends, key=lambda end: end[0]):
        share = (panel.place(value) - bottom) / (top - bottom)
        floor = max(share, floor + _LABEL_GAP)
        glyph = _GLYPHS.get(look.marker, "●")
        chart.note(
            xref=f"x{panel.suffix} domain",
            yref=f"y{panel.suffix} domain",
            x=1,
            y=floor,
            text=f'<span style="color:{look.hue}">{glyph}</span> {safe_text(shown[name])}',
            xanchor="left",
            xshift=6,
            align="left",
            font={"size": 12},
        )
