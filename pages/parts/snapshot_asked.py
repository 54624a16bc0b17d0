"""What a shared view shows of which run and of how many, where the scenario asked it; no money where it is hidden."""

from __future__ import annotations

import streamlit as st

from core.compare.compare import Comparison
from core.fleet.plan import fleet_for
from core.i18n import t
from core.model.answer import RunAnswer
from core.model.scenario import Scenario
from core.present.assumptions import HIDDEN
from core.present.compare_notes import Typed, hidden_note
from core.present.compare_words import headline, why_text
from core.present.fleet_charts import day_figure
from core.present.fleet_scenario import divided_text
from core.present.fleet_tables import cautions_table
from core.present.fleet_waterfall import waterfall_figure
from core.present.fleet_words import fleet_words, scaling_note, stacked_texts
from core.present.pareto_chart import cost_pareto, pareto_gap, throughput_pareto
from pages.parts import charts, compare_says, keys
from pages.parts.speech import heading, language, plain, say
from pages.parts.table import plain_table


def compared(found: Comparison | None, scenario: Scenario, *, hidden: bool) -> None:
    """Draw the verdict, the runs side by side, the multiples and the trade-off; nothing for one run alone."""
    if found is None:
        return
    with st.container(border=True):
        heading(t("Which one?"))
        st.markdown(f"**{plain(headline(found, language()))}**")
        why = why_text(found, found.deciding)
        if why is not None:
            st.markdown(say(why))
        note = hidden_note(found) if hidden else None
        if note is not None:
            st.caption(say(note))
        compare_says.numbers(found, typed=Typed.NOWHERE)
        compare_says.multiples(found)
    with st.container(border=True):
        heading(t("Speed of one user against throughput for each accelerator"))
        figure = throughput_pareto(found, scenario.targets, language(), ink=charts.ink())
        charts.draw(figure, keys.PARETO, pareto_gap(found, cost=False))
    if scenario.price:
        with st.container(border=True):
            heading(t("Speed of one user against cost"))
            figure = cost_pareto(found, scenario.targets, language(), ink=charts.ink())
            charts.draw(
                figure,
                keys.PARETO_COST,
                pareto_gap(found, cost=True),
                marks=charts.marks_of(found.answers, scenario.price),
            )


def fleet(answer: RunAnswer, scenario: Scenario, *, hidden: bool) -> None:
    """Draw how many replicas of the run in view carry the demand, and what that rests on; nothing without a demand."""
    demand, asked = scenario.demand, scenario.fleet
    if demand is None or not answer.per_target:
        return
    found = fleet_for(answer, demand, scenario.think_time_s, asked, scenario.price)
    said, divided = fleet_words(found, language()), divided_text(asked, language())
    with st.container(border=True):
        heading(t("How many, and how much a month?"))
        st.markdown(f"**{plain(said.first)}**")
        if said.money:
            st.markdown(say(HIDDEN) if hidden else plain(said.money))
        for text in (*said.lines, *stacked_texts(found, language()), *filter(None, (said.caution, said.fix, divided))):
            st.caption(plain(text))
        if asked and not found.untold:
            plain_table(cautions_table(found, language()))
    figure = waterfall_figure(found, language(), ink=charts.ink())
    if asked and figure and not hidden:
        with st.container(border=True):
            heading(t("From a full machine to this fleet: what a million output tokens cost"))
            marks = charts.marks_of([answer], scenario.price)
            charts.draw(figure, keys.of(keys.FLEET_CHART, "waterfall"), t("unknown"), marks=marks)
    day, note = day_figure(found, language(), ink=charts.ink()), scaling_note(found, language())
    if day and note:
        with st.container(border=True):
            heading(t("Over the day"))
            charts.draw(day, keys.of(keys.FLEET_CHART, "day"), t("unknown"))
            st.caption(plain(note))
