"""What one user gets against what one accelerator delivers, and against what a token costs: never in one scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pandas as pd

from core.compare.compare import Comparison
from core.compare.pareto import Point, Region, points_of, region_of
from core.compare.quantity import Question, counted, is_of_one_load, money_per_hour
from core.i18n import Text, t
from core.model.answer import RunAnswer
from core.model.price import price_for
from core.model.run import Kind
from core.model.target import Target
from core.present import style
from core.present.canvas import Figure, Panel, blank, is_wide, set_axes, view
from core.present.names import kind_text, target_text
from core.present.numbers import concurrency, rate
from core.present.run_labels import IN_LEGEND, cut_names
from core.present.sketch import Sketch
from core.present.style import Look, looks_of, safe_text

HEIGHT = 440
MOST_POINTS = 2000
OUTSIDE = 0.5
"""Opacity of a level that misses a target."""

_INSIDE = {True: t("inside the targets"), False: t("outside the targets"), None: t("targets not told at this level")}


def throughput_pareto(
    found: Comparison, targets: Sequence[Target], language: str = "en", *, ink: str | None = None
) -> Figure | None:
    """Draw tokens/s of one user against output tokens/s of the system for each accelerator; None without points."""
    title = t("Output tokens/s of the system for each accelerator").render(language)
    points = [p for p in points_of(found.answers, found.question) if p.per_accelerator is not None]
    return _figure(
        found, points, lambda p: p.per_accelerator or 0.0, lambda p: p.is_best, title, targets, language, ink
    )


def cost_pareto(
    found: Comparison, targets: Sequence[Target], language: str = "en", *, ink: str | None = None
) -> Figure | None:
    """Draw tokens/s of one user against the cost of a million output tokens; None without points or a price."""
    currency = found.question.price.currency if found.question.price else ""
    title = t("{currency} per million output tokens", currency=currency).render(language)
    points = [p for p in points_of(found.answers, found.question) if p.cost is not None]
    return _figure(found, points, lambda p: p.cost or 0.0, lambda p: p.is_cheapest, title, targets, language, ink)


def pareto_notes(found: Comparison, *, cost: bool, language: str = "en") -> tuple[str, ...]:
    """Return what a trade-off chart leaves out: runs without a point, each with why, and the frontier.

    Args:
        found: what is drawn.
        cost: of the chart of cost; else of that of throughput.
        language: of the words.
    """
    points = points_of(found.answers, found.question)
    points = tuple(point for point in points if (point.cost if cost else point.per_accelerator) is not None)
    drawn = {point.place for point in points}
    if not drawn:
        return ()
    without: dict[str, list[str]] = {}
    for place, answer in enumerate(found.answers):
        if place not in drawn:
            without.setdefault(_absent(answer, found.question, cost=cost), []).append(answer.run.label)
    notes = [Text(_ABSENT[why].msgid, {"runs": ", ".join(names)}) for why, names in without.items()]
    if not found.may_rank:
        notes.append(t("No line of the best is drawn: it would be a ranking, and these runs are not ranked"))
    elif not any(point.is_cheapest if cost else point.is_best for point in points):
        notes.append(t("No line of the best is drawn: no level is known to keep every target"))
    if not all(is_of_one_load(found.answers[place]) for place in drawn):
        notes.append(_OF_OTHERS)
    region = region_of([each.target for each in found.answers[0].per_target])
    if region and not region.is_exact:
        target = target_text(region.target, language)
        notes.append(
            t(
                "Left of the line {target} cannot be kept; right of it a level may still miss it, since speeds here "
                "are {kind}: pale points miss a target",
                target=target,
                kind=_KINDS[frozenset(point.statistic for point in points)],
            )
        )
    return tuple(note.render(language) for note in notes)


def pareto_gap(found: Comparison, *, cost: bool) -> Text:
    """Return why a trade-off chart has no point at all: each reason that holds, once.

    Args:
        found: what would be drawn.
        cost: of the chart of cost; else of that of throughput.
    """
    asked = found.question
    reasons = {_absent(answer, asked, cost=cost) for answer in found.answers}
    if cost and "hour" in reasons:
        unpaid = [answer for answer in found.answers if money_per_hour(answer, asked.price) is None]
        priced = [price_for(asked.price, answer.run.id) is not None for answer in unpaid]
        reasons = (reasons - {"hour"}) | {"count" if each else "price" for each in priced}
    if len(reasons) == 1:
        return _GAPS[reasons.pop()]
    return t("No run can be drawn: of each, one of price, accelerators, TPOT or output tokens/s is unknown")


_OF_OTHERS = t("The points are levels of the traffic as measured: how your own would fare there was not measured")

_GAPS = {
    "price": t("No price is given"),
    "count": t("Nobody said how many accelerators there are"),
    "levels": t("The files give no TPOT and output tokens/s at one level"),
}

_ABSENT = {
    "count": t("Not drawn, since nobody said how many accelerators it has: {runs}"),
    "hour": t("Not drawn, since what an hour of it costs is not known: {runs}"),
    "levels": t("Not drawn, since no level gives both TPOT and output tokens/s: {runs}"),
}

_KINDS = {
    frozenset({"mean"}): t("means"),
    frozenset({"p50"}): t("medians"),
    frozenset({"mean", "p50"}): t("means, of some runs medians"),
}
"""What the speeds of a chart are, by the statistics of the TPOT that they come from."""


def _absent(answer: RunAnswer, asked: Question, *, cost: bool) -> str:
    if cost:
        return "hour" if money_per_hour(answer, asked.price) is None else "levels"
    return "count" if counted(answer, asked.price) is None else "levels"


def _figure(
    found: Comparison,
    points: Sequence[Point],
    value: Callable[[Point], float],
    best: Callable[[Point], bool],
    title: str,
    targets: Sequence[Target],
    language: str,
    ink: str | None,
) -> Figure | None:
    if not points:
        return None
    shown = points[:MOST_POINTS]
    region = region_of(targets)
    speeds = [point.per_user for point in shown] + ([region.per_user] if region else [])
    values = [value(point) for point in shown]
    log = is_wide(speeds) or is_wide(values)
    x = view(speeds, log=log, pad=0.1)
    panel = Panel(x=x, y=view(values, log=log, pad=0.12), measured=x, log=log)
    chart = blank([panel], language, height=HEIGHT, ink=ink)
    if region:
        _draw_region(chart, panel, region, language)
    for kind in Kind if found.may_rank else ():
        _draw_front(chart, [p for p in shown if p.kind is kind and best(p)], value, kind, panel, language)
    looks = looks_of(tuple(answer.run for answer in found.answers))
    labels = cut_names((answer.run.label for answer in found.answers), IN_LEGEND)
    for place, (answer, look) in enumerate(zip(found.answers, looks, strict=True)):
        label = labels[answer.run.label], answer.run.label
        _draw_points(chart, [p for p in shown if p.place == place], value, label, look, panel, language, title)
    users = t("Tokens/s of one user (1 / TPOT)").render(language)
    set_axes(chart, panel, [], language, x_title=users, y_title=title)
    return Figure(
        chart=chart.figure(),
        alt=_alt(found, shown, best, region, title, language),
        rows=partial(_table, found, shown, value, best, title, language),
    )


def _draw_region(chart: Sketch, panel: Panel, region: Region, language: str) -> None:
    """Shade where the target on the speed of a user is kept, with its line and text; only the line of a tail's."""
    if region.is_exact:
        chart.shape(
            type="rect",
            xref="x",
            yref="y domain",
            x0=region.per_user,
            x1=panel.x[1],
            y0=0,
            y1=1,
            fillcolor=style.SAFE_SIDE,
            line={"width": 0},
            layer="below",
            name=t("target region").render(language),
            legendgroup="region",
            legendrank=5,
            showlegend=True,
        )
    chart.shape(
        type="line",
        xref="x",
        yref="y domain",
        x0=region.per_user,
        x1=region.per_user,
        y0=0,
        y1=1,
        line={"color": style.TARGET, "width": 2},
    )
    start, at, end = (panel.place(x) for x in (panel.x[0], region.per_user, panel.x[1]))
    # Where the line stands far to the right, its text has room on the left only.
    left = at - start > end - at
    chart.note(
        xref="x",
        yref="y domain",
        x=at,
        y=1,
        text=safe_text(target_text(region.target, language)),
        xanchor="right" if left else "left",
        yanchor="top",
        xshift=-5 if left else 5,
        font={"size": 12},
    )


