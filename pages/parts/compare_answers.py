"""The comparison of the runs in view: worked out from their answers, nothing is fitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.compare.compare import DECIDING, Comparison, compare
from core.compare.quantity import Quantity, Question
from core.i18n import t
from core.model.answer import RunAnswer
from core.present.run_labels import IN_BOX, cut_labels
from pages.parts import fleet_state, keys, state
from pages.parts.links import Ask
from pages.parts.speech import plain, say


def comparison(answers: Sequence[RunAnswer], ask: Ask, quantities: Sequence[Quantity] = tuple(Quantity)) -> Comparison:
    """Compare answers for what is asked: price, demand, think time, fleet and accepted differences."""
    asked = Question(price=ask.price, demand=ask.demand, think_s=ask.think_s, fleet=fleet_state.fleet())
    return compare(answers, asked, ask.compared.accepted, quantities)


def leading(answers: Sequence[RunAnswer], ask: Ask) -> Comparison:
    """Compare the runs that the person compares by what decides alone, to name the one that leads."""
    picked = [answer for answer in answers if answer.run.id in ask.compared.runs]
    return comparison(picked if len(picked) > 1 else answers, ask, DECIDING)


def chosen(answers: Sequence[RunAnswer]) -> tuple[RunAnswer, ...]:
    """Let the person choose which runs are compared, all of them at first; the choice is kept in the question."""
    if len(answers) < 3:
        return tuple(answers)
    by_id = {answer.run.id: answer for answer in answers}
    kept = [name for name in state.ask().compared.runs if name in by_id] or list(by_id)
    state.seed(keys.COMPARE_RUNS, kept)
    names = cut_labels({name: answer.run.label for name, answer in by_id.items()}, IN_BOX)
    picked = st.multiselect(
        say(t("Runs compared")),
        tuple(by_id),
        format_func=lambda name: plain(names[name]),
        key=keys.COMPARE_RUNS,
        on_change=_take_runs,
        args=(tuple(by_id),),
    )
    return tuple(by_id[name] for name in by_id if name in picked) or tuple(answers)


def _take_runs(every: tuple[str, ...]) -> None:
    picked = tuple(name for name in every if name in st.session_state[keys.COMPARE_RUNS])
    ask = state.ask()
    runs = () if picked == every else picked
    state.set_ask(replace(ask, compared=replace(ask.compared, runs=runs)))
