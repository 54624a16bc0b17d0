"""Compare: which hardware, under the same targets?"""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from core.present.pareto_chart import cost_pareto, pareto_gap, throughput_pareto
from pages.parts import (
    charts,
    compare_accept,
    compare_answers,
    compare_says,
    compare_study,
    decision,
    files,
    keys,
    price,
    save,
    standing,
    state,
    targets,
)
from pages.parts.answers import answers_of
from pages.parts.frame import bar, enter
from pages.parts.speech import heading, language, say

WIDE = (3, 1.05)


def nothing() -> None:
    """Say what is needed before anything can be compared."""
    bar(t("Which one?"))
    st.info(say(t("Nothing to compare yet. Drop the files of two runs or more on the Plan page")))
    st.page_link("pages/plan.py", label=say(t("Go to Plan")), icon=":material/sailing:")


def controls() -> None:
    """Draw what every run is asked, and what an hour costs."""
    with st.container(border=True):
        targets.editor()
    with st.container(border=True):
        price.editor(state.runs())
        price.think_editor()
    decision.editor(state.runs())
    with st.container(border=True):
        files.held_files()


def compared() -> None:
    """Draw the sentence, the numbers, the conditions, the trade-off and the study of a change."""
    ask = state.ask()
    every = answers_of(state.runs(), ask)
    bar(t("Which one?"), standing.line, lambda: save.popover(every))
    left, right = st.columns(WIDE, gap="medium")
    with right:
        controls()
    with left:
        answers = compare_answers.chosen(every)
        found = compare_answers.comparison(answers, ask)
        compare_says.sentence(found)
        compare_says.numbers(found)
        compare_says.multiples(found)
        compare_says.each_quantity(found)
        with st.container(border=True):
            compare_accept.matrix(found)
        with st.container(border=True):
            heading(t("Speed of one user against throughput for each accelerator"))
            figure = throughput_pareto(found, ask.targets, language(), ink=charts.ink())
            charts.draw(figure, keys.PARETO, pareto_gap(found, cost=False))
            compare_says.left_out(found, cost=False)
        with st.container(border=True):
            heading(t("Speed of one user against cost"))
            marks = charts.marks_of(answers, ask.price)
            figure = cost_pareto(found, ask.targets, language(), ink=charts.ink())
            charts.draw(figure, keys.PARETO_COST, pareto_gap(found, cost=True), marks=marks)
            compare_says.left_out(found, cost=True)
        with st.container(border=True):
            compare_study.panel(answers, ask)


enter()
if not state.runs():
    nothing()
elif not state.ask().targets:
    bar(t("Which one?"))
    st.subheader(say(t("Add a target: runs are compared under the same ones")), anchor=False)
    if state.ask().is_batch:
        st.markdown(say(t("The time and the cost of a job without one stand on the Plan page, run by run")))
        st.page_link("pages/plan.py", label=say(t("Plan")), icon=":material/sailing:")
    controls()
else:
    compared()
