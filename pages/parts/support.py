"""What stands under the main chart: throughput and cost, what stops it, what to measure, what to doubt."""

from __future__ import annotations

import streamlit as st

from core.fit.fit import Fit
from core.model.answer import RunAnswer
from pages.parts import cause, charts, doubts, limit, measure


def support(answer: RunAnswer, fit: Fit) -> None:
    """Draw everything that supports or doubts one answer; without a cost the throughput takes the width."""
    rates, money = st.columns(2, gap="medium") if answer.cost else (st.container(), None)
    with rates, st.container(border=True):
        charts.throughput(answer, fit)
    if money:
        with money, st.container(border=True):
            charts.cost(answer, fit)
    one, two = st.columns((2, 1), gap="medium")
    with one, st.container(border=True):
        cause.panel(answer)
    with two, st.container(border=True):
        measure.next_measurement(answer)
    one, two = st.columns(2, gap="medium")
    with one:
        limit.panel(answer)
    with two, st.container(border=True):
        doubts.panel(answer)
