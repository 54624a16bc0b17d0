"""The one chart of the memo: the runs laid over each other, or the one that leads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from core.fit.fit import Fit
from core.i18n import Text, t
from core.model.answer import RunAnswer
from core.model.metric import Metric
from core.model.run import Kind
from core.model.scenario import Scenario
from core.present.batch import at_best
from core.present.canvas import Figure
from core.present.comparison import first_answered
from core.present.job_chart import job_figure
from core.present.latency import MOST_RUNS, drawable, is_stopped_by, latency_overlay
from core.present.names import metric_name
from core.present.numbers import concurrency
from core.present.report.chart_letters import COLOUR
from core.present.report.memo_parts import Chart
from core.present.report.memo_sentence import numbered
from core.present.report.memo_table import clipped
from core.present.stopped import stop_text
from core.present.throughput import throughput_figure

NAME_CHARS = 16
"""Of a run at the end of its curve: the table has the whole name."""

Pair = tuple[RunAnswer, Fit]


def chart_of(scenario: Scenario, fits: Mapping[str, Fit], language: str) -> Chart | None:
    """Return the chart, None where no level of any run can be drawn.

    Args:
        scenario: as it was saved.
        fits: by run id; a run without one is not drawn.
        language: of every word.
    """
    leading = first_answered(scenario.answers)
    pairs = [(answer, fits[answer.run.id]) for answer in scenario.answers if answer.run.id in fits]
    led = [pair for pair in pairs if pair[0] is leading]
    if leading.batch is not None and led:
        figure = job_figure(*led[0], language, ink=COLOUR)
        if figure is not None:
            name = t("Throughput and time of the job") if leading.batch.job else t("Throughput")
            return Chart(figure=figure, title=name.render(language), note=_note(pairs, led, language))
    for shown in (pairs, led) if 1 < len(pairs) <= MOST_RUNS else (led,):
        for metric, statistic in _choices(leading):
            figure = _latency(shown, metric, statistic, scenario, language) if shown else None
            if figure is not None:
                title = t("{metric} against load", metric=metric_name(metric, statistic, language))
                elsewhere = _elsewhere(shown, metric, statistic, scenario, language) if len(shown) > 1 else None
                note = ". ".join(part for part in (elsewhere, _note(pairs, shown, language)) if part)
                return Chart(figure=figure, title=title.render(language), note=note or None)
    rates = throughput_figure(*led[0], language, ink=COLOUR) if led else None
    if rates is None:
        return None
    return Chart(figure=rates, title=t("Throughput").render(language), note=_note(pairs, led, language))


def _latency(shown: Sequence[Pair], metric: Metric, statistic: str, scenario: Scenario, language: str) -> Figure | None:
    """Draw the runs with their numbers on the page before names that are cut short; alone they are named in full."""
    names = {}
    pairs = []
    for answer, fit in shown:
        name = answer.run.label
        if len(shown) > 1:
            name = clipped(numbered(name, scenario.answers.index(answer) + 1), NAME_CHARS)
        names[name] = answer.run.label
        pairs.append((at_best(replace(answer, run=replace(answer.run, label=name))), fit))
    figure = latency_overlay(
        pairs, metric, statistic, scenario.targets, language, ink=COLOUR, stopped_only=len(shown) > 1
    )
    if figure is None:
        return None
    alt = figure.alt
    for short, full in names.items():
        alt = alt.replace(f"{short}:", f"{full}:")
    return replace(figure, alt=alt)


def _elsewhere(shown: Sequence[Pair], metric: Metric, statistic: str, scenario: Scenario, language: str) -> str | None:
    """Return which runs another target stops, and at which load: the chart has no mark for them."""
    places: dict[str, list[str]] = {}
    for answer, _ in shown:
        capacity = answer.capacity
        if capacity.safe and capacity.binding and not is_stopped_by(capacity, metric, statistic):
            number = scenario.answers.index(answer) + 1
            at = f"({number}) {concurrency(capacity.safe, language)}"
            places.setdefault(stop_text(capacity, language), []).append(at)
    said = [
        t("Without a mark, since {target} stops it: {runs}", target=target, runs=", ".join(runs)).render(language)
        for target, runs in places.items()
    ]
    return ". ".join(said) or None


def _choices(answer: RunAnswer) -> Iterator[tuple[Metric, str]]:
    """Yield what may be drawn: what stops the run first, then its other targets, then a lower percentile of those."""
    if answer.capacity.binding:
        yield from drawable([answer.capacity.binding])
    yield from drawable([each.target for each in answer.per_target])
    supported = [found.binding for each in answer.per_target if (found := each.capacity.supported) and found.binding]
    if supported:
        yield from drawable(supported)


def _note(pairs: Sequence[Pair], shown: Sequence[Pair], language: str) -> str | None:
    """Return what has to be said below the chart: which run it is of, and that simulated ones are candidates."""
    said: list[Text] = []
    if len(shown) == 1 and len(pairs) > 1:
        said.append(t("Drawn: {run}", run=shown[0][0].run.label))
    if any(answer.run.kind is Kind.SIMULATED for answer, _ in shown):
        said.append(t("Dashed lines and hollow signs are simulated: candidates, not confirmed"))
    if any(answer.for_traffic for answer, _ in shown):
        said.append(t("As measured, not for your own traffic"))
    return ". ".join(text.render(language) for text in said) or None
