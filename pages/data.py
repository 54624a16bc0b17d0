"""Data: can I trust the files?"""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from core.present.doubts import ordered
from core.present.tables import conditions_table, files_table, stage_table
from pages.parts import amend, doubts, files, keys, state
from pages.parts.frame import bar
from pages.parts.overview import chosen_run
from pages.parts.speech import language, say
from pages.parts.table import table


def recognised() -> None:
    """Show each file with what it was recognised as, and each refused one with the way out."""
    st.subheader(say(t("Files")), anchor=False)
    table(files_table(state.runs(), language()), keys.FILES_TABLE, t("Files and what they were recognised as"))
    files.refusals(state.held())


def details() -> None:
    """Show one run: its conditions, findings and levels."""
    run = chosen_run(state.runs())
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(say(t("Conditions")), anchor=False)
        table(conditions_table(run, language()), keys.CONDITIONS_TABLE, t("Conditions of {run}", run=run.label))
        amend.conditions(run)
    with right:
        st.subheader(say(doubts.title(run.findings)), anchor=False)
        doubts.listed(ordered(run.findings))
    st.subheader(say(t("Load levels")), anchor=False)
    table(stage_table(run, language()), keys.LEVELS_TABLE, t("Load levels of {run}", run=run.label), download=True)
    amend.levels(run)


bar(t("Can I trust the files?"))
if state.runs():
    recognised()
    details()
else:
    files.refusals(state.held())
    st.info(say(t("No files are held yet. Drop some here, or try the sample")))
    files.drop_box()
    files.sample_button(prominent=True)
