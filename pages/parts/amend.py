"""What a person may change by hand: conditions that the files leave unknown, levels to keep out."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.i18n import t
from core.model.run import Run
from core.model.stage import Stage
from core.present.conditions import condition_name
from core.present.numbers import concurrency
from pages.parts import keys, state
from pages.parts.speech import language, plain, say

ASKED = ("model", "accelerator", "accelerator_count", "precision", "ttft_scope")
COUNTS = frozenset({"accelerator_count"})
LONGEST = 120


def conditions(run: Run) -> None:
    """Offer a form for the conditions that matter most and are not in the files."""
    given = state.edits_of(run.id).conditions
    missing = [name for name in ASKED if getattr(run.conditions, name) is None or name in given]
    if not missing:
        return
    with st.expander(say(t("Add what the files do not say")), icon=":material/edit:"):
        with st.form(keys.of(keys.CONDITION, run.id), border=False):
            values = {name: _field(run, name, given.get(name)) for name in missing}
            st.form_submit_button(say(t("Keep with the run")), key=keys.of(keys.CONDITIONS_SAVE, run.id))
        known = {name: value for name, value in values.items() if value}
        if known != dict(given):
            state.set_edits(run.id, replace(state.edits_of(run.id), conditions=known))
            st.rerun()


def levels(run: Run) -> None:
    """Offer to keep a level out of the fit, with a reason, and to take it in again."""
    members = state.held().members[run.id]
    by_hand = {i: stage for i, stage in enumerate(run.stages) if state.kept_out_by_hand(members[i])}
    choices = [i for i, stage in enumerate(run.stages) if stage.load is not None and stage.excluded is None]
    with st.expander(say(t("Keep a level out of the fit")), icon=":material/block:"):
        with st.form(keys.of(keys.EXCLUDE, run.id), border=False, clear_on_submit=True):
            level = st.selectbox(
                say(t("Level")),
                choices,
                format_func=lambda i: _load_text(run.stages[i]),
                key=keys.of(keys.EXCLUDE_LEVEL, run.id),
                index=None,
            )
            why = st.text_input(say(t("Reason")), key=keys.of(keys.EXCLUDE_WHY, run.id), max_chars=LONGEST)
            wanted = st.form_submit_button(say(t("Keep it out")), key=keys.of(keys.EXCLUDE, run.id, "go"))
        if wanted and level is not None and why.strip():
            state.keep_out(members[level], why)
            st.rerun()
        if wanted:
            st.caption(say(t("Choose a level and give a reason: both are shown with the answer")))
    for i, stage in by_hand.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"{_load_text(stage)}: {stage.excluded}")
            st.button(
                say(t("Take in again")),
                key=keys.of(keys.INCLUDE, run.id, i),
                type="tertiary",
                icon=":material/undo:",
                on_click=state.keep_out,
                args=(members[i], ""),
            )


def _field(run: Run, name: str, given: str | float | None) -> str | int | None:
    label = plain(condition_name(name, language()))
    key = keys.of(keys.CONDITION, run.id, name)
    if name in COUNTS:
        count = int(given) if given is not None else None
        return st.number_input(label, min_value=1, max_value=1_000_000, value=count, key=key)
    return st.text_input(label, value=str(given or ""), max_chars=LONGEST, key=key).strip()


def _load_text(stage: Stage) -> str:
    return concurrency(stage.load or 0.0, language(), decimals=1)