_BEST = {
    Kind.SIMULATED: t("best of the simulated within the targets"),
    Kind.MEASURED: t("best of the measured within the targets"),
}


def _draw_front(
    chart: Sketch, points: Sequence[Point], value: Callable[[Point], float], kind: Kind, panel: Panel, language: str
) -> None:
    """Join what keeps the targets and no other of its kind beats: solid where measured, dashed where simulated."""
    if len(points) < 2:
        return
    ordered = sorted(points, key=lambda point: point.per_user)
    chart.scatter(
        x=[point.per_user for point in ordered],
        y=[value(point) for point in ordered],
        mode="lines",
        line={"width": 1.6, "color": style.AXIS, "dash": "dash" if kind is Kind.SIMULATED else "solid"},
        name=_BEST[kind].render(language),
        legendgroup=f"front {kind.value}",
        legendrank=6,
        showlegend=True,
        hoverinfo="skip",
        **panel.axes,
    )


def _draw_points(
    chart: Sketch,
    points: Sequence[Point],
    value: Callable[[Point], float],
    label: tuple[str, str],
    look: Look,
    panel: Panel,
    language: str,
    title: str,
) -> None:
    """Draw the levels of a run, whose `label` is as long as the legend has room for, and whole."""
    if not points:
        return
    chart.scatter(
        x=[point.per_user for point in points],
        y=[value(point) for point in points],
        mode="markers",
        marker={
            "symbol": look.marker,
            "size": 10,
            "color": look.hue,
            "opacity": [OUTSIDE if point.inside is False else 1.0 for point in points],
            "line": {"width": 1.6 if look.simulated else 0},
        },
        name=safe_text(label[0]),
        legendgroup=f"run {points[0].place}",
        legendrank=1,
        showlegend=True,
        hovertext=[_hover(point, value(point), label[1], title, language) for point in points],
        hoverinfo="text",
        **panel.axes,
    )


