"""Data: can I trust the files?"""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from core.model.counted import counted_run
from core.model.run import Run
from core.present.tables import called, conditions_table, files_table, header_help, stage_table
from pages.parts import amend, doubts, files, keys, mapping, mappings_kept, regroup, state
from pages.parts.frame import bar
from pages.parts.overview import chosen_run
from pages.parts.speech import language, plain, say
from pages.parts.table import table, wrapped

FINDINGS = 6
"""Findings in view at once."""

WIDE = (3, 1.05)


def recognised() -> None:
    """Show each file with what it was recognised as, each refused one with the way out, and take more in."""
    left, right = st.columns(WIDE, gap="medium")
    with left:
        st.subheader(say(t("Files")), anchor=False)
        table(files_table(state.runs(), language()), keys.FILES_TABLE, t("Files and what they were recognised as"))
        mapping.offer()
    with right, st.container(border=True):
        files.held_files(alone=False)
    files.refusals(state.held(), editing=True)


def details(run: Run) -> None:
    """Show one run: its levels, conditions and findings."""
    st.subheader(say(t("Load levels")), anchor=False)
    table(
        stage_table(run, language()),
        keys.LEVELS_TABLE,
        t("Load levels of {run}", run=run.label),
        download=True,
        helps=header_help(run, language()),
    )
    words = called(run, language()).values()
    if words:
        st.caption(f":material/translate: {plain(' · '.join(words))}")
    amend.conditions(run)
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(say(t("Conditions")), anchor=False)
        wrapped(conditions_table(counted_run(run, state.ask().price), language()))
    with right:
        st.subheader(say(doubts.title(run.findings)), anchor=False)
        doubts.listed(run.findings, FINDINGS, run.label)


bar(t("Can I trust the files?"))
if state.runs():
    recognised()
    mapping.panel()
    regroup.questions()
    shown = chosen_run(state.runs())
    regroup.actions(shown)
    regroup.changes()
    details(shown)
else:
    files.refusals(state.held(), editing=True)
    mapping.offer()
    mapping.panel()
    if not state.held().refused:
        st.info(say(t("No files are held yet. Drop some here, or try the sample")))
    files.drop_box()
    files.sample_button(prominent=True)
mappings_kept.listed()
