"""The one run that would narrow the answer most."""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer
from core.present.measure import engineer_request, next_text
from pages.parts.speech import heading, language, plain, say


def next_measurement(answer: RunAnswer) -> None:
    """Show the next run to make, as a command to paste and as a request to send."""
    heading(t("What to measure next"))
    wanted = answer.next_measurement
    if wanted is None:
        st.markdown(say(t("Nothing more is needed for these targets")))
        return
    st.markdown(plain(next_text(answer, language())))
    if wanted.command:
        st.code(wanted.command, language="bash", wrap_lines=True)
    with st.expander(say(t("A request to your engineer, to copy")), icon=":material/forward_to_inbox:"):
        st.code(engineer_request(answer, language()), language=None, wrap_lines=True)
