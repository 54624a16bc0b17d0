"""Several runs side by side, and the choice of the one that the page goes into."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer
from core.model.price import Price
from core.model.run import Run
from core.present.comparison import RUN, SAFE, first_answered, runs_table
from pages.parts import keys
from pages.parts.speech import language, say, say_raw
from pages.parts.table import table

RUN_PX, SAFE_PX = 210, 110


def overview(answers: Sequence[RunAnswer], price: Price | None) -> None:
    """Show one row per run: no winner is named, and no multiple."""
    frame = runs_table(answers, language(), price=price)
    # The first two columns together fit a telephone; the others take the width of their words.
    widths = {say_raw(RUN): RUN_PX, say_raw(SAFE): SAFE_PX}
    alt = t("Answers of {count} runs side by side", count=len(answers))
    table(frame, keys.OVERVIEW, alt, widths=widths)
    st.caption(say(t("Different conditions stand side by side here; they are not a ranking")))


def chosen(answers: Sequence[RunAnswer]) -> RunAnswer:
    """Let the person choose the run to go into, at first one with an answer; the choice survives a change of page."""
    run = chosen_run(tuple(answer.run for answer in answers), first_answered(answers).run)
    return next(answer for answer in answers if answer.run is run)


def chosen_run(runs: Sequence[Run], first: Run | None = None) -> Run:
    """Let the person choose one of the runs, where there are several; `first` stands until then."""
    if len(runs) == 1:
        return runs[0]
    by_id = {run.id: run for run in runs}
    kept = st.session_state.get(keys.RUN)
    st.session_state[keys.RUN_PICK] = kept if kept in by_id else (first or runs[0]).id
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
