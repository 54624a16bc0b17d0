"""What a saved answer rests on, for reading: the question, the conditions, the person's own columns."""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from core.model.counted import counted_run
from core.model.run import Run
from core.model.scenario import Scenario
from core.present.assumptions import assumptions, conditions_table, decision_table
from core.present.conditions import unknown
from pages.parts import keys, today
from pages.parts.speech import heading, language, plain, say
from pages.parts.table import table


def panel(scenario: Scenario, run: Run, *, prices_hidden: bool) -> None:
    """Draw what was assumed, a line each, and the conditions of the run below it."""
    heading(t("What this rests on"))
    for name, value in assumptions(scenario, run, language(), prices_hidden=prices_hidden, today=today.day()):
        st.markdown(f":small[{plain(name)}]  \n{plain(value)}")
    with st.expander(say(t("Conditions of {run}", run=run.label)), icon=":material/fact_check:"):
        run = counted_run(run, scenario.price)
        frame = conditions_table(run, language())
        table(frame, keys.CONDITIONS_SHOWN, t("Conditions of {run}", run=run.label), download=True)
        missing = unknown(run, language())
        if missing:
            st.caption(say(t("Unknown: {names}", names=", ".join(missing))))


def decision(scenario: Scenario) -> None:
    """Draw the person's own columns; nothing where there are none."""
    frame = decision_table(scenario, language())
    if frame is None:
        return
    with st.container(border=True):
        heading(t("What else decides"))
        table(frame, keys.DECISION_SHOWN, t("Columns that were added to the runs by hand"), download=True)
