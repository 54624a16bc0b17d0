"""Charts of one run, each with its alternative text, the numbers behind it and downloads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Literal

import streamlit as st

from core.fit.fit import Fit
from core.i18n import Text, t
from core.model.answer import RunAnswer
from core.model.metric import Metric
from core.model.price import Price
from core.model.target import Target
from core.present.canvas import is_wide
from core.present.dated import Dated, bill_marks, with_marks
from core.present.figures import Figure, cost_figure, latency_figure, throughput_figure
from core.present.job_chart import job_figure
from core.present.latency import drawable
from core.present.names import metric_name
from pages.parts import keys, today
from pages.parts.drawer import drawer
from pages.parts.speech import heading, language, plain, say
from pages.parts.table import download_csv, draw_table

INK = {"light": "#0E1820", "dark": "#E8EEF4"}
"""Colour of chart text: that of the page, where Streamlit would take a paler one."""
IMAGES = ("png", "svg")
TALL = 470
"""Height of the main chart in pixels, so that it ends where the controls beside it end."""


Drawn = tuple[Metric, str]


def latency(answer: RunAnswer, fit: Fit, targets: Sequence[Target]) -> None:
    """Draw latency against load for one of the targets, with its choice and the scale."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        metric, statistic = _drawn_choice(answer, targets)
        log = _scale_choice(answer)
    figure = latency_figure(answer, fit, metric, statistic, targets, language(), log=log, ink=ink())
    name = metric_name(metric, statistic, language())
    draw(figure, keys.LATENCY, t("The files do not give {metric} at any level", metric=name), height=TALL)


def leading(answer: RunAnswer, fit: Fit, targets: Sequence[Target]) -> None:
    """Draw the chart that leads: throughput and the time of the job for a batch, else latency."""
    if answer.batch is None:
        latency(answer, fit, targets)
        return
    heading(t("Throughput and time of the job") if answer.batch.job else t("Throughput"))
    figure = job_figure(answer, fit, language(), ink=ink())
    draw(figure, keys.JOB_CHART, t("The files do not give tokens or requests per second"), height=TALL)


def throughput(answer: RunAnswer, fit: Fit) -> None:
    """Draw tokens per second against load."""
    heading(t("Throughput"))
    figure = throughput_figure(answer, fit, language(), ink=ink())
    draw(figure, keys.THROUGHPUT, t("The files do not give output tokens per second"))


def cost(answer: RunAnswer, fit: Fit, price: Price | None) -> None:
    """Draw the cost of a million output tokens against load; its file says that `price` is old."""
    heading(t("Cost of a million output tokens"))
    figure, marks = cost_figure(answer, fit, language(), ink=ink()), marks_of([answer], price)
    draw(figure, keys.COST, t("The files do not give output tokens per second"), marks=marks)


def marks_of(answers: Iterable[RunAnswer], price: Price | None) -> tuple[str, ...]:
    """Return what is to be said today of the prices that runs are paid with."""
    return bill_marks(answers, Dated(today=today.day(), price=price), language())


def ink() -> str:
    """Return the colour of chart text in the theme of this session."""
    return INK[st.context.theme.type or "light"]


def _drawn_choice(answer: RunAnswer, targets: Sequence[Target]) -> Drawn:
    supported = [each.capacity.supported for each in answer.per_target]
    choices = drawable([*targets, *(found.binding for found in supported if found and found.binding)])
    binding = drawable([answer.capacity.binding])[0] if answer.capacity.binding else choices[0]
    kept = st.session_state.get(keys.CHART)
    first = next((pair for pair in (kept, binding) if pair in choices), choices[0])
    st.session_state[keys.CHART_TARGET] = first
    chosen = st.segmented_control(
        say(t("Target shown")),
        choices,
        format_func=lambda pair: plain(metric_name(pair[0], pair[1], language())),
        key=keys.CHART_TARGET,
        required=True,
        label_visibility="collapsed",
        on_change=_keep_target,
    )
    return chosen or first


def _keep_target() -> None:
    st.session_state[keys.CHART] = st.session_state[keys.CHART_TARGET]


def _scale_choice(answer: RunAnswer) -> bool:
    key = keys.of(keys.CHART_SCALE, answer.run.id)
    st.session_state.setdefault(key, is_wide(answer.levels))
    return st.toggle(say(t("Logarithmic axes")), key=key, persist_state="session")


def draw(
    figure: Figure | None,
    key: str,
    absent: Text,
    *,
    height: int | Literal["content"] = "content",
    marks: Sequence[str] = (),
) -> None:
    """Draw a figure with its alternative text, its numbers and downloads; a sentence where there is none.

    Args:
        figure: None where it has nothing to show.
        key: of the chart.
        absent: stands in its place.
        height: of the chart, pixels.
        marks: what is to be said of the prices in its numbers; a file of them goes where no page says it.
    """
    if figure is None:
        st.caption(say(absent))
        return
    image = st.session_state.get(keys.of(keys.IMAGE, key), IMAGES[0])
    config = {
        "displaylogo": False,
        "toImageButtonOptions": {"format": image, "filename": f"plimsoll-{key}", "scale": 2},
    }
    st.plotly_chart(figure.chart, key=key, theme="streamlit", height=height, config=config, alt=figure.alt)
    name, numbers = say(t("Numbers and download")), keys.of(key, "numbers")
    drawer(name, numbers, partial(_numbers, figure, key, marks), icon=":material/table:")


def _numbers(figure: Figure, key: str, marks: Sequence[str]) -> None:
    draw_table(figure.table, keys.of(key, "table"), figure.alt)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        download_csv(with_marks(figure.table, [marks] * len(figure.table), language()), key)
        st.segmented_control(
            say(t("The camera on the chart saves")),
            IMAGES,
            default=IMAGES[0],
            format_func=str.upper,
            key=keys.of(keys.IMAGE, key),
            required=True,
            persist_state="session",
        )
