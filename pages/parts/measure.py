"""What stops the deployment, target by target, and the one run that would narrow the answer most."""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer
from core.present.measure import engineer_request, next_text
from core.present.stops import stops_table, stops_texts
from pages.parts import keys
from pages.parts.speech import heading, language, plain, say
from pages.parts.table import table


def what_stops_it(answer: RunAnswer) -> None:
    """Show the capacity of each target alone, and what would help the one that binds."""
    heading(t("What stops it, and what helps"))
    for text in stops_texts(answer, language()):
        st.markdown(plain(text))
    table(stops_table(answer, language()), keys.STOPS, t("Capacity of each target on its own"))


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
