"""The cost of a million output tokens as a waterfall: from a full machine's number to the fleet's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import pandas as pd

from core.fleet.answer import Effective, FleetAnswer, Stage
from core.fleet.effective import WHOLE_REPLICAS
from core.fleet.size import Caution
from core.i18n import Text, t
from core.model.answer import Interval
from core.present import style
from core.present.canvas import Figure, blank
from core.present.fleet_numbers import amount_text
from core.present.fleet_words import CAUTIONS
from core.present.money import shower
from core.present.numbers import money, percent, plain
from core.present.sketch import Sketch

ROW_PX, FRAME_PX = 40, 120
PHONE_PX, LETTER_PX, GAP_PX = 200, 6, 8
"""Width of the plot on a telephone, beside the names of the steps; of a letter of a label; between it and its bar."""

STAGES: dict[str, Text] = {
    "peak": t("Highest throughput measured"),
    "slo": t("At the safe number"),
    "rate": t("Doubt about the rate"),
    "day": t("The day below its peak"),
    WHOLE_REPLICAS: t("Whole replicas"),
    "total": t("In this fleet"),
    **{caution.value: text for caution, text in CAUTIONS.items() if caution is not Caution.SAFE},
}


@dataclass(frozen=True, slots=True)
class _Bar:
    name: str
    start: float
    end: float
    hue: str
    text: str


def waterfall_figure(found: FleetAnswer, language: str = "en", *, ink: str | None = None) -> Figure | None:
    """Draw what each step adds to the cost of a million output tokens; None where the cost is not known."""
    cost, currency = found.effective, found.currency
    if cost is None or currency is None:
        return None
    bars = _bars(cost, currency, language)
    chart = blank([], language, height=FRAME_PX + ROW_PX * len(bars), ink=ink)
    names = [bar.name for bar in bars]
    chart.traces.append(
        {
            "type": "bar",
            "orientation": "h",
            "y": names,
            "x": [bar.end - bar.start for bar in bars],
            "base": [bar.start for bar in bars],
            "marker": {"color": [bar.hue for bar in bars]},
            "text": ["<br>".join(map(style.safe_text, bar.text.split("\n"))) for bar in bars],
            "textposition": "outside",
            "textfont": chart.font,
            "cliponaxis": False,
            "hovertemplate": "%{y}: %{text}<extra></extra>",
            "showlegend": False,
            "width": 0.62,
        }
    )
    _range(chart, cost, bars)
    _axes(chart, cost, bars, currency, language)
    return Figure(chart=chart.figure(), alt=_alt(cost, currency, language), rows=partial(table, found, language))


def _bars(cost: Effective, currency: str, language: str) -> list[_Bar]:
    """Return a bar from nothing for the first and the last, between them one for what each stage adds."""
    first, *rest = _drawn(cost.stages)
    bars = [
        _Bar(STAGES[first.name].render(language), 0.0, first.cost, style.BLUE, money(first.cost, currency, language))
    ]
    for before, stage in pairwise([first, *rest]):
        text = f"{_adds(before, stage, currency, language)} ({plain(stage.factor, language)}×)"
        bars.append(_Bar(STAGES[stage.name].render(language), before.cost, stage.cost, style.ORANGE, text))
    last = rest[-1].cost if rest else first.cost
    total = STAGES["total"].render(language)
    return [*bars, _Bar(total, 0.0, last, style.BLUE, _paid(cost.cost, currency, language))]


def _drawn(stages: Sequence[Stage]) -> list[Stage]:
    """Return the stages that change the cost; the first one is where it begins."""
    return [stage for place, stage in enumerate(stages) if place == 0 or abs(stage.factor - 1.0) >= _DUST]


def _adds(before: Stage, stage: Stage, currency: str, language: str) -> str:
    """Return what a stage adds with its sign.

    >>> first, dear = Stage(name="peak", cost=0.5, factor=1.0), Stage(name="slo", cost=0.6, factor=1.2)
    >>> _adds(first, dear, "USD", "en"), _adds(dear, first, "USD", "en")
    ('+$0.10', '−$0.10')
    """
    added = stage.cost - before.cost
    return f"{'−' if added < 0 else '+'}{money(abs(added), currency, language)}"


_DUST = 1e-9


def _paid(found: Interval, currency: str, language: str) -> str:
    r"""Return an amount with its range on a line below it: beside each other a telephone has no room for them.

    >>> _paid(Interval(low=0.8, mid=0.867, high=1.03), "USD", "en")
    '$0.867\n($0.800–$1.030)'
    """
    if found.mid is None:
        return "?"
    amount = shower(found, currency, language)(found.mid)
    whole = amount_text(found, currency, language) or amount
    return f"{amount}\n{whole.removeprefix(amount).strip(', ')}"


def _range(chart: Sketch, cost: Effective, bars: list[_Bar]) -> None:
    """Draw the range of the last bar, the only one that is paid."""
    if cost.cost.low is None or cost.cost.high is None:
        return
    chart.shape(
        type="line",
        x0=cost.cost.low,
        x1=cost.cost.high,
        y0=len(bars) - 0.62,
        y1=len(bars) - 0.62,
        line={"color": style.BLUE, "width": 3},
    )


def _axes(chart: Sketch, cost: Effective, bars: list[_Bar], currency: str, language: str) -> None:
    end = max(_end(bars), cost.cost.high or 0.0)
    before, behind = _around(currency, language)
    title = t("Cost of a million output tokens ({currency})", currency=currency).render(language)
    shared = {"tickfont": chart.font, "linecolor": style.AXIS, "gridcolor": style.GRID, "zeroline": False}
    chart.layout["xaxis"] = {
        **shared,
        "range": [0.0, end],
        # Plotly draws as many as stand beside each other: few on a telephone, more on a screen.
        "tickmode": "auto",
        "tickangle": 0,
        "tickprefix": before,
        "ticksuffix": behind,
        "separatethousands": True,
        "exponentformat": "none",
        "title": {"text": style.safe_text(title), "font": chart.font},
        "showline": True,
    }
    chart.layout["yaxis"] = {
        **shared,
        "autorange": "reversed",
        "showgrid": False,
        "automargin": True,
        "type": "category",
    }
    chart.layout["margin"] = {"l": 12, "r": 12, "t": 12, "b": 48}


def _around(currency: str, language: str) -> tuple[str, str]:
    r"""Return what stands before and behind the digits of an amount, a space between them kept.

    >>> _around("KRW", "ko"), _around("abc", "en")
    (('₩', ''), ('', '\xa0abc'))
    """
    before, _, behind = re.split(r"(\d[\d.,]*)", money(1.0, currency, language), maxsplit=1)
    space = {part: "\N{NO-BREAK SPACE}" if part != part.strip() else "" for part in (before, behind)}
    return f"{style.safe_text(before.strip())}{space[before]}", f"{space[behind]}{style.safe_text(behind.strip())}"


def _end(bars: list[_Bar]) -> float:
    """Return where the axis ends: on a telephone every label has room behind its bar.

    >>> round(_end([_Bar("", 0.0, 1.0, "", "0123456789"), _Bar("", 0.0, 0.1, "", "0123456789")]), 3)
    1.515
    """
    ends = (bar.end / (1.0 - _label_px(bar.text) / PHONE_PX) for bar in bars)
    return max(1e-12, *ends)


def _label_px(text: str) -> float:
    longest = max(len(line) for line in text.split("\n"))
    return min(longest * LETTER_PX + GAP_PX, 0.75 * PHONE_PX)


def _alt(cost: Effective, currency: str, language: str) -> str:
    worst = max(cost.stages[1:], key=lambda stage: stage.factor, default=None)
    said = t(
        "From {peak} at the highest throughput measured to {cost} in this fleet, of which {used} is used in the mean.",
        peak=money(cost.stages[0].cost, currency, language),
        cost=amount_text(cost.cost, currency, language) or "?",
        used=percent(cost.used, language),
    ).render(language)
    if worst is None:
        return said
    most = t("{stage} adds the most: {factor} times.", stage=STAGES[worst.name], factor=plain(worst.factor, language))
    return f"{said} {most.render(language)}"


def table(found: FleetAnswer, language: str = "en") -> pd.DataFrame:
    """Return one row for each stage as numbers: the cost with it, what it adds, and by what factor; then the fleet's.

    Only the last one has a range: the steps are those of the middle.
    """
    cost, currency = found.effective, found.currency
    stages = _drawn(cost.stages) if cost else []
    total = [STAGES["total"].render(language)] if cost else []
    names = [*(STAGES[stage.name].render(language) for stage in stages), *total]
    costs = [*(stage.cost for stage in stages), *([cost.cost.mid] if cost else [])]
    adds = [*(stage.cost for stage in stages[:1]), *(stage.cost - before.cost for before, stage in pairwise(stages))]

    def last(value: float | None) -> pd.Series[float]:
        return pd.Series([*(None for _ in stages), *([value] if cost else [])], dtype="Float64")

    return pd.DataFrame(
        {
            t("Step").render(language): pd.Series(names, dtype="str"),
            t("Cost of a million output tokens").render(language): pd.Series(costs, dtype="Float64"),
            t("From").render(language): last(cost.cost.low if cost else None),
            t("To").render(language): last(cost.cost.high if cost else None),
            t("Currency").render(language): pd.Series([currency] * len(names), dtype="str"),
            t("Adds").render(language): pd.Series([*adds, *([None] if cost else [])], dtype="Float64"),
            t("Times the step before").render(language): pd.Series(
                [*(stage.factor for stage in stages), *([None] if cost else [])], dtype="Float64"
            ),
        }
    )