def _hover(point: Point, value: float, label: str, title: str, language: str) -> str:
    lines = (
        safe_text(label, longest=120),
        t("Concurrent requests: {load}", load=concurrency(point.load, language, decimals=1)).render(language),
        t("One user: {rate}", rate=rate(point.per_user, "tok/s", language)).render(language),
        safe_text(f"{title}: {rate(value, '', language)}", longest=120),
        _INSIDE[point.inside].render(language),
        kind_text(point.kind, language),
    )
    return "<br>".join(lines)


def _alt(
    found: Comparison,
    points: Sequence[Point],
    best: Callable[[Point], bool],
    region: Region | None,
    title: str,
    language: str,
) -> str:
    names = list(dict.fromkeys(found.answers[point.place].run.label for point in points if best(point)))
    said: list[Text] = [
        t(
            "{count} levels of {runs} runs: {title} against the tokens/s of one user.",
            count=len(points),
            runs=len({point.place for point in points}),
            title=title,
        )
    ]
    if found.may_rank and names:
        said.append(t("The best trade-offs that keep the targets are of {names}.", names=", ".join(names)))
    elif found.may_rank:
        said.append(t("No level is known to keep every target."))
    if region:
        inside = sum(point.per_user >= region.per_user for point in points)
        said.append(
            t(
                "{inside} of them give a user at least {speed} tokens/s.",
                inside=inside,
                speed=rate(region.per_user, "", language),
            )
        )
    return " ".join(text.render(language) for text in said)


def _table(
    found: Comparison,
    points: Sequence[Point],
    value: Callable[[Point], float],
    best: Callable[[Point], bool],
    title: str,
    language: str,
) -> pd.DataFrame:
    yes, no = t("yes").render(language), t("no").render(language)
    free = t("Keeps the targets, and no other is better").render(language)
    rows = [
        {
            t("Run").render(language): found.answers[point.place].run.label,
            t("Kind").render(language): kind_text(point.kind, language),
            t("Concurrent requests").render(language): point.load,
            t("Tokens/s of one user (1 / TPOT)").render(language): point.per_user,
            title: value(point),
            t("Targets").render(language): _INSIDE[point.inside].render(language),
        }
        | ({free: yes if best(point) else no} if found.may_rank else {})
        for point in points
    ]
    return pd.DataFrame(rows)
