"""The bill of a fleet month by month as the demand grows: a sentence, a chart, and the table behind both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
import pandas as pd

from core.fleet.answer import FleetAnswer, GrownMonth, Purchases, Whole
from core.fleet.purchases import YEAR
from core.i18n import Text, t
from core.model.answer import Interval
from core.present import style
from core.present.canvas import Figure, Panel, blank, set_axes, view
from core.present.fleet_numbers import amount_text, whole_text
from core.present.how import How
from core.present.names import SEPARATOR
from core.present.numbers import concurrency, money, percent
from core.present.replicas import DEMANDS
from core.present.sketch import Sketch

HEIGHT = 320

End3 = tuple[float | None, float | None, float | None]


def purchases_text(found: FleetAnswer, language: str = "en") -> str | None:
    """Say what growth makes of the fleet and its bill: the last month, and the sum after each year; None without it."""
    bought = found.purchases
    if bought is None:
        return None
    last = bought.months[-1]
    replicas = whole_text(last.replicas, language) or "?"
    months, rate = len(bought.months), percent(found.fleet.growth, language)
    grown = t(
        "With {growth} more demand every month, replicas bought in the month that needs them: {replicas} in month "
        "{month}",
        growth=rate,
        replicas=replicas,
        month=last.month,
    )
    if bought.total is None or found.currency is None:
        return grown.render(language)
    years = range(YEAR, months + 1, YEAR)
    totals = [
        t(
            "{amount} in the first {months} months",
            amount=amount_text(bought.months[year - 1].so_far, found.currency, language) or "?",
            months=year,
        ).render(language)
        for year in (years if len(years) <= _MOST_YEARS else years[-1:])
    ]
    return f"{grown.render(language)}. {SEPARATOR.join(totals)}"


_MOST_YEARS = 3
"""Sums that a sentence holds; of more the last one is said, and the table has all."""


def purchases_table(found: FleetAnswer, language: str = "en") -> pd.DataFrame | None:
    """Return one row for each month with numbers as numbers, both ends of their range; None without growth.

    Columns: months from today, demand, replicas that are added, replicas, accelerators, bill, bill so far, currency.
    Those of money are left out without a price, those of accelerators where nobody said how many there are.
    """
    return None if found.purchases is None else _months_table(found, found.purchases, language)


def _months_table(found: FleetAnswer, bought: Purchases, language: str) -> pd.DataFrame:
    rows = bought.months
    demand = t("Demand at the peak ({unit})", unit=DEMANDS[found.demand.kind].render(language))
    columns: dict[str, pd.Series[float] | pd.Series[str] | pd.Series[int]] = {
        t("Months from today").render(language): pd.Series([row.month for row in rows], dtype="Int64"),
        demand.render(language): _numbers(row.demand for row in rows),
        t("Replicas added").render(language): _numbers(added(rows)),
        **_ends(REPLICAS, [_of(row.replicas) for row in rows], language),
    }
    if rows[0].accelerators.count is not None:
        columns |= _ends(ACCELERATORS, [_of(row.accelerators) for row in rows], language)
    if found.currency and bought.total is not None:
        columns |= _ends(BILL, [_amounts(row.bill) for row in rows], language)
        columns |= _ends(SO_FAR, [_amounts(row.so_far) for row in rows], language)
        columns[t("Currency").render(language)] = pd.Series([found.currency] * len(rows), dtype="str")
    return pd.DataFrame(columns)


REPLICAS = (t("Replicas, range from"), t("Replicas"), t("Replicas, range to"))
ACCELERATORS = (t("Accelerators, range from"), t("Accelerators"), t("Accelerators, range to"))
BILL = (t("Bill of the month, from"), t("Bill of the month"), t("Bill of the month, to"))
SO_FAR = (t("Bill so far, from"), t("Bill so far"), t("Bill so far, to"))


def added(rows: Sequence[GrownMonth]) -> tuple[int, ...]:
    """Return the replicas that each month has beyond the one before it; the first month has none of these."""
    counts = [row.replicas.count or 0 for row in rows]
    return tuple(now - before for now, before in zip(counts, [counts[0], *counts], strict=False))


def purchases_figure(found: FleetAnswer, language: str = "en", *, ink: str | None = None) -> Figure | None:
    """Draw the bill of each month with its range, replicas where there is no price; None without growth."""
    bought = found.purchases
    if bought is None:
        return None
    priced = bought.total is not None and found.currency is not None
    ends = [_amounts(row.bill) if priced else _of(row.replicas) for row in bought.months]
    name = BILL[1] if priced else REPLICAS[1]
    title = t("Bill of the month ({currency})", currency=found.currency or "") if priced else name
    known = [value for row in ends for value in row if value is not None]
    last = float(len(ends))
    panel = Panel(x=(0.0, last), y=view(known, log=False, pad=0.1), measured=(0.0, last), log=False)
    chart = blank([], language, height=HEIGHT, ink=ink)
    _band(chart, ends, t("90% range").render(language))
    x, y = _stairs([mid or 0.0 for _, mid, _ in ends])
    chart.scatter(
        x=x,
        y=y,
        mode="lines",
        # What is assumed is dotted: nobody has measured next month's demand.
        line={"width": 2.4, "color": style.BLUE, "dash": "dot"},
        name=name.render(language),
        hovertemplate="%{y:,.4~r}<extra></extra>",
    )
    x_title = t("Months from today").render(language)
    set_axes(chart, panel, [], language, x_title=x_title, y_title=title.render(language))
    return Figure(
        chart=chart.figure(), alt=_alt(bought, found, language), rows=partial(_months_table, found, bought, language)
    )


def purchases_how(found: FleetAnswer, language: str = "en") -> How | None:
    """Return how the bill of a month is worked out as the demand grows."""
    bought = found.purchases
    if bought is None:
        return None
    first, last = bought.months[0], bought.months[-1]
    replicas = [whole_text(row.replicas, language) or "?" for row in (first, last)]
    amount = amount_text(bought.total, found.currency, language) if found.currency else None
    each = found.pools[0].each_hour if len(found.pools) == 1 else None
    values = [
        (t("growth a month").render(language), percent(found.fleet.growth, language)),
        (t("months").render(language), concurrency(len(bought.months), language)),
        (t("replicas as planned").render(language), replicas[0]),
        (t("replicas in month {month}", month=last.month).render(language), replicas[1]),
    ]
    if each is not None and found.currency:
        values.append((t("bill per hour of one replica").render(language), money(each, found.currency, language)))
    if found.fleet.node is not None:
        values.append((t("Accelerators per node").render(language), concurrency(found.fleet.node, language)))
    if amount:
        values += [
            (t("bill of month {month}", month=row.month).render(language), _money(row, found, language))
            for row in (first, last)
        ]
    return How(
        name=t("Bill of all months as the demand grows").render(language),
        formula=t(
            "sum over months m of the larger of the replicas as planned and the replicas for demand × (1 + growth)^m, "
            "× bill per hour of one × 730 hours"
        ).render(language),
        values=tuple(values),
        result=amount or replicas[1],
        source=t(
            "The room for growth that was asked for is bought at once; beyond it a replica is bought in the month that "
            "needs it, with every other caution. Prices stay as they are today"
        ).render(language),
    )


def _money(row: GrownMonth, found: FleetAnswer, language: str) -> str:
    return amount_text(row.bill, found.currency or "", language) or "?"


def _alt(bought: Purchases, found: FleetAnswer, language: str) -> str:
    first, last = bought.months[0], bought.months[-1]
    if bought.total is not None:
        said = t(
            "From {first} in the first month to {last} in month {month}.",
            first=_money(first, found, language),
            last=_money(last, found, language),
            month=last.month,
        )
    else:
        said = t(
            "From {first} replicas in the first month to {last} in month {month}.",
            first=whole_text(first.replicas, language) or "?",
            last=whole_text(last.replicas, language) or "?",
            month=last.month,
        )
    return said.render(language)


def _band(chart: Sketch, ends: Sequence[End3], name: str) -> None:
    """Draw the range as far as both of its ends are known in every month."""
    low, high = ([row[place] for row in ends] for place in (0, 2))
    if None in low or None in high:
        return
    x, bottom = _stairs([end or 0.0 for end in low])
    _, top = _stairs([end or 0.0 for end in high])
    chart.scatter(
        x=[*x, *reversed(x)],
        y=[*bottom, *reversed(top)],
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=style.faded(style.BLUE),
        name=name,
        hoverinfo="skip",
    )


def _stairs(values: Sequence[float]) -> tuple[list[float], list[float]]:
    """Return the corners of stairs: each value from the beginning of its month to the end."""
    edges = np.arange(len(values) + 1, dtype=np.float64)
    return np.repeat(edges, 2)[1:-1].tolist(), np.repeat(values, 2).tolist()


def _numbers(cells: Iterable[float | None]) -> pd.Series[float]:
    return pd.Series(list(cells), dtype="Float64")


def _ends(names: Sequence[Text], rows: Sequence[End3], language: str) -> dict[str, pd.Series[float]]:
    return {name.render(language): _numbers(row[place] for row in rows) for place, name in enumerate(names)}


def _of(found: Whole) -> End3:
    return (found.fewest, found.count, found.most)


def _amounts(found: Interval | None) -> End3:
    return (found.low, found.mid, found.high) if found else (None, None, None)
