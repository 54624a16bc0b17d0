"""A saved version with the numbers as they were saved; today's method only beside them, and only when asked."""

from __future__ import annotations

import streamlit as st

from core.answer_diff import answer_changes
from core.fit.edition import edition
from core.fit.method import METHOD
from core.i18n import t
from core.model.answer import RunAnswer
from core.model.change import Difference, Word
from core.model.scenario import Scenario
from core.present.batch import at_best
from core.present.compare_scenario import comparison_of
from core.store.saved import Saved
from pages.parts import assumed, bill, charts, compared, keys, own_answer, saved, snapshot
from pages.parts.answers import fit_of
from pages.parts.overview import chosen, overview
from pages.parts.sentence import sentence
from pages.parts.speech import heading, say
from pages.parts.support import support


def draw(done: Saved, scenario: Scenario) -> None:
    """Draw the answers as they were saved, and what they rest on."""
    if not scenario.answers:
        st.info(say(t("No run was saved with this scenario")))
        return
    left, right = st.columns(snapshot.WIDE, gap="medium")
    with left:
        answer = _answer(scenario)
    with right:
        _beside(answer, scenario)
    support(answer, fit_of(answer.run), answer.sensitivity, scenario.price, saved=True)
    assumed.decision(scenario)
    snapshot.written(done, scenario)


def _answer(scenario: Scenario) -> RunAnswer:
    if len(scenario.answers) > 1:
        overview(scenario.answers, scenario.price, scenario.decision, comparison_of(scenario))
    answer = chosen(scenario.answers)
    sentence(answer, scenario.price, scenario.think_time_s, scenario.demand, fleet=scenario.fleet)
    with st.container(border=True):
        charts.leading(answer, fit_of(answer.run), scenario.targets)
    own_answer.panel(answer)
    if scenario.notes:
        with st.container(border=True):
            heading(t("Notes"))
            st.text(scenario.notes)
    return answer


def _beside(answer: RunAnswer, scenario: Scenario) -> None:
    if scenario.price is not None and at_best(answer).cost is not None:
        with st.container(border=True):
            heading(t("Price"))
            bill.paid(answer, scenario.price)
            bill.figures(at_best(answer), scenario.price)
    with st.container(border=True):
        assumed.panel(scenario, answer.run, prices_hidden=False)


def anew(scenario: Scenario) -> None:
    """Draw what today's method answers beside what was saved; nothing is changed by it."""
    with st.container(border=True):
        heading(t("Answered anew, beside what was saved"))
        old = saved.method_text(scenario.method_version, scenario.constants_version)
        new = saved.method_text(METHOD, edition())
        found = tuple(answer_changes(scenario.answers, saved.anew(scenario), unchanged=True))
        words = {word for each in found for word in each.words.values()}
        if words <= {Word.SAME}:
            said = t("The numbers are the same: saved with method {old}, answered now with {new}", old=old, new=new)
        else:
            said = t("Saved with method {old}, answered now with {new}", old=old, new=new)
        st.markdown(say(said))
        sides = (t("Saved"), t("Today"))
        compared.tables(Difference(answers=found), keys.ANSWER_ANEW, sides=sides)
        st.caption(say(t("Nothing was changed. To keep today's numbers, go on from here and save")))
