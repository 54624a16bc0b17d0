"""What a native chart of a spreadsheet or a presentation shows: levels, curves and targets as plain numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.fit.fit import Fit, fit_run
from core.i18n import t
from core.model.answer import RunAnswer, Status
from core.model.metric import MEASURED, Metric
from core.model.run import Kind
from core.model.scenario import Scenario
from core.model.target import Target
from core.present.alt import latency_alt
from core.present.bands import Line, crossings
from core.present.batch import at_best
from core.present.canvas import is_wide, load_title
from core.present.figures import cost_figure, throughput_figure
from core.present.latency import MOST_RUNS, limits_of
from core.present.levels import Level, levels_of, unit_of
from core.present.names import metric_name, target_text
from core.present.spending import costs
from core.present.style import Look, looks_of
from core.present.throughput import Rates, system_rates

_CURVE_POINTS = 60

Points = tuple[tuple[float, float], ...]
"""Pairs of load and value, in the unit of the axis."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSeries:
    """One run in one chart.

    Attributes:
        levels: used by the fit. left_out: not used by it. curve: the estimate between the levels, perhaps empty.
        mark: where to load it to: the safe number, on the line of the target; None where there is none.
    """

    label: str
    look: Look
    levels: Points
    left_out: Points
    curve: Points
    mark: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """One chart.

    Attributes:
        name: of the chart. x_title, y_title: with units. log: both axes are logarithmic.
        limits: values with the words of their target.
        alt: what the chart shows, in words.
        left_off: how many runs are not in it.
    """

    name: str
    x_title: str
    y_title: str
    log: bool
    runs: tuple[RunSeries, ...]
    limits: tuple[tuple[float, str], ...] = ()
    alt: str
    left_off: int = 0

    @property
    def loads(self) -> list[float]:
        """Return every load that is drawn."""
        return [load for run in self.runs for load, _ in (*run.levels, *run.left_out, *run.curve)]

    @property
    def values(self) -> list[float]:
        """Return every value that is drawn."""
        return [value for run in self.runs for _, value in (*run.levels, *run.left_out, *run.curve)]


Fits = Mapping[str, Fit]


def fits_of(scenario: Scenario) -> Fits:
    """Return the fit of every run, by its id: curves are drawn by today's method, numbers stay as saved."""
    return {answer.run.id: fit_run(answer.run) for answer in scenario.answers}


def latency_plot(scenario: Scenario, fits: Fits, language: str = "en") -> Plot | None:
    """Return latency against load for the target that stops the first run, None where no level has it."""
    metric, statistic = drawn(scenario)
    limits = limits_of(scenario.targets, metric, statistic)
    curves = {answer.run.id: fits[answer.run.id].curve(metric, statistic) for answer in scenario.answers}
    found = [
        (answer, levels)
        for answer in scenario.answers
        if (levels := levels_of(answer.run, lambda s: s.value(metric, statistic), curves[answer.run.id], language))
    ]
    if not found:
        return None
    shown = found[:MOST_RUNS]
    unit = unit_of(metric, [limit for limit, _ in limits] or [level.value for _, each in shown for level in each])
    name = metric_name(metric, statistic, language)
    looks = looks_of(tuple(answer.run for answer, _ in shown))
    series = []
    for (answer, levels), look in zip(shown, looks, strict=True):
        curve = curves[answer.run.id]
        line = crossings(curve)[1] if curve is not None else None
        fitted = fits[answer.run.id].value(metric, statistic, answer.capacity.safe or 0.0)
        height = min((limit for limit, _ in limits), default=fitted.mid if fitted else None)
        series.append(_series(answer, look, levels, line, height, unit.factor))
    targets = [target for _, target in limits]
    return _plot(
        [answer for answer, _ in shown],
        series,
        language,
        name=name,
        y_title=f"{name} ({unit.label})" if unit.label else name,
        limits=tuple((limit * unit.factor, target_text(target, language)) for limit, target in limits),
        alt=" ".join(latency_alt(answer, each, metric, statistic, targets, language) for answer, each in shown),
        left_off=len(found) - len(shown),
    )


def throughput_plot(scenario: Scenario, fits: Fits, language: str = "en") -> Plot | None:
    """Return output tokens per second against load, None where no level gives them."""
    answers = [at_best(answer) for answer in scenario.answers]
    rates = [(answer, system_rates(answer, fits[answer.run.id], language)) for answer in answers]
    alts = {a.run.id: throughput_figure(a, fits[a.run.id], language) for a, found in rates[:MOST_RUNS] if found.levels}
    name, title = t("Throughput").render(language), rates[0][1].title if rates else ""
    return _rates_plot(rates, {run: figure.alt for run, figure in alts.items() if figure}, name, title, language)


