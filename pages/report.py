"""Report: what do I send?"""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from pages.parts import branding, downloads, keys, preview, report_of, save, standing, state
from pages.parts.answers import answers_of
from pages.parts.errors import show_errors
from pages.parts.frame import bar, enter
from pages.parts.speech import heading, say

WIDE = (3, 1.6)

enter()
runs = state.runs()
if not runs:
    bar(t("What do I send?"))
    st.info(say(t("Nothing to report yet. Drop files on the Plan page, or open a saved scenario")))
    st.page_link("pages/plan.py", label=say(t("Go to Plan")), icon=":material/sailing:")
    st.stop()

answers = answers_of(runs, state.ask())
bar(t("What do I send?"), standing.line, lambda: save.popover(answers))
left, right = st.columns(WIDE, gap="medium")
with right:
    with st.container(border=True):
        heading(t("What stands on it"))
        parcel = report_of.editor(answers)
    with st.container(border=True):
        heading(t("Take it with you"))
        downloads.buttons(parcel)
    branding.editor()
with left, show_errors():
    preview.page(parcel, key=keys.REPORT_PREVIEW)
