"""Which run serves which kind of request, where the traffic is a mix and there are several runs."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.i18n import t
from core.model.run import Run
from core.model.traffic import Traffic
from core.present.run_labels import IN_BOX, cut_labels
from core.present.traffic import traffic_text
from pages.parts import fleet_state, keys, state
from pages.parts.speech import heading, language, plain, say
from pages.parts.state import seed

VIEWED = ""


def editor(runs: tuple[Run, ...]) -> None:
    """Draw a choice for each kind of request; nothing where there is nothing to divide."""
    traffic = state.ask().traffic
    if traffic is None or len(traffic.profiles) < 2 or len(runs) < 2:
        return
    labels = cut_labels({run.id: run.label for run in runs}, IN_BOX)
    served = fleet_state.fleet().served_by
    with st.container(border=True):
        heading(t("Who serves which kind of request"))
        for position, profile in enumerate(traffic.profiles):
            key = keys.of(keys.FLEET, "serve", position)
            now = served[position] if position < len(served) and served[position] in labels else VIEWED
            seed(key, now)
            st.selectbox(
                plain(traffic_text(Traffic(profiles=(replace(profile, share=None),)), language())),
                (VIEWED, *labels),
                format_func=lambda name: plain(labels[name]) if name else say(t("the run in view")),
                key=key,
                on_change=_take,
                args=(position, len(traffic.profiles)),
            )


def _take(position: int, count: int) -> None:
    chosen = str(st.session_state[keys.of(keys.FLEET, "serve", position)] or VIEWED)
    served = [*fleet_state.fleet().served_by, *([VIEWED] * count)][:count]
    served[position] = chosen
    fleet_state.set_fleet(replace(fleet_state.fleet(), served_by=tuple(served) if any(served) else ()))