def cost_plot(scenario: Scenario, fits: Fits, language: str = "en") -> Plot | None:
    """Return money per million output tokens against load, None where there is no cost."""
    priced = [(at_best(answer), cost) for answer in scenario.answers if (cost := at_best(answer).cost)]
    if scenario.price is None or not priced:
        return None
    rates = [
        (answer, costs(answer, cost, system_rates(answer, fits[answer.run.id], language), language))
        for answer, cost in priced
    ]
    alts = {a.run.id: cost_figure(a, fits[a.run.id], language) for a, found in rates[:MOST_RUNS] if found.levels}
    name, title = t("Cost of a million output tokens").render(language), rates[0][1].title
    return _rates_plot(rates, {run: figure.alt for run, figure in alts.items() if figure}, name, title, language)


def drawn(scenario: Scenario) -> tuple[Metric, str]:
    """Return metric and statistic of the target that the chart shows: what stops the first run that is stopped.

    A floor on a user's speed is a ceiling on TPOT.
    """
    binding = [answer.capacity.binding for answer in scenario.answers if answer.capacity.binding]
    found = [_pair(target) for target in (*binding, *scenario.targets)]
    return next((pair for pair in found if pair[0] in MEASURED), (Metric.TTFT, "p99"))


def _pair(target: Target) -> tuple[Metric, str]:
    return Metric.TPOT if target.metric is Metric.TOK_S_USER else target.metric, target.statistic


def _rates_plot(
    rates: Sequence[tuple[RunAnswer, Rates]], alts: Mapping[str, str], name: str, y_title: str, language: str
) -> Plot | None:
    found = [(answer, each) for answer, each in rates if each.levels]
    shown = found[:MOST_RUNS]
    if not shown:
        return None
    looks = looks_of(tuple(answer.run for answer, _ in shown))
    return _plot(
        [answer for answer, _ in shown],
        [
            _series(answer, look, each.levels, each.line, each.at_safe.mid if each.at_safe else None)
            for (answer, each), look in zip(shown, looks, strict=True)
        ],
        language,
        name=name,
        y_title=y_title,
        alt=" ".join(alts.get(answer.run.id, "") for answer, _ in shown).strip(),
        left_off=len(found) - len(shown),
    )


def _plot(
    answers: Sequence[RunAnswer],
    series: Sequence[RunSeries],
    language: str,
    *,
    name: str,
    y_title: str,
    alt: str,
    limits: tuple[tuple[float, str], ...] = (),
    left_off: int = 0,
) -> Plot:
    loads = [load for one in series for load, _ in (*one.levels, *one.left_out)]
    return Plot(
        name=name,
        x_title=load_title([answer.run for answer in answers], language),
        y_title=y_title,
        log=is_wide(loads),
        runs=tuple(series),
        limits=limits,
        alt=alt,
        left_off=left_off,
    )


def _series(
    answer: RunAnswer,
    look: Look,
    levels: Sequence[Level],
    line: Line | None,
    height: float | None,
    factor: float = 1.0,
) -> RunSeries:
    """Return one run as it is drawn; `height` is where its mark stands, in base units as all values."""
    safe = answer.capacity.safe if answer.capacity.status in (Status.WITHIN, Status.AT_LEAST) else None
    simulated = answer.run.kind is Kind.SIMULATED
    used = tuple((level.load, level.value * factor) for level in levels if level.reason is None)
    left = tuple((level.load, level.value * factor) for level in levels if level.reason is not None)
    return RunSeries(
        label=answer.run.label,
        look=Look(look.hue, look.symbol, simulated),
        levels=used,
        left_out=left,
        curve=_thinned(line, factor) if line is not None else (),
        mark=(float(safe), height * factor) if safe and height is not None else None,
    )


def _thinned(line: Line, factor: float) -> Points:
    """Return a line with few enough points to be edited by hand, its ends among them."""
    load, value = line
    if not load.size:
        return ()
    at = np.unique(np.linspace(0, load.size - 1, min(_CURVE_POINTS, load.size)).round().astype(int))
    return tuple((float(load[i]), float(value[i]) * factor) for i in at)
