"""The limit to configure in front of the deployment, and what it is not."""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer
from core.present.admission import admission_table, admission_texts
from core.present.controls import SOURCE, TITLE, controls_table
from pages.parts import keys
from pages.parts.speech import heading, language, plain, say
from pages.parts.table import table


def panel(answer: RunAnswer) -> None:
    """Show how many requests to let in at once, as settings and in words; nothing in what was saved before."""
    said = admission_texts(answer, language())
    if not said:
        return
    with st.container(border=True):
        heading(t("Limit to configure"))
        st.markdown(plain(said[0]))
        frame = admission_table(answer, language())
        if frame is not None:
            table(frame, keys.LIMITS, t("Settings that hold the load at the safe number"))
        for text in said[1:]:
            st.caption(plain(text))


def controls() -> None:
    """Show the three controls that are easily taken for one, a column each; on a telephone one below the other."""
    heading(TITLE)
    frame = controls_table(language())
    name, *questions = frame.columns
    for place, row in zip(st.columns(len(frame), gap="small"), frame.to_dict("records"), strict=True):
        with place, st.container(border=True, height="stretch"):
            st.markdown(f"**{plain(row[name])}**")
            for question in questions:
                st.markdown(f":small[**{plain(question)}**]  \n{plain(row[question])}")
    st.caption(say(SOURCE))
