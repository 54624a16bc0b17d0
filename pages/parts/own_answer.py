"""The answer for the service's own traffic beside the one as measured, and what makes the difference."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer
from core.model.traffic import Traffic
from core.present.doubts import finding_text
from core.present.headline import headline
from core.present.kinds import unheard_text
from core.present.measure import next_text
from core.present.traffic import differences_table, for_traffic_view
from pages.parts import keys
from pages.parts.doubts import ICONS
from pages.parts.speech import heading, language, plain, say
from pages.parts.table import table


def note(answer: RunAnswer, traffic: Traffic | None) -> None:
    """Say which traffic the charts are of, where the service's own is given, and what batches and voice leave open."""
    unheard = unheard_text(answer, language())
    if unheard:
        st.caption(plain(unheard))
    if traffic is None or traffic.unknown:
        return
    if answer.batch is not None or answer.for_traffic is None:
        st.caption(say(t("Your traffic is not applied to a batch: give the lengths of the job instead")))
        return
    st.caption(
        say(
            t(
                "The charts, the cost and the panels below are of the traffic as measured; "
                "the number above and the limit to configure are of yours"
            )
        )
    )


def panel(answer: RunAnswer) -> None:
    """Draw what differs and what each difference does, and the run that would settle it; nothing without traffic."""
    found = answer.for_traffic
    if found is None:
        return
    with st.container(border=True):
        heading(t("Your traffic beside the measured one"))
        said = headline(answer, language())
        left, right = st.columns(2)
        left.metric(say(t("Safe, as measured")), headline(replace(answer, for_traffic=None), language()).number)
        right.metric(say(t("Safe, for your traffic")), said.number)
        table(differences_table(found, language()), keys.TRAFFIC_TABLE, t("Conditions of the run and of your traffic"))
        for finding in found.findings:
            st.markdown(f":small[{ICONS[finding.severity]} {plain(finding_text(finding, language()))}]")
        if found.next_measurement:
            with st.expander(say(t("Measure with your traffic")), icon=":material/science:"):
                st.markdown(plain(next_text(for_traffic_view(answer), language())))
                if found.next_measurement.command:
                    st.code(found.next_measurement.command, language="bash", wrap_lines=True)
