"""Several runs side by side, and the choice of the one that the page goes into."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer
from core.model.price import Price
from core.model.run import Run
from core.present.tables import runs_table
from pages.parts import keys
from pages.parts.speech import language, say
from pages.parts.table import table


def overview(answers: Sequence[RunAnswer], price: Price | None) -> None:
    """Show one row per run: no winner is named, and no multiple."""
    frame = runs_table(answers, language(), price=price)
    table(frame, keys.OVERVIEW, t("Answers of {count} runs side by side", count=len(answers)))
    st.caption(say(t("Different conditions stand side by side here; they are not a ranking")))


def chosen(answers: Sequence[RunAnswer]) -> RunAnswer:
    """Let the person choose the run to go into; the choice survives a change of page."""
    run = chosen_run(tuple(answer.run for answer in answers))
    return next(answer for answer in answers if answer.run is run)


def chosen_run(runs: Sequence[Run]) -> Run:
    """Let the person choose one of the runs, where there are several."""
    if len(runs) == 1:
        return runs[0]
    by_id = {run.id: run for run in runs}
    kept = st.session_state.get(keys.RUN)
    st.session_state[keys.RUN_PICK] = kept if kept in by_id else runs[0].id
    picked = st.selectbox(
        say(t("Run shown below")),
        tuple(by_id),
        format_func=lambda name: by_id[name].label,
        key=keys.RUN_PICK,
        on_change=_keep,
    )
    return by_id[picked]


def _keep() -> None:
    st.session_state[keys.RUN] = st.session_state[keys.RUN_PICK]
