"""The live chart of the guide: the sample, read and answered like any upload."""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from core.present.words import one_line
from pages.parts import charts, samples, state
from pages.parts.answers import answers_of, fit_of
from pages.parts.speech import heading, language, plain


def chart() -> None:
    """Draw the sample's latency with the first targets, and its answer in one line."""
    run = samples.runs()[0]
    answer = answers_of((run,), state.FIRST_ASK)[0]
    with st.container(border=True):
        heading(t("An example to read along"))
        st.markdown(plain(one_line(answer, language())))
        charts.latency(answer, fit_of(run), state.FIRST_ASK.targets)
