"""Trying other limits in a shared view: answered with today's method, and never taken for what was saved."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.fit.edition import edition
from core.fit.method import METHOD
from core.i18n import t
from core.model.answer import RunAnswer
from core.model.scenario import Scenario
from core.present.headline import headline
from core.present.names import metric_name, target_text
from pages.parts import keys, saved, view
from pages.parts.answers import answers_of
from pages.parts.links import row_of
from pages.parts.speech import heading, language, plain, say
from pages.parts.state import seed


def editor(scenario: Scenario) -> None:
    """Draw the targets as saved, with the switch that lets their limits be moved."""
    heading(t("Targets"))
    rows = view.tried()
    if rows is None:
        st.markdown("  \n".join(plain(target_text(target, language())) for target in scenario.targets))
    for position, row in enumerate(rows or ()):
        key = keys.of(keys.TRY_LIMIT, position)
        seed(key, row.value)
        sign = "≥" if row.metric.higher_is_better else "≤"
        st.number_input(
            plain(f"{metric_name(row.metric, row.statistic, language())} {sign} … {row.unit}".rstrip()),
            min_value=0.0,
            format="%g",
            key=key,
            on_change=_move,
            args=(position,),
        )
    seed(keys.TRY, rows is not None)
    st.toggle(say(t("Try other targets")), key=keys.TRY, on_change=_switch, args=(scenario,))


def answered(scenario: Scenario) -> tuple[RunAnswer, ...]:
    """Return the answers in view: those that were saved, or today's for the limits that are tried."""
    rows = view.tried()
    if rows is None:
        return scenario.answers
    return answers_of(tuple(each.run for each in scenario.answers), replace(saved.ask_of(scenario), rows=rows))


def asked(scenario: Scenario) -> Scenario:
    """Return what the answers in view rest on: as saved, or with the limits that are tried and today's method."""
    rows = view.tried()
    if rows is None:
        return scenario
    targets = tuple(row.target for row in rows)
    return replace(scenario, targets=targets, method_version=METHOD, constants_version=edition())


def note(scenario: Scenario, answer: RunAnswer) -> None:
    """Say that what stands below was explored, what was saved in its place, and how to go back."""
    if view.tried() is None:
        return
    before = next(each for each in scenario.answers if each.run.id == answer.run.id)
    st.warning(
        say(
            t(
                'Explored with today\'s method {method}, not what was saved. Saved was: "{saved}"',
                method=METHOD,
                saved=headline(before, language()).safe,
            )
        ),
        icon=":material/explore:",
    )
    st.button(
        say(t("Back to the saved numbers")), key=keys.TRY_BACK, icon=":material/undo:", type="tertiary", on_click=_back
    )


def _switch(scenario: Scenario) -> None:
    on = st.session_state[keys.TRY]
    st.session_state[keys.TRIED] = tuple(row_of(target) for target in scenario.targets) if on else None


def _move(position: int) -> None:
    value = st.session_state[keys.of(keys.TRY_LIMIT, position)]
    rows = list(view.tried() or ())
    if value and position < len(rows):
        moved = replace(rows[position], value=value)
        rows[position] = moved if moved.target else rows[position]
        st.session_state[keys.TRIED] = tuple(rows)


def _back() -> None:
    st.session_state[keys.TRIED] = None
