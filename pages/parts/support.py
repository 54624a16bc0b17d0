"""What stands under the main chart: throughput and cost, what stops it, what to measure, what to doubt."""

from __future__ import annotations

import streamlit as st

from core.fit.fit import Fit
from core.model.answer import RunAnswer, Sensitivity
from core.model.price import Price
from core.present.kinds import has_tokens
from pages.parts import allows, cause, charts, doubts, limit, measure, worth


def support(
    answer: RunAnswer, fit: Fit, found: tuple[Sensitivity, ...], price: Price | None, *, saved: bool = False
) -> None:
    """Draw everything that supports or doubts one answer; without a cost the throughput takes the width.

    `found` is what its limits decide: empty where a scenario was saved without. What was `saved` is not worked out
    anew. Files of amounts say that `price` is old.
    """
    _charts(answer, fit, price)
    wide, beside = st.columns((2, 1), gap="medium") if found else (None, st.container())
    if wide:
        with wide, st.container(border=True):
            worth.panel(answer, found, price)
    with beside, st.container(border=True):
        measure.next_measurement(answer, saved=saved)
    # Without a target nothing stops it, and there is no cause to tell.
    asked = bool(answer.per_target)
    wide, beside = st.columns((2, 1) if asked else 2, gap="medium")
    with wide:
        if asked:
            with st.container(border=True):
                cause.panel(answer)
        else:
            limit.panel(answer)
    with beside:
        if asked:
            limit.panel(answer)
        with st.container(border=True):
            doubts.panel(answer)
    allows.panel(answer)


def _charts(answer: RunAnswer, fit: Fit, price: Price | None) -> None:
    """Draw what stands under the leading chart: for a batch with targets their latency, else throughput and cost."""
    if answer.batch:
        if answer.per_target:
            with st.container(border=True):
                charts.latency(answer, fit, [each.target for each in answer.per_target])
        return
    if not has_tokens(answer):
        return
    rates, money = st.columns(2, gap="medium") if answer.cost else (st.container(), None)
    with rates, st.container(border=True):
        charts.throughput(answer, fit)
    if money:
        with money, st.container(border=True):
            charts.cost(answer, fit, price)
