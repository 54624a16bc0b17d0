"""The difference of two scenarios on the screen: what differs in the inputs, and what in the answers."""

from __future__ import annotations

import json

import streamlit as st

from core.i18n import Text, t
from core.model.change import Aspect, Difference
from core.present.diff import AFTER, BEFORE, answers_table, difference_document, inputs_table, notes_lines
from core.present.diff_amounts import DIFFERENCE_HELP
from pages.parts import keys
from pages.parts.speech import language, say, say_raw
from pages.parts.table import table

RUN_PX, WHAT_PX, DIFFERENCE_PX = 150, 170, 360


def tables(found: Difference, key: str, *, sides: tuple[Text, Text] = (BEFORE, AFTER)) -> None:
    """Draw both tables; one that would be empty is left out."""
    widths = {say_raw(t("Run")): RUN_PX, say_raw(t("What")): WHAT_PX}
    if found.inputs:
        frame = inputs_table(found.inputs, language(), sides=sides)
        table(frame, keys.of(key, "inputs"), t("Inputs that differ"), widths=widths)
        _notes(found)
    if found.answers:
        frame = answers_table(found.answers, language(), sides=sides, asked_otherwise=found.asked_otherwise)
        helps = {say_raw(t("Difference")): say_raw(DIFFERENCE_HELP)}
        widths |= {say_raw(t("Difference")): DIFFERENCE_PX}
        if frame[say_raw(t("Run"))].nunique() == 1:
            frame = frame.drop(columns=say_raw(t("Run")))
        table(frame, keys.of(key, "answers"), t("Answers that differ"), widths=widths, helps=helps)


def _notes(found: Difference) -> None:
    """Draw the lines of the notes that differ, letter by letter."""
    for change in found.inputs:
        if change.about is Aspect.NOTES:
            lines = notes_lines(str(change.before or ""), str(change.after or ""))
            st.code("\n".join(f"{line.sign} {line.text}" for line in lines), language="diff", wrap_lines=True)


def download(found: Difference, key: str) -> None:
    """Offer the difference as JSON."""
    st.download_button(
        say(t("Difference as JSON")),
        data=lambda: json.dumps(difference_document(found), ensure_ascii=False, indent=2),
        file_name="plimsoll-difference.json",
        mime="application/json",
        key=keys.of(keys.DOWNLOAD, key),
        on_click="ignore",
        icon=":material/download:",
        type="tertiary",
    )
