"""Fleet: how many, and how much a month?"""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from core.model.run import Run
from core.model.scenario import Demand
from pages.parts import (
    conflict,
    fleet_budget,
    fleet_care,
    fleet_demand,
    fleet_found,
    fleet_mix,
    fleet_paid,
    fleet_pay,
    fleet_show,
    limit,
    overview,
    price,
    save,
    standing,
    state,
)
from pages.parts.answers import answers_of
from pages.parts.frame import bar, enter
from pages.parts.speech import say

WIDE = (3, 1.05)
QUESTION = t("How many, and how much a month?")


def empty() -> None:
    """Draw what is missing: files and a promise, both from the Plan page."""
    bar(QUESTION)
    st.subheader(say(t("A fleet is counted from a measured deployment")), anchor=False)
    st.markdown(say(t("Drop benchmark files on the Plan page and say what is promised; then come back")))
    st.page_link("pages/plan.py", label=say(t("Plan")), icon=":material/sailing:")


def job() -> None:
    """Say that a job without a target has no peak, and where its time and cost stand."""
    bar(QUESTION)
    st.subheader(say(t("A job without a target is not counted by a peak")), anchor=False)
    st.markdown(
        say(
            t(
                "How long it takes and what it costs stands on the Plan page. Add a target there to count replicas for "
                "a demand"
            )
        )
    )
    st.page_link("pages/plan.py", label=say(t("Plan")), icon=":material/sailing:")


def answered() -> None:
    """Draw the controls, and the fleet where a demand is given."""
    ask, runs = state.ask(), state.runs()
    answers = answers_of(runs, ask)
    bar(QUESTION, standing.line, lambda: save.popover(answers))
    conflict.ask(answers)
    answer = overview.chosen(answers)
    left, right = st.columns(WIDE, gap="medium")
    with right:
        with st.container(border=True):
            fleet_demand.editor()
        with st.container(border=True):
            fleet_care.editor(runs)
        fleet_mix.editor(runs)
        with st.container(border=True):
            price.editor(runs)
        fleet_pay.editor()
    with left:
        if ask.demand is None:
            unasked()
        else:
            told(ask.demand, answer.run)
        limit.panel(answer)


def unasked() -> None:
    """Say that a demand is what lacks."""
    st.subheader(say(t("Say how much the service has to carry at its peak")), anchor=False)
    st.markdown(
        say(t("As active users, requests per second or concurrent requests; or send a file of requests over time"))
    )


def told(demand: Demand, viewed: Run) -> None:
    """Draw the fleet for a demand, then what a budget buys."""
    ask, runs = state.ask(), state.runs()
    found = fleet_found.fleet_in_view(runs, viewed, ask, demand)
    fleet_show.sentence(found)
    fleet_paid.panel(found, ask.price)
    bought = fleet_found.affordable_of(runs, viewed, ask, demand)
    budget = found.amounts.budget if found.amounts else None
    if bought and budget is not None:
        fleet_budget.panel(bought, viewed, found, budget, ask.price)
    fleet_show.support(found, ask.think_s, ask.price)


enter()
if state.runs() and state.ask().is_batch and not state.ask().targets:
    job()
elif not state.runs() or not state.ask().targets:
    empty()
else:
    answered()
