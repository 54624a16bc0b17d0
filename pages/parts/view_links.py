"""What a reader of a shared view looks at, as parameters of its address, and back. Pure: nothing here knows Streamlit.

`?s=TOKEN&run=h100-8gpu&show=tpot-p99&axes=log&t=ttft-p99-450ms`: the limits stand there only while others than the
saved ones are tried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.model.metric import MEASURED, Metric
from core.model.target import Target
from pages.parts import keys
from pages.parts.links import MOST_TARGETS, Row, first, row_from, row_of

LOG, LINEAR = "log", "linear"
NAMES = (keys.Q_RUN, keys.Q_SHOWN, keys.Q_AXES, keys.Q_TARGET)
_RUN_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a reader chose; None is what stands there at first.

    Attributes:
        run: id of the run that is shown. shown: metric and statistic of the chart. log: scale of its axes.
        tried: limits to try in place of those that were saved, None where nothing is tried.
    """

    run: str | None = None
    shown: tuple[Metric, str] | None = None
    log: bool | None = None
    tried: tuple[Row, ...] | None = None


def to_params(view: View) -> dict[str, list[str]]:
    """Return the parameters that restore a view; what stands there at first is left out."""
    params: dict[str, list[str]] = {}
    if view.run is not None:
        params[keys.Q_RUN] = [view.run]
    if view.shown is not None:
        params[keys.Q_SHOWN] = [f"{view.shown[0].value}-{view.shown[1]}"]
    if view.log is not None:
        params[keys.Q_AXES] = [LOG if view.log else LINEAR]
    if view.tried is not None:
        params[keys.Q_TARGET] = [f"{r.metric.value}-{r.statistic}-{r.value:.12g}{r.unit}" for r in view.tried]
    return params


def from_params(params: Mapping[str, list[str]], targets: Sequence[Target]) -> View:
    """Return the view that the parameters ask for; whatever cannot be read stands as at first.

    Only limits can be tried: what is tried has the metrics and statistics of the saved `targets`, in their order.
    """
    axes = first(params, keys.Q_AXES)
    return View(
        run=first(params, keys.Q_RUN)[:_RUN_CHARS] or None,
        shown=_shown(first(params, keys.Q_SHOWN)),
        log=axes == LOG if axes in (LOG, LINEAR) else None,
        tried=_tried(params.get(keys.Q_TARGET, []), targets),
    )


def _shown(text: str) -> tuple[Metric, str] | None:
    name, _, statistic = text.partition("-")
    known = {metric.value: metric for metric in MEASURED}
    return (known[name], statistic) if name in known and statistic else None


def _tried(texts: Sequence[str], targets: Sequence[Target]) -> tuple[Row, ...] | None:
    asked: dict[tuple[Metric, str], list[Row]] = {}
    for row in filter(None, map(row_from, texts[:MOST_TARGETS])):
        asked.setdefault((row.metric, row.statistic), []).append(row)
    if not any((target.metric, target.statistic) in asked for target in targets):
        return None
    pools = [(row_of(target), asked.get((target.metric, target.statistic), [])) for target in targets]
    return tuple(pool.pop(0) if pool else row for row, pool in pools)
