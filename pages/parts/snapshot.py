"""A saved scenario as it was saved: its numbers are shown, not computed again."""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer
from core.model.scenario import Scenario
from core.present.batch import at_best
from core.present.names import target_text
from core.store.saved import Saved
from pages.parts import bill, charts, keys, own_answer, saved
from pages.parts.answers import fit_of
from pages.parts.overview import chosen, overview
from pages.parts.sentence import sentence
from pages.parts.speech import language, plain, say
from pages.parts.support import support


def show(entry: Saved, scenario: Scenario) -> None:
    """Draw a scenario for reading; the one thing to do with it is to make an own copy."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            st.badge(say(t("Shared view")), icon=":material/visibility:")
            st.subheader(plain(scenario.name), anchor=False, width="content")
        if st.button(say(t("Make my own copy")), key=keys.COPY, icon=":material/content_copy:"):
            saved.reopen(scenario)
            st.switch_page("pages/plan.py")
    if scenario.notes:
        st.text(scenario.notes)
    st.caption(plain(" · ".join(target_text(target, language()) for target in scenario.targets)))
    if len(scenario.answers) > 1:
        overview(scenario.answers, scenario.price)
    _answer(chosen(scenario.answers), scenario)
    st.caption(
        say(
            t(
                "Numbers as saved on {date} by Plimsoll {version}, method {method}",
                date=f"{entry.saved_at:%Y-%m-%d}",
                version=scenario.app_version,
                method=_method(scenario),
            )
        )
    )


def _method(scenario: Scenario) -> str:
    """Return what answered, with the constants where they were kept."""
    known = (scenario.method_version, scenario.constants_version)
    return " · ".join(part for part in known if part)


def _answer(answer: RunAnswer, scenario: Scenario) -> None:
    fit = fit_of(answer.run)
    sentence(answer, scenario.price, scenario.think_time_s)
    bill.paid(answer, scenario.price)
    bill.figures(at_best(answer), scenario.price)
    with st.container(border=True):
        charts.leading(answer, fit, scenario.targets)
    own_answer.panel(answer)
    support(answer, fit, answer.sensitivity, saved=True)
