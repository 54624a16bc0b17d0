"""Plan: how many concurrent requests can it carry, and at what price?"""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from pages.parts import (
    bill,
    charts,
    compare_answers,
    conflict,
    decision,
    files,
    fleet_state,
    keys,
    overview,
    own_answer,
    price,
    save,
    sentence,
    standing,
    state,
    sure,
    targets,
    traffic,
    workload,
)
from pages.parts.answers import answers_of, fit_of, worth_of
from pages.parts.frame import bar, enter
from pages.parts.speech import say
from pages.parts.support import support

WIDE = (3, 1.05)


def welcome() -> None:
    """Draw the first visit: the promise, the drop box, the sample, the formats."""
    bar(t("How much can it carry?"))
    _, middle, _ = st.columns((1, 4, 1))
    with middle:
        st.title(
            say(
                t(
                    "See how many concurrent requests your LLM deployment safely carries, "
                    "how sure that is, and what a token then costs"
                )
            ),
            anchor=False,
        )
        if st.session_state.get(keys.LOST):
            st.info(say(t("The files of this address are no longer held here. Drop them again; the targets are kept")))
        files.drop_box()
        with st.container(horizontal=True):
            files.sample_button(prominent=True)
            files.undo_button()
        files.formats()
        files.refusals(state.held())


def answered() -> None:
    """Draw the answer and everything that supports or doubts it."""
    ask = state.ask()
    answers = answers_of(state.runs(), ask)
    bar(t("How much can it carry?"), standing.line, lambda: save.popover(answers))
    conflict.ask(answers)
    standing.other_method()
    if len(answers) > 1:
        overview.overview(answers, ask.price, state.held().decision, compare_answers.leading(answers, ask))
    answer = overview.chosen(answers)
    fit = fit_of(answer.run)
    left, right = st.columns(WIDE, gap="medium")
    with left:
        sentence.sentence(answer, ask.price, ask.think_s, ask.demand, fleet=fleet_state.fleet())
        own_answer.note(answer, ask.traffic)
        with st.container(border=True):
            charts.leading(answer, fit, ask.targets)
        own_answer.panel(answer)
        bill.figures(answer, ask.price, ask.think_s)
    with right:
        with st.container(border=True):
            workload.editor()
            targets.editor()
        traffic.editor()
        with st.container(border=True):
            price.editor(state.runs())
            if not ask.is_batch:
                price.think_editor()
        decision.editor(state.runs())
        with st.container(border=True):
            files.held_files()
    support(answer, fit, worth_of(answer, ask.price), ask.price)
    sure.panel()


def unasked() -> None:
    """Draw the editor alone: without a target there is nothing to answer."""
    bar(t("How much can it carry?"))
    left, right = st.columns(WIDE, gap="medium")
    left.subheader(say(t("Add a target: without one there is nothing to plan for")), anchor=False)
    with right:
        with st.container(border=True):
            workload.editor()
            targets.editor()
        with st.container(border=True):
            files.held_files()


enter()
if not state.runs():
    welcome()
elif not state.ask().targets and not state.ask().is_batch:
    unasked()
else:
    answered()
